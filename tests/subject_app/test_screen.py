"""What the window says is shown has been painted before."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from curtain.desk.style import LIGHT
from curtain.link.messages import ScenarioOver
from subject_app.screen import Screen
from subject_app.talk.talk_key import TalkKey
from subject_app.texts import texts_in
from subject_app.window import Window


@pytest.fixture
def window(qtbot, room):
    made = Window(LIGHT, texts_in("en"))
    qtbot.addWidget(made)
    key = TalkKey(room.stamp, made)
    Screen(made, room.station, key, LIGHT, texts_in("en"))
    with qtbot.waitExposed(made):
        made.show()
    room.settle_in()
    yield made
    made.ask_before_leaving(False)


def test_a_scenario_counts_as_shown_once_it_is_painted(qtbot, room, window):
    window.setUpdatesEnabled(False)  # a machine that is too busy to paint
    room.scenario(1, scenario_id="practice")
    QApplication.processEvents()
    assert window.property("shown_scenario") == ""
    assert "painted" not in room.types()
    window.setUpdatesEnabled(True)
    qtbot.waitUntil(lambda: window.property("shown_scenario") == "practice" and "painted" in room.types())
    assert room.types().count("painted") == 1


def test_the_scenario_before_is_no_longer_shown_when_another_one_has_come(qtbot, room, window):
    room.scenario(1, scenario_id="practice")
    qtbot.waitUntil(lambda: window.property("shown_scenario") == "practice")
    window.setUpdatesEnabled(False)
    room.scenario(2, scenario_id="s1")
    assert window.property("shown_scenario") == ""
    window.setUpdatesEnabled(True)
    qtbot.waitUntil(lambda: window.property("shown_scenario") == "s1")


def test_a_scenario_that_is_over_is_shown_no_longer(qtbot, room, window):
    room.scenario(1, scenario_id="s1")
    qtbot.waitUntil(lambda: window.property("shown_scenario") == "s1")
    room.tell(ScenarioOver, seq=2, scenario_id="s1")
    assert window.property("shown_scenario") == ""
