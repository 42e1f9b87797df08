"""How many hours of speech the study's disk still takes."""

import shutil
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.link.messages import DiskProblem
from curtain.qt.background import Background
from curtain.session.study.study import SPEECH_PER_HOUR

WARN_HOURS = 4.0
REFUSE_HOURS = 1.0
_EVERY_MS = 2000


_TROUBLE: dict[DiskProblem, str] = {
    "full": "The subject’s disk is full. Make room now: what is said is kept for a few minutes more.",
    "failing": "The subject’s disk fails: what is said waits in memory. Do not close the subject’s window.",
}


class DiskWatch(QObject):
    """Looks every two seconds, away from the window: a folder on a network may answer late.

    `hours_left` gives None where the folder cannot be asked.
    """

    hours_left = Signal(object)

    def __init__(
        self, folder: Path, background: Background, parent: QObject | None = None, per_hour: int = SPEECH_PER_HOUR
    ) -> None:
        """`per_hour` is how many bytes an hour of a session takes."""
        super().__init__(parent)
        self._folder = folder
        self._per_hour = per_hour
        self._background = background
        self._busy = False
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        """Look now, and from now on every two seconds."""
        self.look()
        self._timer.start()

    def end(self) -> None:
        """Look no more."""
        self._timer.stop()

    @Slot()
    def look(self) -> None:
        """Ask the disk once; nothing while an earlier question is not answered."""
        # A network folder may take longer than two seconds; questions must not queue up behind it.
        if not self._busy:
            self._busy = True
            self._background.run(lambda: shutil.disk_usage(self._folder).free, self._on_looked)

    def _on_looked(self, future: Future[int]) -> None:
        self._busy = False
        try:
            self.hours_left.emit(future.result() / self._per_hour)
        except OSError:
            self.hours_left.emit(None)


@dataclass(frozen=True)
class DiskSpace:
    """How many hours of speech each station's disk takes; None as long as a station has not looked.

    `subject_problem` says that a write failed there, whatever the hours say.
    """

    wizard: float | None = None
    subject: float | None = None
    subject_problem: DiskProblem = ""

    @property
    def hours(self) -> float | None:
        """The shorter of the two disks is the one that counts; None if neither is known."""
        return min((hours for hours in (self.wizard, self.subject) if hours is not None), default=None)

    @property
    def refusal(self) -> str:
        """Why no session can begin, or an empty text."""
        if self.hours is None or self.hours >= REFUSE_HOURS:
            return ""
        return f"{self._whose} takes less than one hour of speech. Make room before a session begins."

    @property
    def warning(self) -> str:
        """What to say while a session runs, or an empty text."""
        if self.subject_problem:
            return _TROUBLE[self.subject_problem]
        if self.hours is None or self.hours >= WARN_HOURS:
            return ""
        minutes = int(self.hours * 60)
        if not minutes:
            return f"{self._whose} is full. Make room now."
        return f"{self._whose} is nearly full: {minutes} minutes of speech fit. Make room soon."

    @property
    def _whose(self) -> str:
        return (
            "The subject’s disk" if self.hours == self.subject and self.hours != self.wizard else "This computer’s disk"
        )
