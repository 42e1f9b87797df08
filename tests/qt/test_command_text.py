"""Alt with a digit takes a draft; nothing that is pressed with Alt is typed, on any layout of the keyboard."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt.command_text import CommandLine, CommandPlainText, alt_digit, is_stray

ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
# AltGr.
LEVEL_3 = Qt.KeyboardModifier.GroupSwitchModifier
PLAIN = Qt.KeyboardModifier.NoModifier

AZERTY = [(10, "&"), (11, "é"), (12, '"'), (13, "'"), (14, "(")]
QWERTZ = [(10, "1"), (11, "2"), (12, "3"), (13, "4"), (14, "5"), (15, "6"), (19, "0")]
CZECH = [(10, "+"), (11, "ě"), (12, "š"), (13, "č"), (14, "ř")]


def pressed(scan_code: int, text: str, modifiers: Qt.KeyboardModifier = ALT, virtual: int = 0) -> QKeyEvent:
    key = ord(text.upper()) if text else 0
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, scan_code, virtual, 0, text)


@pytest.mark.parametrize("kind", [CommandPlainText, CommandLine])
def test_a_key_of_the_row_of_digits_with_alt_types_nothing(qtbot: QtBot, kind: type[QWidget]) -> None:
    for scan_code, text in (*AZERTY, *QWERTZ, *CZECH):
        field = kind()
        qtbot.addWidget(field)
        QApplication.sendEvent(field, pressed(scan_code, text))
        written = field.toPlainText() if isinstance(field, CommandPlainText) else field.text()  # type: ignore[attr-defined]
        assert written == ""


@pytest.mark.parametrize(
    ("text", "modifiers"),
    [("é", PLAIN), ("{", LEVEL_3), ("[", CONTROL | ALT), ("A", Qt.KeyboardModifier.ShiftModifier)],
)
def test_what_is_typed_without_alt_or_with_altgr_is_written(
    qtbot: QtBot, text: str, modifiers: Qt.KeyboardModifier
) -> None:
    assert not is_stray(pressed(16, text, modifiers), "linux")
    assert not is_stray(pressed(16, text, modifiers), "win32")
    field = CommandPlainText()
    qtbot.addWidget(field)
    if not modifiers & CONTROL:
        QApplication.sendEvent(field, pressed(16, text, modifiers))
        assert field.toPlainText() == text


def test_on_macos_option_writes_brackets() -> None:
    assert not is_stray(pressed(0, "[", ALT), "darwin")


@pytest.mark.parametrize("row", [AZERTY, QWERTZ[:5], CZECH])
def test_the_place_of_a_key_says_which_digit_it_is(row: list[tuple[int, str]]) -> None:
    assert [alt_digit(pressed(scan_code, text), "linux") for scan_code, text in row] == [1, 2, 3, 4, 5]
    assert [alt_digit(pressed(scan_code - 8, text), "win32") for scan_code, text in row] == [1, 2, 3, 4, 5]
    assert [alt_digit(pressed(scan_code, text, PLAIN), "linux") for scan_code, text in row] == [0] * 5


def test_on_macos_the_place_is_the_virtual_key_and_option_stays_for_signs() -> None:
    keys = (18, 19, 20, 21, 23, 22)
    assert [alt_digit(pressed(0, "x", CONTROL, key), "darwin") for key in keys] == [1, 2, 3, 4, 5, 0]
    assert [alt_digit(pressed(0, "¡", ALT, key), "darwin") for key in keys] == [0] * 6


def test_a_stray_key_is_left_to_the_window(qtbot: QtBot) -> None:
    heard: list[int] = []

    class Window(QWidget):
        def keyPressEvent(self, event: QKeyEvent) -> None:
            heard.append(alt_digit(event, "linux"))

    window = Window()
    qtbot.addWidget(window)
    field = CommandPlainText(window)
    QApplication.sendEvent(field, pressed(11, "é"))
    assert heard == [2]


def test_a_line_leaves_the_letters_of_commands_to_its_dialog(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    # As Qt on X11, where Ctrl+E means “end of line”.
    monkeypatch.setattr(QLineEdit, "keyPressEvent", lambda _line, event: event.accept())
    line = CommandLine("twelve")
    qtbot.addWidget(line)
    left = []
    for key in (Qt.Key.Key_E, Qt.Key.Key_C, Qt.Key.Key_Return):
        event = QKeyEvent(QEvent.Type.KeyPress, key, CONTROL)
        line.keyPressEvent(event)
        left.append(not event.isAccepted())
    assert left == [True, False, False]
