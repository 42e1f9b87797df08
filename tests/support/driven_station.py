"""A station as a process of its own, driven by its keys; the test's event loop goes on meanwhile."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal

from curtain.rehearsal.stations import PATIENCE_S
from tests.support.child_program import Child


class StationSilent(Exception):
    """No answer came."""


class DrivenStation(QObject):
    """`ask` gives the driver's answer; `must` raises unless it is `ok`."""

    _answered = Signal(object)

    def __init__(self, module: str, *arguments: str, environment: dict[str, str] | None = None) -> None:
        super().__init__()
        command = [sys.executable, "-m", module, *arguments, "--drive"]
        self.process = Child(command, stderr=subprocess.PIPE, env=os.environ | (environment or {}))
        self.errors = b""
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()
        self._count = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._answered.connect(self._on_answered)
        self._loop: QEventLoop | None = None

    def ask(self, **request: Any) -> dict[str, Any]:
        self._count += 1
        self.process.stdin.write(json.dumps({"id": self._count} | request).encode() + b"\n")
        self.process.stdin.flush()
        return self._wait_for(self._count)

    def must(self, **request: Any) -> dict[str, Any]:
        answer = self.ask(**request)
        assert answer["ok"], (request, answer, self.errors)
        return answer

    def until(self, name: str = "window", **properties: Any) -> dict[str, Any]:
        return self.must(do="wait", name=name, **{"is": properties})

    def talk(self, ms: int = 400, key: str = "Space") -> None:
        self.must(do="press", key=key)
        self.until(state="listening")
        pause(ms)
        self.must(do="release", key=key)

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def end(self) -> int:
        code = self.process.wait(PATIENCE_S)
        for thread in self._threads:
            thread.join(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        return code

    def _wait_for(self, number: int) -> dict[str, Any]:
        if number not in self._answers:
            self._loop = QEventLoop()
            QTimer.singleShot(int(PATIENCE_S * 1000), self._loop.quit)
            self._loop.exec()
            self._loop = None
        if number not in self._answers:
            raise StationSilent(f"no answer to request {number}: {self.errors!r}")
        return self._answers.pop(number)

    def _on_answered(self, answer: dict[str, Any]) -> None:
        if "id" not in answer:
            return  # told unasked: the first paint
        self._answers[answer["id"]] = answer
        if self._loop is not None:
            self._loop.quit()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._answered.emit(json.loads(line))

    def _read_errors(self) -> None:
        for line in self.process.stderr:
            self.errors += line


def pause(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def voiced_wav(path: Path, seconds: float = 1.0) -> Path:
    """A tone at a tenth of full scale: what a microphone test takes for a voice."""
    soundfile.write(path, np.resize(np.repeat(np.array([3072, -3072], "<i2"), 40), round(16000 * seconds)), 16000)
    return path


def silent_wav(path: Path, seconds: float = 0.1) -> Path:
    soundfile.write(path, np.zeros(round(16000 * seconds), "<i2"), 16000)
    return path
