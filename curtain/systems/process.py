"""One running system: lines to its standard input, lines from its standard output. Nothing here waits for it."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

from curtain.systems.protocol import MOST_REPLY_BYTES

__all__ = ["Line", "SystemProcess"]

Line = bytes | None
"""A line, or None: the system has ended and nothing more will come."""


class SystemProcess:
    """A started program with both its pipes. `lines` ends with None, so nobody waits for a dead one."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]], name: str) -> None:
        """Raises OSError if it cannot be started."""
        self.lines: queue.SimpleQueue[Line] = queue.SimpleQueue()
        self._process = start()
        # A pipe to a program that does not read takes 64 KiB and then blocks whoever writes.
        self._todo: queue.SimpleQueue[Line] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._read, name=f"{name}-replies", daemon=True),
            threading.Thread(target=self._write, name=f"{name}-questions", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def exit_code_within(self, seconds: float) -> int | None:
        """None while it runs. Its output ends a moment before the system knows the code."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def send(self, line: bytes) -> None:
        """Send a line and do not wait for the program to take it."""
        self._todo.put(line)

    def line_within(self, seconds: float) -> Line:
        """The next line, None if the program has ended. Raises TimeoutError if neither comes in time."""
        try:
            return self.lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None

    def kill(self) -> None:
        """End the program and what it has started, from any thread."""
        if sys.platform != "win32":
            # It leads a session of its own, so its children go with it.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def end(self) -> None:
        """Kill the program and wait until it is gone; close what was open to it."""
        self.kill()
        self._process.wait()
        self._todo.put(None)
        for thread in self._threads:
            thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (line := self._todo.get()) is not None:
                self._process.stdin.write(line)
                self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            # Bounded: an endless line must not fill the memory. What is cut is rubbish to whoever reads it.
            while line := self._process.stdout.readline(MOST_REPLY_BYTES + 2):
                self.lines.put(line)
        self.lines.put(None)
