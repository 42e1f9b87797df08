from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from curtain.desk.style import Look
from curtain.session.study.messages import load_message_set
from wizard_app.window.pages.work_page import WorkPage


@pytest.mark.parametrize("lines", [1, 4])
def test_what_is_reported_above_the_turns_has_room_for_all_its_lines(qtbot: QtBot, look: Look, lines: int) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(1280, 640)
    page.show()
    page.scenario.setText("\n".join(["Scenario 1 of 2"] * lines))
    needed = lines * page.scenario.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: page.scenario.height() >= needed)
    assert page.turns.height() > 200


@pytest.mark.parametrize(("height", "beside"), [(690, False), (510, True)])
def test_in_a_low_window_statement_and_result_stand_side_by_side(
    qtbot: QtBot, look: Look, height: int, beside: bool
) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(960, height)
    page.show()
    page.follow_size()
    qtbot.waitUntil(lambda: page.size() == QSize(960, height))
    wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
    qtbot.waitUntil(lambda: page.work.orientation() is wanted)
    assert page.result.answers.isVisible() != beside
    page.result.unfold_answers()
    assert page.result.answers.isVisible()


def test_what_is_chosen_in_a_narrow_window_stays_in_sight_when_its_size_changes(qtbot: QtBot, look: Look) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(960, 510)
    page.show()
    page.follow_size()
    assert not page.right_shown
    page.messages.set_messages(load_message_set("base"), {})
    page.unfold_for_messages()
    page.messages.pick()
    page.resize(940, 500)
    page.follow_size()
    assert page.right_shown


def test_a_field_that_gets_the_cursor_by_key_is_scrolled_to(qtbot: QtBot, look: Look) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(900, 330)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is page)
    area = page.findChild(QScrollArea, "middle")
    assert area is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    page.sql.editor.setFocus()
    place = page.sql.editor.mapTo(area.viewport(), page.sql.editor.rect().center())
    assert area.viewport().rect().contains(place)


def test_before_the_first_result_nothing_scrolls_at_1280x720_with_a_title_bar(qtbot: QtBot, look: Look) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(1280, 630)
    page.show()
    page.follow_size()
    area = page.findChild(QScrollArea, "middle")
    assert area is not None
    qtbot.waitUntil(lambda: area.viewport().height() == 630)
    assert area.widget().minimumSizeHint().height() <= 630
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)


def test_a_result_below_the_edge_is_scrolled_to(qtbot: QtBot, look: Look) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(900, 330)
    page.show()
    area = page.findChild(QScrollArea, "middle")
    assert area is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    page.bring_result_into_sight()

    def height_in_sight() -> int:
        top = page.result.mapTo(area.viewport(), QPoint()).y()
        return min(page.result.height(), area.viewport().height() - top) if top >= 0 else 0

    qtbot.waitUntil(lambda: height_in_sight() >= min(page.result.height(), area.viewport().height()))


def test_with_the_cursor_in_the_query_the_recording_is_in_sight_too(qtbot: QtBot, look: Look) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(900, 330)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is page)
    area = page.findChild(QScrollArea, "middle")
    assert area is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    page.sql.editor.setFocus()
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    page.query.field.setFocus()
    for widget in (page.listen, page.query.field):
        assert area.viewport().rect().contains(widget.mapTo(area.viewport(), widget.rect().center()))
