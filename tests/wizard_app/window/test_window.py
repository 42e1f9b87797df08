from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain.session.turns.turn_progress import TurnProgress
from wizard_app.desk.session.ending import awaited
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.program import ScreenGuard
from wizard_app.window.key_guard import KeyGuard
from wizard_app.window.window import WizardWindow


def test_each_trouble_is_reported_until_it_is_over(qtbot: QtBot, look: Look) -> None:
    window = WizardWindow(look)
    qtbot.addWidget(window)
    window.show_trouble("journal", "The disk is full.")
    window.show_trouble("sound", "No output.")
    window.show_trouble("journal", "The disk is still full.")
    assert window.problem.text == "The disk is still full.  No output."
    window.end_trouble("journal")
    window.end_trouble("never told")
    assert window.problem.text == "No output."


def test_a_passing_trouble_goes_by_itself_and_leaves_the_others(qtbot: QtBot, look: Look) -> None:
    window = WizardWindow(look)
    qtbot.addWidget(window)
    window.show_trouble("journal", "The disk is full.")
    window.show_passing_trouble("station", "A second station asked to join.", for_ms=1)
    assert "second station" in window.problem.text
    qtbot.waitUntil(lambda: window.problem.text == "The disk is full.")


def test_the_window_opens_at_1280_by_720_where_the_screen_allows(qtbot: QtBot, look: Look) -> None:
    window = WizardWindow(look)
    qtbot.addWidget(window)
    room = QGuiApplication.primaryScreen().availableSize()
    assert window.size() == QSize(1280, 720).boundedTo(room).expandedTo(window.minimumSize())


def test_a_window_that_may_not_close_stays(qtbot: QtBot, look: Look) -> None:
    window = WizardWindow(look)
    qtbot.addWidget(window)
    window.show()
    window.may_close = lambda: False
    with qtbot.assertNotEmitted(window.closed):
        window.close()
    assert window.isVisible()
    window.may_close = lambda: True
    with qtbot.waitSignal(window.closed):
        window.close()


def test_the_window_is_hidden_when_its_screen_goes_and_comes_with_the_next_one(
    qtbot: QtBot, qapp: QApplication, look: Look
) -> None:
    window = WizardWindow(look)
    qtbot.addWidget(window)
    window.show()
    guard = ScreenGuard(qapp)
    screen = QGuiApplication.primaryScreen()
    qapp.screenRemoved.emit(screen)
    assert not window.isVisible()
    qapp.screenAdded.emit(screen)
    assert window.isVisible()
    guard.deleteLater()


def test_a_session_ends_only_when_nothing_is_awaited_any_more() -> None:
    done = SessionProgress(turns={1: TurnProgress(1, cancelled="too_short")})
    assert awaited(done, closing_shown=True, audio_here=True, record_here=True) == []
    speaking = SessionProgress(turns={1: TurnProgress(1, pressed_ns=1)})
    assert len(awaited(speaking, closing_shown=False, audio_here=False, record_here=False)) == 4


# A key that the subject holds when the wizard's window gets the keyboard types nothing there.

DOWN, UP = QEvent.Type.KeyPress, QEvent.Type.KeyRelease


class Typing:
    def __init__(self, qapp: QApplication, field: QPlainTextEdit) -> None:
        self.field = field
        self._app = qapp

    def send(self, kind: QEvent.Type, text: str = " ", repeat: bool = False, at: int = 0) -> None:
        key = Qt.Key.Key_Space if text == " " else Qt.Key(ord(text.upper()))
        event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text, repeat)
        event.setTimestamp(at)
        QApplication.sendEvent(self.field, event)

    def activate(self) -> None:
        self._app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)

    @property
    def text(self) -> str:
        return self.field.toPlainText()


@pytest.fixture
def typing(qapp: QApplication, qtbot: QtBot) -> Iterator[Typing]:
    guard = KeyGuard(qapp)
    field = QPlainTextEdit()
    qtbot.addWidget(field)
    field.show()
    yield Typing(qapp, field)
    qapp.removeEventFilter(guard)
    guard.deleteLater()


def test_the_repeats_of_a_key_that_was_held_before_type_nothing(typing: Typing) -> None:
    for _ in range(5):
        typing.send(UP, repeat=True)
        typing.send(DOWN, repeat=True)
    assert typing.text == ""


def test_a_pair_that_the_system_does_not_call_a_repeat_types_nothing_either(typing: Typing) -> None:
    for at in (1000, 1030, 1060):
        typing.send(UP, at=at)
        typing.send(DOWN, at=at)
    assert typing.text == ""


def test_a_key_that_goes_down_afresh_types_and_repeats(typing: Typing) -> None:
    typing.send(UP, at=1000)
    typing.send(DOWN, "a", at=2000)
    typing.send(DOWN, "a", repeat=True, at=2030)
    assert typing.text == "aa"


def test_the_same_key_types_again_after_it_was_let_go(typing: Typing) -> None:
    typing.send(DOWN, repeat=True, at=1000)
    typing.send(UP, at=1500)
    typing.send(DOWN, at=1700)
    assert typing.text == " "


def test_each_activation_is_watched_anew(typing: Typing) -> None:
    typing.send(DOWN, "a", at=1000)
    typing.activate()
    typing.send(DOWN, repeat=True, at=1500)
    assert typing.text == "a"
