"""Opens one of our windows from the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command, module_environment, running_window

# As `curtain.qt` has them; Qt is not loaded to read a command line, and a test compares them.
_THEMES = ("system", "light", "dark", "contrast")
_TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)


def appearance_options(theme: str | None, text_size: int | None) -> list[str]:
    """The options that give a window its colours and the size of its text in percent. Raises CurtainError."""
    if theme is not None and theme not in _THEMES:
        raise CurtainError(f"There is no theme “{theme}”; take {_listed(_THEMES)}.")
    if text_size is not None and text_size not in _TEXT_SIZES:
        raise CurtainError(f"There is no text size “{text_size}”; take {_listed(_TEXT_SIZES)}.")
    given = {"--theme": theme, "--text-size": text_size}
    return [part for name, value in given.items() if value is not None for part in (name, str(value))]


def options_for(values: Mapping[str, object], theme: str | None, text_size: int | None) -> list[str]:
    """The options with a value, as a window's own command line takes them; True stands for a flag.

    Raises CurtainError for an appearance that there is not.
    """
    options: list[str] = []
    for name, value in values.items():
        for each in value if isinstance(value, list) else [value]:
            # 0 is a value, for a number of days or a seed.
            if each is True:
                options.append(name)
            elif each is not None and each is not False and each != "":
                options += [name, str(each)]
    return options + appearance_options(theme, text_size)


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values[:-1])) + f" or {values[-1]}"


def open_window(module: str, options: Sequence[str]) -> int:
    """The window's exit code. Where the system can, this very process becomes the window and never comes back, so
    that whoever ends it ends the window."""
    if sys.platform != "win32":
        command = module_command(module, *options)
        os.execve(command[0], command, module_environment())
    # Windows has no exec that keeps the process id, so there a child does. What drives it has its input.
    if "--drive" in options:
        return subprocess.call(module_command(module, *options), env=module_environment())
    with running_window(module, *options) as window:
        return window.wait()
