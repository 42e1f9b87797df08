"""What the subject's station may bring onto the wizard's disk."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from curtain.link.events import TurnedAway
from curtain.session.events.subject_events import FormFilled, TakeSaved
from curtain.session.journal.lines import read_journal
from tests.wizard_app.room import CONTROL, SHIFT, Room
from wizard_app.desk.session import control
from wizard_app.desk.session.subject.quota import Allowance, most_bytes, refusal_of

TAKE = TakeSaved(utterance_id="e00-01-003", frames=16000, sample_rate=16000, sha256="0" * 64, peak_dbfs=-9.0)


def test_what_is_used_comes_back_with_time() -> None:
    now = [0]
    allowance = Allowance(100, 10, lambda: now[0])
    assert allowance.take(60) and not allowance.take(60)
    assert allowance.wait_s(60) == 2.0
    now[0] = 2 * 10**9
    assert allowance.take(60)
    now[0] = 100 * 10**9
    assert allowance.take(1000) and not allowance.take(1)


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({}, ""),
        ({"frames": 16000 * 125}, ""),
        ({"frames": 16000 * 3600}, "3,600 seconds"),
        ({"frames": -1}, "a length that cannot be"),
        ({"sample_rate": 0}, "a length that cannot be"),
        ({"sample_rate": 10**9, "frames": 10**11}, "a length that cannot be"),
        ({"utterance_id": "e00-01-004"}, "a name that is not its own"),
        ({"utterance_id": "../../e00-01-003"}, "a name that is not its own"),
    ],
)
def test_a_recording_that_cannot_be_is_not_fetched(changes: dict[str, object], shown: str) -> None:
    refusal = refusal_of("e00-01", 3, msgspec.structs.replace(TAKE, **changes))
    assert shown in refusal and bool(shown) == bool(refusal)


def test_a_file_is_at_most_as_long_as_its_frames_and_its_header() -> None:
    assert most_bytes(TAKE) == 44 + 16000 * 2 * 2


def test_an_announcement_without_end_is_reported_and_the_session_closes_as_it_is(qtbot: QtBot, begun: Room) -> None:
    begun.subject.press()
    begun.subject.fact(msgspec.structs.replace(TAKE, utterance_id="e00-01-001", frames=10**9), 1)
    shown = begun.window.findChild(QLabel, "problem_text")
    qtbot.waitUntil(lambda: "62,500 seconds; at most 120" in shown.text())
    begun.key(Qt.Key.Key_E, CONTROL | SHIFT)
    begun.press_in_dialog("end_session_confirmed")
    begun.wait(state="closing")


def test_a_station_that_sends_too_much_has_to_wait_and_what_is_whole_is_kept(
    qtbot: QtBot, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "LINES_AT_ONCE", 20_000)
    monkeypatch.setattr(control, "LINES_A_SECOND", 20_000)
    room.begin()
    refusals: list[TurnedAway] = []
    room.subject.link.refused.connect(refusals.append)
    for _ in range(6):
        room.subject.fact(FormFilled(form="how_it_went", values={"told": "x" * 5000}))
    qtbot.waitUntil(lambda: [one.code for one in refusals][:1] == ["quota"])
    assert "has to wait" in room.window.problem.text
    copy, last = room.app.station.controllers.session.session.bundle.subject_journal, room.subject.journal.last_seq
    qtbot.waitUntil(lambda: read_journal(copy).last_seq == last)
    room.wait(link="up")
