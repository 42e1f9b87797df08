"""What drafts would answer: row count and first rows, apart from the wizard's own runs, which never wait for it."""

from __future__ import annotations

import threading
import weakref
from concurrent.futures import Future
from pathlib import Path

from curtain.domain.pack.reader import Pack
from curtain.domain.worker.worker import Limits, Result, SqlWorker


class Previews:
    """Runs statements one after the other, each within `seconds`; used from any thread."""

    def __init__(self, pack: Pack, db_path: Path, rows: int, seconds: float) -> None:
        # No answer is written here, so no row more than is shown is kept; all are counted.
        limits = Limits(interrupt_after_s=seconds, kill_after_s=1.5 * seconds, display_rows=rows, cas_rows=rows)
        self._worker = SqlWorker(db_path, pack, limits, with_spare=False)
        self._waiting: set[Future[Result]] = set()
        self._lock = threading.Lock()

    def ask(self, sql: str, yes_no: bool = False) -> Future[Result]:
        """How many rows there are, the first ones, and a yes or no if that is asked for; can be cancelled until it is
        resolved, and never raises."""
        asked: Future[Result] = Future()
        ran = self._worker.run(sql, yes_no, with_maximum=False)
        with self._lock:
            self._waiting.add(asked)
        # A Future keeps its callbacks. If both held each other, each result would stay until a garbage collection.
        running = weakref.ref(ran)
        asked.add_done_callback(lambda _: _cancel(running()))
        ran.add_done_callback(lambda ended: self._conclude(asked, ended))
        return asked

    def cancel(self) -> None:
        """Cancels all that is waiting and stops what runs."""
        with self._lock:
            waiting, self._waiting = self._waiting, set()
        for asked in waiting:
            asked.cancel()
        if waiting:
            self._worker.interrupt()

    def close(self) -> None:
        self.cancel()
        self._worker.close()

    def _conclude(self, asked: Future[Result], ran: Future[Result]) -> None:
        with self._lock:
            self._waiting.discard(asked)
        if not ran.cancelled() and asked.set_running_or_notify_cancel():
            asked.set_result(ran.result())


def _cancel(ran: Future[Result] | None) -> None:
    if ran is not None:
        ran.cancel()
