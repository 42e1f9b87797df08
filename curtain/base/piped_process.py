"""The parent's end of a child process with two pipes: send, hear, end, start anew; and the frames that both ends speak.

Nothing waits for the child.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Generic, TypeVar

import msgspec

from curtain.base.clock import steady_s
from curtain.base.python_process import own_pipes, program_processes, start_module_with

Heard = TypeVar("Heard")

# Well above an answer of 16 MiB and the rows to show; a longer length is a stream that is out of step.
FRAME_LIMIT = 64 << 20
_LONGEST_PAUSE_S = 60.0
# How a child fails that ends while nobody wants it to.
STOPPED = "stopped by itself"


def write_frame(stream: IO[bytes], message: msgspec.Struct) -> None:
    """One message, all of it; raises OSError if nobody is at the other end."""
    stream.write(framed(message))
    stream.flush()


def framed(message: msgspec.Struct) -> bytes:
    """The bytes of one message: its length in four bytes, then msgpack."""
    payload = msgspec.msgpack.encode(message)
    return len(payload).to_bytes(4, "big") + payload


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message's bytes; None at the end, also when it comes in the middle of a message or one is too long."""
    length = int.from_bytes(stream.read(4), "big")
    if not 0 < length <= FRAME_LIMIT:
        return None
    payload = stream.read(length)
    return payload if len(payload) == length else None


class ToParent:
    """A child's end of its pipes. A thread hears the orders; when there come no more, it ends the process."""

    def __init__(self, kind: Any, takes_aside: Callable[[Any], bool] = lambda order: False) -> None:
        """Orders of this `kind`. What `takes_aside` takes, while the process is at work, waits for nobody."""
        self._orders, self._replies = own_pipes()
        self._kind, self._takes_aside = kind, takes_aside
        self._todo: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._hear, daemon=True).start()

    def next_order(self, within_s: float | None = None) -> Any:
        """What is to be done next. Raises queue.Empty if nothing comes in time."""
        return self._todo.get(timeout=within_s)

    def say(self, reply: msgspec.Struct) -> None:
        """Send a reply; if nobody is there any more, the process ends."""
        try:
            write_frame(self._replies, reply)
        except OSError:
            os._exit(0)

    def _hear(self) -> None:
        while (frame := read_frame(self._orders)) is not None:
            order = msgspec.msgpack.decode(frame, type=self._kind)
            if not self._takes_aside(order):
                self._todo.put(order)
        # Not sys.exit: the main thread may be deep in something that will not stop.
        os._exit(0)


