"""Work away from the window: `done` always runs on the GUI thread and gets the future."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, Signal, Slot

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_environment

log = logging.getLogger(__name__)

T = TypeVar("T")


def set_module_environment(process: QProcess, environment: Mapping[str, str] | None = None) -> None:
    """Let it find our modules, in this environment or else our own, as `module_environment` does."""
    given = QProcessEnvironment()
    for name, value in module_environment(environment).items():
        given.insert(name, value)
    process.setProcessEnvironment(given)


def process_lines(process: QProcess, channel: QProcess.ProcessChannel = QProcess.ProcessChannel.StandardOutput, *,
             rest: bool = False) -> Iterator[bytes]:  # fmt: skip
    """The whole lines that it has written there since the last call, without their ends; with `rest` also a last one
    that has no end."""
    process.setReadChannel(channel)
    while process.canReadLine() or (rest and process.bytesAvailable()):
        yield bytes(process.readLine().data()).rstrip(b"\r\n")


class Background(QObject):
    """A small pool of threads, and the way back from any thread to the window."""

    _finished = Signal(object, object)

    def __init__(self, workers: int = 4, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="background")
        self._open = True
        self._lock = threading.Lock()
        # Queued always: `done` must not run inside the call that made the future, not even if it is resolved already.
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], T], done: Callable[[Future[T]], None] | None = None) -> Future[T]:
        """Do `work` on a thread of the pool, then `done(future)` on the GUI thread.

        `done` calls `future.result()`, which gives the result or raises what `work` raised. Without `done`
        a failure goes to the problems channel like any other unexpected one.
        """
        future = self._pool.submit(work)
        self.when_done(future, done or _expect_nothing)
        return future

    def when_done(self, future: Future[T], done: Callable[[Future[T]], None]) -> None:
        """Call `done(future)` on the GUI thread once the future is resolved, from whatever thread."""
        # This callback runs on whatever thread resolves the future.
        future.add_done_callback(lambda finished: self._announce(finished, done))

    def close(self) -> None:
        """Wait for what is running, drop what has not begun; no `done` is called after this."""
        with self._lock:
            self._open = False
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _announce(self, future: Future[T], done: Callable[[Future[T]], None]) -> None:
        # With the lock: after `close` the object may be gone, and a signal of it would end the process.
        with self._lock:
            if self._open:
                self._finished.emit(future, done)

    @Slot(object, object)
    def _on_finished(self, future: Future[Any], done: Callable[[Future[Any]], None]) -> None:
        # Looked at again: the signal may have waited in the queue while `close` was called.
        if self._open and not future.cancelled():
            done(future)


def or_else(done: Callable[[T], object], failed: Callable[[CurtainError], object]) -> Callable[[Future[T]], None]:
    """For `run` and `when_done`: `done` gets the result, `failed` the CurtainError that was raised in its place."""

    def on_done(future: Future[T]) -> None:
        try:
            result = future.result()
        except CurtainError as error:
            failed(error)
        else:
            done(result)

    return on_done


def nothing(_: object) -> None:
    """What is done about a result, or an error, that nobody needs."""


def _expect_nothing(future: Future[Any]) -> None:
    future.result()
