"""The notation of a journal: one JSON object per line, whose last member is the checksum of what is before it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from curtain.base.errors import CurtainError, os_errors_as
from curtain.session.untrusted_files import open_plain

T = TypeVar("T")

MAX_LINE = 16 * 1024 * 1024
TAIL = len(',"crc":"00000000"}\n')
_TORN_READ = 1024 * 1024
# A number beyond this is no damaged line but another file.
WIDEST_GAP = 10_000
DAMAGED = "damaged"
# Every line begins like this, and no text in a line can hold it, since JSON escapes its quotes.
_BEGINNING = re.compile(rb'(?=\{"seq":)')


class BadLine(CurtainError):
    """Bytes that are not a whole, unaltered journal line."""


class UnreadableFact(CurtainError):
    """A whole line of a known type whose fields are not those of the type."""


class JournalUnreadable(CurtainError):
    """The journal exists but the system does not let us read it."""


class JournalEntry(msgspec.Struct, frozen=True):
    """One line of a journal. `data` holds the fact's fields, also those we do not know."""

    seq: int
    turn: int | None
    t_ns: int
    wall_utc: str
    type: str
    data: dict[str, Any]


_DECODER = msgspec.json.Decoder(JournalEntry)


@dataclass(frozen=True)
class JournalReading:
    """What a journal file holds: its intact lines, and what is damaged between and torn behind them.

    `starts` are the byte offsets of the lines in `entries`. Up to `good_bytes` the numbers in `lost` have no intact
    line, and `altered_bytes` belong to none. `torn_bytes` are behind.
    The first `sound_lines` lines stand before any damage and end at `sound_bytes`. `sha256` is of the whole file.
    """

    entries: tuple[JournalEntry, ...] = ()
    good_bytes: int = 0
    torn_bytes: int = 0
    starts: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    altered_bytes: int = 0
    sound_lines: int = 0
    sound_bytes: int = 0
    sha256: str = ""

    @property
    def last_seq(self) -> int:
        """The last number in use; a lost line keeps its own."""
        return max(self.entries[-1].seq if self.entries else 0, self.lost[-1] if self.lost else 0)

    @property
    def is_damaged(self) -> bool:
        """Something before `good_bytes` was altered. A torn end alone is what a crash leaves."""
        return bool(self.lost or self.altered_bytes)

    def without_lines(self) -> JournalReading:
        """The same account of the damage and of the last number, without the lines and where they begin."""
        before, last = self.entries[:-1], self.entries[-1:]
        marks = (entry for entry in before if entry.type == DAMAGED)
        return replace(self, entries=(*marks, *last), starts=())


def write_line(entry: JournalEntry) -> bytes:
    """The line of `entry`, newline included. Raises BadLine if it is too long to be read back."""
    members = {
        "seq": entry.seq,
        "type": entry.type,
        "turn": entry.turn,
        "t_ns": entry.t_ns,
        "wall_utc": entry.wall_utc,
        "data": entry.data,
    }
    return sealed(members, f"A {entry.type} of {{}} bytes is too long for the journal; nothing was written.")


def sealed(members: dict[str, Any], too_long: str) -> bytes:
    """A line of these members and their checksum, newline included. Raises BadLine with the sentence `too_long`, which
    takes the number of bytes."""
    body = members_json(members)[:-1]
    if len(body) + TAIL > MAX_LINE:
        raise BadLine(too_long.format(len(body)))
    return body + crc_tail(body)


def stand_in(seq: int, neighbour: JournalEntry, aside: str) -> bytes:
    """The line that keeps the number of a lost one: it bears its neighbour's time and names the file with the bytes."""
    return write_line(JournalEntry(seq, None, neighbour.t_ns, neighbour.wall_utc, DAMAGED, {"kept_in": aside}))


