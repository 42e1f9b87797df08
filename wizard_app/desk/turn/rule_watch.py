"""Follows what the wizard types and reports which rules it touches and breaks, a moment after the last key."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.domain.pack.pack import Pack
from curtain.domain.rules.principles import RuleBook, Touch, Warned, touching, warnings
from curtain.domain.rules.statement_facts import Facts
from curtain.qt.background import Background

if TYPE_CHECKING:
    from curtain.domain.worker.worker import SqlWorker

_PAUSE_MS = 300
# Rules are looked for at every place of the query; a pasted text must not take seconds.
_MOST_CHARS = 2000
Noticed = tuple[list[Touch], list[Warned]]


class RuleWatch(QObject):
    """`noticed(touched, warned)` comes when either is different. A statement that is half typed breaks nothing."""

    noticed = Signal(list, list)

    def __init__(self, background: Background, parent: QObject | None = None, pause_ms: int = _PAUSE_MS) -> None:
        super().__init__(parent)
        self._background = background
        self._pack: Pack | None = None
        self.book = RuleBook(None, ())
        self._looker: SqlWorker | None = None
        self._typed = ("", "")
        self._seen: tuple[str, Facts | None] = ("", None)
        self._pause = QTimer(self, singleShot=True, interval=pause_ms)
        self._pause.timeout.connect(self._look)

    def set_rules(self, pack: Pack, book: RuleBook) -> None:
        """The domain and its rules are loaded; what is typed is looked at anew."""
        self._pack, self.book = pack, book
        self._report()

    def set_looker(self, looker: SqlWorker) -> None:
        """The reader of statements is ready."""
        self._looker = looker
        self._pause.start()

    def follow(self, query: str, sql: str) -> None:
        """What stands in the two fields now."""
        if (query, sql) != self._typed:
            self._typed = (query, sql)
            self._pause.start()

    def end(self) -> None:
        """Nothing is looked at any more."""
        self._pause.stop()

    def _look(self) -> None:
        """Only a statement that was not read yet is read; the worker's child does it."""
        sql = self._typed[1].strip()
        if sql and sql != self._seen[0] and self._looker is not None:
            self._background.when_done(self._looker.look(sql), partial(self._on_looked, sql))
        else:
            self._report()

    def _on_looked(self, sql: str, future: Future[Facts | None]) -> None:
        self._seen = (sql, future.result())
        self._report()

    def _report(self) -> None:
        """In the background: a rule-book takes a moment over a long query."""
        query, sql = self._typed
        if self._pack is None:
            return
        # Facts of an older statement would warn of what stands there no more.
        facts = self._seen[1] if sql.strip() == self._seen[0] else None
        work = partial(_notice, self._pack, self.book, query[:_MOST_CHARS], facts)
        self._background.run(work, partial(self._on_noticed, self._typed))

    def _on_noticed(self, typed: tuple[str, str], future: Future[Noticed]) -> None:
        """What was typed since is looked at after the next pause."""
        if typed == self._typed:
            self.noticed.emit(*future.result())


def _notice(pack: Pack, book: RuleBook, query: str, facts: Facts | None) -> Noticed:
    return touching(book, query, facts), warnings(pack, book, query, facts)
