from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QScrollArea, QTableView, QWidget
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import Look, Theme, apply
from curtain.session.study.messages import load_message_set
from curtain.session.turns.turn_progress import TurnProgress
from curtain_drafts.window.panel import DraftsPanel
from curtain_experiments.desk.plan_panel import OperatorPanel
from wizard_app.desk.desk_view import DeskView, WizardState
from wizard_app.desk.session.subject.outbox import ScenarioText
from wizard_app.desk.turn.control import Fields
from wizard_app.desk.turn.turn_rows import RowMark, TurnRow
from wizard_app.window.pages.work_page import WorkPage

NOTHING = DeskView(session="c00-01", page="work", state=WizardState.IDLE)


@pytest.fixture
def page(qtbot: QtBot, look: Look) -> WorkPage:
    made = WorkPage(look, DraftsPanel(look))
    qtbot.addWidget(made)
    return made


def show(page: WorkPage, width: int, height: int) -> None:
    page.resize(width, height)
    page.show()
    page.follow_size()


def test_letters_that_no_table_has_are_reported(page: WorkPage) -> None:
    letters, empty = page.findChild(QLineEdit, "schema_filter"), page.findChild(QLabel, "schema_empty")
    page.schema.show_schema(EditorSchema({"employee": ("last_name", "sex")}))
    for typed, words in (("", ""), ("EMPL", ""), ("sex", ""), ("z", "No table or column has these letters.")):
        letters.setText(typed)
        assert empty.text() == words


@pytest.mark.parametrize("lines", [1, 4])
def test_what_is_reported_above_the_turns_has_room_for_all_its_lines(qtbot: QtBot, page: WorkPage, lines: int) -> None:
    page.resize(1280, 640)
    page.show()
    page.scenario.setText("\n".join(["Scenario 1 of 2"] * lines))
    needed = lines * page.scenario.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: page.scenario.height() >= needed)
    assert page.turns.height() > 200


@pytest.mark.parametrize(("height", "beside"), [(690, False), (510, True)])
def test_in_a_low_window_statement_and_result_stand_side_by_side(
    qtbot: QtBot, page: WorkPage, height: int, beside: bool
) -> None:
    show(page, 960, height)
    qtbot.waitUntil(lambda: page.size() == QSize(960, height))
    wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
    qtbot.waitUntil(lambda: page.work.orientation() is wanted)


def test_what_is_chosen_in_a_narrow_window_stays_in_sight_when_its_size_changes(page: WorkPage) -> None:
    show(page, 960, 510)
    assert not page.right_shown
    page.messages.set_messages(load_message_set("base"), {})
    page.unfold()
    page.messages.pick()
    page.resize(940, 500)
    page.follow_size()
    assert page.right_shown


def test_before_the_first_result_nothing_scrolls_at_1280x720_with_a_title_bar(qtbot: QtBot, page: WorkPage) -> None:
    show(page, 1280, 630)
    area = page.findChild(QScrollArea, "middle")
    qtbot.waitUntil(lambda: area.viewport().height() >= area.widget().sizeHint().height() > 0)
    assert page.height() == 630
    assert area.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("percent", [100, 150])
@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_the_result_and_the_cursor_stay_in_sight_whatever_is_reported(
    qtbot: QtBot, qapp: QApplication, theme: Theme, percent: int
) -> None:
    look = apply(qapp, theme, percent)
    page = WorkPage(look, DraftsPanel(look), OperatorPanel(look))
    qtbot.addWidget(page)
    # 1280x720 without the title bar, the top line and the strip of keys.
    page.resize(1280, 620)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is page)
    page.follow_size()
    page.query.field.setFocus()
    table = Table(headings=["Name"], rows=[["ADA"], ["BOB"], ["CAY"]], numeric=[False], total=3)
    page.result.show_result(table, "3 rows")
    QApplication.processEvents()
    page.operator.show_condition("Condition 2 of 2: the system answers.", has_system=True, stopped=False)
    # In the middle of it the page is laid out once, as happens between two key presses.
    QApplication.processEvents()
    page.operator.show_doing("The system’s reply goes out in 3 seconds.", waits=True)
    page.operator.show_problem("The system gave nothing.")
    page.sql.show_warnings([f"R{number}: a rule that the statement breaks, in one sentence" for number in range(3)])
    rows = page.findChild(QTableView, "answer_rows")

    def in_sight(widget: QWidget) -> bool:
        area = QRect(widget.mapTo(page, QPoint()), widget.size())
        parents = [parent for parent in page.findChildren(QWidget) if parent.isAncestorOf(widget)]
        return all(QRect(parent.mapTo(page, QPoint()), parent.size()).contains(area) for parent in (page, *parents))

    qtbot.waitUntil(lambda: in_sight(page.result) and in_sight(page.query.field))
    # Two rows whole.
    qtbot.waitUntil(lambda: rows.viewport().height() >= rows.rowViewportPosition(1) + rows.rowHeight(1))
    assert page.size() == QSize(1280, 620)
    assert page.operator.isVisible()
    keys = page.operator.findChildren(QPushButton)
    assert [key.width() >= key.sizeHint().width() and key.isVisible() for key in keys] == [True] * 3


