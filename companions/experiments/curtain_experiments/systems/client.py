"""A system under test as a station or a command sees it: questions in, replies or problems out, one at a time.

A crash, a hang, rubbish or silence costs the turn and nothing else: the program is ended and started anew.
"""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import IO

from curtain.base.clock import steady_s
from curtain.base.piped_process import PipedProcess
from curtain_experiments.systems import protocol
from curtain_experiments.systems.choice import SystemChoice

_ENDING_S = 2.0

Start = Callable[[], subprocess.Popen[bytes]]


@dataclass(frozen=True)
class TimedReply:
    """A reply, and how long it took by our clock."""

    reply: protocol.SystemReply
    ms: int


class SystemClient:
    """Asks one program, which runs from the first moment until `close`. No call waits."""

    def __init__(self, choice: SystemChoice, start: Start, on_ready: Callable[[], None] = lambda: None) -> None:
        """`start` starts the program; `on_ready` is called on a thread of the client when it may be asked."""
        self.choice = choice
        self._start = start
        self._on_ready = on_ready
        self._jobs: queue.SimpleQueue[tuple[protocol.SystemQuestion, Future[TimedReply]] | None] = queue.SimpleQueue()
        self._process: SystemProcess | None = None
        self._changed = threading.Lock()
        self._closed = False
        self._problem = ""
        self._working = self._stopped = False
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name=f"system-{choice.name}", daemon=True)
        self._thread.start()

    def ask(self, question: protocol.SystemQuestion) -> Future[TimedReply]:
        """The reply to one question; the Future raises HostedSystemError where there is none."""
        future: Future[TimedReply] = Future()
        self._jobs.put((question, future))
        return future

    def stop(self) -> None:
        """Let go of the question that is being worked on: its Future raises HostedSystemError at once."""
        with self._changed:
            # Between two questions nothing is let go of: a killed program would fail the next one.
            if self._process is not None and self._working:
                self._stopped = True
                self._process.kill()

    def close(self) -> None:
        """End the program. Questions that wait are answered with a problem."""
        with self._changed:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        self._begin()
        while (job := self._jobs.get()) is not None:
            question, future = job
            try:
                future.set_result(self._answer(question))
            except protocol.HostedSystemError as error:
                future.set_exception(error)
                self._discard()
                # At once, and not with the next question: what a system has to learn takes time.
                self._begin()
        while not self._jobs.empty():
            if (left := self._jobs.get()) is not None:
                left[1].set_exception(self._problem_of("stopped", "was stopped"))
        self._discard()

    def _begin(self) -> None:
        """Start the program and wait until it is ready, if it says so; the next question reports what fails."""
        try:
            process = SystemProcess(self._start, f"system-{self.choice.name}")
        except OSError as error:
            self._problem = f"could not be started: {error.strerror or error}"
            return
        with self._changed:
            self._process = process
            if self._closed:
                process.kill()
                return
        self._problem = "" if self.choice.start_s is None else _not_opened(process, self.choice.start_s)
        if self._problem:
            self._discard()
        else:
            self.ready.set()
            self._on_ready()

    def _answer(self, question: protocol.SystemQuestion) -> TimedReply:
        """Raises HostedSystemError."""
        with self._changed:
            self._working, self._stopped = True, False
            process = self._process
        try:
            if process is None:
                raise self._problem_of("missing", self._problem or "is not running")
            begun = steady_s()
            process.send_bytes(protocol.line_of(question))
            reply = self._reply_within(process, begun + self.choice.deadline_s)
            return TimedReply(reply, round(1000 * (steady_s() - begun)))
        finally:
            with self._changed:
                self._working = False

    def _reply_within(self, process: SystemProcess, ends: float) -> protocol.SystemReply:
        try:
            while True:
                line = process.next_within(ends - steady_s())
                if line is None:
                    raise self._ended(process)
                reply = protocol.read_line(line)
                # A program that says it is ready, though nobody waited for that.
                if isinstance(reply, protocol.SystemReply):
                    return reply
        except TimeoutError:
            limit = self.choice.deadline_s
            seconds = f"{limit:g} second{'' if limit == 1 else 's'}"
            raise self._problem_of("silence", f"gave no answer within {seconds}") from None
        except protocol.Rubbish as error:
            raise self._problem_of("rubbish", str(error)) from error

    def _ended(self, process: SystemProcess) -> protocol.HostedSystemError:
        if self._closed or self._stopped:
            return self._problem_of("stopped", "was stopped")
        code = process.exit_code_within(_ENDING_S)
        return self._problem_of("crash", f"ended with exit code {code}" if code is not None else "ended")

    def _problem_of(self, kind: protocol.ProblemKind, how: str) -> protocol.HostedSystemError:
        return protocol.HostedSystemError(kind, f"The system “{self.choice.name}” {how.rstrip('.')}.")

    def _discard(self) -> None:
        self.ready.clear()
        with self._changed:
            process, self._process = self._process, None
        if process is not None:
            process.end()


def _not_opened(process: SystemProcess, start_s: float) -> str:
    """Waits until a program says that it is ready; why it is not, or ""."""
    try:
        line = process.next_within(start_s)
        if line is None:
            return "ended before it was ready"
        reply = protocol.read_line(line)
    except TimeoutError:
        return f"was not ready within {start_s:g} seconds"
    except protocol.Rubbish as error:
        return str(error)
    if isinstance(reply, protocol.Opened):
        return "" if reply.ready else reply.problem or "is not ready"
    return "answered before it was asked"


Line = bytes | None
"""A line, or None: the system has ended and nothing more will come."""


class SystemProcess(PipedProcess[Line]):
    """A started system; what it says are lines, and None at its end."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]], name: str) -> None:
        """Raises OSError if it cannot be started."""
        super().__init__(start(), name, _lines, None)


def _lines(output: IO[bytes]) -> Iterator[Line]:
    # Bounded: an endless line must not fill the memory. What is cut is rubbish to whoever reads it.
    while line := output.readline(protocol.MOST_REPLY_BYTES + 2):
        yield line
