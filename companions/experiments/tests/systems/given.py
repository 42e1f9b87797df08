"""Systems under test for tests."""

import sys
from pathlib import Path

from curtain_experiments.systems.choice import SystemChoice

SCRIPT = Path(__file__).with_name("system_that.py")


def system_that(does: str, deadline_s: float = 20.0) -> SystemChoice:
    return SystemChoice(
        does, "command", command=(sys.executable, str(SCRIPT), does), deadline_s=deadline_s, start_s=None
    )
