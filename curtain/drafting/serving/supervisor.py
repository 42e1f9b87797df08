"""One drafter on its way through a session: its process is loaded, asked, killed when it hangs, and started anew."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from curtain.base.clock import steady_s
from curtain.base.python_process import start_module_with
from curtain.domain.pack.trust import SENDING, Agreements
from curtain.domain.worker.piped_process import Gone, PipedChild

from ..settings import OURS, DrafterChoice, sending_of
from ..values import Draft, Request, Standing
from .wire import NEWER, Ask, Cancel, Drafted, Failed, Learn, Load, Loaded, Loading, Orders, Replies, Spent, Withdraw

log = logging.getLogger(__name__)

_LONGEST_PAUSE_S = 60.0
_STOPPED = "stopped by itself and is started anew"


class DrafterProcess(PipedChild[Replies]):
    """One process of a drafter. Raises OSError if none can be made."""

    def __init__(self, variables: Iterable[str] = ()) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        process = start_module_with(variables, "curtain.drafting.serving.drafter_child", **pipes)
        super().__init__(process, Replies, "draft-replies")


@dataclass(frozen=True, eq=False)
class Job:
    """One request; `done` is called once, on the supervisor's thread, with the drafts or with none."""

    request: Request
    done: Callable[[Sequence[Draft]], None]


