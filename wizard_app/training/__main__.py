"""`python -m wizard_app.training --study DIR --wizard ID --course FILE`: practice as a process of its own."""

import sys

from curtain.desk.windows.display import run_window

sys.exit(run_window("wizard_app.training.program"))
