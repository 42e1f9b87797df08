"""The notation of a journal: one JSON object per line, whose last member is the checksum of what is before it."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from curtain.errors import CurtainError
from curtain.session.files import open_plain

MAX_LINE = 16 * 1024 * 1024
_TAIL = len(',"crc":"00000000"}\n')
_TORN_SHOWN = 1024 * 1024


class BadLine(CurtainError):
    """Bytes that are not a whole, unaltered journal line."""


class UnreadableFact(CurtainError):
    """A whole line of a known type whose fields are not those of the type."""


class JournalUnreadable(CurtainError):
    """The journal exists but the system does not let us read it."""


@dataclass(frozen=True)
class Entry:
    """One line of a journal. `data` holds the fact's fields, also those we do not know."""

    seq: int
    turn: int | None
    t_ns: int
    wall_utc: str
    type: str
    data: dict[str, Any]


class Located(NamedTuple):
    entry: Entry
    line: bytes


@dataclass(frozen=True)
class Reading:
    """What a journal file holds: its good lines, where they end, and what is torn after them.

    `torn` is at most the first MiB of the `torn_bytes` bytes that follow; `starts` are the byte offsets of the lines.
    """

    entries: tuple[Entry, ...] = ()
    good_bytes: int = 0
    torn: bytes = b""
    torn_bytes: int = 0
    starts: tuple[int, ...] = ()


def write_line(entry: Entry) -> bytes:
    """The line of `entry`, newline included. Raises BadLine if it is too long to be read back."""
    members = {
        "seq": entry.seq,
        "type": entry.type,
        "turn": entry.turn,
        "t_ns": entry.t_ns,
        "wall_utc": entry.wall_utc,
        "data": entry.data,
    }
    body = _json(members)[:-1]
    if len(body) + _TAIL > MAX_LINE:
        raise BadLine(f"A {entry.type} of {len(body)} bytes is too long for the journal; nothing was written.")
    return body + _tail(body)


def _json(members: dict[str, Any]) -> bytes:
    text = json.dumps(members, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8; JSON can still spell it.
        return json.dumps(members, separators=(",", ":"), allow_nan=False).encode()


def _tail(body: bytes) -> bytes:
    return b',"crc":"%08x"}\n' % zlib.crc32(body)


def parse_line(line: bytes) -> Entry:
    """The entry of one line, newline included. Raises BadLine."""
    body = line[:-_TAIL]
    if line[-_TAIL:] != _tail(body):
        raise BadLine("A journal line is cut off or altered.")
    try:
        members = json.loads(body + b"}")
        return _entry(members)
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise BadLine("A journal line is not a journal entry.") from fault


def _entry(members: dict[str, Any]) -> Entry:
    entry = Entry(**{name: members[name] for name in ("seq", "turn", "t_ns", "wall_utc", "type", "data")})
    if type(entry.seq) is not int or type(entry.t_ns) is not int or not isinstance(entry.data, dict):
        raise TypeError("seq, t_ns or data")
    if not isinstance(entry.type, str) or not isinstance(entry.wall_utc, str):
        raise TypeError("type or wall_utc")
    if entry.turn is not None and type(entry.turn) is not int:
        raise TypeError("turn")
    return entry


def read_journal(path: Path) -> Reading:
    """All good lines of a journal, up to the first bad one; a missing file is an empty journal.

    A line is bad if its checksum or JSON is, if its number does not follow, or if its newline is missing.
    Raises JournalUnreadable.
    """
    try:
        with os.fdopen(open_plain(path), "rb") as file:
            return _read(file)
    except FileNotFoundError:
        return Reading()
    except OSError as fault:
        raise JournalUnreadable(f"{path} cannot be read: {fault.strerror}.") from fault


def _read(file: BinaryIO) -> Reading:
    entries: list[Entry] = []
    starts: list[int] = []
    good = 0
    for entry, line in _good_lines(file):
        entries.append(entry)
        starts.append(good)
        good += len(line)
    size = file.seek(0, 2)
    file.seek(good)
    return Reading(tuple(entries), good, file.read(_TORN_SHOWN), size - good, tuple(starts))


def _good_lines(file: BinaryIO) -> Iterator[Located]:
    expected = 1
    while line := file.readline(MAX_LINE):
        try:
            entry = parse_line(line)
        except BadLine:
            return
        if entry.seq != expected:
            return
        expected += 1
        yield Located(entry, line)
