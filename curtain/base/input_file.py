"""Opens the files that a command line or a study names: regular files only, so that none can hang or flood us.

Every refusal is an `OSError` whose `strerror` says why: the rooms put it into their own sentence, as they do with the
system's own errors.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Kind = TypeVar("_Kind")

LARGEST = 512 * 1024 * 1024
MOST_LEVELS = 64
STANDARD_INPUT = "-"

_KINDS = (
    (stat.S_ISDIR, errno.EISDIR, "it is a folder"),
    (stat.S_ISFIFO, errno.EINVAL, "it is a named pipe; save what comes out of it in a file first"),
    (stat.S_ISSOCK, errno.EINVAL, "it is a socket and no regular file"),
    (stat.S_ISCHR, errno.EINVAL, "it is a device and no regular file"),
    (stat.S_ISBLK, errno.EINVAL, "it is a device and no regular file"),
)
# The shell's <(...) names a pipe that this process holds already: whoever wrote that wants it read.
_HELD = re.compile(r"/(?:dev|proc/self)/fd/([0-9]+)")

_LONG_KEY = re.compile(rf"^[ \t\[]*(?:[\w-]+[ \t]*\.[ \t]*){{{MOST_LEVELS}}}", re.MULTILINE)


def open_input(path: Path) -> BinaryIO:
    """The bytes of a regular file, of standard input for `-`, or of a pipe that the shell has opened for us.

    Raises OSError.
    """
    if str(path) == STANDARD_INPUT:
        return io.BytesIO(_standard_input())
    if held := _HELD.fullmatch(str(path)):
        return os.fdopen(_pipe_or_file(os.dup(int(held[1])), path), "rb")
    return os.fdopen(open_regular(path), "rb")


@cache
def _standard_input() -> bytes:
    # Kept, since some files are read twice; one byte more than allowed, so that `read_input` can say “too large”.
    return sys.stdin.buffer.read(LARGEST + 1)


@contextmanager
def open_unpacked(path: Path) -> Iterator[BinaryIO]:
    """As `open_input`; what ends in `.gz` is unpacked while it is read. Raises OSError, EOFError, zlib.error."""
    with open_input(path) as file:
        if path.suffix.lower() != ".gz":
            yield file
            return
        with gzip.open(file) as unpacked:
            yield cast(BinaryIO, unpacked)


def open_regular(path: Path, *, follow_links: bool = True) -> int:
    """A descriptor for reading a regular file. Raises OSError for everything else, and at once."""
    _refuse_special(os.stat(path, follow_symlinks=follow_links).st_mode, path)
    # O_NONBLOCK, since the name may have become a pipe's between the look and the opening.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | (0 if follow_links else getattr(os, "O_NOFOLLOW", 0)))
    # Looked at again through the descriptor: the name may have changed hands since the first look.
    try:
        _refuse_special(os.fstat(descriptor).st_mode, path)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def digest_of(path: Path) -> str:
    """The SHA-256 of a regular file in hex, read piece by piece. Raises OSError."""
    with os.fdopen(open_regular(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_input(path: Path, at_most: int = LARGEST) -> bytes:
    """All bytes of what `open_input` opens. Raises OSError, also for more than `at_most`."""
    with open_input(path) as file:
        # One byte more than allowed shows “too large” without asking for a size, which a pipe does not have.
        data = file.read(at_most + 1)
    if len(data) > at_most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(at_most)}, which is too much for such a file", str(path))
    return data


def parse_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text. Raises ValueError with the reason, also for what is nested too deeply."""
    # Before the parser sees them: it takes quadratic time for the parts of a key.
    if _LONG_KEY.search(text):
        raise ValueError("it is nested too deeply")
    try:
        values = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if is_nested_too_deeply(values):
        raise ValueError("it is nested too deeply")
    if _has_nul(values):
        raise ValueError("a text in it holds the character NUL (\\u0000), which no name and no screen can hold")
    return values


def parse_json(data: bytes | str, kind: type[_Kind]) -> _Kind:
    """As `msgspec.json.decode`, where all that is wrong with the text is a `msgspec.DecodeError`."""
    try:
        return msgspec.json.decode(data, type=kind)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except UnicodeDecodeError:
        raise msgspec.DecodeError("it is not UTF-8 text") from None


def _has_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    names = value if isinstance(value, dict) else ()
    return any(map(_has_nul, names)) or any(map(_has_nul, _inside(value)))


def is_nested_too_deeply(values: object, at_most: int = MOST_LEVELS) -> bool:
    """Whether lists and tables lie in each other more than `at_most` deep."""
    level = [values]
    for _ in range(at_most + 1):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def real_path(path: Path) -> Path:
    """The path without links. A link that leads back to itself stays as it is, where `Path.resolve` would raise."""
    return Path(os.path.realpath(path))


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _pipe_or_file(descriptor: int, path: Path) -> int:
    mode = os.fstat(descriptor).st_mode
    try:
        if not stat.S_ISFIFO(mode):
            _refuse_special(mode, path)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_special(mode: int, path: Path) -> None:
    for is_kind, number, reason in _KINDS:
        if is_kind(mode):
            raise OSError(number, reason, str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


def read_sound(path: Path) -> tuple[NDArray[np.int16], int]:
    """All samples of a sound file as 16 bits, shape (frames, channels), and its rate in frames a second.

    Raises OSError; its `strerror` says so if the file is no sound, or none that can be read.
    """
    import numpy as np
    import soundfile  # loads a library: only when a file is read

    try:
        with open_input(path) as file, soundfile.SoundFile(file) as sound:
            # Of floats libsndfile takes 1.0 for the 16-bit number 1, which is silence.
            if sound.subtype in ("FLOAT", "DOUBLE"):
                scaled = np.nan_to_num(sound.read(dtype="float64", always_2d=True)) * 32768
                return np.clip(np.rint(scaled), -32768, 32767).astype(np.int16), sound.samplerate
            return sound.read(dtype="int16", always_2d=True), sound.samplerate
    except (soundfile.SoundFileError, ValueError) as error:
        raise OSError(errno.EINVAL, "its format is unknown or damaged") from error
