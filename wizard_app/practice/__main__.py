"""`python -m wizard_app.practice --study DIR --wizard ID --course FILE`: practice as a process of its own."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("wizard_app.practice.program"))
