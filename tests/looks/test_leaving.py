"""Whatever a person has filled in is asked for once before it is dropped, in every dialog that any window has."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QListWidget, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import curtain
import curtain_home
import wizard_app
from curtain.commands.description import actions
from curtain.qt.style import Look
from curtain.qt.windows.dialog import AskDialog, TitledDialog
from curtain.session.study.study import new_study
from curtain_home.control.actions import Action, OpenNow
from curtain_home.control.plans import NewStudyWish
from curtain_home.control.study_words import Words
from curtain_home.pages.actions_dialog import CommandForm
from curtain_home.pages.database_form import DatabaseForm
from curtain_home.pages.forms import ExportForm, NewStudyForm
from curtain_home.pages.words_page import WordsForm
from wizard_app.window.pages.dialogs import EndScenarioDialog, NoteDialog

Make = Callable[[Look, Path, QWidget], TitledDialog]


def _command_form(look: Look, folder: Path, parent: QWidget) -> TitledDialog:
    action = next(one for one in msgspec.convert(list(actions()), tuple[Action, ...]) if one.command == "judge new")
    return CommandForm(look, action, OpenNow(folder), parent)


def _words_form(look: Look, study: Path, over: QWidget) -> TitledDialog:
    words = Words("text", "please_wait", "Wait", study / "study.toml")
    return WordsForm(look, study, words, {}, over)


FORMS: dict[str, Make] = {
    "WordsForm": _words_form,
    "NewStudyForm": NewStudyForm,
    "ExportForm": ExportForm,
    "CommandForm": _command_form,
    "DatabaseForm": lambda look, study, over: DatabaseForm(look, NewStudyWish(study / "new", "x", study), over),
    "EndScenarioDialog": lambda look, _, over: EndScenarioDialog(look, "Boss", ("QUILL", "typed"), "", over),
    "NoteDialog": lambda look, _, over: NoteDialog(look, 3, ["before"], over),
}
NOTHING_TO_LOSE = {
    "FormDialog": "the base of forms", "AskDialog": "a question", "ReadDialog": "to be read",
    "AgreeDialog": "a question", "KeyTableDialog": "to be read", "WordsPage": "to be read",
    "TimelineDialog": "to be read", "HeardTimeline": "to be read", "ReasonsDialog": "each tick is kept at once",
    "SettingsForm": "its draft is kept",
    "ActionsDialog": "a search", "TurnsDialog": "a search", "NextScenarioDialog": "a search",
}  # fmt: skip
VIEWED = ("database_table", "more_choices")
"""What only chooses what is shown."""


def every_dialog(of: type = TitledDialog) -> set[str]:
    return {made.__name__ for made in of.__subclasses__()}.union(*map(every_dialog, of.__subclasses__()))


def test_every_dialog_is_walked_or_has_nothing_to_lose() -> None:
    for package in (curtain, curtain_home, wizard_app):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if {"pages", "windows", "timeline"} & {*module.name.split(".")}:
                import_module(module.name)
    assert every_dialog() == FORMS.keys() | NOTHING_TO_LOSE.keys()


def change(qtbot: QtBot, field: QWidget) -> bool:
    """As a hand does; False where there is nothing else to choose."""
    match field:
        case QLineEdit() | QPlainTextEdit():
            qtbot.keyClicks(field, "x")
        case QComboBox():
            now = field.currentIndex()
            qtbot.keyClick(field, Qt.Key.Key_Down if now + 1 < field.count() else Qt.Key.Key_Up)
            return field.currentIndex() != now
        case QListWidget():
            qtbot.keyClick(field, Qt.Key.Key_Down)
            qtbot.keyClick(field, Qt.Key.Key_Space)
            return field.count() > 0
        case _:
            qtbot.keyClick(field, Qt.Key.Key_Space)
    return True


def fields_of(form: TitledDialog) -> list[QWidget]:
    kinds = "QLineEdit", "QPlainTextEdit", "QCheckBox", "QComboBox", "QListWidget"
    inside = [one for one in form.findChildren(QWidget) if any(map(one.inherits, kinds)) and one.isEnabled()]
    return [one for one in inside if not one.property("readOnly") and one.isVisibleTo(form)]


@pytest.mark.parametrize("name", FORMS)
def test_esc_over_a_changed_form_asks_once(name: str, qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    window, study = QWidget(), new_study(tmp_path / "study", "personnel").folder
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()

    def opened() -> TitledDialog:
        form = FORMS[name](look, study, window)
        form.open()
        return form

    untouched = opened()
    qtbot.keyClick(untouched, Qt.Key.Key_Escape)
    assert not untouched.isVisible()
    count = len(fields_of(opened()))
    assert count
    for at in range(count):
        form = opened()
        field = fields_of(form)[at]
        if field.objectName() in VIEWED or not change(qtbot, field):
            continue
        for _ in range(2):
            qtbot.keyClick(form, Qt.Key.Key_Escape)
        asked = [one for one in form.findChildren(AskDialog) if one.isVisible()]
        assert (form.isVisible(), len(asked)) == (True, 1), field.objectName()
        asked[0].findChild(QPushButton, "go_back").click()
        assert form.isVisible()
        form.findChild(QPushButton, "go_back").click()
        form.findChildren(AskDialog)[-1].findChild(QPushButton, "drop_confirmed").click()
        assert not form.isVisible()
