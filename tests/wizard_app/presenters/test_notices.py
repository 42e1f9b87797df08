"""What waits is counted at the top of the window and, if the wizard wants, heard."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from curtain.qt.listen_control import ListenControl
from curtain.session.events.subject_events import HelpCalled, SolutionReported
from curtain.session.study.study import Study
from tests.wizard_app.room import CONTROL, SHIFT, Opening, Room
from tests.wizard_app.stand_in import StandIn
from wizard_app.presenters.layout_memory import LayoutMemory


def test_what_was_said_of_a_turn_ends_with_its_task(begun: Room) -> None:
    begun.subject.press()
    begun.subject.release(peak_dbfs=-120.0)
    problem, session = begun.window.problem, begun.app.station.controllers.session
    begun.qtbot.waitUntil(lambda: "holds no sound" in problem.text)
    begun.app.station.controllers.listen.problem.emit("Its recording cannot be read.")
    begun.window.show_problem("chairs", "No other desk.")
    session.begin_scenario(session.progress.opened.scenario_ids[-1])
    begun.qtbot.waitUntil(lambda: problem.text == "No other desk.")


def test_a_call_for_help_stays_over_the_next_questions_until_a_message_a_pause_or_the_key(room: Room) -> None:
    problem, session = room.window.problem, room.app.station.controllers.session
    ends = (
        lambda: room.send_message(turn),
        lambda: room.key(Qt.Key.Key_P, CONTROL),
        lambda: room.key(Qt.Key.Key_A, CONTROL | SHIFT),
    )
    room.begin()
    for calls, end in enumerate(ends, 1):
        room.subject.fact(HelpCalled())
        room.qtbot.waitUntil(lambda: "asks for help" in problem.text)
        turn = room.speak() if calls == 1 else 0
        assert "asks for help" in problem.text
        end()
        room.qtbot.waitUntil(lambda: "asks for help" not in problem.text)
        assert session.progress.calls_answered == calls
    room.key(Qt.Key.Key_A, CONTROL | SHIFT)
    assert room.window.notice.text == "Nobody asks for help."


@pytest.mark.parametrize("worn", [True, False])
def test_question_help_and_stated_answer_are_heard_on_one_machine_once_the_wizard_wears_headphones(
    qtbot: QtBot,
    opening: Opening,
    stand_in: Callable[[], StandIn],
    link_name: str,
    monkeypatch: pytest.MonkeyPatch,
    study: Study,
    worn: bool,
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(ListenControl, "chime", lambda _self, mark: heard.append(mark))
    subject = stand_in()
    room = Room(qtbot, opening(chime=not worn), subject, link_name)
    tones, headphones = (room.window.findChild(QCheckBox, name) for name in ("soft_tones", "headphones"))
    assert tones is not None and headphones is not None
    if worn:
        assert not headphones.isVisible()
        tones.click()
        headphones.click()
    assert tones.isChecked() and headphones.isVisible()
    subject.dial(link_name)
    room.begin()
    session = room.app.station.controllers.session
    room.speak()
    assert heard == ["question"] * worn
    subject.fact(HelpCalled())
    qtbot.waitUntil(lambda: session.progress.calls_for_help)
    assert heard == ["question", "help"] * worn
    subject.fact(SolutionReported(scenario_id="anniversary", value="ADA", how="typed"))
    qtbot.waitUntil(lambda: bool(session.progress.solutions))
    assert heard == ["question", "help", "answer"] * worn
    memory = LayoutMemory(study.folder / "state" / "panels.ini")
    assert memory.soft_tones == worn, "a click is remembered, the option is not"
