"""Lines that are added long after a session: one JSON object each, numbered, ending in the checksum that journals have.

A closed session's manifest does not list them. What protects them is in the lines: a lost, altered or torn one shows,
and what is intact behind it is read all the same.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from curtain.session.journal.lines import TAIL, WIDEST_GAP, BadLine, JournalReading, crc_tail, opened, pieces_of, sealed


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
    """The line, newline included; `seq` comes first. Raises BadLine."""
    return sealed({"seq": seq, **members}, "A line of {} bytes is too long to be kept; nothing was written.")


def unseal(line: bytes) -> dict[str, Any]:
    """The members of a line, `seq` among them, newline included. Raises BadLine."""
    body = line[:-TAIL]
    if line[-TAIL:] != crc_tail(body):
        raise BadLine("A line is cut off or altered.")
    try:
        members = json.loads(body + b"}")
    except (ValueError, RecursionError) as error:
        raise BadLine("A line is no JSON object.") from error
    if not isinstance(members, dict) or type(members.get("seq")) is not int:
        raise BadLine("A line has no number.")
    return members


def read_sealed(path: Path, start: int = 0, before: int = 0) -> SealedReading:
    """The intact lines from byte `start`, which is behind line number `before`; a missing file has none.

    A line is bad if its checksum or JSON is, or if its number was there before. Raises JournalUnreadable.
    """
    return opened(path, lambda file: _read(file, start, before), SealedReading(last=before))


def _read(file: BinaryIO, start: int, before: int) -> SealedReading:
    reading = SealedReading(good_bytes=file.seek(start), last=before)
    lines: list[dict[str, Any]] = []
    end, bad, after_newline = start, 0, True
    for members, piece, is_whole in pieces_of(file, unseal):
        end += len(piece)
        altered, after_newline = not (is_whole and after_newline), piece.endswith(b"\n")
        bad += altered
        if members is None or not reading.last < members["seq"] <= reading.last + WIDEST_GAP:
            bad += not altered
            continue
        missing = reading.missing + members["seq"] - reading.last - 1
        lines.append(members)
        # What is bad behind the last intact line is torn, not bad: it may be a write that was cut off.
        reading = SealedReading((), end, 0, members["seq"], missing, bad)
    return replace(reading, lines=tuple(lines), torn_bytes=end - reading.good_bytes)
