"""Lines that are added long after a session: one JSON object each, numbered, ending in the checksum that journals have.

A closed session's manifest does not list them. What protects them is in the lines: a lost, altered or torn one shows.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from curtain.session.files import open_plain
from curtain.session.lines import MAX_LINE, BadLine, JournalUnreadable, Reading

__all__ = ["SealedReading", "TooLong", "read_sealed", "seal", "unseal"]

_TAIL = len(',"crc":"00000000"}\n')


class TooLong(BadLine):
    """A line that could not be read back."""


@dataclass(frozen=True)
class SealedReading:
    """The good lines from where reading began, where they end in the file, and how many bytes are torn after them."""

    lines: tuple[dict[str, Any], ...] = ()
    good_bytes: int = 0
    torn_bytes: int = 0

    @property
    def tail(self) -> Reading:
        """What `cut_torn_tail` sets aside."""
        return Reading(good_bytes=self.good_bytes, torn_bytes=self.torn_bytes)


def seal(seq: int, members: dict[str, Any]) -> bytes:
    """The line, newline included; `seq` comes first. Raises TooLong."""
    body = _json({"seq": seq, **members})[:-1]
    if len(body) + _TAIL > MAX_LINE:
        raise TooLong(f"A line of {len(body)} bytes is too long to be kept; nothing was written.")
    return body + _tail(body)


def unseal(line: bytes) -> dict[str, Any]:
    """The members of a line, `seq` among them, newline included. Raises BadLine."""
    body = line[:-_TAIL]
    if line[-_TAIL:] != _tail(body):
        raise BadLine("A line is cut off or altered.")
    try:
        members = json.loads(body + b"}")
    except (ValueError, RecursionError) as fault:
        raise BadLine("A line is no JSON object.") from fault
    if not isinstance(members, dict) or type(members.get("seq")) is not int:
        raise BadLine("A line has no number.")
    return members


def read_sealed(path: Path, start: int = 0, before: int = 0) -> SealedReading:
    """The good lines from byte `start`, which is behind line number `before`; a missing file has none.

    A line is bad if its checksum or JSON is, or if its number does not follow. Raises JournalUnreadable.
    """
    try:
        with os.fdopen(open_plain(path), "rb") as file:
            return _read(file, start, before)
    except FileNotFoundError:
        return SealedReading()
    except OSError as fault:
        raise JournalUnreadable(f"{path} cannot be read: {fault.strerror}.") from fault


def _read(file: BinaryIO, start: int, before: int) -> SealedReading:
    lines: list[dict[str, Any]] = []
    good = file.seek(start)
    while line := file.readline(MAX_LINE):
        try:
            members = unseal(line)
        except BadLine:
            break
        if members["seq"] != before + len(lines) + 1:
            break
        lines.append(members)
        good += len(line)
    return SealedReading(tuple(lines), good, file.seek(0, 2) - good)


def _json(members: dict[str, Any]) -> bytes:
    text = json.dumps(members, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8; JSON can still spell it.
        return json.dumps(members, separators=(",", ":"), allow_nan=False).encode()


def _tail(body: bytes) -> bytes:
    return b',"crc":"%08x"}\n' % zlib.crc32(body)
