"""The record of a session that this station lost in part, made whole with what the wizard's station sent back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curtain.base.disk import Disk, replace_file
from curtain.base.errors import CurtainError
from curtain.link.messages import LinesBack, WantLines, Welcome
from curtain.session.journal.journal import sum_of_lines
from curtain.session.journal.lines import DAMAGED, JournalReading, parse_line
from curtain.session.journal.torn_tail import cut_torn_tail

# What a start of this station writes by itself; it writes the same again after the record is whole.
_OF_A_START = ("epoch", "take_recovered", "take_cancelled")

Numbered = tuple[int, bytes]


class RecordDiffers(CurtainError):
    """This station and the wizard's hold different lines of one session."""


class RecordAltered(CurtainError):
    """What came back is not what the welcome announced."""


@dataclass
class Return:
    """The lines on their way back, all that the welcome says the wizard's station has."""

    welcome: Welcome
    lines: list[bytes] = field(default_factory=list)

    @property
    def wish(self) -> WantLines:
        """What to ask for next."""
        return WantLines(after=len(self.lines))

    @property
    def whole(self) -> bool:
        """Whether all that the welcome announced has come."""
        return len(self.lines) >= self.welcome.journal_have

    def take(self, back: LinesBack) -> bool:
        """Whether these lines go on where the last ones ended; others are of an earlier wish."""
        if back.after != len(self.lines) or not back.lines:
            return False
        self.lines += back.lines
        return True

    def check(self) -> None:
        """Raises RecordAltered."""
        # The sum covers all lines, so one comparison is enough.
        if sum_of_lines(self.lines) != self.welcome.journal_sum:
            raise RecordAltered("The record came back altered; the link is opened again.")


def joined_lines(ours: Iterable[Numbered], back: Sequence[bytes]) -> list[bytes]:
    """The lines that came back, and what this station alone has behind them.

    Raises RecordDiffers if a line of our own that no start would write again is neither among those that came back nor
    their continuation.
    """
    ours = list(ours)
    behind = [line for seq, line in ours if seq > len(back)]
    # A damaged line here gives way to the one that came back.
    others = [line for seq, line in ours if seq <= len(back) and line != back[seq - 1] and _type(line) != DAMAGED]
    # From the end only: such a line between others is part of the record.
    while behind and _type(behind[-1]) in _OF_A_START:
        behind.pop()
    if not others:
        return [*back, *behind]
    if behind or any(_type(line) not in _OF_A_START for line in others):
        raise RecordDiffers("This station holds another record of the session than the wizard's.")
    return list(back)


def replace_record(journal: Path, lines: Sequence[bytes]) -> None:
    """Put these lines in the place of the journal; the file as it was is kept beside it. Raises OSError."""
    disk = Disk()
    # The whole file is set aside: every line may change its place.
    cut_torn_tail(journal, JournalReading(torn_bytes=journal.stat().st_size), disk)
    replace_file(journal, b"".join(lines), disk)


def _type(line: bytes) -> str:
    return parse_line(line).type
