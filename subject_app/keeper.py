"""Writes facts into the session's journal and tells the other station of each line once it is safe."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Protocol

from curtain.desk.background import Background
from curtain.errors import CurtainError
from curtain.link.messages import JournalLine, Message
from curtain.session.journal import Entry, Journal
from curtain.session.subject_events import SubjectFact

log = logging.getLogger(__name__)


class Sender(Protocol):
    """The part of the link that is used to speak."""

    def send(self, message: Message) -> bool: ...
    def ack(self, seq: int) -> None: ...


class Keeper:
    """Nothing is sent before it is fsynced here."""

    def __init__(
        self, journal: Journal, background: Background, link: Sender, refused: Callable[[CurtainError], None]
    ) -> None:
        self._journal = journal
        self._background = background
        self._link = link
        self._refused = refused
        self._waiting = 0
        self.on_settled: Callable[[], None] = _nothing

    @property
    def last_seq(self) -> int:
        return self._journal.last_seq

    @property
    def settled(self) -> bool:
        """Whether everything that was to be written is written."""
        return self._waiting == 0

    def record(self, fact: SubjectFact, turn: int | None = None) -> None:
        """Write it soon and send it after. A disk that does not take it is told to `refused`."""
        self._waiting += 1
        self._background.when_done(self._journal.append(fact, turn), self._on_written)

    def record_at_the_end(self, fact: SubjectFact, turn: int | None) -> None:
        """Write it without the window's help: the event loop is over."""
        self._journal.append(fact, turn)

    def lines_after(self, seq: int) -> Iterator[JournalLine]:
        for number, line in self._journal.lines_after(seq):
            yield JournalLine(seq=number, line=line)

    def close(self) -> None:
        self._journal.close()

    def _on_written(self, future: Future[Entry]) -> None:
        self._waiting -= 1
        try:
            seq = future.result().seq
        except CurtainError as error:
            self._refused(error)
            return
        self._link.send(JournalLine(seq=seq, line=self._journal.line_of(seq)))
        if self.settled:
            self.on_settled()


def _nothing() -> None:
    pass
