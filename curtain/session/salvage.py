"""What can be read of a journal behind a damaged line: each line bears a checksum of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from curtain.session.lines import MAX_LINE, BadLine, Entry, Located, parse_line, write_line

DAMAGED = "damaged"
# Every line begins like this, and no text in a line can hold it, since JSON escapes its quotes.
_BEGINNING = re.compile(rb'(?=\{"seq":)')
# A gap beyond this is no damaged line but another file.
_WIDEST_GAP = 10_000


@dataclass(frozen=True)
class Mended:
    """One line for the mended journal; `lost` if it only stands for a line that cannot be read."""

    line: bytes
    entry: Entry
    lost: bool


def mended_lines(torn: BinaryIO, last: Entry | None, aside: str) -> Iterator[Mended]:
    """The intact lines of what follows the good ones, which end with `last`.

    Where a line is lost, one of type `damaged` stands in its place, so that numbers go on without a gap and every
    reader passes over it; it bears the time of its neighbour and names the file where the bytes are kept.
    """
    number = last.seq + 1 if last else 1
    for entry, line in intact_lines(torn):
        if not number <= entry.seq <= number + _WIDEST_GAP:
            continue
        for missing in range(number, entry.seq):
            yield _stand_in(missing, last or entry, aside)
        yield Mended(line, entry, lost=False)
        number, last = entry.seq + 1, entry


def intact_lines(torn: BinaryIO) -> Iterator[Located]:
    """All lines whose checksum is right, also where the line before or after has lost its beginning or its end."""
    while chunk := torn.readline(MAX_LINE):
        for piece in _BEGINNING.split(chunk):
            located = _intact(piece)
            if located is not None:
                yield located


def _intact(piece: bytes) -> Located | None:
    # Of the second form only the newline was altered: the checksum before it is right.
    for line in (piece, piece[:-1] + b"\n"):
        try:
            return Located(parse_line(line), line)
        except BadLine:
            continue
    return None


def _stand_in(seq: int, neighbour: Entry, aside: str) -> Mended:
    entry = Entry(seq, None, neighbour.t_ns, neighbour.wall_utc, DAMAGED, {"kept_in": aside})
    return Mended(write_line(entry), entry, lost=True)
