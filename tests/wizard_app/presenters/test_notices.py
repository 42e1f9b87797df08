"""What waits is counted at the top of the window and, if the wizard wants, heard."""

from PySide6.QtWidgets import QLabel

from tests.wizard_app.room import PATIENCE_MS, Room


def test_the_questions_beside_the_one_at_work_are_counted_at_the_top(room: Room) -> None:
    room.begin()
    lamp = room.window.findChild(QLabel, "waiting_lamp")
    assert lamp is not None and lamp.text() == "0 wait"
    room.speak()
    for text in ("1 waits", "2 wait"):
        room.subject.speak()
        room.qtbot.waitUntil(lambda: lamp.text() == text, timeout=PATIENCE_MS)  # noqa: B023
    assert lamp.isVisible()


def test_what_was_said_of_a_turn_ends_with_its_task(room: Room) -> None:
    room.begin()
    room.subject.press()
    room.subject.release(peak_dbfs=-120.0)
    problem, session = room.window.problem, room.app.station.controllers.session
    room.qtbot.waitUntil(lambda: "holds no sound" in problem.text, timeout=PATIENCE_MS)
    room.app.station.controllers.listen.trouble.emit("Its recording cannot be read.")
    room.window.show_trouble("chairs", "No other desk.")
    session.begin_scenario(session.progress.opened.scenario_ids[-1])
    room.qtbot.waitUntil(lambda: problem.text == "No other desk.", timeout=PATIENCE_MS)
