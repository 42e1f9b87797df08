"""The files of a folder we do not trust: no link is followed, no name leads outside, no special file is opened."""

import errno
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from curtain.base.input_file import open_regular

MANIFEST = "manifest-sha256.txt"
ANNOTATIONS = "annotations/"


@dataclass
class FolderContent:
    """What a folder holds: plain files by POSIX name relative to it, and names of what is no plain file."""

    plain: dict[str, Path] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)
    _sums: dict[str, str | None] = field(default_factory=dict)

    def sum_of(self, name: str) -> str | None:
        """The SHA-256 of a plain file, read once; None if the system does not let us read it."""
        if name not in self._sums:
            try:
                # None is kept too: a file that cannot be read once is not tried again and again.
                self._sums[name] = sha256_of(self.plain[name])
            except OSError:
                self._sums[name] = None
        return self._sums[name]


def look_through(folder: Path, sums: Mapping[str, str] = MappingProxyType({})) -> FolderContent:
    """All files below `folder`. Links, special files and folders that cannot be read count as odd. `sums` has the
    SHA-256 of files that were read already."""
    content = FolderContent(_sums=dict(sums))
    waiting = [(folder, "")]
    while waiting:
        waiting += _look(*waiting.pop(), content)
    content.plain = dict(sorted(content.plain.items()))
    content.odd.sort()
    return content


def _look(folder: Path, prefix: str, content: FolderContent) -> list[tuple[Path, str]]:
    folders: list[tuple[Path, str]] = []
    try:
        with os.scandir(folder) as scan:
            entries = list(scan)
    except OSError:
        content.odd.append(prefix.rstrip("/") or ".")
        return []
    for entry in entries:
        name = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            folders.append((Path(entry.path), name + "/"))
        elif entry.is_file(follow_symlinks=False):
            content.plain[name] = Path(entry.path)
        else:
            content.odd.append(name)
    return folders


def is_inside(name: str) -> bool:
    """True if a relative POSIX name stays in its folder on every system."""
    parts = name.split("/")
    # Also on the systems where the name was made: a bundle goes from one to another.
    return bool(name) and "\0" not in name and not any(part in ("", ".", "..") for part in parts)


def open_plain(path: Path) -> int:
    """A descriptor for reading a plain file. Raises OSError, also for links and special files."""
    return open_regular(path, follow_links=False)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a plain file in hex, read piece by piece. Raises OSError."""
    with os.fdopen(open_plain(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_plain(path: Path, at_most: int) -> bytes:
    """The bytes of a plain file. Raises OSError, also if there are more than `at_most`."""
    with os.fdopen(open_plain(path), "rb") as file:
        data = file.read(at_most + 1)
    if len(data) > at_most:
        raise OSError(errno.EFBIG, "This file is too large for what it should be", str(path))
    return data


def is_listed(name: str) -> bool:
    """True if a session's manifest lists this file: what was collected. Annotations go on growing afterwards; they have
    a checksum in each line."""
    return name not in (MANIFEST, f"{MANIFEST}.part") and not name.startswith(ANNOTATIONS)


def manifest_bytes(sums: dict[str, str]) -> bytes:
    """`sums` maps names to SHA-256. One line a file, sorted by name."""
    return b"".join(_manifest_line(name, sums[name]) for name in sorted(sums))


def _manifest_line(name: str, digest: str) -> bytes:
    # As GNU sha256sum escapes names, so that anybody can check the list without us.
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    mark = b"\\" if escaped != name else b""
    return mark + digest.encode() + b"  " + os.fsencode(escaped) + b"\n"


def manifest_lines(data: bytes) -> Iterator[tuple[str, str] | None]:
    """(name, SHA-256) of each line; None for a line that is none."""
    for line in data.split(b"\n")[:-1] if data.endswith(b"\n") else data.split(b"\n"):
        yield _manifest_entry(line)


def _manifest_entry(line: bytes) -> tuple[str, str] | None:
    escaped = line.startswith(b"\\")
    line = line[1:] if escaped else line
    digest, gap, name = line[:64], line[64:66], os.fsdecode(line[66:])
    # Two blanks for text, blank and star for binary: both are read.
    if gap not in (b"  ", b" *") or not name or digest.strip(b"0123456789abcdef") or len(digest) != 64:
        return None
    return (_unescaped(name) if escaped else name), digest.decode()


def _unescaped(name: str) -> str:
    pairs = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
    out, rest = "", name
    while rest:
        step = 2 if rest[:2] in pairs else 1
        out += pairs.get(rest[:2], rest[0])
        rest = rest[step:]
    return out
