"""What runs beside a session for other instruments: markers for the Lab Streaming Layer.

They are a process of their own. Where it fails, one sentence says so, and the session goes on.
"""

import importlib
import json

from PySide6.QtCore import QObject, QProcess

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command
from curtain.link.qt import SessionLink
from curtain.qt.background import process_lines, set_module_environment
from curtain.qt.languages.translation import translate
from curtain.session.journal.lines import JournalEntry, parse_line
from curtain.session.study.study import Study
from curtain_experiments.instruments.markers import INSTALL, NAME
from wizard_app.desk.session.control import SessionControl
from wizard_app.window.window import WizardWindow

# What a process that does not read may have waiting; behind it markers are left out.
_MOST_WAITING = 1024 * 1024
_ENDS_IN_MS = 8000
# A key's own time, which is earlier than its line.
_MOMENTS = ("pressed_ns", "released_ns", "entered_ns")


class Markers(QObject):
    """Sends each line of both journals that comes to be while the station runs, as a marker with the line's time."""

    def __init__(self, study: Study, session: SessionControl, link: SessionLink, window: WizardWindow) -> None:
        super().__init__(window)
        self._session, self._link, self._window = session, link, window
        self._closing = self._missing = False
        self._process = QProcess(self)
        set_module_environment(self._process)
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._on_ended)
        program, *arguments = module_command("curtain_experiments.instruments.markers", study.folder.name)
        self._process.start(program, arguments)
        session.opened.connect(self._on_opened)
        session.line_written.connect(self._on_line_written)
        session.line_copied.connect(lambda _seq, line: self._send("subject", parse_line(line)))

    def close(self) -> None:
        """The process is asked to end, and waited for some seconds at most."""
        self._closing = True
        self._process.closeWriteChannel()
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.waitForFinished(_ENDS_IN_MS)
        self._process.kill()

    def _on_opened(self) -> None:
        """The lines with which this start of the station began are in the journal already."""
        if (session := self._session.session) is not None:
            entries = [parse_line(line) for _, line in session.journal.lines_after(0)]
            begun = max(index for index, entry in enumerate(entries) if entry.type == "epoch")
            for entry in entries[begun:]:
                self._send("wizard", entry)

    def _on_line_written(self, seq: int) -> None:
        if (session := self._session.session) is not None:
            self._send("wizard", parse_line(session.journal.line_of(seq)))

    def _send(self, author: str, entry: JournalEntry) -> None:
        if (session := self._session.session) is None:
            return
        moment = next((entry.data[name] for name in _MOMENTS if name in entry.data), entry.t_ns)
        # On one computer both stations read one clock, which no measurement between them would better.
        measured = author == "subject" and self._link.from_elsewhere
        ahead = (session.progress.offset_ns or 0) if measured else 0
        # What was said or typed stays out of it: no consent form covers the file of another program.
        marker = f"{session.session_id}/{author}/{entry.type}/{entry.turn or 0}/{entry.seq}"
        if self._process.bytesToWrite() < _MOST_WAITING:
            self._process.write(json.dumps([marker, (moment + ahead) / 1e9]).encode() + b"\n")

    def _read(self) -> None:
        for line in process_lines(self._process):
            self._missing = "missing" in json.loads(line)

    def _on_ended(self) -> None:
        self._read()
        if not self._closing:
            absent = translate("Desk", "LSL markers need pylsl, which is not installed: {0}. All else goes on.")
            broken = translate("Desk", "LSL markers are sent no longer: their program has ended. All else goes on.")
            self._window.show_passing_problem("instruments", absent.format(INSTALL) if self._missing else broken)


def markers_at(study: Study, session: SessionControl, link: SessionLink, window: WizardWindow) -> Markers | None:
    """What sends events to other recorders, where the study wants it."""
    return Markers(study, session, link, window) if study.lsl else None


def check(study: Study | None) -> str:
    """Whether markers can be sent. Raises CurtainError."""
    if study is None or not study.lsl:
        return "off."
    try:
        importlib.import_module("pylsl")
    # pylsl raises RuntimeError while it is imported, if its library is missing.
    except (ImportError, RuntimeError) as missing:
        raise CurtainError(f"lsl = true in study.toml needs pylsl, which is not installed: {INSTALL}.") from missing
    return f"events are sent as the stream “{NAME}”."
