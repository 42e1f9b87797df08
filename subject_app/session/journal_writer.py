"""Writes facts into the session's journal and sends each line to the other station once it is safe."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError
from curtain.link.messages import JournalLine
from curtain.qt.background import Background
from curtain.session.events.subject_events import SubjectFact
from curtain.session.journal.journal import Journal
from curtain.session.journal.lines import JournalEntry
from subject_app.session.record import joined_lines

if TYPE_CHECKING:
    from curtain.link.qt import SubjectLink

log = logging.getLogger(__name__)


class JournalWriter:
    """Nothing is sent before it is fsynced here."""

    def __init__(
        self, journal: Journal, background: Background, link: SubjectLink, refused: Callable[[CurtainError], None]
    ) -> None:
        self._journal = journal
        self._background = background
        self._link = link
        self._refused = refused
        self._waiting = 0
        # Nothing goes out before it is known that the other station holds the same lines.
        self._agreed = False
        self.on_settled: Callable[[], None] = _nothing

    @property
    def last_seq(self) -> int:
        """The last line that is safe on the disk."""
        return self._journal.last_seq

    @property
    def settled(self) -> bool:
        """Whether everything that was to be written is written."""
        return self._waiting == 0

    def record(self, fact: SubjectFact, turn: int | None = None) -> None:
        """Write it soon and send it after. A failed write is reported to `refused`."""
        self._waiting += 1
        # Sent only after that: the other station must never hold a line that is not on the disk here.
        self._background.when_done(self._journal.append(fact, turn), self._on_written)

    def record_at_the_end(self, fact: SubjectFact, turn: int | None) -> None:
        """Write it without the window's help: the event loop is over."""
        self._journal.append(fact, turn)

    def agree(self, have: int) -> None:
        """The other station holds our lines up to `have`: send what follows, and from now on each line."""
        self._agreed = True
        for line in self.lines_after(have):
            self._link.send(line)

    def fall_silent(self) -> None:
        """The connection is gone; the next one begins with a comparison."""
        self._agreed = False

    def lines_after(self, seq: int) -> Iterator[JournalLine]:
        """What may go out of the lines behind this one."""
        for number, line in self._journal.lines_after(seq) if self._agreed else ():
            yield JournalLine(seq=number, line=line)

    def holds(self, have: int, total: str) -> bool:
        """Whether our first lines are those that the other station has. Without a sum their number must do."""
        if not total:
            return have <= self.last_seq
        return self._journal.sum_until(have) == total

    def joined_with(self, back: Sequence[bytes]) -> list[bytes]:
        """Our lines joined with those that came back. Raises RecordDiffers."""
        return joined_lines(self._journal.lines_after(0), back)

    def close(self) -> None:
        """Write what waits, and release the file."""
        self._journal.close()

    def _on_written(self, future: Future[JournalEntry]) -> None:
        self._waiting -= 1
        try:
            seq = future.result().seq
        except CurtainError as error:
            self._refused(error)
            return
        # Before the comparison the line waits in the journal and goes out with `agree`.
        if self._agreed:
            self._link.send(JournalLine(seq=seq, line=self._journal.line_of(seq)))
        if self.settled:
            self.on_settled()


def _nothing() -> None:
    pass
