"""Opens one of our windows from the command line."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command, module_environment

__all__ = ["appearance_options", "open_window"]

# As `curtain.desk` has them; Qt is not loaded to read a command line, and a test compares them.
_THEMES = ("system", "light", "dark", "contrast")
_TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)


def appearance_options(theme: str, text_size: int) -> list[str]:
    """The options that give a window its colours and the size of its text in percent. Raises CurtainError."""
    if theme not in _THEMES:
        raise CurtainError(f"There is no theme “{theme}”; take {_listed(_THEMES)}.")
    if text_size not in _TEXT_SIZES:
        raise CurtainError(f"There is no text size “{text_size}”; take {_listed(_TEXT_SIZES)}.")
    return ["--theme", theme, "--text-size", str(text_size)]


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values[:-1])) + f" or {values[-1]}"


def open_window(module: str, options: Sequence[str]) -> int:
    """The window's exit code. Where the system can, this very process becomes the window and never comes back, so
    that whoever ends it ends the window."""
    command, environment = module_command(module, *options), module_environment()
    # Windows has no exec that keeps the process id, so there a child does.
    if os.name == "posix":
        os.execve(command[0], command, environment)
    return subprocess.call(command, env=environment)
