"""What can be read of a journal behind a damaged line: each line bears a checksum of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from curtain.session.journal.lines import WIDEST_GAP, JournalEntry, parse_line, pieces_of, stand_in


@dataclass(frozen=True)
class RepairedLine:
    """One line for the repaired journal; a `lost` line only keeps its number, and `entry` is a neighbour."""

    number: int
    line: bytes
    entry: JournalEntry
    lost: bool


def repaired_lines(torn: BinaryIO, last: JournalEntry | None, aside: str) -> Iterator[RepairedLine]:
    """The intact lines of what follows the good ones, which end with `last`.

    Where a line is lost, one of type `damaged` stands in its place, so that numbers go on without a gap and every
    reader passes over it; it bears the time of its neighbour and names the file where the bytes are kept.
    """
    number = last.seq + 1 if last else 1
    for entry, piece, _ in pieces_of(torn, parse_line):
        if entry is None or not number <= entry.seq <= number + WIDEST_GAP:
            continue
        for missing in range(number, entry.seq):
            yield RepairedLine(missing, stand_in(missing, last or entry, aside), entry, lost=True)
        # The newline alone may have been altered.
        yield RepairedLine(entry.seq, piece[:-1] + b"\n", entry, lost=False)
        number, last = entry.seq + 1, entry
