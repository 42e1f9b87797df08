"""The parent's end of one worker child: start it, send orders, hear replies, watch its memory, end it."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading

import msgspec
import psutil  # type: ignore[import-untyped]

from .spawning import start_module
from .wire import Open, Order, Replies, Reply, read_frame, write_frame


class Gone(Reply, frozen=True, tag="gone"):
    """The child has ended; nothing more will come."""


class Child:
    """One child process. `replies` ends with `Gone`, so nobody waits for a dead child."""

    def __init__(self, opening: Open) -> None:
        self.replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self.is_open = False
        self._process = start_module(
            "curtain.domain.worker_child",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._reader = threading.Thread(target=self._read, name="sql-replies", daemon=True)
        self._reader.start()
        self.send(opening)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, order: Order) -> None:
        """Sends an order; to a dead child in vain, which `replies` will tell."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            write_frame(self._process.stdin, order)

    def memory(self) -> int:
        """Resident bytes, 0 if the child is gone."""
        try:
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def end(self) -> None:
        """Kills the child and waits until it is gone; closes what was open to it."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        decoder = msgspec.msgpack.Decoder(Replies)
        with contextlib.suppress(OSError, ValueError, msgspec.DecodeError):
            while (frame := read_frame(self._process.stdout)) is not None:
                self.replies.put(decoder.decode(frame))
        self.replies.put(Gone())
