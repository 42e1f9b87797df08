"""The wizard's own questionnaires on the closing page, by the keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.qt.style import LIGHT, Look
from curtain.session.events.wizard_events import AnswerSent
from curtain.session.questionnaires.instrument import load_instrument
from curtain.session.turns.turn_progress import AnswerOutline, Sent, TurnProgress
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.scenario_choice import ScenarioChoice
from wizard_app.desk.session.subject_forms import form_of
from wizard_app.window.pages.archive_page import ArchivePage
from wizard_app.window.pages.closing_page import ClosingPage
from wizard_app.window.pages.dialogs import AskDialog, KeysDialog, NextScenarioDialog

LOAD = form_of(load_instrument("nasa-tlx", Path()), "en")


@pytest.fixture
def page(qtbot: QtBot) -> ClosingPage:
    made = ClosingPage(LIGHT)
    qtbot.addWidget(made)
    made.resize(1280, 690)
    made.show_waiting("e00-01", ["your own answers: Your work load"])
    with qtbot.waitExposed(made):
        made.show()
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


def test_the_notes_of_a_turn_are_shown_with_it(qtbot: QtBot, look: Look) -> None:
    page = ArchivePage(look)
    qtbot.addWidget(page)
    page.show()
    page.show_session(
        "e00-01",
        SessionProgress(turns={1: TurnProgress(1, notes=("a door slammed", "twice")), 2: TurnProgress(2)}),
        {}.get,
    )
    notes = page.findChild(QLabel, "archive_notes")
    assert notes is not None
    assert notes.text() == "Note: a door slammed\nNote: twice"
    page.turns.select(2)
    assert notes.isHidden()


def test_the_answer_of_the_chosen_turn_is_read_from_its_journal_line(qtbot: QtBot, look: Look) -> None:
    table = Table(headings=["N"], rows=[["5"], ["6"]], numeric=[True], total=2)
    answers = {7: AnswerSent(sql="SELECT 5", table=table, cas_min="((5)(6))")}
    page = answered_page(qtbot, look, answers)
    rows, cas = page.findChild(QTableView, "answer_rows"), page.findChild(QPlainTextEdit, "archive_cas")
    assert rows is not None and cas is not None
    assert rows.isVisible()
    assert rows.model().rowCount() == 2
    assert cas.toPlainText() == "((5)(6))"


def test_an_answer_that_cannot_be_read_is_reported_in_its_place(qtbot: QtBot, look: Look) -> None:
    page = answered_page(qtbot, look, {})
    reply = page.findChild(QLabel, "archive_reply")
    assert reply is not None
    assert reply.isVisible()
    assert "cannot be read" in reply.text()


@pytest.mark.parametrize("painted", [True, False])
def test_only_what_was_painted_counts_as_seen_by_the_subject(qtbot: QtBot, look: Look, painted: bool) -> None:
    page = answered_page(qtbot, look, {}, (6, 7) if painted else ())
    texts = [each.text() for each in page.findChildren(QLabel) if each.isVisible()]
    expected = "the subject saw this" if painted else "nothing shows that the subject saw this"
    assert [text for text in texts if text.endswith("the subject saw this")] == [expected, expected]


def answered_page(
    qtbot: QtBot, look: Look, answers: dict[int, AnswerSent], painted: tuple[int, ...] = ()
) -> ArchivePage:
    page = ArchivePage(look)
    qtbot.addWidget(page)
    page.show()
    sent = (Sent(7, 0, AnswerOutline("SELECT 5", yes_no=False, total=2)),)
    turn = TurnProgress(1, query="how many", query_seq=6, sent=sent, painted=painted)
    page.show_session("e00-01", SessionProgress(turns={1: turn}), answers.get)
    return page


@pytest.fixture
def dialog(qtbot: QtBot, look: Look) -> AskDialog:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    made = AskDialog(look, "End the session", "It ends.", "End it", "end", window)
    made.parent_kept = window  # type: ignore[attr-defined]
    made.open()
    made.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is made)
    return made


def test_enter_is_the_harmless_button_until_another_is_chosen(qtbot: QtBot, dialog: AskDialog) -> None:
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Return)


def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot, dialog: AskDialog) -> None:
    button = dialog.findChild(QPushButton, "end")
    assert button is not None
    for _ in range(2):
        if not button.hasFocus():
            qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert button.hasFocus()
    with qtbot.waitSignal(dialog.accepted):
        qtbot.keyClick(button, Qt.Key.Key_Return)


@pytest.mark.parametrize("screen", [QSize(1280, 690), QSize(960, 510)])
def test_the_list_of_all_keys_fits_a_small_screen(qtbot: QtBot, look: Look, screen: QSize) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(screen)
    dialog = KeysDialog(look, window)
    assert dialog.size() == dialog.size().boundedTo(screen)
    dialog.show()
    sheet = dialog.findChild(QScrollArea, "keys_sheet")
    assert sheet is not None

    def whole_or_scrolled() -> None:
        hidden = max(0, sheet.widget().sizeHint().height() - sheet.viewport().height())
        assert sheet.verticalScrollBar().maximum() >= hidden
        assert sheet.widget().width() <= sheet.viewport().width()

    qtbot.waitUntil(whole_or_scrolled)


def test_the_list_of_scenarios_says_how_each_stands_in_this_session(qtbot: QtBot, look: Look) -> None:
    choices = [
        ScenarioChoice("fair", "The fair", done=True),
        ScenarioChoice("party", "The party", now=True),
        ScenarioChoice("move", "The move"),
        ScenarioChoice("other", "Another", chosen=False),
    ]
    window = QWidget()
    qtbot.addWidget(window)
    dialog = NextScenarioDialog(look, choices, "move", window)
    shown = dialog.findChild(QListWidget, "scenario_choice")
    assert shown is not None and shown.currentItem().text().startswith("move")
    told = [shown.item(at).text().split("(")[1] for at in range(shown.count())]
    assert told == ["done)", "now)", "to come)", "not chosen for this session)"]
