"""The parent's end of a child process that takes orders and gives replies in frames: send, hear, end. Nothing waits."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from typing import Any, Generic, TypeVar

import msgspec

from .wire import Order, WorkerReply, read_frame, write_frame

__all__ = ["Gone", "PipedChild"]

Heard = TypeVar("Heard")


class Gone(WorkerReply, frozen=True, tag="gone"):
    """The child has ended; nothing more will come."""


class PipedChild(Generic[Heard]):
    """One child process with both its pipes. `replies` ends with `Gone`, so nobody waits for a dead child."""

    def __init__(self, process: subprocess.Popen[bytes], replies: Any, name: str) -> None:
        """`replies` is the union of what the child says; `name` is that of the thread that hears it."""
        self.replies: queue.SimpleQueue[Heard | Gone] = queue.SimpleQueue()
        self._process = process
        self._decoder: msgspec.msgpack.Decoder[Heard] = msgspec.msgpack.Decoder(replies)
        self._reader = threading.Thread(target=self._read, name=name, daemon=True)
        # A pipe to a child that was stopped takes 64 KiB and then nothing more until the child goes on or dies.
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name=f"{name}-orders", daemon=True)
        self._reader.start()
        self._writer.start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, order: Order) -> None:
        """Sends an order and does not wait for the child to take it; to a dead child in vain, which `replies` tells."""
        self._orders.put(order)

    def reply_within(self, seconds: float) -> Heard | Gone | None:
        """The next reply; None if none comes in time."""
        try:
            return self.replies.get(timeout=seconds)
        except queue.Empty:
            return None

    def kill(self) -> None:
        """Ends the child from any thread; `Gone` will come."""
        self._process.kill()

    def end(self) -> None:
        """Kills the child and waits until it is gone; closes what was open to it."""
        self._process.kill()
        self._process.wait()
        self._orders.put(None)
        self._writer.join()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (order := self._orders.get()) is not None:
                write_frame(self._process.stdin, order)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError, msgspec.DecodeError):
            while (frame := read_frame(self._process.stdout)) is not None:
                self.replies.put(self._decoder.decode(frame))
        self.replies.put(Gone())
