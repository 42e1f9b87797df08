import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListWidget, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain.qt.windows.dialog import AskDialog
from curtain.qt.windows.keys_dialog import KeyTableDialog
from wizard_app.desk.session.scenario_choice import ScenarioChoice
from wizard_app.keys.table import KEYS
from wizard_app.window.pages.dialogs import EndScenarioDialog, NextScenarioDialog


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def dialog(qtbot: QtBot, look: Look, window: QWidget) -> AskDialog:
    window.show()
    made = AskDialog(look, "End the session", "It ends.", "End it", "end", window)
    made.open()
    made.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is made)
    return made


def test_enter_is_the_harmless_button_until_another_is_chosen(qtbot: QtBot, dialog: AskDialog) -> None:
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)


def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot, dialog: AskDialog) -> None:
    button = dialog.findChild(QPushButton, "end")
    for _ in range(2):
        if not button.hasFocus():
            qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert button.hasFocus()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.keyClick(button, Qt.Key.Key_Return)


@pytest.mark.parametrize("screen", [QSize(1280, 690), QSize(960, 510)])
def test_the_list_of_all_keys_fits_a_small_screen(qtbot: QtBot, look: Look, window: QWidget, screen: QSize) -> None:
    window.resize(screen)
    dialog = KeyTableDialog(look, KEYS, window)
    assert dialog.size() == dialog.size().boundedTo(screen)
    dialog.show()
    sheet = dialog.findChild(QScrollArea, "keys_sheet")

    def whole_or_scrolled() -> None:
        hidden = max(0, sheet.widget().sizeHint().height() - sheet.viewport().height())
        assert sheet.verticalScrollBar().maximum() >= hidden
        assert sheet.widget().width() <= sheet.viewport().width()

    qtbot.waitUntil(whole_or_scrolled)


def test_the_list_of_scenarios_says_how_each_stands_in_this_session(look: Look, window: QWidget) -> None:
    choices = [
        ScenarioChoice("fair", "The fair", done=True), ScenarioChoice("party", "The party", now=True),
        ScenarioChoice("move", "The move"), ScenarioChoice("other", "Another", chosen=False),
    ]  # fmt: skip
    dialog = NextScenarioDialog(look, choices, "move", window)
    shown = dialog.findChild(QListWidget, "scenario_choice")
    assert shown is not None and shown.currentItem().text().startswith("move")
    reported = [shown.item(at).text().split("(")[1] for at in range(shown.count())]
    assert reported == ["done)", "now)", "to come)", "not chosen for this session)"]


@pytest.mark.parametrize(("asks", "reason"), [(True, "given_up"), (False, "answered")])
def test_a_task_that_asks_for_no_answer_is_not_given_up(
    qtbot: QtBot, look: Look, window: QWidget, asks: bool, reason: str
) -> None:
    dialog = EndScenarioDialog(look, "The fair", ("", "spoken"), "", window, asks=asks)
    dialog.show()
    assert dialog.findChild(QWidget, "end_answer").isVisible() == asks
    with qtbot.waitSignal(dialog.end_requested) as ended:
        dialog.accept()
    assert ended.args == ["", "spoken", reason, False]


def test_letters_of_no_scenario_begin_none_and_say_so(qtbot: QtBot, look: Look, window: QWidget) -> None:
    dialog = NextScenarioDialog(look, [ScenarioChoice("fair", "The fair")], "fair", window)
    dialog.open()
    begun: list[str] = []
    dialog.scenario_chosen.connect(begun.append)
    letters, empty = dialog.findChild(QLineEdit, "scenario_filter"), dialog.findChild(QLabel, "scenario_choice_empty")
    assert letters is not None and empty is not None
    for typed, words in (("zz", "No scenario has these letters."), ("FA", "")):
        letters.setText(typed)
        assert empty.text() == words
        qtbot.keyClick(letters, Qt.Key.Key_Return)
    assert begun == ["fair"]
