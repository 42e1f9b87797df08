"""What waits is counted at the top of the window and, if the wizard wants, heard."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from curtain.qt.listen_control import ListenControl
from curtain.session.events.subject_events import HelpCalled, SolutionReported
from tests.wizard_app.room import PATIENCE_MS, Opening, Room
from tests.wizard_app.stand_in import StandIn


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
    session = room.app.station.controllers.session
    room.speak()
    assert len(heard) == chime
    subject.fact(HelpCalled())
    qtbot.waitUntil(lambda: session.progress.calls_for_help, timeout=PATIENCE_MS)
    assert len(heard) == 2 * chime
    subject.fact(SolutionReported(scenario_id="anniversary", value="ADA", how="typed"))
    qtbot.waitUntil(lambda: bool(session.progress.solutions), timeout=PATIENCE_MS)
    assert len(heard) == 3 * chime
