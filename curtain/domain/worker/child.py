"""The parent's end of one worker child: a piped child that opens a database and whose memory is watched."""

from __future__ import annotations

import subprocess

import psutil  # type: ignore[import-untyped]

from curtain.base.python_process import start_module
from curtain.domain.wire import Open, Replies, WorkerReply

from .piped_process import Gone, PipedChild

__all__ = ["Child", "Gone"]


class Child(PipedChild[WorkerReply]):
    """One child process over one database."""

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
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0
