"""`python -m curtain_home`: the home window as a process of its own."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("curtain_home.program"))
