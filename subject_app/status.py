"""Reports to the wizard's station twice a second how the microphone and the disk are."""

from __future__ import annotations

import shutil
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from curtain.audio.takes import TAKE_RATE
from curtain.link.messages import StationStatus
from curtain.qt.background import Background
from subject_app.station import SubjectStation

if TYPE_CHECKING:
    from curtain.link.qt import SubjectLink

EVERY_MS = 500
LOOK_AT_DISK_EVERY = 2  # a full disk must reach the wizard within two seconds
SAMPLE_BYTES = 2


class StatusReporter(QObject):
    """Speaks while there is a session here."""

    def __init__(
        self,
        station: SubjectStation,
        folder: Path,
        background: Background,
        link: SubjectLink,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._station = station
        self._microphone = station.microphone
        self._folder = folder
        self._background = background
        self._link = link
        self._disk_hours: float | None = None
        self._looking = False
        self._reports = 0
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self._report)

    def start(self) -> None:
        """Look at the disk once, then speak twice a second."""
        self._look_at_disk()
        self._timer.start()

    def _report(self) -> None:
        self._reports += 1
        if self._reports % LOOK_AT_DISK_EVERY == 0:
            self._look_at_disk()
        # Before the welcome nobody is there to hear it.
        if self._station.seated:
            self._link.send(self._status())

    def _status(self) -> StationStatus:
        level, clipped = self._microphone.loudest_since()
        return StationStatus(
            microphone=self._microphone.name or self._microphone.missing,
            microphone_ok=self._microphone.ready or not self._station.speaks,
            recording=self._station.recording(),
            level_dbfs=level,
            clipped=clipped,
            disk_hours=self._disk_hours,
            microphone_state=self._microphone.state if self._station.speaks else "unused",
            test=self._station.test_state,
            disk_problem=self._station.space.problem,
            absent=sorted(self._station.absent),
        )

    def _look_at_disk(self) -> None:
        microphone = self._microphone
        # Before a microphone is open: the rate that is asked for first.
        recorded = [one.sample_rate for one in (microphone.recorder, microphone.second) if one is not None]
        rate = sum(recorded or [microphone.rate]) + (TAKE_RATE if microphone.wide else 0)
        # A folder on a network may answer late: never two looks at once.
        if not self._looking:
            self._looking = True
            self._background.run(lambda: self._look(rate), self._on_looked)

    def _look(self, rate: int) -> float:
        self._station.space.look()
        return hours_left(self._folder, rate)

    def _on_looked(self, future: Future[float]) -> None:
        self._looking = False
        try:
            self._disk_hours = future.result()
        except OSError:
            # Unknown, not full.
            self._disk_hours = None


def hours_left(folder: Path, sample_rate: int) -> float:
    """How many hours of sound the disk of this folder still takes, with so many samples a second. Raises OSError."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return shutil.disk_usage(there).free / (sample_rate * SAMPLE_BYTES * 3600)
