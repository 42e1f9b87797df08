"""Runs the wizard's statements in the background and knows which result belongs to which statement."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import UNSET
from PySide6.QtCore import QObject, Signal, Slot

from curtain.base.errors import CurtainError
from curtain.base.words import is_letter
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain.session.events.wizard_events import StatementRun
from wizard_app.desk.turn.statements import SqlState

if TYPE_CHECKING:
    from curtain.domain.worker.worker import SqlWorker

# A glance at the result is kept of each run; the checksum stands for the rest. Some hundred tries must stay small.
_KEPT_ROWS, _KEPT_SIGNS = 10, 200


@dataclass(frozen=True)
class RunRequest:
    """What a run is about: the statement, whether the query is a yes/no question, and the statement of the maximum if
    the wizard has written one. `again_of`: see `StatementRun`."""

    sql: str = ""
    yes_no: bool = False
    sql_max: str = ""
    again_of: int | None = field(default=None, compare=False)


class SqlControl(QObject):
    """One statement at a time. `good` is the last result of this turn that succeeded; while its maximum is still being
    worked out it has none, and cannot be sent."""

    attempt_made = Signal(int, object)
    changed = Signal()

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._worker: SqlWorker | None = None
        self._problem = ""
        # Whether a statement would run at once, or fail at once.
        self.ready = False
        self._running: RunRequest | None = None
        self._ran: RunRequest | None = None
        self._turn: int | None = None
        self._asked = RunRequest()
        self._tried = ""
        self._again = False
        self._has_minimum = False
        self.last: Result | None = None
        self.good: Result | None = None

    @property
    def state(self) -> SqlState:
        """How the last run stands to what the editor holds."""
        if self._running is not None:
            return SqlState.RUNNING
        if self.last is None:
            return SqlState.NONE
        # Also by the mark of yes/no and the maximum: the same statement then gives another answer.
        if self._ran != self._asked:
            return SqlState.STALE
        return SqlState.FAILED if self.last.error is not None else SqlState.DONE

    @property
    def fresh(self) -> bool:
        """Whether `good` belongs to what the editor holds, also while its maximum is being worked out."""
        return self.state is SqlState.DONE or self.completing

    @property
    def completing(self) -> bool:
        """What runs has shown its rows and the minimum; the maximum is still to come."""
        return self._has_minimum and self._running == self._asked

    @property
    def sendable(self) -> Result | None:
        """The result that may leave: the last run succeeded and its statement is the one in the editor."""
        return self.last if self.state is SqlState.DONE else None

    def set_worker(self, worker: SqlWorker) -> None:
        """What the wizard wished to run before is run now, as soon as the database is open."""
        self._worker = worker
        self._begin()

    def note_open(self) -> None:
        """The database is open."""
        self.ready = True
        self.changed.emit()

    def give_up(self, problem: str) -> None:
        """The database cannot be opened: every statement fails with this sentence."""
        self._problem, self.ready = problem, True
        self._begin()

    @property
    def ran(self) -> tuple[RunRequest, Result] | None:
        """The last run of this turn with its result, for `begin_turn`."""
        return (self._ran, self.last) if self._ran is not None and self.last is not None else None

    def begin_turn(
        self, turn: int | None, asked: RunRequest, ran: tuple[RunRequest, Result] | None = None, tried: str = ""
    ) -> None:
        """Another turn is worked on: no result of the former one counts any more, only what `ran` on this one.
        `tried` is the statement that the journal has last of it."""
        if turn == self._turn:
            self.set_asked(asked)
            return
        self._turn, self._asked, self._running, self._again = turn, _trimmed(asked), None, False
        self._has_minimum, self._tried = False, tried.strip()
        self._ran, self.last = ran or (None, None)
        self.good = self.last if self.last is not None and self.last.error is None else None
        self.changed.emit()

    def set_asked(self, asked: RunRequest) -> None:
        """What would be run now."""
        before, self._asked = self.state, _trimmed(asked)
        if self.state is not before:
            self.changed.emit()

    @Slot()
    def run(self, again_of: int | None = None) -> None:
        """Run what the editor holds, as soon as the database is open; while a statement runs, stop that one instead.
        `again_of`: the turn that the statement was taken from."""
        if self._turn is None or not self._asked.sql:
            return
        if self._running is not None:
            self._stop()
            return
        # Also without a worker: what is wished before the database is open runs when it is.
        if self._ran is None and self._asked.sql == self._tried:
            again_of = self._turn
        self._running = replace(self._asked, again_of=again_of)
        self._begin()

    @Slot()
    def run_instead(self) -> None:
        """Run what the editor holds; a statement that still runs is stopped first."""
        if self._running is None:
            self.run()
            return
        self._again = True
        self._stop()
        self._run_again()

    def _run_again(self) -> None:
        if self._again and self._running is None:
            self._again = False
            self.run()

    def _begin(self) -> None:
        turn, asked = self._turn, self._running
        if turn is not None and asked is not None and self._worker is not None:
            self._has_minimum = False
            minimum: Future[Result] = Future()
            self._background.when_done(minimum, partial(self._on_minimum, turn, asked))
            ran = self._worker.run(asked.sql, asked.yes_no, asked.sql_max, minimum=minimum)
            self._background.when_done(ran, partial(self._on_ran, turn, asked))
        elif turn is not None and asked is not None and self._problem:
            self._end(turn, asked, Result(sql=asked.sql, error=self._problem))
        self.changed.emit()

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.interrupt()
            return
        self._running = None
        self.changed.emit()

    def _on_minimum(self, turn: int, asked: RunRequest, future: Future[Result]) -> None:
        # By identity: the same statement may have been run again in another turn, or twice.
        if turn == self._turn and asked is self._running:
            self.last = self.good = future.result()
            self._ran, self._has_minimum = asked, True
            self.changed.emit()

    def _on_ran(self, turn: int, asked: RunRequest, future: Future[Result]) -> None:
        self._end(turn, asked, _result_of(asked.sql, future))

    def _end(self, turn: int, asked: RunRequest, result: Result) -> None:
        self.attempt_made.emit(turn, as_attempt(asked.sql, result, asked.again_of))
        # The attempt is journaled all the same: it was made, whatever turn is open now.
        if turn != self._turn:
            return
        self._running, self._has_minimum = None, False
        self.last, self._ran = result, asked
        # After a failed run the last good table stays in sight.
        self.good = self.good if result.error is not None else result
        self.changed.emit()
        self._run_again()


def _trimmed(asked: RunRequest) -> RunRequest:
    return replace(asked, sql=asked.sql.strip(), sql_max=asked.sql_max.strip())


def as_attempt(sql: str, result: Result, again_of: int | None = None) -> StatementRun:
    """What the journal keeps of a run."""
    failed = result.error is not None
    return StatementRun(
        sql=sql,
        rows=None if failed else result.total,
        ms=result.ms,
        error=result.error,
        headings=list(result.headings),
        first_rows=first_rows(result.rows),
        answer_sha256=answer_sha256(result.cas_min),
        again_of=again_of or UNSET,
    )


def first_rows(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """What the journal keeps of the rows of a run."""
    return [[cell[:_KEPT_SIGNS] for cell in row] for row in rows[:_KEPT_ROWS]]


def answer_sha256(cas_min: str | None) -> str | None:
    """What the journal keeps of the minimum answer of a run."""
    return None if cas_min is None else sha256(cas_min.encode()).hexdigest()


def problem_place(result: Result, text: str) -> tuple[int, int] | None:
    """Where the word stands at which a statement failed, as (start, length) in `text`."""
    if result.error_at is None:
        return None
    line, column = result.error_at
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return None
    start = sum(len(one) + 1 for one in lines[: line - 1]) + max(0, column - 1)
    end = start
    while end < len(text) and (text[end] == "_" or is_letter(text[end])):
        end += 1
    return start, max(1, end - start)


def _result_of(sql: str, future: Future[Result]) -> Result:
    try:
        return future.result()
    except CurtainError as error:
        return Result(sql=sql, error=str(error))
