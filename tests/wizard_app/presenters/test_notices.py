"""What waits is counted at the top of the window and, if the wizard wants, heard."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt.listen_control import ListenControl
from curtain.session.events.subject_events import HelpCalled, SolutionReported
from tests.wizard_app.room import CONTROL, PATIENCE_MS, SHIFT, Opening, Room
from tests.wizard_app.stand_in import StandIn
from wizard_app.presenters.cursor import Cursor


def test_the_questions_beside_the_one_at_work_are_counted_at_the_top(room: Room) -> None:
    room.begin()
    lamp = room.window.findChild(QLabel, "waiting_lamp")
    assert lamp is not None and lamp.text() == "0 wait"
    room.speak()
    for text in ("1 waits", "2 wait"):
        room.subject.speak()
        room.qtbot.waitUntil(lambda: lamp.text() == text, timeout=PATIENCE_MS)  # noqa: B023
    assert lamp.isVisible()


@pytest.mark.parametrize("chime", [True, False])
def test_a_question_a_call_for_help_and_a_stated_answer_are_heard_if_the_wizard_wants(
    qtbot: QtBot,
    opening: Opening,
    stand_in: Callable[[], StandIn],
    link_name: str,
    monkeypatch: pytest.MonkeyPatch,
    chime: bool,
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(ListenControl, "chime", lambda _self: heard.append("chime"))
    subject = stand_in()
    room = Room(qtbot, opening(chime=chime), subject, link_name)
    subject.dial(link_name)
    room.begin()
    assert room.app.station is not None
    session = room.app.station.controllers.session
    room.speak()
    assert len(heard) == chime
    subject.fact(HelpCalled())
    qtbot.waitUntil(lambda: session.progress.calls_for_help, timeout=PATIENCE_MS)
    assert len(heard) == 2 * chime
    subject.fact(SolutionReported(scenario_id="anniversary", value="ADA", how="typed"))
    qtbot.waitUntil(lambda: bool(session.progress.solutions), timeout=PATIENCE_MS)
    assert len(heard) == 3 * chime


# The cursor stays where a hand types, for two seconds by the clock that it is given.


def test_a_field_keeps_the_cursor_until_two_seconds_after_the_last_key(qtbot: Any) -> None:
    window = QWidget()
    query, editor = QLineEdit(window), QLineEdit(window)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    query.setFocus()
    qtbot.waitUntil(query.hasFocus)
    page = SimpleNamespace(
        messages=SimpleNamespace(picking=False), query=SimpleNamespace(field=query), sql=SimpleNamespace(editor=editor)
    )
    now = [10_000_000_000]
    cursor = Cursor(cast(Any, window), cast(Any, page), cast(Any, None), lambda: now[0])
    assert not cursor.typing_elsewhere
    cursor.typed()
    now[0] += 1_999_999_999
    assert cursor.typing_elsewhere
    now[0] += 1
    assert not cursor.typing_elsewhere
    cursor.typed()
    cursor.typed_nothing()
    assert not cursor.typing_elsewhere


# The rules and the maximum have keys: there, and back to the turn at work.


def at(room: Room) -> str:
    return room.target().objectName()


def test_a_key_opens_the_rules_and_the_same_key_or_escape_goes_back(room: Room) -> None:
    room.begin()
    came_from = at(room)
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    assert at(room) == "rules"
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    assert at(room) == came_from
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    room.key(Qt.Key.Key_Escape)
    assert at(room) == came_from


def test_the_rules_are_opened_where_the_right_column_is_folded_and_fold_with_it_again(room: Room) -> None:
    room.begin()
    room.key(Qt.Key.Key_B, CONTROL)
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    rules = room.target()
    assert (rules.objectName(), rules.isVisible()) == ("rules", True)
    room.key(Qt.Key.Key_Escape)
    assert not rules.isVisible()


def test_a_key_opens_the_statement_of_the_maximum_and_goes_back(room: Room) -> None:
    room.begin()
    came_from = at(room)
    room.key(Qt.Key.Key_M, CONTROL | SHIFT)
    maximum = room.target()
    assert (maximum.objectName(), maximum.isVisible()) == ("sql_max", True)
    room.key(Qt.Key.Key_M, CONTROL | SHIFT)
    assert at(room) == came_from
    assert not maximum.isVisible()


def test_what_a_hand_types_as_the_maximum_stays_while_the_result_of_before_is_in_sight(room: Room) -> None:
    room.begin()
    room.speak()
    room.run("SELECT last_name FROM employee WHERE employee_id = 1")
    room.wait(sql_state="done")
    room.key(Qt.Key.Key_M, CONTROL | SHIFT)
    field = room.field("sql_max")
    field.clear()
    room.type("SELECT 1")
    room.wait(sql_state="stale")
    assert field.toPlainText() == "SELECT 1"
