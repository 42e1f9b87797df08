"""A station as a process of its own, driven by its keys; the test's event loop goes on meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from PySide6.QtCore import QEventLoop, QTimer

from curtain.rehearsal.stations import RunningStation


class DrivenStation(RunningStation):
    """`ask` gives the driver's answer; `must` raises unless it is `ok`."""

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(super().ask, do, **more)
            while not asked.done():
                pause(5)
        return asked.result()

    def must(self, do: str, **more: Any) -> dict[str, Any]:
        answer = self.ask(do, **more)
        assert answer["ok"], (do, more, answer)
        return answer

    def until(self, name: str = "window", **properties: Any) -> dict[str, Any]:
        return self.must("wait", name=name, **{"is": properties})


def pause(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def silent_wav(path: Path, seconds: float = 0.1) -> Path:
    soundfile.write(path, np.zeros(round(16000 * seconds), "<i2"), 16000)
    return path
