"""A second copy of the wizard's journal in the folder that the study names."""

from concurrent.futures import Future
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from curtain.session.journal.journal import Journal, Replica

RETRY_MS = 1000


class Mirror(QObject):
    """Follows the journal line by line. It reports a failure once, never holds up the session, and tries again every
    second until `problem_over`."""

    problem = Signal(str)
    problem_over = Signal()

    def __init__(self, path: Path, journal: Journal, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._journal = journal
        self._background = background
        self._copy: Replica | None = None
        self._busy = False
        self._behind = True
        self._reported = False
        self._retry = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._retry.timeout.connect(self.follow)

    @Slot()
    def follow(self) -> None:
        """The journal has grown."""
        self._behind = True
        # One catching up at a time; lines that come meanwhile are taken by the next.
        if not self._busy:
            self._busy, self._behind = True, False
            self._background.run(self._catch_up, self._on_done)

    def close(self) -> None:
        """Bring the copy up to the end and let it go; called where waiting is allowed."""
        self._retry.stop()
        self._catch_up()
        if self._copy is not None:
            self._copy.close()

    def _catch_up(self) -> None:
        if self._copy is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._copy = Replica(self._path)
        lines = list(self._journal.lines_after(self._copy.last_seq))
        if lines:
            self._copy.extend_all(lines)

    def _on_done(self, future: Future[None]) -> None:
        self._busy = False
        try:
            future.result()
        except (CurtainError, OSError) as error:
            self._report(error)
            self._retry.start()
            return
        if self._reported:
            self._reported = False
            self.problem_over.emit()
        if self._behind:
            self.follow()

    def _report(self, error: Exception) -> None:
        if not self._reported:
            self._reported = True
            self.problem.emit(f"The second copy in {self._path.parent} is not kept: {error}")
