"""The page of the judge's window as it stands on the screen, without a packet."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from companions.judge.tests.window.test_judge_control import ERROR, Material, disputed, pairs
from curtain_judge.window.control import JudgeControl
from curtain_judge.window.keys import JUDGE_KEYS, RULING_KEYS
from curtain_judge.window.page import JudgePage

TASK = "Sie planen eine Dienstreise von Boston nach Denver und zurück, mit Frühstück an Bord. "


@pytest.fixture
def shown(qtbot, look):
    """Shows a page of this height over pairs; gives the page and its control."""

    def show(of, *, adjudicates=False, high=600):
        page = JudgePage(look)
        qtbot.addWidget(page)
        material = Material(of, adjudicates)
        control = JudgeControl(material, lambda: 0.0, lambda: page.show_state(control.state, adjudicates))
        page.resize(1280, high)
        page.show_state(control.state, adjudicates)
        page.show()
        qtbot.waitExposed(page)
        return page, control

    return show


def scenario_of(page):
    return page.findChild(QPlainTextEdit, "scenario_text")


@pytest.mark.parametrize("sentences", [1, 3, 5])
def test_the_whole_task_is_in_sight_up_to_fourteen_lines(shown, qtbot, sentences):
    page, _ = shown([replace(pair, scenario=TASK * sentences) for pair in pairs()])
    qtbot.waitUntil(lambda: scenario_of(page).verticalScrollBar().maximum() == 0)


def test_a_long_task_scrolls_and_leaves_room_for_the_earlier_pairs(shown, qtbot):
    page, _ = shown([replace(pair, scenario=TASK * 30) for pair in pairs()], high=400)
    qtbot.waitUntil(lambda: scenario_of(page).height() > 150)
    assert scenario_of(page).verticalScrollBar().maximum() > 0
    assert page.findChild(QPlainTextEdit, "earlier").height() > 60


@pytest.mark.parametrize("adjudicates", [False, True])
def test_no_button_moves_when_the_log_is_overruled_or_the_judges_opinions_are_asked_for(shown, qtbot, adjudicates):
    page, control = shown(disputed() if adjudicates else pairs(1, filled=ERROR), adjudicates=adjudicates)
    button, opinions = page.findChild(QPushButton, "correctness_Q"), page.findChild(QLabel, "opinions")
    before = button.mapTo(page, QPoint())
    assert not opinions.isVisible()
    control.reveal() if adjudicates else control.choose("correctness", "incorrect")
    page.layout().activate()
    assert button.mapTo(page, QPoint()) == before
    assert opinions.isVisible() == adjudicates


@pytest.mark.parametrize("own", [True, False])
def test_who_judged_a_pair_is_told_before_ruling_on_it(shown, own):
    page, _ = shown([replace(pair, own=own) for pair in disputed()], adjudicates=True)
    assert page.findChild(QLabel, "own_pair").isVisible() == own


def test_a_comment_that_is_being_typed_stays_with_its_pair_when_a_label_is_clicked(shown, qtbot):
    page, control = shown(pairs(2))
    page.comment_given.connect(control.comment)
    page.label_chosen.connect(control.choose)
    control.choose("clarity", "clear")
    page.activateWindow()
    page.write_note()
    qtbot.waitUntil(page.note.hasFocus)
    qtbot.keyClicks(page.note, "cut off")
    page.findChild(QPushButton, "correctness_Q").click()
    assert (control.pair.id, control.state.comment, page.note.text()) == ("p1", "", "")
    control.previous()
    assert control.state.comment == "cut off"


def test_an_adjudicator_reads_what_the_log_says_and_nothing_is_chosen(shown):
    page, _ = shown([replace(pair, filled=ERROR) for pair in disputed()], adjudicates=True)
    assert page.findChild(QLabel, "correctness_note").text() == f"The log says: {ERROR}."
    assert not any(page.findChild(QPushButton, f"correctness_{key}").isChecked() for key in "QWER")


def test_the_line_shows_an_earlier_reason_and_is_empty_for_a_new_one(shown):
    page, control = shown(disputed(), adjudicates=True)
    control.choose("correctness", "incorrect")
    control.give_reason("the fare is missing")
    control.previous()
    assert (page.note.text(), page.note.isReadOnly()) == ("the fare is missing", True)
    control.choose("correctness", "correct")
    assert (page.note.text(), page.note.isReadOnly()) == ("", False)


def keys_of(table):
    return [key for _, steps in table.groups for key, _ in steps]


def test_each_window_lists_the_keys_that_it_has():
    judge, adjudicator = keys_of(JUDGE_KEYS), keys_of(RULING_KEYS)
    assert {"1  2  3", "Q  W  E  R", "F7", "Ctrl+Z"} <= set(judge)
    assert "F6" not in judge
    assert "Ctrl+Z" not in adjudicator
    assert "F6" in adjudicator
