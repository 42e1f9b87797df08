"""Where the two stations of one machine meet: the run directory, the socket's path, and who owns it."""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
import warnings
from pathlib import Path

import platformdirs

from curtain.base.errors import CurtainError

# The address of a local socket is a fixed field of the system, and Qt keeps two bytes of it to itself. It says
# only "Name error" or "Unknown error" when the field overflows.
LONGEST_PATH = 102 if sys.platform == "darwin" else 106
# While it binds, Qt uses a short-lived folder beside the socket: /XXXXXX/s.
BINDING = len("/XXXXXX/s")


def run_folder(folder: Path | None = None) -> Path:
    """The folder for sockets and locks, made if missing and open to this person alone.

    Raises:
        CurtainError: it cannot be made, or the default one belongs to somebody else.
    """
    place = folder or _default_folder()
    try:
        if folder is None and sys.platform != "win32":
            _check_owner(place.parent)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder is None and sys.platform != "win32":
            _check_private(place)
    except OSError as error:
        raise CurtainError(
            f"The folder {place} for the link cannot be used: {error.strerror}. Check its rights."
        ) from error
    return place


def address(name: str, folder: Path) -> str:
    """What QLocalServer and QLocalSocket call the meeting place `name`.

    Raises:
        CurtainError: the name is no plain word, or the path is longer than the system takes.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        # A name becomes a file name and part of a socket's address.
        raise CurtainError(f"“{name}” is no name for the link: use up to 40 letters, digits, - and _.")
    if sys.platform == "win32":
        # A named pipe: the space of names is the computer's, so the person is part of it.
        return f"curtain-{os.environ.get('USERNAME', '')}-{name}"
    path = os.fspath(folder.absolute() / f"{name}.socket")
    # In bytes: the field of the system counts bytes, and an umlaut has two.
    longest = max(len(os.fsencode(path)), len(os.fsencode(folder.absolute())) + BINDING)
    if longest > LONGEST_PATH:
        raise CurtainError(
            f"The path of the link is too long: {path}. At most {LONGEST_PATH} bytes are possible: "
            "use a shorter name or folder."
        )
    return path


def _default_folder() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without XDG_RUNTIME_DIR it takes a folder under the temporary one
        try:
            return Path(platformdirs.user_runtime_dir("curtain", appauthor=False))
        except PermissionError as error:
            # Newer releases of platformdirs refuse a fallback that is not the user's own.
            raise _not_mine(_fallback()) from error


def _fallback() -> Path:
    return Path(tempfile.gettempdir(), f"runtime-{os.getuid()}")


def _check_owner(parent: Path) -> None:
    """Where there is no runtime folder of the system, anybody may have made the one among the temporary files."""
    if parent == _fallback() and os.path.lexists(parent):
        # `lstat`: a link could lead to a folder of ours and be turned elsewhere later.
        about = parent.lstat()
        if about.st_uid != os.getuid() or not stat.S_ISDIR(about.st_mode):
            raise _not_mine(parent)


def _check_private(place: Path) -> None:
    about = place.stat()
    if about.st_uid != os.getuid():
        raise _not_mine(place)
    # Made before with another mask: close it rather than refuse.
    if stat.S_IMODE(about.st_mode) & 0o077:
        place.chmod(0o700)


def _not_mine(place: Path) -> CurtainError:
    return CurtainError(
        f"The stations cannot meet in {place}, since it belongs to somebody else. Have it removed, "
        "or set XDG_RUNTIME_DIR to a folder that is yours alone."
    )
