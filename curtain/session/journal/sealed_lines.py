"""Lines that are added long after a session: one JSON object each, numbered, ending in the checksum that journals have.

A closed session's manifest does not list them. What protects them is in the lines: a lost, altered or torn one shows,
and what is intact behind it is read all the same.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from curtain.session.journal.lines import MAX_LINE, BadLine, JournalReading, JournalUnreadable, crc_tail, members_json
from curtain.session.untrusted_files import open_plain

_TAIL = len(',"crc":"00000000"}\n')
# Every line begins like this, and no text in a line can hold it, since JSON escapes its quotes.
_BEGINNING = re.compile(rb'(?=\{"seq":)')
# A number beyond this is no gap but another file.
_WIDEST_GAP = 10_000


class TooLong(BadLine):
    """A line that could not be read back."""


@dataclass(frozen=True)
class SealedReading:
    """The intact lines from where reading began, where the last of them ends in the file, and how many bytes are torn
    after it. `last` is its number; before it `missing` numbers have no line, and `bad` pieces are no line."""

    lines: tuple[dict[str, Any], ...] = ()
    good_bytes: int = 0
    torn_bytes: int = 0
    last: int = 0
    missing: int = 0
    bad: int = 0

    @property
    def has_gaps(self) -> bool:
        """Something is lost or altered before the last intact line."""
        return bool(self.missing or self.bad)

    @property
    def is_whole(self) -> bool:
        """Nothing is lost, altered or torn."""
        return not (self.has_gaps or self.torn_bytes)

    @property
    def tail(self) -> JournalReading:
        """What `cut_torn_tail` sets aside."""
        return JournalReading(good_bytes=self.good_bytes, torn_bytes=self.torn_bytes)


def seal(seq: int, members: dict[str, Any]) -> bytes:
    """The line, newline included; `seq` comes first. Raises TooLong."""
    body = members_json({"seq": seq, **members})[:-1]
    if len(body) + _TAIL > MAX_LINE:
        raise TooLong(f"A line of {len(body)} bytes is too long to be kept; nothing was written.")
    return body + crc_tail(body)


def unseal(line: bytes) -> dict[str, Any]:
    """The members of a line, `seq` among them, newline included. Raises BadLine."""
    body = line[:-_TAIL]
    if line[-_TAIL:] != crc_tail(body):
        raise BadLine("A line is cut off or altered.")
    try:
        members = json.loads(body + b"}")
    except (ValueError, RecursionError) as fault:
        raise BadLine("A line is no JSON object.") from fault
    if not isinstance(members, dict) or type(members.get("seq")) is not int:
        raise BadLine("A line has no number.")
    return members


def read_sealed(path: Path, start: int = 0, before: int = 0) -> SealedReading:
    """The intact lines from byte `start`, which is behind line number `before`; a missing file has none.

    A line is bad if its checksum or JSON is, or if its number was there before. Raises JournalUnreadable.
    """
    try:
        with os.fdopen(open_plain(path), "rb") as file:
            return _read(file, start, before)
    except FileNotFoundError:
        return SealedReading(last=before)
    except OSError as fault:
        raise JournalUnreadable(f"{path} cannot be read: {fault.strerror}.") from fault


def _read(file: BinaryIO, start: int, before: int) -> SealedReading:
    reading = SealedReading(good_bytes=file.seek(start), last=before)
    lines: list[dict[str, Any]] = []
    end, bad = start, 0
    for members, size, altered in _pieces(file):
        end += size
        bad += altered
        if members is None or not reading.last < members["seq"] <= reading.last + _WIDEST_GAP:
            bad += not altered
            continue
        missing = reading.missing + members["seq"] - reading.last - 1
        lines.append(members)
        # What is bad behind the last intact line is torn, not bad: it may be a write that was cut off.
        reading = SealedReading((), end, 0, members["seq"], missing, bad)
    return replace(reading, lines=tuple(lines), torn_bytes=end - reading.good_bytes)


def _pieces(file: BinaryIO) -> Iterator[tuple[dict[str, Any] | None, int, bool]]:
    """Of each line its members (None if they are lost), its length, and whether it is altered. Also a line of which
    only the end of the line is altered is found, and one behind the beginning of another."""
    while chunk := file.readline(MAX_LINE):
        try:
            yield unseal(chunk), len(chunk), False
        except BadLine:
            pieces = [piece for piece in _BEGINNING.split(chunk) if piece]
            yield from ((_rescued(piece), len(piece), True) for piece in pieces)


def _rescued(piece: bytes) -> dict[str, Any] | None:
    for line in (piece, piece[:-1] + b"\n"):
        try:
            return unseal(line)
        except BadLine:
            continue
    return None
