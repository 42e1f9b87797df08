"""`python -m wizard_app --study DIR`: the wizard's station as a process of its own."""

import sys

from curtain.qt.windows.display import run_window

sys.exit(run_window("wizard_app.app"))
