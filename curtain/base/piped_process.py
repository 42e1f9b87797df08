"""The parent's end of a child process with two pipes: send, hear, end. Nothing waits for the child."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import IO, Generic, TypeVar

from curtain.base.python_process import program_processes

Heard = TypeVar("Heard")


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
