"""The page of the judge's window as it stands on the screen, without a packet."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPlainTextEdit, QPushButton

from curtain.review.judge.control import JudgeControl
from curtain.review.judge.page import JudgePage
from tests.review.judge.test_judge_control import ERROR, Material, pairs

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


def test_no_button_moves_when_the_error_message_of_the_log_is_overruled(shown, qtbot):
    page, control = shown(pairs(1, filled=ERROR))
    button = page.findChild(QPushButton, "correctness_Q")
    before = button.mapTo(page, QPoint())
    control.choose("correctness", "incorrect")
    page.layout().activate()
    assert button.mapTo(page, QPoint()) == before
