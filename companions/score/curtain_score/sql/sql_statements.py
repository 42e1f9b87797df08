"""Runs statements of benchmarks in a process of its own: one after the other, killed only when one takes too long."""

from __future__ import annotations

import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import psutil  # type: ignore[import-untyped]

from curtain.base.clock import steady_s
from curtain.base.python_process import processor_seconds, start_module
from curtain_score.sql import sql_child
from curtain_score.sql.sql_child import SqlOrder, SqlReply, read_message, write_message

FAILED, TIMED_OUT = "failed", "timed out"
_FIRST_WAIT_S, _WAIT_S = 0.02, 0.1
# A busy machine gives a process a part of a processor; one that waits for something for so long will not answer.
_MOST_WAITING = 20


class StatementFailed(Exception):
    """Why a statement gave no rows, in words that follow its name; `outcome` says of which kind that is."""

    def __init__(self, why: str, outcome: str = FAILED) -> None:
        super().__init__(why)
        self.outcome = outcome


class StatementProcess:
    """One child process at a time; used by one thread, and closed by leaving its `with`."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._reader = ThreadPoolExecutor(1)

    def __enter__(self) -> StatementProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._stop()
        self._reader.shutdown()

    def rows(self, sql: str, database: Path, timeout: float) -> list[Any]:
        """What a statement gives. Raises StatementFailed, also after `timeout` seconds of processor time."""
        child = self._child = self._child or start_module(
            sql_child.__name__, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert child.stdin is not None and child.stdout is not None
        try:
            used = processor_seconds(child.pid)
            write_message(child.stdin, SqlOrder(str(database.resolve()), sql))
            reply = self._reader.submit(read_message, child.stdout, SqlReply)
            result = self._reply(reply, child.pid, used, timeout)
        except (EOFError, OSError, ValueError, msgspec.MsgspecError, psutil.Error):
            self._stop()
            raise StatementFailed("its process ended before it gave its rows") from None
        if result.fault:
            raise StatementFailed(result.fault.rstrip("."))
        return result.rows

    def _reply(self, reply: Future[SqlReply], process: int, used: float, timeout: float) -> SqlReply:
        end, wait = steady_s() + _MOST_WAITING * timeout, _FIRST_WAIT_S
        while True:
            try:
                return reply.result(wait)
            except TimeoutError:
                wait = _WAIT_S
            if processor_seconds(process) - used > timeout or steady_s() > end:
                self._stop()
                raise StatementFailed(f"it was stopped after {timeout:g} seconds of processor time", TIMED_OUT)

    def _stop(self) -> None:
        if self._child is not None:
            with self._child as child:
                child.kill()
            self._child = None
