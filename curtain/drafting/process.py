"""The parent's end of one drafter's process: start it, send orders, hear replies, end it."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Iterable

import msgspec

from curtain.domain.spawning import start_module_with
from curtain.domain.wire import Reply, read_frame, write_frame

from .wire import Orders, Replies

__all__ = ["DrafterProcess", "Gone"]


class Gone(Reply, frozen=True, tag="gone"):
    """The process has ended; nothing more will come."""


class DrafterProcess:
    """One process. `replies` ends with `Gone`, so nobody waits for a dead one. Raises OSError if none can be made."""

    def __init__(self, variables: Iterable[str] = ()) -> None:
        self.replies: queue.SimpleQueue[Replies | Gone] = queue.SimpleQueue()
        self._process = start_module_with(
            variables,
            "curtain.drafting.drafter_child",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._reader = threading.Thread(target=self._read, name="draft-replies", daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, order: Orders) -> None:
        """Sends an order; to a dead process in vain, which `replies` will tell."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            write_frame(self._process.stdin, order)

    def reply_within(self, seconds: float) -> Replies | Gone | None:
        """The next reply; None if none comes in time."""
        try:
            return self.replies.get(timeout=seconds)
        except queue.Empty:
            return None

    def kill(self) -> None:
        """Ends the process from any thread; `Gone` will come."""
        self._process.kill()

    def end(self) -> None:
        """Kills the process and waits until it is gone; closes what was open to it."""
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
