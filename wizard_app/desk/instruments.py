"""What runs beside a session for other instruments: markers for the Lab Streaming Layer.

They are a process of their own. Where it fails, one sentence says so, and the session goes on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, Signal

from curtain.base.python_process import module_command
from curtain.instruments import markers
from curtain.link.qt import SessionLink
from curtain.qt.background import process_lines, set_module_environment
from curtain.qt.languages.translation import translate
from curtain.session.journal.lines import JournalEntry, parse_line
from wizard_app.desk.session.control import SessionControl

# What a process that does not read may have waiting; behind it markers are left out.
_MOST_WAITING = 1024 * 1024
_ENDS_IN_MS = 8000
# A key's own time, which is earlier than its line.
_MOMENTS = ("pressed_ns", "released_ns", "entered_ns")


class InstrumentProcess(QObject):
    """One of our modules that runs until its input ends: `said` is each line that it writes, `ended` comes once."""

    said = Signal(dict)
    ended = Signal()

    def __init__(self, command: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._process = QProcess(self)
        set_module_environment(self._process)
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._on_finished)
        self._process.start(command[0], list(command[1:]))

    def send(self, order: object) -> None:
        """One line of JSON; left out where the process does not read."""
        if self._process.bytesToWrite() < _MOST_WAITING:
            self._process.write(json.dumps(order).encode() + b"\n")

    def ask_to_end(self) -> None:
        """Its input ends; what it still has to do it does."""
        self._process.closeWriteChannel()

    def close(self) -> None:
        """Ask it to end and wait for that, some seconds at most."""
        self.ask_to_end()
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.waitForFinished(_ENDS_IN_MS)
        self._process.kill()

    def _on_finished(self) -> None:
        self._read()
        self.ended.emit()

    def _read(self) -> None:
        for line in process_lines(self._process):
            self.said.emit(json.loads(line))


class Markers(QObject):
    """Sends each line of both journals that comes to be while the station runs, as a marker with the line's time."""

    failed = Signal(str)

    def __init__(self, session: SessionControl, link: SessionLink, study: str, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._link = link
        self._closing = False
        self._outlet = InstrumentProcess(module_command("curtain.instruments.markers", study), self)
        self._outlet.said.connect(self._on_said)
        self._outlet.ended.connect(self._on_ended)
        self._missing = False
        session.opened.connect(self._on_opened)
        session.line_written.connect(self._on_line_written)
        session.line_copied.connect(lambda _seq, line: self._send("subject", parse_line(line)))

    def close(self) -> None:
        """The station ends."""
        self._closing = True
        self._outlet.close()

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
        self._outlet.send([marker, (moment + ahead) / 1e9])

    def _on_said(self, said: dict[str, bool]) -> None:
        self._missing = "missing" in said

    def _on_ended(self) -> None:
        if not self._closing:
            absent = translate("Desk", "LSL markers need pylsl, which is not installed: {0}. All else goes on.")
            broken = translate("Desk", "LSL markers are sent no longer: their program has ended. All else goes on.")
            self.failed.emit(absent.format(markers.INSTALL) if self._missing else broken)
