"""A screen reader can say what each field, list, table and button of the wizard's window is."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.session.study.messages import load_message_set
from tests.wizard_app.room import Room
from wizard_app.desk.session.scenario_choice import ScenarioChoice
from wizard_app.keys import KEYS
from wizard_app.window.pages.dialogs import EndScenarioDialog, NextScenarioDialog, NoteDialog

KINDS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit)


def nameless(root: QWidget) -> list[str]:
    """The widgets that take input or show rows and have no name for a screen reader. Qt makes some by itself: the line
    of a box of choices, the header and the corner of a table; their owner is the one that is named."""
    found = [one for kind in KINDS for one in root.findChildren(kind) if not is_inner(one, root)]
    # A band's button is hidden until it has a text to offer.
    waiting = [one for one in found if isinstance(one, QAbstractButton) and one.isHidden()]
    shown = [one for one in dict.fromkeys(found) if one not in waiting]
    return [f"{type(one).__name__} {one.objectName()}" for one in shown if not name_of(one)]


def is_inner(widget: QWidget, root: QWidget) -> bool:
    if widget.objectName().startswith("qt_") or type(widget).__name__ in ("QHeaderView", "QTabBar"):
        return True
    above = widget.parentWidget()
    while above is not None and above is not root:
        if isinstance(above, (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit, QTabBar)):
            return True
        above = above.parentWidget()
    return False


def name_of(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name).strip() if interface is not None else ""


def test_everything_on_the_pages_has_a_name(room: Room) -> None:
    room.begin()
    room.speak()
    pages = room.app.station.pages
    for page in (pages.start, pages.work, pages.closing, pages.archive):
        assert ", ".join(nameless(page)) == "", type(page).__name__
    pages.work.messages.set_messages(load_message_set("base"), {})
    pages.work.messages.pick("no_information")
    assert nameless(pages.work.messages) == []


@pytest.mark.parametrize("kind", ["keys", "end", "next", "note"])
def test_everything_in_the_dialogs_has_a_name(qtbot: QtBot, look: Look, kind: str) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialogs: dict[str, QDialog] = {
        "keys": KeyTableDialog(look, KEYS, window),
        "end": EndScenarioDialog(look, "fair", ("", "typed"), "", window),
        "next": NextScenarioDialog(look, [ScenarioChoice("fair", "The fair")], None, window),
        "note": NoteDialog(look, 1, [], window),
    }
    assert nameless(dialogs[kind]) == []


def test_a_field_without_a_name_is_noticed(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    QLineEdit(root).setObjectName("lonely")
    assert nameless(root) == ["QLineEdit lonely"]
