"""SQL in a child process that can be killed: the wizard's station never waits for a statement and never dies of one.

DuckDB cannot be stopped reliably from inside: `interrupt()` went unheard for tens of seconds and `memory_limit` did
not hold. So one thread here watches the child while a statement runs, and a second child stands ready to take over.
Importing this module imports neither duckdb nor Qt.
"""

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import psutil  # type: ignore[import-untyped]

from curtain.base.clock import steady_s
from curtain.base.piped_process import Gone, PipedChild
from curtain.base.python_process import program_processes
from curtain.base.table import Show
from curtain.domain import wire
from curtain.domain.wire import ColumnInfo, Examination, Limits, Result, TableInfo

from ..pack.reader import Pack
from ..rules.statement_facts import Facts

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


class Child(PipedChild[wire.WorkerReply]):
    """One child process over one database, whose memory is watched."""

    def __init__(self, opening: wire.Open) -> None:
        super().__init__("curtain.domain.worker.child_process", wire.Replies)
        self.is_open = False
        self.send(opening)

    def memory(self) -> int:
        """Resident bytes, 0 if the child is gone."""
        try:
            return sum(process.memory_info().rss for process in program_processes(self._process.pid))
        except psutil.Error:
            return 0


T = TypeVar("T")


Steps = Generator[wire.Order, wire.WorkerReply, T]
"""Orders one after the other, each of which brings a reply, and what comes of them."""


