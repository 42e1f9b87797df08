"""Opens one of our windows from the command line."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from curtain.base.python_process import module_command, module_environment, running_window


def options_for(values: Mapping[str, object], theme: str | None, text_size: int | None) -> list[str]:
    """The options with a value, as a window's own command line takes them; True stands for a flag."""
    options: list[str] = []
    for name, value in {**values, "--theme": theme, "--text-size": text_size}.items():
        for each in value if isinstance(value, list) else [value]:
            # 0 is a value, for a number of days or a seed.
            if each is True:
                options.append(name)
            elif each is not None and each is not False and each != "":
                options += [name, str(each)]
    return options


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
