"""A key that the subject holds when the wizard's window gets the keyboard types nothing there."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from wizard_app.keys.guard import KeyGuard

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