class SqlWorker:
    """Runs statements one at a time over one database; every Future ends, whatever becomes of the child."""

    def __init__(
        self, database: Path, pack: Pack, limits: Limits | None = None, *, with_spare: bool = True,
        show: Show = "minimum",
    ) -> None:  # fmt: skip
        """`show` is how much of an answer the subject reads. Without a spare, the first order starts the child."""
        self._limits = limits or Limits()
        self._with_spare = with_spare
        self._opening = wire.Open(database=str(database), rules=_rules_of(pack, show), limits=self._limits)
        self._jobs: queue.SimpleQueue[tuple[Steps[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._closed = threading.Event()
        self._child: Child | None = None
        self._spare: Child | None = None
        self._has_run = False
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
        order = wire.Run(sql=self._cut(sql), yes_no=yes_no)
        return self._put(_ran(sql, order, sql_max if with_maximum else None, minimum))

    def look(self, sql: str) -> Future[Facts | None]:
        """What a statement is made of, without running it; None while it cannot be read."""
        return self._put(_seen(wire.InspectStatement(sql=self._cut(sql)[: self._limits.statement_chars])))

    def examine(self, statements: Sequence[str]) -> Future[list[Examination]]:
        """Whether each statement could run, without running it; what keeps all of them from being looked at is the
        problem of each."""
        return self._put(_examined(wire.Examine(statements=[self._cut(sql) for sql in statements])))

    def describe(self) -> Future[list[TableInfo]]:
        """The tables, for completion and the schema browser; empty if the database cannot be opened."""
        return self._put(_described())

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

    def _put(self, steps: Steps[T]) -> Future[T]:
        future: Future[T] = Future()
        # Put first, then look: a job that slips in while the thread ends is drained here, so no Future waits for ever.
        self._jobs.put((steps, future))
        if self._closed.is_set():
            self._drain()
        return future

    # -- on the worker's own thread ----------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            # Started, not waited for: who stops a statement stops what waits for it to open.
            self._child = self._start() if self._with_spare else None
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
        # A stop that came before this job was for another one.
        self._stop.clear()
        if job is None or not job[1].set_running_or_notify_cancel():
            return
        # A statement's time does not begin before there is a child to run it, and it is one for all its orders.
        problem = self._ready_child()
        begun = steady_s()
        _conclude(*job, lambda order: wire.Broken(problem=problem) if problem else self._carry_out(order, begun))
        # After the reply, so that nobody waits while a child starts.
        self._replenish()

    def _carry_out(self, order: wire.Order, begun: float) -> wire.WorkerReply:
        """What the child replies; one that is found dead as the order arrives costs one more try and no statement."""
        reply = self._ordered(order, begun)
        if isinstance(reply, wire.Broken) and reply.problem == DIED and reply.ms < _ALREADY_DEAD_MS:
            return self._ordered(order, begun)
        return reply

    def _ordered(self, order: wire.Order, begun: float) -> wire.WorkerReply:
        problem = self._ready_child()
        if problem or not self._child:
            return wire.Broken(problem=problem or CLOSED)
        self._has_run |= isinstance(order, wire.Run)
        self._child.send(order)
        return self._watch(self._child, begun)

    def _ready_child(self) -> str | None:
        """Makes `_child` one that is open, or says why there is none."""
        for _ in range(_STARTS):
            if not (self._child and self._child.alive):
                self._discard()
            self._child = self._child or self._start()
            if self._closed.is_set():
                return CLOSED
            if not self._child:
                continue
            reply = None if self._child.is_open else self._wait_for_open(self._child)
            if reply is None or isinstance(reply, wire.Ready):
                self._child.is_open = True
                return None
            self._discard()
            if isinstance(reply, wire.Broken):
                return reply.problem
        return NOT_STARTED

    def _wait_for_open(self, child: Child) -> wire.WorkerReply | Gone:
        # However long it takes: on a slow machine another child would be no sooner.
        while not self._closed.is_set():
            if self._stop.is_set():
                return wire.Broken(problem=STOPPED)
            if (reply := child.reply_within(_POLL_S)) is not None:
                return reply
        return Gone()

    def _watch(self, child: Child, begun: float) -> wire.WorkerReply:
        """The reply to what the child does now; or it is interrupted, or killed, and the reply says why."""
        sent = steady_s()
        kill_at = begun + self._limits.kill_after_s
        stopping: str | None = None
        while (reply := child.reply_within(_POLL_S)) is None:
            now = steady_s()
            if not stopping and (stopping := self._reason_to_stop(now - begun)):
                # A request only: DuckDB may go on for tens of seconds, so the time to kill is set as well.
                child.send(wire.Interrupt())
                # A wizard's own stop gets the same grace as a statement that took too long.
                kill_at = min(kill_at, now + self._limits.kill_after_s - self._limits.interrupt_after_s)
            if problem := self._reason_to_kill(child, stopping if now >= kill_at else None):
                log.info("killed the SQL child after %.1f s: %s", now - begun, problem)
                self._discard()
                return wire.Broken(problem=problem, ms=_ms_since(sent))
        return self._heard(reply, stopping, _ms_since(sent))

    def _heard(self, reply: wire.WorkerReply | Gone, stopping: str | None, ms: int) -> wire.WorkerReply:
        if isinstance(reply, Gone):
            log.warning("the SQL child ended by itself")
            self._discard()
            return wire.Broken(problem=stopping or DIED, ms=ms)
        # The child only knows that it was interrupted; here it is known why.
        if stopping and isinstance(reply, wire.Done) and reply.result.error == STOPPED:
            return wire.Broken(problem=stopping, ms=ms)
        if stopping and isinstance(reply, wire.Widened) and reply.problem == STOPPED:
            return msgspec.structs.replace(reply, problem=stopping)
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
        # Only a statement that runs kills a child: who describes or looks alone needs no second one.
        if self._with_spare and self._has_run:
            self._spare = self._spare or self._start()

    def _drain(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job and job[1].set_running_or_notify_cancel():
                    _conclude(*job, lambda _: wire.Broken(problem=CLOSED))


def _conclude(steps: Steps[Any], future: Future[Any], reply_to: Callable[[wire.Order], wire.WorkerReply]) -> None:
    order = next(steps)
    try:
        while True:
            order = steps.send(reply_to(order))
    except StopIteration as end:
        future.set_result(end.value)


def _ms_since(begun: float) -> int:
    return round(1000 * (steady_s() - begun))


def _ran(sql: str, order: wire.Run, sql_max: str | None, minimum: Future[Result] | None) -> Steps[Result]:
    reply = yield order
    if not isinstance(reply, wire.Done):
        return Result(sql=sql, error=_problem_in(reply), ms=reply.ms if isinstance(reply, wire.Broken) else 0)
    result = msgspec.structs.replace(reply.result, sql=sql)
    if sql_max is None or result.error is not None:
        return result
    if minimum and minimum.set_running_or_notify_cancel():
        minimum.set_result(result)
    # The maximum comes second, so that whatever becomes of it the minimum is here already.
    wider = yield wire.Widen(sql=order.sql, sql_max=sql_max)
    return _with_maximum(result, wider if isinstance(wider, wire.Widened) else wire.Widened(problem=_problem_in(wider)))


def _problem_in(reply: wire.WorkerReply) -> str:
    return reply.problem if isinstance(reply, wire.Broken) else DIED


def _with_maximum(result: Result, wide: wire.Widened) -> Result:
    """The result with its maximum; a yes or no is shown from the beginning."""
    shown = result.shown or wide.shown
    wanting = result.show != "minimum" and shown is None
    return msgspec.structs.replace(
        result, sql_max=wide.sql_max, cas_max=wide.cas_max, max_error=wide.problem,
        shown=shown, codes=wide.codes, show_fault=(wide.show_fault or wide.problem) if wanting else None,
    )  # fmt: skip


def _seen(order: wire.InspectStatement) -> Steps[Facts | None]:
    reply = yield order
    return reply.facts if isinstance(reply, wire.Looked) else None


def _examined(order: wire.Examine) -> Steps[list[Examination]]:
    reply = yield order
    if isinstance(reply, wire.Examined):
        return reply.examinations
    return [Examination(problem=_problem_in(reply))] * len(order.statements)


def _described() -> Steps[list[TableInfo]]:
    reply = yield wire.Describe()
    return reply.tables if isinstance(reply, wire.Described) else []


def _rules_of(pack: Pack, show: Show) -> wire.PackRules:
    return wire.PackRules(
        as_of=pack.as_of,
        dialect=pack.dialect,
        yes_no=pack.yes_no,
        headings=dict(pack.headings),
        functions=list(pack.allowed_functions),
        entities=pack.entities,
        formats=pack.formats,
        show=show,
        codes=dict(pack.codes),
        keys=pack.keys,
        units=dict(pack.units),
    )
