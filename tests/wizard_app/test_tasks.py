"""The wizard's keys read the task and lead to the next; the end names what remains, and says first who answered."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from curtain.commands.people.consent import list_consents
from curtain.link.messages import SessionOver
from curtain.session.events.subject_events import DISCLOSURE, FormFilled
from curtain.session.study.study import Study
from tests.wizard_app.room import CONTROL, PLAN, SHIFT, Opening, Room
from tests.wizard_app.stand_in import StandIn


def texts_of_dialog() -> str:
    dialog = QApplication.activeModalWidget()
    return "\n".join(label.text() for label in dialog.findChildren(QLabel)) if dialog is not None else ""


def wait_for_dialog(room: Room, text: str) -> None:
    room.qtbot.waitUntil(lambda: text in texts_of_dialog())


def test_the_task_is_read_with_a_key_and_left_with_the_same_or_escape(room: Room) -> None:
    room.begin()
    room.wait(scenario="anniversary")
    room.speak()
    task = room.window.findChild(QTextBrowser, "task")
    for leave in ((Qt.Key.Key_T, CONTROL | SHIFT), (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)):
        room.key(Qt.Key.Key_T, CONTROL | SHIFT)
        assert QApplication.focusWidget() is task
        room.key(*leave)
        assert QApplication.focusWidget() is room.field("query")
    shown = room.subject.welcome
    assert shown is not None
    assert "Scenario 1 of 2" in task.toPlainText()
    assert len(task.toPlainText()) > 100


def test_the_end_of_a_scenario_and_of_the_session_name_the_tasks_that_remain(room: Room) -> None:
    room.begin()
    room.wait(scenario="anniversary")
    room.key(Qt.Key.Key_E, CONTROL)
    wait_for_dialog(room, "One scenario remains: ")
    assert "No scenario remains" not in texts_of_dialog()
    room.key(Qt.Key.Key_Escape)
    room.key(Qt.Key.Key_E, CONTROL | SHIFT)
    wait_for_dialog(room, "One scenario remains: ")
    room.key(Qt.Key.Key_Escape)
    room.key(Qt.Key.Key_E, CONTROL)
    room.key(Qt.Key.Key_Return)
    room.wait(scenario="fair")
    assert room.app.station is not None
    assert room.app.station.controllers.session.progress.ended_ids == {"anniversary"}
    room.key(Qt.Key.Key_E, CONTROL)
    wait_for_dialog(room, "No scenario remains after this one.")
    room.key(Qt.Key.Key_E, CONTROL)
    room.wait(scenario="")


@pytest.mark.parametrize("ends", ["read", "as it is", "resumed"])
@pytest.mark.parametrize("practice", ["practice", None])
def test_a_session_discloses_who_answered_or_says_that_it_has_not(
    qtbot: QtBot,
    opening: Opening,
    stand_in: Callable[[], StandIn],
    link_name: str,
    study: Study,
    capsys: pytest.CaptureFixture[str],
    practice: str | None,
    ends: str,
) -> None:
    settings = study.folder / "study.toml"
    settings.write_text(settings.read_text("utf-8").replace("disclose = false", "disclose = true"), "utf-8")
    disclosing = structs.replace(study, disclose=True)
    room = Room(qtbot, opening(disclosing), stand_in(), link_name)
    room.subject.dial(link_name)
    room.begin(replace(PLAN, practice_id=practice))
    room.key(Qt.Key.Key_E, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    room.press_in_dialog("end_session_confirmed")
    room.wait(state="closing")
    qtbot.waitUntil(lambda: bool(room.subject.shown_of(SessionOver)))
    (over,) = room.subject.shown_of(SessionOver)
    assert [one.name for one in over.forms] == [DISCLOSURE]
    if ends == "resumed":
        room.app.close()
        room.app.station = None
        room = Room(qtbot, opening(disclosing, resume=True), room.subject, link_name)
        room.wait(state="closing", link="up")
    if ends == "as it is":
        room.window.findChild(QPushButton, "close_as_it_is").click()
        room.press_in_dialog("close_as_it_is_confirmed")
    else:
        room.subject.fact(FormFilled(form=DISCLOSURE, values={"data": "keep"}))
    room.wait(state="closed")
    shown = room.window.findChild(QLabel, "closing_message").text()
    list_consents(study.folder)
    listed = capsys.readouterr().out
    assert "curtain consent STUDY e00-01 --disclosed DAY" in shown if ends == "as it is" else "STUDY" not in shown
    assert ("not disclosed who answered" in listed) is (ends == "as it is")
    assert Path(room.window.property("bundle")).is_dir()
