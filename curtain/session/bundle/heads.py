"""The heads of a session's files: how far each went when Curtain last wrote it, and its checksum.

They lie in the study's folder `heads`. So a layer that lost its last rows, a list of checksums that was cut, or a
folder of yesterday is noticed, although each is whole in itself. A session outside of a study has no heads.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path

import msgspec

from curtain.session.untrusted_files import ANNOTATIONS, read_plain

HEADS = "heads"
"""The folder of a study that holds a file of heads for each session."""

log = logging.getLogger(__name__)

_LARGEST = 1 << 30
_NOTE = "repair-note.txt"
_LOOK_AGAIN = "look in “curtain annotate” whether something must be hidden again"


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A file's first `size` bytes have the SHA-256 `sha256`; `rows` is the number of its last line. `copy` names the
    repaired copy that it is of, and is empty for a session that never was repaired."""

    file: str
    size: int
    sha256: str
    rows: int = 0
    copy: str = ""


def begin_heads(folder: Path) -> None:
    """Forget the heads of an earlier session of this name."""
    place = _place(folder)
    if place is not None:
        place.unlink(missing_ok=True)


def keep_head(folder: Path, name: str, rows: int = 0) -> None:
    """Note how far a file of the session's folder goes now. A disk that takes no head leaves the earlier one."""
    place = _place(folder)
    if place is None:
        return
    try:
        data = read_plain(folder / name, _LARGEST)
        head = Head(file=name, size=len(data), sha256=_sum(data), rows=rows, copy=_copy(folder))
        place.parent.mkdir(exist_ok=True)
        # One write, added at the end: another window may be noting the head of another layer.
        with place.open("ab", buffering=0) as file:
            file.write(msgspec.json.encode(head) + b"\n")
    except OSError as fault:
        log.info("no head of %s is kept: %s", name, fault.strerror)


def fallen_behind(folder: Path) -> Iterator[tuple[str, str, str]]:
    """The files of a session's folder that are not what was last written, nor that with more lines behind it: name,
    what is wrong, what to do."""
    place = _place(folder)
    for name, head in _heads(folder, place).items() if place is not None else ():
        fault = _fault(folder, head)
        if fault:
            look = _LOOK_AGAIN if name.startswith(ANNOTATIONS) else "look whether the session is what it should be"
            take_it = f"Take it from another copy of the session. If there is none, {look}, "
            yield name, fault, f"{take_it}then move {place} out of the study."


def _fault(folder: Path, head: Head) -> str:
    try:
        data = read_plain(folder / head.file, _LARGEST)
    except FileNotFoundError:
        return f"The file is missing. It had {head.rows} rows." if head.rows else "The file is missing."
    except OSError:
        return ""  # whoever reads the file names it
    grows = head.file.startswith(ANNOTATIONS)
    if _sum(data[: head.size]) == head.sha256 and (grows or len(data) == head.size):
        return ""
    if not grows:
        return "The file is older than the one that was last written, or was altered."
    here = data.count(b"\n")
    if here < head.rows:
        return f"The last rows are missing: {head.rows} were saved, {here} are here."
    return f"The first {head.rows} rows are not those that were saved."


def _heads(folder: Path, place: Path) -> dict[str, Head]:
    """The last head of each file; a line that cannot be read is none."""
    copy, heads = _copy(folder), dict[str, Head]()
    try:
        lines = read_plain(place, _LARGEST).splitlines()
    except OSError:
        return {}
    for line in lines:
        try:
            head = msgspec.json.decode(line, type=Head)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if head.copy == copy:
            heads[head.file] = head
    return heads


def _place(folder: Path) -> Path | None:
    folder = folder.absolute()
    study = folder.parent.parent
    inside = folder.parent.name == "sessions" and (study / "study.toml").is_file()
    return study / HEADS / f"{folder.name}.jsonl" if inside else None


def _copy(folder: Path) -> str:
    # A repaired copy takes the place of the original, whose heads say nothing of it.
    try:
        return _sum(read_plain(folder / _NOTE, _LARGEST))
    except OSError:
        return ""


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
