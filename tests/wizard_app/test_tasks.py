"""The wizard reads the task by a key, hears at the end which tasks remain, and goes on to the next with two keys."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QTextBrowser

from tests.wizard_app.room import CONTROL, SHIFT, Room


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
