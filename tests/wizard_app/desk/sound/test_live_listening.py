"""Which speech is heard while it is spoken, and which recordings play afterwards."""

import pytest
from PySide6.QtWidgets import QLabel

from curtain.link.messages import LiveSound
from curtain.session.journal.lines import read_journal
from tests.wizard_app.room import Room

HOP = 320
RATE = 16000


def say(room: Room, turn: int, frames: range, end: bool = True) -> None:
    """The sound of an open turn, block by block, and its end."""
    for frame in frames:
        room.subject.link.send(LiveSound(turn=turn, frame=frame, rate=RATE, data=b"\0\1" * HOP))
    if end:
        room.subject.link.send(LiveSound(turn=turn, frame=frames.stop, rate=RATE, data=b""))


def heard(room: Room) -> list[tuple[int | None, bool]]:
    """The turns that the wizard's journal calls heard, and whether live."""
    session = room.app.station.controllers.session.session
    entries = read_journal(session.bundle.wizard_journal).entries
    return [(entry.turn, bool(entry.data.get("live"))) for entry in entries if entry.type == "heard"]


@pytest.fixture
def begun(room: Room) -> Room:
    room.begin()
    assert room.subject.welcome is not None and room.subject.welcome.live_sound
    return room


def wait_heard(room: Room, *turns: tuple[int, bool]) -> None:
    room.qtbot.waitUntil(lambda: heard(room) == list(turns))


@pytest.mark.parametrize("whole", [True, False])
def test_speaking_now_goes_with_the_speech_and_what_was_heard_whole_does_not_play_again(
    begun: Room, whole: bool
) -> None:
    label = begun.app.station.pages.work.listen.findChild(QLabel, "listening")
    turn = begun.subject.press()
    say(begun, turn, range(0, 25 * HOP, HOP), end=False)
    begun.wait(live_turn=turn)
    assert label.text() == "speaking now"
    if whole:
        begun.subject.link.send(LiveSound(turn=turn, frame=25 * HOP, rate=RATE, data=b""))
    else:
        begun.subject.link.close()
    begun.wait(live_turn=0, link="up" if whole else "down")
    assert label.text() == ""
    if not whole:
        assert heard(begun) == []
    else:
        begun.subject.release()
        begun.wait(turn=turn, state="transcribe")
        wait_heard(begun, (turn, True))


def test_speech_with_a_gap_plays_as_a_recording(begun: Room) -> None:
    turn = begun.subject.press()
    say(begun, turn, range(0, 10 * HOP, HOP), end=False)
    say(begun, turn, range(12 * HOP, 25 * HOP, HOP))
    begun.subject.release()
    wait_heard(begun, (turn, False))


def test_speech_during_the_work_on_another_turn_is_not_heard_live(begun: Room) -> None:
    first = begun.speak()
    wait_heard(begun, (first, False))
    second = begun.subject.press()
    say(begun, second, range(0, 25 * HOP, HOP))
    begun.subject.release()
    begun.wait(open_turns=2)
    assert begun.window.property("live_turn") in (None, 0) and heard(begun) == [(first, False)]
