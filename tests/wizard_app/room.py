"""A wizard's window with its subject, pressed by keys; and a tool that drafts what it is told to."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from curtain.link.messages import ScenarioShown
from curtain.session.bundle.bundle import Bundle
from curtain.session.consent import ConsentScope
from tests.wizard_app.stand_in import StandIn
from wizard_app.app import WizardApp
from wizard_app.desk.session.plan import SessionPlan

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PATIENCE_MS = 60_000  # how long a failure takes; a busy machine may need more than 15 s for a session
SCOPES: tuple[ConsentScope, ...] = ("take_part", "keep_audio", "share")
PLAN = SessionPlan("e00", "mb", ("anniversary", "fair"), None, True, "C-1", scopes=SCOPES)


class Room:
    """A wizard's window with its subject, pressed by keys."""

    def __init__(self, qtbot: QtBot, app: WizardApp, subject: StandIn, link_name: str) -> None:
        self.qtbot = qtbot
        self.link_name = link_name
        self.app = app
        self.subject = subject

    @property
    def window(self) -> QWidget:
        return self.app.window

    def wait(self, **wanted: object) -> None:
        def as_wanted() -> None:
            seen = {name: self.window.property(name) for name in wanted}
            assert seen == wanted

        self.qtbot.waitUntil(as_wanted)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.target(), key, modifiers)

    def type(self, text: str) -> None:
        """The last letter by its key: for each one the whole window is shown anew."""
        target = self.target()
        if isinstance(target, QPlainTextEdit) and len(text) > 1:
            target.insertPlainText(text[:-1])
            text = text[-1]
        self.qtbot.keyClicks(target, text)

    def target(self) -> QWidget:
        """Where a real key would go."""
        top = QApplication.activeModalWidget() or self.window
        if QApplication.activeWindow() is not top:
            top.activateWindow()
            self.qtbot.waitUntil(lambda: QApplication.activeWindow() is top)
        return top.focusWidget() or top

    def field(self, name: str) -> QPlainTextEdit:
        found = self.window.findChild(QPlainTextEdit, name)
        assert found is not None
        return found

    def press_in_dialog(self, name: str) -> None:
        def pressed() -> None:
            dialog = QApplication.activeModalWidget()
            found = dialog.findChild(QPushButton, name) if dialog is not None else None
            assert found is not None
            found.click()

        self.qtbot.waitUntil(pressed)

    def begin(self, plan: SessionPlan = PLAN) -> None:
        self.qtbot.waitUntil(self.domain_is_there)
        assert self.app.station is not None
        self.app.window.start.start_requested.emit(plan)
        self.wait(state="idle", link="up")
        self.qtbot.waitUntil(lambda: self.subject.welcome is not None)
        self.qtbot.waitUntil(lambda: self.subject.session_id != "")
        # As a subject, who cannot ask before a task is on the screen.
        self.qtbot.waitUntil(lambda: bool(self.subject.shown_of(ScenarioShown)))

    def domain_is_there(self) -> bool:
        shown = self.window.findChild(QLabel, "missing")
        return shown is not None and not shown.text().startswith("Reading the domain")

    def speak(self) -> int:
        turn = self.subject.speak()
        self.wait(turn=turn, state="transcribe")
        return turn

    def send_query(self, text: str) -> None:
        self.type(text)
        self.key(Qt.Key.Key_Return, CONTROL)
        self.wait(state="answer")

    def run(self, sql: str) -> None:
        self.field("sql").setPlainText(sql)
        self.key(Qt.Key.Key_F5)
        self.qtbot.waitUntil(lambda: self.window.property("sql_state") in ("done", "failed"))

    def send_answer(self, turn: int) -> None:
        self.key(Qt.Key.Key_Return, CONTROL | SHIFT)
        self.wait(state="idle", answered_turn=turn)

    def send_message(self, turn: int) -> None:
        self.key(Qt.Key.Key_M, CONTROL)
        self.type("3")
        self.key(Qt.Key.Key_Return)
        self.wait(state="idle", answered_turn=turn)

    def leave(self) -> Bundle:
        """Close the window in mid-session, as a crash does it to the files."""
        station = self.app.station
        assert station is not None and station.controllers.session.session is not None
        bundle = station.controllers.session.session.bundle
        self.app.close()
        self.app.station = None
        return bundle

    def close_session(self) -> Bundle:
        self.key(Qt.Key.Key_E, CONTROL | SHIFT)
        self.press_in_dialog("end_session_confirmed")
        self.wait(state="closed")
        return Bundle(Path(self.window.property("bundle")))


Opening = Callable[..., WizardApp]
