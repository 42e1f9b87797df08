"""`curtain install-desktop`: Curtain in the menu of a Linux desktop, and out of it again.

The places and the keys are those of the Desktop Entry Specification 1.5, the Icon Theme Specification 0.13 and the XDG
Base Directory Specification 0.8.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.python_process import installed_script, module_command, run_program
from curtain.base.terminal import print_line
from curtain.qt.app_icon import icon_file

_ENTRY = Path("applications") / "curtain.desktop"
_ICON = Path("icons") / "hicolor" / "scalable" / "apps" / "curtain.svg"
# Entry and icon are no secrets, and some desktops read them as another user.
_READABLE = 0o644


def install_desktop(
    remove: Annotated[bool, typer.Option("--remove", help="Take Curtain out of the menu again.")] = False,
) -> int:
    """Write the entry and the icon for this user, or remove them; the exit code. Raises CurtainError."""
    return _remove() if remove else _install()


def _install() -> int:
    data = _data_home()
    with os_errors_as(f"{data} cannot be written"):
        for path, content in ((data / _ENTRY, desktop_entry(_command()).encode()), (data / _ICON, _icon())):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
            path.chmod(_READABLE)
    _refresh(data)
    print_line(f"Curtain is in the menu now: {data / _ENTRY}. “curtain install-desktop --remove” takes it out again.")
    return 0


def _remove() -> int:
    data = _data_home()
    there = [data / path for path in (_ENTRY, _ICON) if (data / path).is_file()]
    with os_errors_as(f"{data} cannot be changed"):
        for path in there:
            path.unlink()
    _refresh(data)
    print_line("Curtain is out of the menu." if there else "Curtain was not in the menu; nothing was removed.")
    return 0


def desktop_entry(command: list[str]) -> str:
    """The text of curtain.desktop that runs this command."""
    lines = {
        "Type": "Application",
        "Version": "1.5",
        "Name": "Curtain",
        "GenericName": "Speech sessions",
        "Comment": "Run Wizard-of-Oz speech sessions over a database",
        "Exec": " ".join(quoted_argument(part) for part in command),
        "Icon": "curtain",
        "Terminal": "false",
        "StartupNotify": "true",
        "StartupWMClass": "curtain",
        "Categories": "Science;AudioVideo;Audio;",
        "Keywords": "wizard;speech;corpus;annotation;",
    }
    return "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())


def quoted_argument(text: str) -> str:
    """One argument of Exec, quoted: a double quote, backtick, dollar sign or backslash gets a backslash.

    Backslashes are doubled once more as in every value of type string, and a per cent sign stands for itself as two.
    """
    escaped = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in text)
    return '"' + escaped.replace("\\", "\\\\").replace("%", "%%") + '"'


def _command() -> list[str]:
    """This installation, wherever it is: the menu knows no PATH of a virtual environment."""
    script = installed_script("curtain")
    return [str(script), "home"] if script is not None else module_command("curtain", "home")


def _icon() -> bytes:
    return icon_file().read_bytes()


def _data_home() -> Path:
    if sys.platform in ("win32", "darwin"):
        raise CurtainError("This system has no such menu; make a shortcut to the program “curtain” instead.")
    given = os.environ.get("XDG_DATA_HOME", "")
    # A relative path is to be ignored, says the specification.
    return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"


def _refresh(data: Path) -> None:
    """Let the desktop look again, where it has the programs for that; others look by themselves."""
    for program, folder in (("update-desktop-database", _ENTRY.parts[0]), ("gtk-update-icon-cache", "icons/hicolor")):
        tool = shutil.which(program)
        if tool and (data / folder).is_dir():
            with suppress(OSError):
                run_program([tool, str(data / folder)])
