"""Says answers and messages aloud, and is silent as soon as the subject wants to talk."""

import logging
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QProcess, Signal, Slot

from curtain.audio.voice import NoVoice, voice_command
from curtain.base.table import Table
from subject_app.session.screen_state import Exchange
from subject_app.session.texts import Texts, fill

log = logging.getLogger(__name__)

MOST_ROWS = 5


class Voice(QObject):
    """One text at a time; a new one ends the last. Without a voice it stays silent, and `absent(True)` reports that;
    `absent(False)` comes when a text was said again."""

    absent = Signal(bool)

    def __init__(self, parent: QObject | None = None, command: Callable[[str], Sequence[str]] = voice_command) -> None:
        super().__init__(parent)
        self._command_for = command
        self._command: Sequence[str] = ()
        self._next = ""
        self._hushed = False
        self._process = QProcess(self)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def speaking(self) -> bool:
        """Whether a text is being said."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def use(self, speaks: bool, language: str) -> None:
        """Whether texts are said, and in which language."""
        self.hush()
        try:
            self._command = self._command_for(language) if speaks else ()
        except NoVoice as missing:
            log.warning("%s", missing)
            self._command = ()
            self.absent.emit(True)

    def say(self, text: str) -> None:
        """Say this text, if texts are to be said."""
        if not self._command or not text:
            return
        self._next = text
        # What is said now ends first; its end begins the next.
        self._kill() if self.speaking else self._begin()

    @Slot()
    def hush(self) -> None:
        """Be silent, now: the microphone may hear the loudspeaker."""
        self._next = ""
        self._kill()

    def close(self) -> None:
        """Be silent, and wait until the program that speaks is gone."""
        self.hush()
        self._process.waitForFinished(1000)

    def _kill(self) -> None:
        self._hushed = self.speaking
        self._process.kill()

    def _begin(self) -> None:
        text, self._next, self._hushed = self._next, "", False
        self._process.start(self._command[0], list(self._command[1:]))
        self._process.write(text.encode())
        self._process.closeWriteChannel()

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, how: QProcess.ExitStatus) -> None:
        if self._next:
            self._begin()
        elif not self._hushed:
            failed = how is not QProcess.ExitStatus.NormalExit or code != 0
            if failed:
                log.warning("the voice has failed")
            self.absent.emit(failed)

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        # What was silenced counts as crashed.
        if error is QProcess.ProcessError.FailedToStart:
            log.warning("the voice does not start")
            self.absent.emit(True)


def spoken_words(exchange: Exchange, texts: Texts) -> str:
    """What is said of an exchange: its message, or the first rows of its table."""
    if exchange.message is not None:
        return exchange.message
    return _of_table(exchange.table, texts) if exchange.table is not None else ""


def _of_table(table: Table, texts: Texts) -> str:
    rows = [", ".join(cell for cell in row if cell) for row in table.rows[:MOST_ROWS]]
    if not rows:
        return texts.empty
    cut = table.total > len(rows)
    note = [fill(texts.first_of, shown=len(rows), total=table.total)] if cut else []
    return ". ".join([*note, *rows])
