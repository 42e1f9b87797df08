"""The parent's end of a child process that takes orders and gives replies in frames."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import IO, Any, Generic, TypeVar

import msgspec
import psutil  # type: ignore[import-untyped]

from curtain.base.piped_process import PipedProcess
from curtain.base.python_process import program_processes, start_module
from curtain.domain.wire import Open, Order, Replies, WorkerReply, framed, read_frame

Heard = TypeVar("Heard")


class Gone(WorkerReply, frozen=True, tag="gone"):
    """The child has ended; nothing more will come."""


class PipedChild(PipedProcess[Heard | Gone], Generic[Heard]):
    """One child process with both its pipes. Its replies end with `Gone`, so nobody waits for a dead child."""

    def __init__(self, process: subprocess.Popen[bytes], replies: Any, name: str) -> None:
        """`replies` is the union of what the child says; `name` is that of the threads that serve it."""
        decoder: msgspec.msgpack.Decoder[Heard] = msgspec.msgpack.Decoder(replies)

        def hear(output: IO[bytes]) -> Iterator[Heard | Gone]:
            # A frame that is none of these replies is a ValueError, and the child counts as gone.
            while (frame := read_frame(output)) is not None:
                yield decoder.decode(frame)

        super().__init__(process, name, hear, Gone())

    def send(self, order: Order) -> None:
        """Send an order and do not wait for the child to take it; to a dead child in vain, which `Gone` reports."""
        self.send_bytes(framed(order))

    def reply_within(self, seconds: float) -> Heard | Gone | None:
        """The next reply; None if none comes in time."""
        try:
            return self.next_within(seconds)
        except TimeoutError:
            return None


class Child(PipedChild[WorkerReply]):
    """One child process over one database, whose memory is watched."""

    def __init__(self, opening: Open) -> None:
        process = start_module(
            "curtain.domain.worker.child_process",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # A pipe that nobody reads would fill up and stop the child.
            stderr=subprocess.DEVNULL,
        )
        super().__init__(process, Replies, "sql")
        self.is_open = False
        self.send(opening)

    def memory(self) -> int:
        """Resident bytes, 0 if the child is gone."""
        try:
            return sum(process.memory_info().rss for process in program_processes(self._process.pid))
        except psutil.Error:
            return 0
