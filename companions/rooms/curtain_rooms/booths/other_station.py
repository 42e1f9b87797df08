"""Another kind of subject's station, as a process beside the wizard's: started when somebody asks for it."""

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QObject, QProcess, Signal, Slot

from curtain.base.errors import CurtainError
from curtain.base.python_process import why_it_failed
from curtain.ports.station import StationReport
from curtain.qt.background import process_lines, set_module_environment

_ENDS_MS = 5000


class OtherStationProcess(QObject):
    """`began()`, then `reported(StationReport)` as often as it says something new, and `ended(sentence)`: it could not
    start, or stopped by itself. `command` gives its command line, or raises CurtainError."""

    began = Signal()
    reported = Signal(object)
    ended = Signal(str)

    def __init__(self, command: Callable[[], Sequence[str]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = command
        self._process: QProcess | None = None

    @Slot()
    def start(self) -> None:
        """Start it; where it runs, ask it for another link, by which somebody else takes its place."""
        if self._process is not None:
            self._process.write(b"\n")
            return
        try:
            program, *arguments = self._command()
        except CurtainError as error:
            self.ended.emit(str(error))
            return
        process = self._process = QProcess(self)
        set_module_environment(process)
        process.readyReadStandardOutput.connect(self._on_output)
        process.finished.connect(self._on_finished)
        process.start(program, arguments)
        self.began.emit()

    def close(self) -> None:
        """At the end of its input it keeps what it has, and ends."""
        process, self._process = self._process, None
        if process is not None:
            process.closeWriteChannel()
            if not process.waitForFinished(_ENDS_MS):
                process.kill()
                process.waitForFinished(_ENDS_MS)

    @Slot()
    def _on_output(self) -> None:
        if self._process is not None:
            for line in process_lines(self._process):
                self.reported.emit(msgspec.json.decode(line, type=StationReport))

    @Slot()
    def _on_finished(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            errors = bytes(process.readAllStandardError().data()).strip()
            self.ended.emit(why_it_failed(errors) if errors else self.tr("The subject’s station has stopped."))