def test_the_query_has_two_lines_unless_it_needs_more(qtbot: QtBot, page: WorkPage) -> None:
    show(page, 900, 700)
    field = page.query.field
    two = field.height()
    for words, lines in (("flights", 2), ("word " * 60, 3), ("word " * 600, 4), ("", 2)):
        field.setPlainText(words)
        qtbot.waitUntil(lambda lines=lines: field.height() >= two + (lines - 2) * field.fontMetrics().lineSpacing())
        qtbot.waitUntil(lambda lines=lines: (field.height() == two) == (lines == 2))


@pytest.mark.parametrize("height", [240, 270])
def test_a_field_that_gets_the_cursor_by_key_is_scrolled_to_with_the_recording(
    qtbot: QtBot, page: WorkPage, height: int
) -> None:
    """In a window so low that its middle scrolls."""
    show(page, 900, height)
    page.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is page)
    area = page.findChild(QScrollArea, "middle")
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    page.turns.setFocus()
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    page.query.field.setFocus()
    for widget in (page.listen, page.query.field)[height == 240 :]:
        assert area.viewport().rect().contains(widget.mapTo(area.viewport(), widget.rect().center()))


def test_what_the_page_itself_shows_was_typed_by_nobody(page: WorkPage) -> None:
    """Words of the recogniser that go show the page once more, in the middle of showing it."""
    views = [
        DeskView(turn=TurnProgress(number), fields=Fields(query=query), session="c00-01", page="work")
        for number, query in ((1, "how many"), (2, ""))
    ]
    now, typed = [views[0]], []
    page.query.text_edited.connect(lambda: typed.append(not page.showing))
    page.query.field.offer_changed.connect(lambda: page.show_view(now[0]))
    for now[0] in views:
        page.show_view(now[0])
    assert page.query.text == "" and typed and not any(typed)


def test_while_nothing_waits_the_page_shows_the_task_and_what_was_said_and_no_tools(page: WorkPage) -> None:
    show(page, 1280, 690)
    said, answered = TurnRow(1, RowMark.ANSWERED, "answer", text="who"), replace(NOTHING, state=WizardState.ANSWER)
    page.show_view(replace(NOTHING, rows=[said], task_heading="Task 1", task=ScenarioText("Find Ada.", False)))
    assert [words in page.calm.toPlainText() for words in ("Task 1", "Find Ada.", "1  who")] == [True] * 3
    assert page.calm.isVisible() and page.query.isVisible() and not page.sql.isVisible() and not page.drafts.isVisible()
    page.show_view(answered)
    assert page.sql.isVisible() and page.result.isVisible() and page.drafts.isVisible() and not page.calm.isVisible()


def test_a_page_of_the_side_that_a_key_opened_goes_back_to_the_one_before(page: WorkPage) -> None:
    for before in (page.messages, page.schema):
        page.side.show_page(before)
        page.side.open(page.task)
        page.side.open(page.answers)
        assert page.side.page is page.answers
        page.side.back()
        assert page.side.page is before


def test_the_words_in_the_empty_field_change_while_nothing_else_does(page: WorkPage) -> None:
    for words in ("Your reply to turn 1 has not left yet.", "Nothing to transcribe."):
        page.show_view(DeskView(session="c00-01", page="work", placeholder=words))
        assert page.query.field.placeholderText() == words
