"""Every sentence of the main pages goes through Qt's translation; what no file of a language has stays English."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabWidget,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.qt.languages.translation import translate
from curtain.qt.style import Look
from curtain.qt.windows.keys_dialog import KeyTableDialog
from tests.wizard_app.room import CONTROL, SHIFT, Room
from wizard_app.keys.table import KEYS

WORDS = re.compile(r"[A-Za-z]{3,}")
TOKEN = "§"
# Not sentences of the window: what the study, the database, the machine and the subject say.
DATA = ("answer_empty", "answer_note", "plan_cells")


class Pseudo(QTranslator):
    """Puts each text between two signs; places such as {0} stay."""

    def translate(self, context: str, text: str, disambiguation: str = "", n: int = -1) -> str:  # type: ignore[override]
        return f"{TOKEN}{text}{TOKEN}"

    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def pseudo(qapp: QApplication) -> Iterator[Pseudo]:
    made = Pseudo()
    assert qapp.installTranslator(made)
    yield made
    qapp.removeTranslator(made)


@pytest.fixture
def room(pseudo: Pseudo, request: pytest.FixtureRequest) -> Room:
    """The station over a study, every text between two signs."""
    made: Room = request.getfixturevalue("english_room")
    return made


def texts_of(root: QWidget) -> Iterator[tuple[str, str]]:
    for label in root.findChildren(QLabel):
        yield label.objectName(), label.text()
    for button in root.findChildren(QAbstractButton):
        yield button.objectName(), button.text()
    for line in root.findChildren(QLineEdit):
        yield line.objectName(), line.placeholderText()
    for field in root.findChildren(QPlainTextEdit):
        yield field.objectName(), field.placeholderText()
    for tabs in root.findChildren(QTabWidget):
        yield from ((tabs.objectName(), tabs.tabText(at)) for at in range(tabs.count()))
    for tree in root.findChildren(QTreeWidget):
        if not tree.isHeaderHidden():
            header = tree.headerItem()
            yield from ((tree.objectName(), header.text(at)) for at in range(tree.columnCount()))
    for box in root.findChildren(QComboBox):
        yield box.objectName(), box.itemText(0)
    for widget in root.findChildren(QWidget):
        yield widget.objectName(), widget.accessibleName()


def escaped(root: QWidget, data: tuple[str, ...]) -> list[str]:
    """The texts of a page with words that no translation has seen; `data` are parts of what is no sentence of ours."""
    return sorted({
        f"{name}: {text}"
        for name, text in texts_of(root)
        if WORDS.search(text) and TOKEN not in text and name not in DATA and not any(one in text for one in data)
    })  # fmt: skip


def test_no_sentence_of_the_start_page_of_a_session_and_of_its_end_escapes(room: Room) -> None:
    missing = room.window.findChild(QLabel, "missing")
    room.qtbot.waitUntil(lambda: TOKEN in missing.text())
    # Where the machine has no loudspeaker, the sound room says so in its own words.
    silent = "No output is connected. Connect one and try again."
    assert escaped(room.app.window, ("Personnel", silent)) == []
    room.begin()
    room.wait(scenario="anniversary")
    room.speak()
    room.type("who")
    room.key(Qt.Key.Key_Return, CONTROL)
    room.wait(state="answer")
    room.run("SELECT count(*) FROM employee")
    assert escaped(room.app.station.pages.work, ("“who”",)) == []
    # Steps of the strip: their keys stay as they are printed on the keyboard.
    strip = room.window.findChild(QWidget, "key_strip")
    assert [step for step in str(strip.property("text")).split("; ") if TOKEN not in step] == []
    rows = room.app.station.pages.work.turns.rows
    assert [TOKEN in row.in_words for row in rows] == [True] * len(rows)
    room.key(Qt.Key.Key_E, CONTROL | SHIFT)
    room.qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    assert escaped(QApplication.activeModalWidget(), ()) == []
    room.key(Qt.Key.Key_Escape)


def test_no_sentence_of_the_dialogs_escapes(qtbot: QtBot, look: Look, pseudo: Pseudo) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = KeyTableDialog(look, KEYS, window)
    keys = re.compile(r"(Ctrl|Alt|Shift|Enter|Esc|Del|Tab|F\d+|Up|Down|Space|[A-Z0-9+\-.,/ ])+\Z")
    assert [text for text in escaped(dialog, ()) if not keys.match(text.partition(": ")[2])] == []


def test_a_sentence_that_no_translation_has_seen_is_noticed(qtbot: QtBot, pseudo: Pseudo) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    QLabel("Plain words", root).setObjectName("plain")
    QLabel(translate("Steps", "send query"), root)
    assert escaped(root, ()) == ["plain: Plain words"]
