"""Opens one of our windows from the command line."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command, module_environment
from curtain.rehearsal.demo import has_display

__all__ = ["open_window", "theme_options"]

_THEMES = ("system", "light", "dark")


def theme_options(theme: str) -> list[str]:
    """The options that give a window its colours. Raises CurtainError for a theme that there is not."""
    if theme not in _THEMES:
        raise CurtainError(f"There is no theme “{theme}”; take system, light or dark.")
    return ["--theme", theme]


def open_window(module: str, options: Sequence[str]) -> int:
    """The window's exit code. Where the system can, this very process becomes the window and never comes back, so
    that whoever ends it ends the window. Raises CurtainError without a display."""
    # With QT_QPA_PLATFORM set, a test or a remote session draws without a display.
    if not has_display() and "QT_QPA_PLATFORM" not in os.environ:
        raise CurtainError("There is no display for the window; start it on a desktop, or set DISPLAY.")
    command, environment = module_command(module, *options), module_environment()
    # Windows has no exec that keeps the process id, so there a child does.
    if os.name == "posix":
        os.execve(command[0], command, environment)
    return subprocess.call(command, env=environment)
