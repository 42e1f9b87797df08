"""`python -m curtain_practice.window --study DIR --wizard ID --course FILE`: practice as a process of its own."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("curtain_practice.window.app"))
