"""Opens the stations and the annotator's window as processes that outlive the home window."""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.base.python_process import apart, module_command, module_environment

_LOOK_MS = 400
_LONGEST_LOG = 64 * 1024


Start = Callable[[Sequence[str], Path], subprocess.Popen[bytes]]
"""Given the arguments of `curtain` and the file for what it prints."""


def start_station(arguments: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """A window of ours in a session of its own: neither our end nor Ctrl+C in our terminal is for it.

    Raises OSError.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    # Into a file, not a pipe: whoever outlives us must not write into a pipe without a reader.
    with log.open("wb") as output:
        return subprocess.Popen(
            module_command("curtain", *arguments),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=module_environment(),
            **apart(),
        )


@dataclass(frozen=True)
class _Opened:
    kind: str
    process: subprocess.Popen[bytes]
    log: Path


class StationDesk(QObject):
    """What was opened from here and still runs. `refused(kind, sentence)`: it ended at once with a problem."""

    changed = Signal()
    ended = Signal(str)
    refused = Signal(str, str)

    def __init__(self, start: Start, logs: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._start = start
        self._logs = logs
        self._opened: list[_Opened] = []
        self._timer = QTimer(self, interval=_LOOK_MS)
        # Looked at, not waited for: a thread that waits for a window would hold up our own end.
        self._timer.timeout.connect(self.look)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What runs now, in the order in which it was opened."""
        return tuple(one.kind for one in self._opened)

    def open(self, kind: str, arguments: Sequence[str]) -> None:
        """Open a window. Does nothing if one of its kind runs already: two would fight over the link or the journal."""
        if kind in self.kinds:
            self.refused.emit(kind, self.tr("It is open already; look for its window."))
            return
        log = self._logs / f"home-{kind.replace(' ', '-')}.txt"
        try:
            process = self._start(arguments, log)
        except OSError as error:
            self.refused.emit(kind, self.tr("It cannot be started: {0}.").format(error.strerror))
            return
        self._opened.append(_Opened(kind, process, log))
        self._timer.start()
        self.changed.emit()

    def look(self) -> None:
        """Notice who has ended."""
        for station in [station for station in self._opened if station.process.poll() is not None]:
            self._opened.remove(station)
            self.changed.emit()
            if station.process.poll():
                self.refused.emit(station.kind, _last_line(station.log))
            self.ended.emit(station.kind)
        if not self._opened:
            self._timer.stop()


def _last_line(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _LONGEST_LOG))
            lines = [line for line in file.read().decode("utf-8", "replace").splitlines() if line.strip()]
    except OSError:
        lines = []
    return lines[-1].strip() if lines else "It ended unexpectedly."
