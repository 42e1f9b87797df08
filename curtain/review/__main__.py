"""`python -m curtain.review --study DIR --by NAME`: the annotator's window as a process of its own."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("curtain.review.app"))