def members_json(members: dict[str, Any]) -> bytes:
    """One line of JSON in UTF-8, without the line's end. Raises ValueError for a number that is none."""
    text = json.dumps(members, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8; JSON can still spell it.
        return json.dumps(members, separators=(",", ":"), allow_nan=False).encode()


def crc_tail(body: bytes) -> bytes:
    """What ends a line: the checksum (CRC-32) of all that is before it, as the last member."""
    return b',"crc":"%08x"}\n' % zlib.crc32(body)


def parse_line(line: bytes) -> JournalEntry:
    """The entry of one line, newline included. Raises BadLine."""
    if line[-TAIL:] != crc_tail(line[:-TAIL]):
        raise BadLine("A journal line is cut off or altered.")
    try:
        # The checksum is a member as others that we do not know.
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _parsed_bymembers_json(line)


def _parsed_bymembers_json(line: bytes) -> JournalEntry:
    # msgspec refuses half of a surrogate pair and numbers beyond a double, which `write_line` lets through.
    try:
        members = json.loads(line)
        return msgspec.convert({name: members[name] for name in JournalEntry.__struct_fields__}, type=JournalEntry)
    except (ValueError, KeyError, TypeError, RecursionError, msgspec.ValidationError) as error:
        raise BadLine("A journal line is not a journal entry.") from error


def read_journal(path: Path) -> JournalReading:
    """All intact lines of a journal in the order of their numbers; a missing file is an empty journal.

    A line counts if its checksum is right and its number is higher than those before, also behind a damaged one.
    Raises JournalUnreadable.
    """
    return opened(path, _read, JournalReading())


def first_entry(path: Path, kind: str) -> JournalEntry | None:
    """The first intact line of this type; no more of the file is read. Raises JournalUnreadable."""

    def find(file: BinaryIO) -> JournalEntry | None:
        entries = (entry for entry, _, _ in pieces_of(file, parse_line) if entry is not None)
        return next((entry for entry in entries if entry.type == kind), None)

    return opened(path, find, None)


def opened(path: Path, read: Callable[[BinaryIO], T], missing: T) -> T:
    """What `read` makes of the file; `missing` where there is none. Raises JournalUnreadable."""
    unreadable = os_errors_as(f"{path} cannot be read", JournalUnreadable)
    with unreadable, suppress(FileNotFoundError), os.fdopen(open_plain(path), "rb") as file:
        return read(file)
    return missing


def _read(file: BinaryIO) -> JournalReading:
    entries: list[JournalEntry] = []
    starts: list[int] = []
    lost: list[int] = []
    # `pending` bytes are altered if an intact line follows, and torn if none does.
    at = good = altered = pending = 0
    expected, sound, digest = 1, (0, 0), hashlib.sha256()
    for entry, piece, is_whole in pieces_of(file, parse_line):
        start, at = at, at + len(piece)
        digest.update(piece)
        # A number that was there already, or far ahead, belongs to no line of this file.
        if entry is None or not expected <= entry.seq <= expected + WIDEST_GAP:
            pending += len(piece)
            continue
        lost += range(expected, entry.seq)
        altered += pending + (not is_whole)
        entries.append(entry)
        starts.append(start)
        expected, good, pending = entry.seq + 1, at, 0
        if not (lost or altered):
            # Up to here nothing was wrong: repair moves only what is behind.
            sound = len(entries), good
    file.seek(good)
    rest = file.read(_TORN_READ)
    if _were_lines(file, rest, pending):
        # As many numbers as lines began there; at least one was in use.
        lost += range(expected, expected + (len(_BEGINNING.findall(rest)) or 1))
        good, altered, pending = at, altered + pending, 0
    damage = tuple(lost), altered, *sound
    return JournalReading(tuple(entries), good, pending, tuple(starts), *damage, digest.hexdigest())


def _were_lines(file: BinaryIO, rest: bytes, size: int) -> bool:
    """Whether the end of a journal was written whole and altered later.

    A killed writer leaves the beginning of a line, and a power cut leaves zeros: neither was acknowledged. Bytes up to
    a newline were, so that their number is in use and must not be given to another line; a single zero among them is a
    flipped bit.
    """
    if not size or b"\0\0" in rest:
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def pieces_of(file: BinaryIO, parse: Callable[[bytes], T]) -> Iterator[tuple[T | None, bytes, bool]]:
    """Every piece of the file in order: what `parse` makes of it, None where that raises BadLine; its bytes; and
    whether these are a whole line.

    A line is also found behind the beginning of another, and where its newline alone is altered.
    """
    while chunk := file.readline(MAX_LINE):
        try:
            yield parse(chunk), chunk, True
        except BadLine:
            for piece in filter(None, _BEGINNING.split(chunk)):
                yield _rescued(piece, parse)


def _rescued(piece: bytes, parse: Callable[[bytes], T]) -> tuple[T | None, bytes, bool]:
    # Its newline alone may have been altered.
    for line in (piece, piece[:-1] + b"\n"):
        try:
            return parse(line), piece, line is piece
        except BadLine:
            continue
    return None, piece, False
