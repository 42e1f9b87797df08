"""A subject who types in place of speaking."""

import pytest

from curtain.audio.devices import NoPortAudio
from subject_app.sitting.view import Notice
from tests.subject_app.conftest import HandSound


class NoSound(HandSound):
    """A machine without a sound system: whoever asks for it fails the test."""

    def names(self, again=False):
        raise AssertionError("nobody needs a microphone")


class BrokenSound(HandSound):
    """A machine that records no sound."""

    def names(self, again=False):
        raise NoPortAudio()

    def open(self, *_arguments):
        raise NoPortAudio()


@pytest.fixture
def typing(make_room):
    room = make_room(sound=NoSound())
    room.welcome(input="text")
    room.page("briefing")
    room.station.acts.finish_briefing()
    room.page("main")
    room.scenario(input="text")
    return room


def test_who_only_types_needs_no_microphone_and_a_typed_question_is_a_turn_from_enter_on(typing):
    typing.state("idle")
    assert (typing.view.talking_allowed, typing.view.typing_allowed) == (False, True)
    typing.station.acts.begin_typing()
    typing.hear(1.0)
    typing.station.acts.ask("  who is\tthere ")
    line = typing.journaled("turn_typed", 1)
    assert line.data["text"] == "who is there"
    assert line.data["entered_ns"] - line.data["began_ns"] == 10**9
    assert (typing.shown.current.query, typing.shown.current.typed) == ("who is there", True)
    assert (typing.view.state, typing.moments) == ("one_moment", [1])
    typing.answer(2, 1)
    typing.state("idle")
    assert (typing.shown.current.query, typing.shown.current.answered) == ("who is there", True)
    assert not typing.link.unsafe
    assert not {"key_down", "take_saved"} & set(typing.types())


def test_after_a_kill_the_question_still_waits_and_its_words_stand_above_the_answer(typing, make_room):
    typing.station.acts.ask("who is there")
    typing.journaled("turn_typed", 1)
    typing.close()
    again = make_room(sound=NoSound())
    again.welcome(input="text")
    again.page("main")
    assert again.view.state == "one_moment"
    again.scenario(input="text")
    again.answer(2, 1)
    assert again.shown.current.query == "who is there"
    again.station.acts.ask("and now")
    again.journaled("turn_typed", 2)
    assert "take_cancelled" not in again.types()


@pytest.mark.parametrize("given, talks, types", [("speech", True, False), ("text", False, True), ("both", True, True)])
def test_a_task_says_how_one_may_ask_in_it(seated, given, talks, types):
    seated.scenario(input=given)
    assert (seated.view.talking_allowed, seated.view.typing_allowed) == (talks, types)
    seated.station.acts.ask("who is there")
    seated.station.call_for_help()
    seated.journaled("help_called")
    assert ("turn_typed" in seated.types()) is types


def test_nothing_is_typed_while_the_key_is_held_or_between_two_tasks(seated):
    seated.station.acts.ask("too early")
    seated.scenario(input="both")
    seated.press()
    seated.station.acts.ask("while speaking")
    seated.hear(1.0)
    seated.release()
    seated.hear(0.5)
    seated.station.acts.ask("after it")
    assert seated.journaled("turn_typed", 2).data["text"] == "after it"
    assert seated.types().count("turn_typed") == 1


@pytest.mark.parametrize("sound", [HandSound, BrokenSound])
@pytest.mark.parametrize("named", ["", "desk"])
def test_where_both_is_allowed_and_no_microphone_is_there_the_subject_reads_of_typing_alone(make_room, sound, named):
    room = make_room(sound=sound(connected=[]), microphone_again_ms=5)
    pages = []
    room.station.view_changed.connect(lambda view: pages.append((view.page, view.input)))
    room.welcome(input="both", must_speak=False, microphone=named)
    room.page("briefing")
    assert room.view.input == "text" and "mic_test" not in dict(pages)
    room.station.acts.finish_briefing()
    room.page("main")
    room.scenario(input="both")
    view = room.view
    assert (view.state, view.notice, view.talking_allowed, view.typing_allowed) == ("idle", Notice.NONE, False, True)
    assert not room.station.speaks
    # Whoever has read that they type, types to the end: one that is plugged in later brings up no page.
    room.sound.connected.append("head")
    room.until(lambda: isinstance(room.sound, BrokenSound) or room.station.microphone.names)
    room.station.acts.ask("who is there")
    room.journaled("turn_typed", 1)
    assert (room.view.page, room.view.input) == ("main", "text")


def test_where_some_task_is_spoken_a_missing_microphone_is_asked_for(make_room):
    room = make_room(sound=HandSound(connected=[]))
    room.welcome(input="both")
    room.until(lambda: room.view.page == "mic_test" and room.station.microphone.state == "none")
    assert room.station.speaks


def test_a_microphone_that_is_pulled_out_leaves_the_typing_and_comes_back_with_the_key(make_room):
    room = make_room(microphone_again_ms=5)
    room.settle_in(input="both", must_speak=False)
    room.scenario(input="both")
    assert (room.view.input, room.view.talking_allowed) == ("both", True)
    room.sound.connected.clear()
    room.sound.source.vanish()
    room.until(lambda: room.view.input == "text")
    assert (room.view.state, room.view.notice, room.view.talking_allowed) == ("idle", Notice.NONE, False)
    room.sound.connected.append("desk")
    room.until(lambda: room.view.input == "both" and room.view.talking_allowed)
