import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from wizard_app.desk.turn.answer import Answers
from wizard_app.window.panels.answers_panel import AnswersPanel


@pytest.fixture
def panel(qtbot: QtBot, look: Look) -> AnswersPanel:
    panel = AnswersPanel(look)
    qtbot.addWidget(panel)
    return panel


def text(panel: AnswersPanel, name: str) -> str:
    field = panel.findChild(QPlainTextEdit, name)
    return field.toPlainText()


def title(panel: AnswersPanel) -> str:
    return panel.findChild(QLabel, "maximum_title").text()


def test_both_answers_are_shown_with_the_statement_of_the_maximum(qtbot: QtBot, panel: AnswersPanel) -> None:
    with qtbot.assertNotEmitted(panel.maximum_edited):
        panel.show_answers(Answers("((1))", None, '((1 "A"))', None, "SELECT 1, 'A'"))
    assert (text(panel, "cas_min"), text(panel, "cas_max")) == ("((1))", '((1 "A"))')
    assert text(panel, "sql_max") == "SELECT 1, 'A'"
    assert title(panel) == "Maximum"


def test_why_there_is_no_maximum_is_reported_and_the_title_says_that_there_is_none(panel: AnswersPanel) -> None:
    panel.show_answers(Answers("((1))", None, None, "It cannot be followed."))
    problem = panel.findChild(QLabel, "maximum_problem")
    assert (problem.text(), problem.isHidden()) == ("It cannot be followed.", False)
    assert title(panel) == panel.warning == "No maximum"


def test_what_the_wizard_writes_in_the_maximum_is_reported(qtbot: QtBot, panel: AnswersPanel) -> None:
    panel.show_answers(Answers("((1))", None, None, "It cannot be followed."))
    field = panel.findChild(QPlainTextEdit, "sql_max")
    with qtbot.waitSignal(panel.maximum_edited) as shown:
        field.setPlainText("SELECT 1, 2")
    assert shown.args == ["SELECT 1, 2"]


def test_the_maximum_says_what_it_is_and_a_result_without_any_answer_misses_none(panel: AnswersPanel) -> None:
    panel.show_nothing()
    assert title(panel) == "Maximum"
    meant = panel.findChild(QLabel, "maximum_meant").text()
    assert meant == "The most that an answer may hold and still be right"


def test_a_maximum_that_is_being_worked_out_is_not_missing_and_leaves_what_was_written(panel: AnswersPanel) -> None:
    panel.show_answers(Answers("((1))", None, '((1 "A"))', None, "SELECT 1, 'A'"))
    panel.show_answers(Answers("((2))", None, None, None, completing=True))

    field = panel.findChild(QPlainTextEdit, "sql_max")
    assert field is not None and title(panel) == "Maximum …"
    assert field.toPlainText() == "SELECT 1, 'A'"
