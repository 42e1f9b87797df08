"""`python -m curtain_judge.window --packet FILE`, or `--rule DIR --by NAME`: the judge's window as a process."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("curtain_judge.window.app"))
