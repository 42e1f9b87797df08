"""The answer before it is sent: what the subject will read, and why it is the minimum if the study wants more."""

from PySide6.QtWidgets import QCheckBox, QLabel
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.qt.style import Look
from wizard_app.window.panels.result_panel import ResultPanel

TABLE = Table(headings=["Name"], rows=[["王芳"]], numeric=[False], total=1)


def test_why_the_minimum_is_shown_stands_above_it_and_goes_with_it(qtbot: QtBot, look: Look) -> None:
    panel = ResultPanel(look)
    qtbot.addWidget(panel)
    problem = panel.findChild(QLabel, "shown_problem")
    panel.show_result(TABLE, "1 row", "The subject will see the minimum: it was stopped.")
    assert not problem.isHidden() and problem.wordWrap() and "stopped" in problem.text()
    panel.show_result(TABLE, "1 row")
    assert problem.isHidden()
    panel.show_result(TABLE, "1 row", "Again.", ["DL (DELTA AIR LINES)", "F (female)"])
    codes = panel.findChild(QLabel, "result_codes")
    assert not codes.isHidden() and codes.text() == "DL (DELTA AIR LINES), F (female)"
    panel.show_nothing()
    assert problem.isHidden()


def test_an_empty_answer_is_marked_as_a_failure_by_hand_and_by_key_where_that_is_offered(
    qtbot: QtBot, look: Look
) -> None:
    panel = ResultPanel(look)
    qtbot.addWidget(panel)
    mark = panel.findChild(QCheckBox, "failure")
    panel.toggle_failure()
    assert mark.isHidden() and not mark.isChecked()
    panel.show_failure("Without salary > 50000 nothing is left either.", False)
    assert not mark.isHidden() and "salary" in panel.findChild(QLabel, "failure_reason").text()
    for choose in (panel.toggle_failure, mark.click):
        with qtbot.waitSignal(panel.failure_chosen):
            choose()
    panel.show_failure("", False)
    assert mark.isHidden()


def test_the_sentence_before_a_result_is_broken_in_a_narrow_window(qtbot: QtBot, look: Look) -> None:
    panel = ResultPanel(look)
    qtbot.addWidget(panel)
    sentence = next(each for each in panel.findChildren(QLabel) if each.text().startswith("Run a statement"))
    assert sentence.minimumSizeHint().width() < sentence.fontMetrics().horizontalAdvance(sentence.text())