class DrafterSupervisor:
    """Asks one drafter for one request at a time, always the newest; it never lets another drafter wait.

    `load` gives the first order anew for each process, `on_standing` hears how far the drafter is each time that one
    is loaded, `on_problem` gets a sentence when it fails. All run on the supervisor's own thread.
    """

    def __init__(
        self,
        choice: DrafterChoice,
        load: Callable[[], Load],
        on_standing: Callable[[Standing], None],
        on_problem: Callable[[str], None],
        on_spent: Callable[[Spent], None] = lambda spent: None,
    ) -> None:
        self._asking = False
        self._on_spent = on_spent
        self._choice = choice
        self._load = load
        self._on_standing = on_standing
        self._on_problem = on_problem
        self._changed = threading.Condition()
        self._lessons: deque[Learn | Withdraw] = deque()
        self._job: Job | None = None
        self._closed = False
        self._process: DrafterProcess | None = None
        self._failures = 0
        self._rests_until = 0.0
        self._reported: set[str] = set()
        self._fault = ""
        self._examples = 0
        self._thread = threading.Thread(target=self._serve, name=f"drafter-{choice.name}", daemon=True)
        self._thread.start()

    def ask(self, job: Job) -> None:
        """A request in the place of one that still waits, whose `done` is not called."""
        with self._changed:
            self._job = job
            if self._asking and self._process and self._choice.name != OURS:
                # What is asked of a served model would keep the newer request waiting.
                self._process.send(Cancel())
            self._changed.notify()

    def teach(self, lesson: Learn | Withdraw) -> None:
        """A lesson, heard before the next request."""
        with self._changed:
            self._lessons.append(lesson)
            self._changed.notify()

    def close(self) -> None:
        """Ends the process, whatever it does; the thread follows."""
        with self._changed:
            self._closed = True
            process = self._process
            self._changed.notify()
        if process:
            process.kill()

    def join(self) -> None:
        self._thread.join()

    def _serve(self) -> None:
        try:
            self._start()
            while not self._closed:
                self._next()
        finally:
            self._discard()

    def _next(self) -> None:
        lesson, job = self._wait()
        if lesson:
            # A process that is started later brings all lessons with it.
            self._exchange(lesson, self._choice.start_s)
        elif job:
            job.done(self._drafts(job.request))

    def _wait(self) -> tuple[Learn | Withdraw | None, Job | None]:
        """What is to be done next; nothing if a rest is over and the drafter may be started again."""
        with self._changed:
            while not (self._closed or self._job or self._lessons):
                pause = self._rests_until - steady_s() if self._process is None else None
                if pause is not None and pause <= 0:
                    break
                self._changed.wait(pause)
            if self._closed:
                return None, None
            if self._lessons:
                return self._lessons.popleft(), None
            job, self._job = self._job, None
        if self._process is not None and not self._process.alive:
            # Between two requests, so this one did not end it and need not go without drafts.
            self._fail(_STOPPED)
        if self._process is None:
            self._start()
        return None, job

    def _drafts(self, request: Request) -> Sequence[Draft]:
        reply = self._exchange(Ask(request=request), self._choice.limit_s)
        with self._changed:
            self._asking = False
        if isinstance(reply, Drafted) and reply.spent != Spent():
            self._on_spent(reply.spent)
        return reply.drafts if isinstance(reply, Drafted) else ()

    def _start(self) -> None:
        """A loaded process, unless the drafter rests after failures or fails again."""
        if self._closed or steady_s() < self._rests_until:
            return
        self._load_one()
        if not self._closed:
            self._on_standing(Standing(ready=True) if self._process else Standing(fault=self._fault))

    def _load_one(self) -> None:
        # Looked up at each start, so that an agreement counts in a session that is running.
        sending = sending_of(self._choice)
        if sending and not Agreements().has(SENDING, sending.identity):
            self._fail(
                f"would send the query as it is typed to {sending}. Nobody agreed to that on this machine: run "
                "“curtain study trust STUDY”"
            )
            return
        try:
            process = DrafterProcess(self._choice.environment)
        except OSError as fault:
            self._fail(f"could not be started: {fault.strerror}")
            return
        with self._changed:
            self._process = process
            self._lessons.clear()
            opening = self._load()
            self._examples = len(opening.examples)
            if self._closed:
                process.kill()
        if isinstance(self._exchange(opening, self._choice.start_s), Failed):
            self._discard()
            self._rest()

    def _exchange(self, order: Orders, limit: float) -> Replies | None:
        """The reply to an order; None if the drafter hung or died, and then its process is gone."""
        if self._process is None:
            return None
        self._process.send(order)
        with self._changed:
            self._asking = isinstance(order, Ask)
        reply = self._reply_within(self._process, limit)
        if self._closed:
            return None
        match reply:
            case None:
                self._fail(f"took longer than {limit:g} second{'' if limit == 1 else 's'} and is started anew")
                return None
            case Gone():
                self._fail(_STOPPED)
                return None
            case Failed(fault=fault) if fault == NEWER:
                # The service cancelled it.
                return reply
            case Failed(fault=fault):
                self._report(fault)
            case _ if not isinstance(reply, Loaded):
                # To have loaded is no proof of health: a drafter that dies at every request loads each time.
                self._failures, self._reported = 0, set()
        return reply

    def _reply_within(self, process: DrafterProcess, limit: float) -> Replies | Gone | None:
        """The reply that ends the exchange; what comes before it is progress."""
        ends = steady_s() + limit
        while isinstance(reply := process.reply_within(max(0.0, ends - steady_s())), Loading):
            self._on_standing(Standing(self._examples, min(1.0, max(0.0, reply.share))))
        return reply

    def _fail(self, how: str) -> None:
        self._discard()
        self._rest()
        self._report(how)

    def _rest(self) -> None:
        """The first time it is started again at once, then after longer and longer pauses."""
        self._failures += 1
        pause = min(2.0 ** (self._failures - 1), _LONGEST_PAUSE_S) if self._failures > 1 else 0.0
        self._rests_until = steady_s() + pause

    def _report(self, how: str) -> None:
        log.info("drafter %s: a failure", self._choice.name)
        called = "The NL tool" if self._choice.name == OURS else f"The drafter “{self._choice.name}”"
        self._fault = f"{called} {how.rstrip('.')}."
        if how not in self._reported:
            self._reported.add(how)
            self._on_problem(self._fault)

    def _discard(self) -> None:
        with self._changed:
            process, self._process = self._process, None
        if process:
            process.end()