class PipedProcess(Generic[Heard]):
    """A started program with both its pipes. What it says ends with `last`, so nobody waits for a dead one."""

    def __init__(
        self, process: subprocess.Popen[bytes], name: str, hear: Callable[[IO[bytes]], Iterator[Heard]], last: Heard
    ) -> None:
        """`hear` reads the child's output and may raise OSError or ValueError at its end; `name` is for the threads.

        The child is started with pipes and in a session of its own (`base.python_process`).
        """
        self._process = process
        self._hear = hear
        self._last = last
        self._heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        # A pipe to a child that does not read takes 64 KiB and then blocks whoever writes, so a thread writes.
        self._todo: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._gone = threading.Lock()
        self._threads = [
            threading.Thread(target=self._read, name=f"{name}-replies", daemon=True),
            threading.Thread(target=self._write, name=f"{name}-orders", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def alive(self) -> bool:
        """Whether the program runs."""
        return self._process.poll() is None

    def exit_code_within(self, seconds: float) -> int | None:
        """None while it runs. Its output ends a moment before the system knows the code."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def send_bytes(self, data: bytes) -> None:
        """Send and do not wait for the program to take it; to a dead one in vain, which its end shows."""
        self._todo.put(data)

    def next_within(self, seconds: float) -> Heard:
        """What it says next, `last` if it has ended. Raises TimeoutError if neither comes in time."""
        try:
            return self._heard.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None

    def kill(self) -> None:
        """End the program and what it has started, from any thread, also after `end`."""
        with self._gone:
            if not self._process.stdin or self._process.stdin.closed:
                # After `end` its number may be another program's.
                return
            if sys.platform == "win32":
                _kill_family(self._process.pid)
            else:
                # It leads a session of its own, so its children go with it.
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()

    def end(self) -> None:
        """Kill the program and wait until it is gone; close what was open to it. From one thread, once."""
        self.kill()
        self._process.wait()
        self._todo.put(None)
        for thread in self._threads:
            thread.join()
        with self._gone:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (data := self._todo.get()) is not None:
                self._process.stdin.write(data)
                self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for heard in self._hear(self._process.stdout):
                self._heard.put(heard)
        self._heard.put(self._last)


def _kill_family(number: int) -> None:
    import psutil  # type: ignore[import-untyped]

    # Windows knows no sessions of processes.
    with contextlib.suppress(psutil.Error):
        for process in program_processes(number):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


class Gone:
    """The child has ended; nothing more will come."""


class PipedChild(PipedProcess[Heard | Gone], Generic[Heard]):
    """A process of ours that takes orders and gives replies in frames. Its replies end with `Gone`."""

    def __init__(self, module: str, replies: Any, variables: Iterable[str] = ()) -> None:
        """`replies` is the union of what the module says; it gets these variables of our environment, too. Raises
        OSError."""
        decoder: msgspec.msgpack.Decoder[Heard] = msgspec.msgpack.Decoder(replies)

        def hear(output: IO[bytes]) -> Iterator[Heard | Gone]:
            # A frame that is none of these replies is a ValueError, and the child counts as gone.
            while (frame := read_frame(output)) is not None:
                yield decoder.decode(frame)

        # A pipe that nobody reads would fill up and stop the child.
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        super().__init__(start_module_with(variables, module, **pipes), module, hear, Gone())

    def send(self, order: msgspec.Struct) -> None:
        """Send an order and do not wait for the child to take it; to a dead child in vain, which `Gone` reports."""
        self.send_bytes(framed(order))

    def reply_within(self, seconds: float) -> Heard | Gone | None:
        """The next reply; None if none comes in time."""
        try:
            return self.next_within(seconds)
        except TimeoutError:
            return None


class ChildError(Exception):
    """The child was too slow, or ended; the text completes a sentence that begins with its name."""


class SupervisedChild(Generic[Heard]):
    """A child that does one order at a time for a thread of ours. One that hangs or ends is gone, and may be started
    anew: at once the first time, then after longer and longer pauses. `changed` guards what its owner's other threads
    share with this one, and wakes it up. They may `tell` and `close`; the rest is for this thread."""

    def __init__(self, start: Callable[[], PipedChild[Heard]]) -> None:
        self._start = start
        self.changed = threading.Condition()
        self._child: PipedChild[Heard] | None = None
        self.closed = False
        self._rests_until = 0.0
        self.failures = 0
        """How often it failed, one after the other. Whoever knows that it works sets this to 0."""

    def serve(self, name: str, step: Callable[[], None]) -> None:
        """A thread of this name does `step` again and again until this is closed; then it ends the process."""

        def run() -> None:
            try:
                while not self.closed:
                    step()
            finally:
                self.end()

        self._thread = threading.Thread(target=run, name=name, daemon=True)
        self._thread.start()

    @property
    def pause_s(self) -> float | None:
        """How many seconds it rests, 0 if it may be started; None while there is one."""
        return None if self._child else max(0.0, self._rests_until - steady_s())

    @property
    def has_died(self) -> bool:
        """It ended by itself since it was asked last."""
        # In this order: whoever closes it says so before the process is killed.
        return self._child is not None and not self._child.alive and not self.closed

    def start(self) -> None:
        """Start a process. Raises ChildError."""
        try:
            child = self._start()
        except OSError as error:
            self.fail()
            raise ChildError(f"could not be started: {error.strerror}") from error
        with self.changed:
            self._child = child
            if self.closed:
                child.kill()

    def tell(self, order: msgspec.Struct) -> None:
        """Send what has no reply, if there is a process; from any thread."""
        with self.changed:
            if self._child:
                self._child.send(order)

    def exchange(
        self, order: msgspec.Struct, limit_s: float, is_progress: Callable[[Heard], bool] = lambda heard: False
    ) -> Heard | None:
        """The reply to an order that is no progress; None without a process, or if it is closed. Raises ChildError."""
        # Of a killed process the end is heard once: nobody may wait for it again.
        if self._child is None or self.closed:
            return None
        self._child.send(order)
        ends = steady_s() + limit_s
        while True:
            reply = self._child.reply_within(ends - steady_s())
            if self.closed:
                return None
            if reply is None or isinstance(reply, Gone):
                self.fail()
                slow = f"took longer than {limit_s:g} second{'' if limit_s == 1 else 's'}"
                raise ChildError(STOPPED if reply else slow)
            if not is_progress(reply):
                return reply

    def fail(self) -> None:
        """It is of no use: end it, and let it rest."""
        self.end()
        self.failures += 1
        pause = min(2.0 ** (self.failures - 1), _LONGEST_PAUSE_S) if self.failures > 1 else 0.0
        self._rests_until = steady_s() + pause

    def close(self) -> None:
        """Kill the process and each that is started from now on; from any thread, which does not wait for the end."""
        with self.changed:
            self.closed = True
            if self._child:
                self._child.kill()
            self.changed.notify()

    def join(self) -> None:
        """Wait until the thread has ended, and the process with it."""
        self._thread.join()

    def end(self) -> None:
        """End the process and wait until it is gone."""
        with self.changed:
            child, self._child = self._child, None
        if child:
            child.end()
