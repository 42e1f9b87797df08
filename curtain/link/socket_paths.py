"""Where the two stations of one machine meet: the run directory, the socket's path, and who owns it."""

import hashlib
import os
import re
import stat
import sys
import tempfile
import warnings
from pathlib import Path

import platformdirs

from curtain.base.errors import CurtainError, os_errors_as

# The address of a local socket is a fixed field of the system, and Qt keeps two bytes of it to itself. It says
# only "Name error" or "Unknown error" when the field overflows.
LONGEST_PATH = 102 if sys.platform == "darwin" else 106


def is_network_address(text: str) -> bool:
    """Whether a `--listen` or `--connect` names an address on the network; others name a station of this machine."""
    return ":" in text or text.count(".") == 3


def run_folder(folder: Path | None = None) -> Path:
    """The folder for sockets and locks, made if missing and open to this person alone.

    Raises:
        CurtainError: it cannot be made, or the default one belongs to somebody else.
    """
    place = folder or _default_folder()
    if folder is not None or sys.platform == "win32":
        return _made(place)
    if place.parent == _fallback():
        _private(place.parent)
    return _private(place)


def address(name: str, folder: Path) -> str:
    """What QLocalServer and QLocalSocket call the meeting place `name`.

    Raises:
        CurtainError: the name is no plain word, or there is no place for a socket whose own path is too long.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        # A name becomes a file name and part of a socket's address.
        raise CurtainError(f"“{name}” is no name for the link: use up to 40 letters, digits, - and _.")
    if sys.platform == "win32":
        # A named pipe: the space of names is the computer's, so the person is part of it.
        return f"curtain-{os.environ.get('USERNAME', '')}-{name}"
    path = os.fsencode(os.path.join(os.path.realpath(folder), f"{name}.socket"))
    # In bytes: the field of the system counts bytes, and an umlaut has two.
    if len(path) <= LONGEST_PATH:
        return os.fsdecode(path)
    # Not the folder of TMPDIR: its path may be as long.
    return os.fspath(_private(Path("/tmp", f"curtain-{os.getuid()}")) / hashlib.sha256(path).hexdigest()[:16])


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


def _made(place: Path) -> Path:
    with os_errors_as(f"The folder {place} for the link cannot be used", advice=" Check its rights."):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def _private(place: Path) -> Path:
    """Made if missing. Among the temporary files anybody may have been first."""
    # `lstat`: a link could lead to a folder of ours and be turned elsewhere later.
    about = _made(place).lstat()
    if about.st_uid != os.getuid() or not stat.S_ISDIR(about.st_mode):
        raise _not_mine(place)
    # Made before with another mask: close it rather than refuse.
    if stat.S_IMODE(about.st_mode) & 0o077:
        place.chmod(0o700)
    return place


def _not_mine(place: Path) -> CurtainError:
    return CurtainError(
        f"The stations cannot meet in {place}, since it belongs to somebody else. Have it removed, "
        "or set XDG_RUNTIME_DIR to a short path of a folder that is yours alone."
    )
