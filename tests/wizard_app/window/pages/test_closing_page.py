"""The wizard's own questionnaires on the closing page, by the keyboard alone."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt.style import LIGHT
from curtain.session.questionnaires.instrument import load_instrument
from tests.support.everywhere import PutUp
from wizard_app.desk.session.subject.subject_forms import form_of
from wizard_app.window.pages.closing_page import ClosingPage

LOAD = form_of(load_instrument("nasa-tlx", Path()), "en")


@pytest.fixture
def page(put_up: PutUp) -> ClosingPage:
    made = ClosingPage(LIGHT)
    made.show_waiting("e00-01", ["your own answers: Your work load"])
    put_up(made, 1280, 690)
    made.activateWindow()
    return made


def test_figures_tab_and_enter_fill_in_a_form(page: ClosingPage, qtbot: QtBot) -> None:
    answers: dict[str, str] = {}
    page.form_answered.connect(lambda form, item, value: answers.update({item: value}))
    page.show_form(LOAD, {})
    for item in LOAD.items:
        focused = page.focusWidget()
        assert focused.objectName() == f"form_{item.id}"
        qtbot.keyClicks(focused, "40")
        if item is LOAD.items[-1]:
            with qtbot.waitSignal(page.form_finished, check_params_cb=lambda *form: form == ("nasa-tlx", [])):
                qtbot.keyClick(focused, Qt.Key.Key_Return)
        else:
            qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert answers == {item.id: "40" for item in LOAD.items}


def test_the_first_enter_leads_to_what_is_missing_and_the_second_goes_on(page: ClosingPage, qtbot: QtBot) -> None:
    finished: list[tuple[str, list[str]]] = []
    page.form_finished.connect(lambda form, left_out: finished.append((form, left_out)))
    page.show_form(LOAD, {item.id: "40" for item in LOAD.items[:4]})
    qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Return)
    assert page.focusWidget().objectName() == "form_effort" and finished == []
    assert "2 of 6" in page.findChild(QLabel, "form_missing").text()
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    QApplication.sendEvent(page.focusWidget(), held)
    assert finished == []
    qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Return)
    assert finished == [("nasa-tlx", ["effort", "frustration"])]


def test_the_form_goes_when_the_session_is_closed(page: ClosingPage) -> None:
    page.show_form(LOAD, {})
    assert page.findChild(QWidget, "form_sheet").isVisibleTo(page)
    page.show_closed("e00-01", "3 turns.", "/study/sessions/e00-01")
    assert not page.findChild(QWidget, "form_sheet").isVisibleTo(page)
    assert page.focusWidget() is page.findChild(QPushButton, "leave")
