"""How many hours of speech the study's disk still takes."""

from __future__ import annotations

import shutil
from concurrent.futures import Future
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.desk.background import Background

BYTES_PER_HOUR = 16_000 * 2 * 3600
WARN_HOURS = 4.0
REFUSE_HOURS = 1.0
_EVERY_MS = 2000


class DiskWatch(QObject):
    """Looks every two seconds, away from the window: a folder on a network may answer late."""

    hours_left = Signal(float)

    def __init__(self, folder: Path, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._background = background
        self._busy = False
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        self.look()
        self._timer.start()

    def end(self) -> None:
        self._timer.stop()

    @Slot()
    def look(self) -> None:
        if not self._busy:
            self._busy = True
            self._background.run(lambda: shutil.disk_usage(self._folder).free, self._on_looked)

    def _on_looked(self, future: Future[int]) -> None:
        self._busy = False
        try:
            self.hours_left.emit(hours_of(future.result()))
        except OSError:
            self.hours_left.emit(0.0)


def hours_of(free_bytes: int) -> float:
    """Hours of 16 kHz mono speech that fit into so many bytes."""
    return free_bytes / BYTES_PER_HOUR


def refusal(hours: float) -> str:
    """Why no session can begin, or an empty text."""
    if hours >= REFUSE_HOURS:
        return ""
    return "The disk takes less than one hour of speech. Make room before a session begins."


def warning(hours: float) -> str:
    """What to say while a session runs, or an empty text."""
    if hours >= WARN_HOURS:
        return ""
    return f"The disk is nearly full: {hours * 60:.0f} minutes of speech fit. Make room soon."
