"""The browser on the wizard's start page: a button, and behind it the link, its QR code and whether somebody came."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import QProcess, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command, why_it_failed
from curtain.qt.background import set_module_environment
from curtain.qt.style import LOOSE, TIGHT, Look
from curtain.qt.widgets import button, column, heading, label, named, row, say
from curtain.session.study.languages import ENGLISH, bundled_languages
from curtain.session.study.study import load_study
from curtain_browser.station import ensure_installed

_DOT = 4
_ENDS_MS = 5000


class Report(msgspec.Struct):
    """A line of the gateway, as it writes it."""

    link: str = ""
    note: str = ""
    here: bool = False


class BrowserPanel(QWidget):
    """Starts the gateway when somebody asks for it, and shows what it says."""

    def __init__(self, arguments: Sequence[str], study: Path, look: Look, at_once: bool) -> None:
        super().__init__()
        self.setObjectName("browser_panel")
        self._arguments, self._study = list(arguments), study
        self._process: QProcess | None = None
        self._rest = b""
        self._link = ""
        self._start = button(self.tr("Invite a subject in a browser"), "browser_start")
        self._link_line = label("", look, name="browser_link", wraps=True)
        self._link_line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = button(self.tr("Copy the link"), "browser_copy")
        self._code = named(QLabel(), "browser_code", self.tr("The link as a QR code"))
        self._state = label("", look, name="browser_state", wraps=True)
        self._note = label("", look, small=True, name="browser_note", wraps=True, colour=look.warning)
        beside = column(self._link_line, row(self._copy, 1), self._state, self._note, 1, spacing=TIGHT)
        title = heading(self.tr("A browser elsewhere"), look)
        self.setLayout(column(title, row(self._start, 1), row(self._code, (beside, 1), spacing=LOOSE), spacing=TIGHT))
        self._start.clicked.connect(self.start)
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._link))
        self._show(Report(), "")
        if at_once:
            QTimer.singleShot(0, self, self.start)

    @Slot()
    def start(self) -> None:
        """Start the gateway, unless it runs."""
        if self._process is not None:
            return
        try:
            ensure_installed()
        except CurtainError as error:
            self._show(Report(), str(error))
            return
        language = load_study(self._study).spoken_language
        if language not in bundled_languages():
            language = ENGLISH
        process = self._process = QProcess(self)
        set_module_environment(process)
        process.readyReadStandardOutput.connect(self._on_output)
        process.finished.connect(self._on_finished)
        program, *rest = module_command("curtain_browser.gateway", *self._arguments, "--language", language)
        process.start(program, rest)
        self._start.hide()
        self._show(Report(), self.tr("The page is being prepared."))

    def close(self) -> bool:
        """End the gateway; what it has is on its disk. The page waits for its next start."""
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect(self._on_finished)
            process.closeWriteChannel()
            if not process.waitForFinished(_ENDS_MS):
                process.kill()
                process.waitForFinished(_ENDS_MS)
        return super().close()

    @Slot()
    def _on_output(self) -> None:
        if self._process is None:
            return
        *lines, self._rest = (self._rest + self._process.readAllStandardOutput().data()).split(b"\n")
        for line in lines:
            report = msgspec.json.decode(line, type=Report)
            here = self.tr("The subject’s page is here.") if report.here else self.tr("The subject’s page is away.")
            waits = self.tr("The link is for one session and opens once, within an hour.")
            self._show(report, waits if report.link else here)

    @Slot()
    def _on_finished(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._start.show()
            why = why_it_failed(process.readAllStandardError().data())
            self._show(Report(), self.tr("The page is not served: {0}").format(why))

    def _show(self, report: Report, state: str) -> None:
        self._link = report.link
        say(self._link_line, report.link)
        say(self._state, state)
        say(self._note, self.tr(report.note) if report.note else "")
        for part in (self._copy, self._code, self._link_line):
            part.setVisible(bool(report.link))
        if report.link:
            self._code.setPixmap(_qr_code(report.link))


def _qr_code(link: str) -> QPixmap:
    import segno

    picture = io.BytesIO()
    # White around it, also on a dark window: a camera looks for that.
    segno.make(link, error="m").save(picture, kind="png", scale=_DOT, border=3)
    pixmap = QPixmap()
    pixmap.loadFromData(picture.getvalue())
    return pixmap
