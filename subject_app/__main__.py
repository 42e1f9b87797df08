"""`python -m subject_app`: the subject's station as a process of its own."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("subject_app.app"))
