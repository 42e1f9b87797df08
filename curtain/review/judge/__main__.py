"""`python -m curtain.review.judge --packet FILE`, or `--rule DIR --by NAME`: the judge's window as a process."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("curtain.review.judge.program"))
