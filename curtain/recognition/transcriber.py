"""A first draft of a transcription from the audio, with the optional extra `asr`; never sent by itself.

Importing this module imports no recogniser. It runs in a process of its own, on this machine alone.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import queue
import subprocess
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path

import msgspec

from curtain.base.python_process import start_module
from curtain.domain.wire import Order, WorkerReply, read_frame, write_frame

log = logging.getLogger(__name__)

_LOAD_S = 60.0
_LIMIT_S = 30.0
_MOST_FAILURES = 3


class Listen(Order, frozen=True, tag="listen", kw_only=True):
    """The first order: be ready for questions like these; texts of one group may stand for one another."""

    questions: list[str]
    groups: list[list[str]]


class Hear(Order, frozen=True, tag="hear", kw_only=True):
    """Transcribe a WAV file."""

    path: str


class Transcription(WorkerReply, frozen=True, tag="heard", kw_only=True):
    """The words in lower case; "" if none were made out. The first order is answered by an empty one."""

    text: str = ""


def is_installed() -> bool:
    """Whether the extra `asr` is there."""
    return importlib.util.find_spec("pocketsphinx") is not None


class Transcriber:
    """Drafts transcriptions one after the other. What fails gives "", and nobody is warned: the wizard types anyway.

    It expects questions like the given ones; `groups` are texts that may stand for one another, such as the names of
    all cities, the names of all airlines: where one was, any of its group may be said.
    """

    def __init__(
        self, questions: Iterable[str], groups: Iterable[Iterable[str]] = (), limit_s: float = _LIMIT_S
    ) -> None:
        self._opening = Listen(questions=list(questions), groups=[list(group) for group in groups])
        self._limit_s = limit_s
        self._jobs: queue.SimpleQueue[tuple[Path, Future[str]] | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._serve, name="transcriber", daemon=True)
        self._thread.start()

    def transcribe(self, wav: Path) -> Future[str]:
        """The words of a WAV file of any rate, in lower case, "" if nothing was made out; never raises. It may be
        cancelled as long as it waits."""
        asked: Future[str] = Future()
        self._jobs.put((wav, asked))
        if self._closed.is_set():
            asked.cancel()
        return asked

    def close(self) -> None:
        """Ends the process; what waits is cancelled."""
        self._closed.set()
        self._jobs.put(None)
        with self._lock:
            if self._process:
                self._process.kill()
        self._thread.join()

    def _serve(self) -> None:
        if is_installed():
            self._start()
        while (job := self._jobs.get()) is not None:
            wav, asked = job
            if self._closed.is_set():
                asked.cancel()
            elif asked.set_running_or_notify_cancel():
                asked.set_result(self._hear(wav))
        self._end()
        with contextlib.suppress(queue.Empty):
            while True:
                if job := self._jobs.get_nowait():
                    job[1].cancel()

    def _hear(self, wav: Path) -> str:
        if self._process is None and is_installed():
            self._start()
        reply = self._exchange(Hear(path=str(wav)), self._limit_s)
        return reply.text if reply else ""

    def _start(self) -> None:
        if self._closed.is_set() or self._failures >= _MOST_FAILURES:
            return
        try:
            process = start_module(
                "curtain.recognition.child",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as fault:
            log.info("no transcriber could be started: %s", fault)
            return
        with self._lock:
            self._process = process
            if self._closed.is_set():
                process.kill()
        self._exchange(self._opening, _LOAD_S)

    def _exchange(self, order: Listen | Hear, limit: float) -> Transcription | None:
        """The reply; None if the process hangs, dies or is not there, and then it is gone."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            return None
        overdue = threading.Timer(limit, self._process.kill)
        overdue.start()
        try:
            write_frame(self._process.stdin, order)
            frame = read_frame(self._process.stdout)
            reply = msgspec.msgpack.decode(frame, type=Transcription) if frame else None
        except (OSError, ValueError, msgspec.MsgspecError):
            reply = None
        finally:
            overdue.cancel()
        self._failures = 0 if reply else self._failures + 1
        if reply is None:
            log.info("the transcriber stopped")
            self._end()
        return reply

    def _end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
