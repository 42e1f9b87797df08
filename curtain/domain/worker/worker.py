"""SQL in a child process that can be killed: the wizard's station never waits for a statement and never dies of one.

DuckDB cannot be stopped reliably from inside: `interrupt()` went unheard for tens of seconds and `memory_limit` did
not hold. So one thread here watches the child while a statement runs, and a second child stands ready to take over.
Importing this module imports neither duckdb nor Qt.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from curtain.base.table import Show
from curtain.domain.wire import (
    Broken,
    ColumnInfo,
    Describe,
    Described,
    Done,
    Examination,
    Examine,
    Examined,
    InspectStatement,
    Interrupt,
    Limits,
    Looked,
    Open,
    Order,
    PackRules,
    Ready,
    Result,
    Run,
    TableInfo,
    Widen,
    Widened,
    WorkerReply,
)

from ..pack.reader import Pack
from ..rules.statement_facts import Facts
from .piped_process import Child, Gone

__all__ = ["ColumnInfo", "Examination", "Facts", "Limits", "Result", "SqlWorker", "TableInfo"]

log = logging.getLogger(__name__)

# Also how soon a wizard's stop and a child that grows too large are noticed.
_POLL_S = 0.02
_BLOATED_BYTES = 400 << 20
_STARTS = 2
# A child that dies sooner than this was dead before the statement came; later, the statement is to blame.
_ALREADY_DEAD_MS = 200

CLOSED = "The database is closed."
STOPPED = "This statement was stopped."
DIED = "The database stopped working at this statement; it is ready again."
NOT_STARTED = "The database does not start; close Curtain and start it again."
TOO_MUCH_MEMORY = "This statement needs more memory than it may have: ask for less at a time."
_TOO_SLOW = "This statement took longer than {:g} seconds and was stopped: ask for less at a time."


T = TypeVar("T")


@dataclass(frozen=True)
class _Job(Generic[T]):
    """An order, how its reply is read, and the Future that receives it. `follow` may add an order after the reply, and
    `join` then makes one reply of two; `first` is called with the first reply."""

    order: Order
    read: Callable[[WorkerReply], T]
    future: Future[T]
    follow: Callable[[WorkerReply], Order | None] = lambda reply: None
    join: Callable[[WorkerReply, WorkerReply], WorkerReply] = lambda reply, _: reply
    first: Future[T] | None = None

    def begin(self) -> bool:
        return self.future.set_running_or_notify_cancel()

    def go_on(self, reply: WorkerReply) -> Order | None:
        more = self.follow(reply)
        if more and self.first and self.first.set_running_or_notify_cancel():
            self.first.set_result(self.read(reply))
        return more

    def conclude(self, reply: WorkerReply) -> None:
        self.future.set_result(self.read(reply))


class SqlWorker:
    """Runs statements one at a time over one database; every Future ends, whatever becomes of the child."""

    def __init__(
        self, database: Path, pack: Pack, limits: Limits | None = None, *, with_spare: bool = True,
        show: Show = "minimum",
    ) -> None:  # fmt: skip
        """`show` is how much of an answer the subject reads."""
        self._limits = limits or Limits()
        self._with_spare = with_spare
        self._opening = Open(database=str(database), rules=_rules_of(pack, show), limits=self._limits)
        self._jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._closed = threading.Event()
        self._child: Child | None = None
        self._spare: Child | None = None
        self._thread = threading.Thread(target=self._serve, name="sql-worker", daemon=True)
        self._thread.start()

    def run(
        self,
        sql: str,
        yes_no: bool = False,
        sql_max: str = "",
        *,
        with_maximum: bool = True,
        minimum: Future[Result] | None = None,
    ) -> Future[Result]:
        """The result of one SELECT; what is wrong with it is in `Result.error`, the Future never raises.

        The maximum is derived from it, or is what `sql_max` gives, in the time that the minimum has left; what is wrong
        with that is in `Result.max_error`. `minimum` is resolved as soon as everything but the maximum is
        known; it stays open if no maximum is asked for.
        """
        order = Run(sql=self._cut(sql), yes_no=yes_no)
        follow = partial(_then_widen, order.sql, sql_max) if with_maximum else _nothing_more
        return self._put(_Job(order, partial(_result_of, sql), Future(), follow, _widened, minimum))

    def look(self, sql: str) -> Future[Facts | None]:
        """What a statement is made of, without running it; None while it cannot be read."""
        return self._put(
            _Job(InspectStatement(sql=self._cut(sql)[: self._limits.statement_chars]), _facts_of, Future())
        )

    def examine(self, statements: Sequence[str]) -> Future[list[Examination]]:
        """Whether each statement could run, without running it; what keeps all of them from being looked at is the
        fault of each."""
        order = Examine(statements=[self._cut(sql) for sql in statements])
        return self._put(_Job(order, partial(_examined, len(order.statements)), Future()))

    def describe(self) -> Future[list[TableInfo]]:
        """The tables, for completion and the schema browser; empty if the database cannot be opened."""
        return self._put(_Job(Describe(), _tables_of, Future()))

    def interrupt(self) -> None:
        """Stops the statement that runs now, if one does."""
        self._stop.set()

    def close(self) -> None:
        """Ends both children; statements that have not ended say that the database is closed."""
        self._closed.set()
        self._jobs.put(None)
        self._thread.join()

    def _cut(self, sql: str) -> str:
        """One character more than is allowed alerts the guard; half a character pair could not be sent at all."""
        return sql[: self._limits.statement_chars + 1].encode(errors="replace").decode()

    def _put(self, job: _Job[T]) -> Future[T]:
        # Put first, then look: a job that slips in while the thread ends is drained here, so no Future waits for ever.
        self._jobs.put(job)
        if self._closed.is_set():
            self._drain()
        return job.future

    # -- on the worker's own thread ----------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            self._ready_child()
            self._spare = self._start() if self._with_spare else None
            while not self._closed.is_set():
                self._next()
        finally:
            for child in (self._child, self._spare):
                if child:
                    child.end()
            self._closed.set()
            self._drain()

    def _start(self) -> Child | None:
        if self._closed.is_set():
            return None
        try:
            return Child(self._opening)
        except OSError as error:
            log.warning("no SQL child could be started: %s", error)
            return None

    def _next(self) -> None:
        job = self._jobs.get()
        if job is None or not job.begin():
            return
        # A stop that came before this job was for another one.
        self._stop.clear()
        # A statement's time does not begin before there is a child to run it, and it is one for all its orders.
        fault = self._ready_child()
        begun = time.monotonic()
        reply = Broken(fault=fault) if fault else self._carry_out(job.order, begun)
        if more := job.go_on(reply):
            reply = job.join(reply, self._carry_out(more, begun))
        job.conclude(reply)
        # After the reply, so that nobody waits while a child starts.
        self._replenish()

    def _carry_out(self, order: Order, begun: float) -> WorkerReply:
        """What the child replies; one that is found dead as the order arrives costs one more try and no statement."""
        reply = self._ordered(order, begun)
        if isinstance(reply, Broken) and reply.fault == DIED and reply.ms < _ALREADY_DEAD_MS:
            return self._ordered(order, begun)
        return reply

    def _ordered(self, order: Order, begun: float) -> WorkerReply:
        fault = self._ready_child()
        if fault or not self._child:
            return Broken(fault=fault or CLOSED)
        self._child.send(order)
        return self._watch(self._child, begun)

    def _ready_child(self) -> str | None:
        """Makes `_child` one that is open, or says why there is none."""
        for _ in range(_STARTS):
            if self._child and not self._child.alive:
                self._discard()
            self._child = self._child or self._start()
            if self._closed.is_set():
                return CLOSED
            if not self._child:
                continue
            reply = None if self._child.is_open else self._wait_for_open(self._child)
            if reply is None or isinstance(reply, Ready):
                self._child.is_open = True
                return None
            self._discard()
            if isinstance(reply, Broken):
                return reply.fault
        return NOT_STARTED

    def _wait_for_open(self, child: Child) -> WorkerReply:
        ends = time.monotonic() + self._limits.start_s
        while time.monotonic() < ends and not self._closed.is_set():
            reply = child.reply_within(_POLL_S)
            if reply is not None:
                return reply
        # A child that does not open in time counts as one that ended.
        return Gone()

    def _watch(self, child: Child, begun: float) -> WorkerReply:
        """The reply to what the child does now; or it is interrupted, or killed, and the reply says why."""
        sent = time.monotonic()
        kill_at = begun + self._limits.kill_after_s
        stopping: str | None = None
        while (reply := child.reply_within(_POLL_S)) is None:
            now = time.monotonic()
            if not stopping and (stopping := self._reason_to_stop(now - begun)):
                # A request only: DuckDB may go on for tens of seconds, so the time to kill is set as well.
                child.send(Interrupt())
                # A wizard's own stop gets the same grace as a statement that took too long.
                kill_at = min(kill_at, now + self._limits.kill_after_s - self._limits.interrupt_after_s)
            if fault := self._reason_to_kill(child, stopping if now >= kill_at else None):
                log.info("killed the SQL child after %.1f s: %s", now - begun, fault)
                self._discard()
                return Broken(fault=fault, ms=_ms_since(sent))
        return self._heard(reply, stopping, _ms_since(sent))

    def _heard(self, reply: WorkerReply, stopping: str | None, ms: int) -> WorkerReply:
        if isinstance(reply, Gone):
            log.warning("the SQL child ended by itself")
            self._discard()
            return Broken(fault=stopping or DIED, ms=ms)
        # The child only knows that it was interrupted; here it is known why.
        if stopping and isinstance(reply, Done) and reply.result.error == STOPPED:
            return Broken(fault=stopping, ms=ms)
        if stopping and isinstance(reply, Widened) and reply.fault == STOPPED:
            return msgspec.structs.replace(reply, fault=stopping)
        return reply

    def _reason_to_stop(self, ran: float) -> str | None:
        if self._stop.is_set():
            return STOPPED
        limit = self._limits.interrupt_after_s
        return _TOO_SLOW.format(limit) if ran >= limit else None

    def _reason_to_kill(self, child: Child, overdue: str | None) -> str | None:
        if self._closed.is_set():
            return CLOSED
        # Memory is asked from outside: `memory_limit` covers DuckDB's buffers alone.
        return TOO_MUCH_MEMORY if child.memory() > self._limits.kill_above_bytes else overdue

    def _discard(self) -> None:
        """Ends the child; the spare, if there is one, takes its place."""
        if self._child:
            self._child.end()
        self._child, self._spare = self._spare, None

    def _replenish(self) -> None:
        # A child that has grown this far would start the next statement near its limit.
        if self._child and self._child.memory() > _BLOATED_BYTES:
            self._discard()
        if self._with_spare:
            self._spare = self._spare or self._start()

    def _drain(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job and job.begin():
                    job.conclude(Broken(fault=CLOSED))


def _ms_since(begun: float) -> int:
    return round(1000 * (time.monotonic() - begun))


def _nothing_more(reply: WorkerReply) -> Order | None:
    return None


def _then_widen(sql: str, sql_max: str, reply: WorkerReply) -> Order | None:
    """The maximum comes second, so that whatever becomes of it the minimum is here already."""
    good = isinstance(reply, Done) and reply.result.error is None
    return Widen(sql=sql, sql_max=sql_max) if good else None


def _widened(reply: WorkerReply, wider: WorkerReply) -> WorkerReply:
    if not isinstance(reply, Done):
        return reply
    match wider:
        case Widened():
            return Done(result=_with_maximum(reply.result, wider))
        case Broken(fault=fault):
            return Done(result=_with_maximum(reply.result, Widened(fault=fault)))
    return Done(result=_with_maximum(reply.result, Widened(fault=DIED)))


def _with_maximum(result: Result, wide: Widened) -> Result:
    """The result with its maximum; a yes or no is shown from the beginning."""
    shown = result.shown or wide.shown
    wanting = result.show != "minimum" and shown is None
    return msgspec.structs.replace(
        result, sql_max=wide.sql_max, cas_max=wide.cas_max, max_error=wide.fault,
        shown=shown, show_fault=(wide.show_fault or wide.fault) if wanting else None,
    )  # fmt: skip


def _facts_of(reply: WorkerReply) -> Facts | None:
    return reply.facts if isinstance(reply, Looked) else None


def _examined(statements: int, reply: WorkerReply) -> list[Examination]:
    match reply:
        case Examined(examinations=examinations):
            return examinations
        case Broken(fault=fault):
            return [Examination(fault=fault)] * statements
    return [Examination(fault=DIED)] * statements


def _tables_of(reply: WorkerReply) -> list[TableInfo]:
    return reply.tables if isinstance(reply, Described) else []


def _result_of(sql: str, reply: WorkerReply) -> Result:
    match reply:
        case Done(result=result):
            return msgspec.structs.replace(result, sql=sql)
        case Broken(fault=fault, ms=ms):
            return Result(sql=sql, error=fault, ms=ms)
    return Result(sql=sql, error=DIED)


def _rules_of(pack: Pack, show: Show) -> PackRules:
    return PackRules(
        as_of=pack.as_of,
        dialect=pack.dialect,
        yes_no=pack.yes_no,
        headings=dict(pack.headings),
        functions=list(pack.allowed_functions),
        entities=pack.entities,
        formats=pack.formats,
        show=show,
    )
