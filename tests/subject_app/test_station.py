import hashlib
import shutil
import wave
from dataclasses import replace

import pytest

from curtain.audio.devices import NoPortAudio
from curtain.link.messages import AudioChunk, JournalLine, LiveSound, PauseShown, ScenarioOver, WantAudio
from curtain.session.journal.lines import parse_line
from subject_app.sitting.view import Notice
from subject_app.talk.microphone import Readiness
from tests.subject_app.conftest import ELSEWHERE, HandSound

# -- getting started


def test_the_pages_come_in_their_order_and_are_journaled(room):
    room.settle_in()
    room.until(lambda: room.types().count("form_filled") == 2)
    forms = [entry.data["form"] for entry in room.entries if entry.type == "form_filled"]
    assert forms == ["microphone_test", "briefing"]


def test_a_microphone_is_never_taken_by_itself_and_the_chosen_one_is_opened_and_journaled(room):
    room.welcome()
    room.until(lambda: room.station.microphone.readiness is Readiness.CHOOSE)
    assert room.sound.opened == []
    assert room.station.microphone.names == ["desk", "head"]
    room.station.microphone.choose("head")
    room.ready()
    assert room.sound.opened == ["head"]
    assert room.journaled("device_found").data == {"name": "head", "sample_rate": 16000}


def test_a_named_microphone_that_is_missing_is_said_to_be_missing(make_room):
    room = make_room(microphone="stage")
    room.welcome()
    room.until(lambda: room.station.microphone.readiness is Readiness.CHOOSE)
    assert room.station.microphone.missing == "stage"
    assert room.sound.opened == []


def test_the_stations_own_microphone_comes_before_the_studys(make_room):
    room = make_room(microphone="head")
    room.welcome(microphone="desk")
    room.ready()
    assert room.sound.opened == ["head"]


def test_the_microphone_test_plays_back_what_was_said_and_keeps_its_result_alone(room):
    room.welcome(microphone="desk")
    room.page("mic_test")
    room.ready()
    assert room.station.test_state == "waiting"
    room.press()
    assert room.station.test_state == "speaking"
    room.hear(1.0)
    room.release()
    room.hear(0.5)
    room.until(lambda: room.sound.played)
    room.until(lambda: room.station.test_state == "good")
    assert "key_down" not in room.types()
    room.station.acts.finish_mic_test()
    assert room.station.test_state == ""
    room.until(lambda: not (room.session / "microphone_test").exists())
    assert room.journaled("form_filled").data["values"] == {"microphone": "desk", "result": "good"}


@pytest.mark.parametrize("value, heard", [(1000, "good"), (3, "quiet"), (32767, "loud"), (0, "silent"), (2, "silent")])
def test_the_microphone_test_ends_in_a_plain_word(room, value, heard):
    room.welcome(microphone="desk")
    room.page("mic_test")
    room.ready()
    room.press()
    room.hear(1.0, value)
    room.release()
    room.hear(0.5, value)
    room.until(lambda: room.station.mic_test.heard.value == heard)


# -- talking


def test_a_question_is_journaled_in_order_and_its_take_holds_what_came_before_and_after(seated):
    take = seated.said(1)
    assert seated.types(1) == ["key_down", "key_up", "take_saved"]
    seated.until(lambda: "take_saved" in seated.link.types)
    assert seated.link.types == seated.types()
    # Each line is safe before it is sent.
    assert seated.link.unsafe == []
    path = seated.session / "audio" / "e00-01-001.wav"
    with wave.open(str(path)) as file:
        assert file.getnframes() == take["frames"]
    assert take["frames"] == pytest.approx(16000 * (1.0 + 0.3 + 0.1), abs=320)
    assert take["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (take["microphone"], take["lost"]) == ("desk", False)


def test_it_listens_only_once_sound_has_come_and_shows_one_moment_at_once_after_the_release(seated):
    seated.press()
    assert seated.view.state == "idle"
    seated.hear(0.04)
    seated.state("listening")
    seated.hear(1.0)
    seated.release()
    assert seated.view.state == "one_moment"
    assert seated.moments == [1]


def test_the_answer_or_the_end_of_the_task_ends_the_moment(seated):
    seated.scenario()
    seated.said(1)
    seated.query(2, 1)
    assert seated.view.state == "one_moment"
    seated.answer(3, 1)
    assert seated.view.state == "idle"
    assert seated.link.acks == [1, 2, 3]
    seated.said(2)
    assert seated.view.state == "one_moment"
    seated.tell(ScenarioOver, seq=4, scenario_id="s1")
    assert seated.view.state == "idle"


def test_a_second_question_can_be_asked_while_the_first_is_worked_on(seated):
    seated.ask()
    seated.said(2)
    seated.answer(1, 1)
    assert seated.view.state == "one_moment"
    seated.message(2, 2)
    assert seated.view.state == "idle"


def test_a_press_too_short_to_be_speech_is_no_question(seated):
    seated.press()
    seated.hear(0.15)
    seated.release()
    assert seated.journaled("take_cancelled", 1).data["reason"] == "too_short"
    assert seated.view.state == "idle"
    assert seated.view.notice is Notice.HOLD_LONGER
    seated.hear(0.5)
    seated.until(lambda: not list((seated.session / "audio").iterdir()))
    seated.press()
    assert seated.view.notice is Notice.NONE


def test_a_question_can_be_taken_back_while_it_is_spoken(seated):
    seated.press()
    seated.hear(1.0)
    seated.station.acts.cancel()
    seated.release()
    assert seated.journaled("take_cancelled", 1).data["reason"] == "cancelled"
    assert seated.types(1) == ["key_down", "take_cancelled"]
    assert seated.view.state == "idle"
    # It keeps its number.
    seated.ask()
    assert seated.journaled("take_saved", 2).data["utterance_id"] == "e00-01-002"


def test_recording_goes_on_while_the_link_is_down(seated):
    seated.link.up = False
    seated.station.on_link_lost()
    assert seated.view.state == "one_moment"
    seated.press()
    seated.hear(0.5)
    seated.state("listening")
    seated.release()
    seated.hear(0.5)
    seated.journaled("take_saved", 1)
    assert list(seated.station.resend(0)) == []  # nothing before both sides have compared what they hold
    seated.link.up = True
    seated.link.sent.clear()
    seated.welcome(microphone="desk")
    seated.until(lambda: seated.link.types == seated.types())
    # A line may be read in the file a moment before it is known to be on the disk; only then it is sent again.
    seated.until(lambda: [parse_line(line.line).type for line in seated.station.resend(0)] == seated.types())


def test_a_question_that_the_window_cut_short_says_so_in_the_journal_and_on_the_screen(seated):
    seated.press()
    seated.hear(1.0)
    seated.station.acts.release(seated.stamp(), "focus_lost")
    assert seated.view.notice is Notice.CUT_SHORT
    seated.hear(0.5)
    assert seated.journaled("key_up", 1).data["ended_by"] == "focus_lost"
    seated.journaled("take_saved", 1)
    seated.press()
    assert seated.view.notice is Notice.NONE


def test_a_question_of_digital_silence_is_reported_to_the_subject_until_the_next_press(seated):
    seated.press()
    seated.hear(1.0, 0)
    seated.release()
    seated.hear(0.5, 0)
    seated.hear(5.0, 0)
    seated.press()
    seated.hear(1.0, 0)
    seated.release()
    seated.hear(0.5, 0)
    seated.until(lambda: seated.view.notice is Notice.NO_SOUND)
    seated.press()
    assert seated.view.notice is Notice.NONE


def test_a_microphone_that_is_connected_late_is_found_without_a_restart(make_room):
    room = make_room(sound=HandSound(connected=[]), microphone_again_ms=0)
    room.welcome(microphone="desk")
    room.until(lambda: room.station.microphone.state == "missing")
    room.sound.connected.append("desk")
    room.ready()
    assert room.sound.opened == ["desk"]


def test_a_link_that_stays_down_is_reported_calmly_until_it_is_up_again(make_room):
    room = make_room(apart_ms=0)
    room.settle_in()
    room.scenario()
    assert room.view.notice is Notice.NONE
    room.station.on_link_lost()
    room.until(lambda: room.view.notice is Notice.APART)
    assert room.view.talking_allowed
    room.welcome(microphone="desk")
    room.until(lambda: room.view.notice is Notice.NONE)


def test_a_link_that_comes_back_at_once_is_not_reported(seated):
    seated.station.on_link_lost()
    assert seated.view.notice is Notice.NONE
    seated.welcome(microphone="desk")
    assert seated.view.notice is Notice.NONE


def test_what_was_being_said_when_a_pause_came_is_kept_and_nothing_can_be_said_during_it(seated):
    seated.scenario()
    seated.press()
    seated.hear(1.0)
    seated.tell(PauseShown, seq=2, paused=True)
    assert seated.view.page == "paused"
    assert not seated.view.talking_allowed
    seated.release()
    seated.hear(0.5)
    assert seated.journaled("take_saved", 1)
    seated.tell(PauseShown, seq=3, paused=False)
    assert seated.view.talking_allowed


# -- the microphone goes away


def test_a_lost_microphone_is_one_moment_with_a_notice_until_the_same_one_is_back(seated):
    seated.sound.connected.remove("desk")
    seated.sound.source.vanish()
    seated.state("one_moment")
    assert seated.view.page == "main"
    seated.until(lambda: seated.view.notice is Notice.NO_MICROPHONE)
    seated.journaled("device_lost")
    seated.sound.connected.append("desk")
    seated.state("idle")
    seated.until(lambda: seated.view.notice is Notice.NONE)
    assert seated.sound.opened == ["desk", "desk"]


def test_what_was_being_said_when_the_microphone_went_is_kept(seated):
    seated.press()
    seated.hear(1.0)
    seated.sound.source.vanish()
    seated.state("one_moment")
    seated.release()
    saved = seated.journaled("take_saved", 1).data
    assert saved["frames"] >= 16000
    assert saved["lost"] is True


def test_a_press_without_a_microphone_is_a_question_without_sound(seated):
    seated.sound.connected.clear()
    seated.sound.source.vanish()
    seated.state("one_moment")
    seated.press()
    seated.release()
    assert seated.journaled("take_cancelled", 1).data["reason"] == "no_sound"


# -- what is shown


def test_what_was_painted_is_told_once(seated):
    seated.station.acts.painted("answer", 7, 2)
    seated.station.acts.painted("answer", 7, 2)
    seated.station.acts.painted("one_moment", 0, 1)
    seated.station.acts.painted("one_moment", 0, 2)
    seated.until(lambda: seated.types().count("painted") == 3)
    seated.journaled("painted")
    assert [(entry.turn, entry.data["what"]) for entry in seated.entries if entry.type == "painted"] == [
        (2, "answer"), (1, "one_moment"), (2, "one_moment"),
    ]  # fmt: skip


def test_what_the_subject_does_on_the_page_is_journaled(seated):
    seated.scenario()
    seated.station.acts.report_solution("  ")
    assert seated.solutions == []
    seated.station.acts.report_solution("  Ada ")
    assert seated.journaled("solution_reported").data == {"scenario_id": "s1", "value": "Ada", "how": "typed"}
    assert seated.solutions == ["Ada"]
    seated.station.call_for_help()
    seated.journaled("help_called")
    seated.query(2, 1)
    seated.answer(3, 1)
    seated.station.acts.start_over()
    assert seated.shown.exchanges == ()
    seated.journaled("history_cleared")


# -- audio on request


def test_audio_is_sent_in_pieces_as_it_is_wanted_and_only_then(seated):
    seated.tell(WantAudio, utterance_id="e00-01-077", offset=0, length=10)
    seated.ask(3.0)
    seated.journaled("take_saved", 1)
    assert seated.link.of(LiveSound) == []
    whole = (seated.session / "audio" / "e00-01-001.wav").read_bytes()
    for length in (10, 64 * 1024, 1024 * 1024):
        seated.link.sent.clear()
        seated.tell(WantAudio, utterance_id="e00-01-001", offset=44, length=length)
        wanted = whole[44 : 44 + length]
        seated.until(lambda: b"".join(chunk.data for chunk in seated.link.of(AudioChunk)) == wanted)  # noqa: B023
        assert all(len(one.data) <= 64 * 1024 and one.total == len(whole) for one in seated.link.of(AudioChunk))


def test_speech_is_sent_while_it_is_spoken_if_the_welcome_asks_for_it(room):
    room.settle_in(live_sound=True)
    room.press()
    room.hear(1.0)
    room.until(lambda: len(room.link.of(LiveSound)) > 40)
    assert room.view.state == "listening"
    room.release()
    room.hear(0.5)
    room.until(lambda: not room.link.of(LiveSound)[-1].data)
    sounds = room.link.of(LiveSound)
    kept = (room.session / "audio" / "e00-01-001.wav").read_bytes()[44:]
    assert b"".join(sound.data for sound in sounds)[: len(kept)] == kept
    assert [sound.frame for sound in sounds[1:]] == [sound.frame + len(sound.data) // 2 for sound in sounds[:-1]]
    assert {(sound.turn, sound.rate) for sound in sounds} == {(1, 16000)}


# -- the end


def test_the_spool_is_removed_once_everything_is_safe_elsewhere_and_another_session_can_begin(seated):
    # A station at work in a session leaves it for no other.
    assert seated.station.hello().bound
    sha = seated.finish()
    assert not seated.station.hello().bound
    seated.station.on_acked(99)
    assert (seated.session / "audio" / "e00-01-001.wav").exists()
    seated.safe("e00-01-001", sha)
    seated.until(lambda: not seated.session.exists())
    assert seated.view.page == "closing"
    assert seated.station.hello().session_id == ""
    seated.welcome(session_id="e00-02", microphone="desk")
    seated.page("mic_test")
    assert seated.station.hello().session_id == "e00-02"


def test_the_spool_of_a_session_stays_for_the_days_that_were_set(make_room):
    seated = make_room(keep_days=7)
    seated.settle_in()
    sha = seated.finish()
    seated.station.on_acked(99)
    seated.safe("e00-01-001", sha)
    seated.until((seated.session / "closed").exists)
    assert (seated.session / "audio" / "e00-01-001.wav").exists()
    # A namesake of another study may follow.
    seated.welcome(identity=ELSEWHERE, microphone="desk")
    seated.page("mic_test")


@pytest.mark.parametrize("wrong", ["acks", "sum"])
def test_the_spool_stays_open_while_anything_is_not_safe(seated, wrong):
    sha = seated.finish()
    seated.station.on_acked(len(seated.entries) - (wrong == "acks"))
    seated.safe("e00-01-001", "0" * 64 if wrong == "sum" else sha)
    # It lets a session go at once, and only then closes the folder.
    assert seated.station.hello().session_id == "e00-01"
    assert not (seated.session / "closed").exists()


def test_what_is_being_said_when_the_station_ends_is_kept(seated):
    seated.press()
    seated.hear(1.0)
    seated.close()
    assert seated.types(1) == ["key_down", "key_up", "take_saved"]
    assert (seated.session / "audio" / "e00-01-001.wav").exists()
    assert seated.link.of(JournalLine)


def test_a_computer_without_sound_is_reported_neutrally_and_to_the_log(make_room):
    class NoSound(HandSound):
        def names(self, again=False):
            raise NoPortAudio

    room = make_room(sound=NoSound())
    reported = []
    room.station.refused.connect(reported.append)
    room.welcome()
    room.until(lambda: room.station.microphone.readiness is Readiness.UNUSABLE)
    assert room.view.page == "mic_test"
    assert not room.view.talking_allowed
    assert isinstance(reported[0], NoPortAudio)


def test_a_take_the_disk_refuses_is_kept_elsewhere_and_still_reported(seated):
    shutil.rmtree(seated.session / "audio")
    take = seated.said(1)
    assert take["frames"] > 16000
    seated.tell(WantAudio, utterance_id="e00-01-001", offset=0, length=10**6)
    seated.until(lambda: seated.link.of(AudioChunk))
    assert hashlib.sha256(seated.link.of(AudioChunk)[0].data).hexdigest() == take["sha256"]


def test_a_screen_of_another_program_confirms_what_it_shows_and_dates_it_by_its_own_clock(seated):
    seated.station.shown_elsewhere = True
    seated.scenario(1)
    assert seated.link.acks == []
    seated.station.acts.painted("scenario", 1, 0, at_ns=5)
    seated.station.confirm(1)
    assert seated.link.acks == [1]
    assert seated.journaled("painted").data == {"what": "scenario", "id": 1, "at_ns": 5}
    seated.over(2)
    seated.station.on_acked(99)
    assert seated.station.seated
    seated.station.confirm(2)
    seated.until(lambda: not seated.station.seated)


def test_what_a_microphone_reports_and_how_well_a_key_is_dated_is_journaled(room):
    room.sound.source.processing = {"noiseSuppression": "false"}
    room.settle_in()
    room.station.acts.press(replace(room.stamp(), error_ns=7), "key")
    assert room.journaled("device_found").data["processing"] == {"noiseSuppression": "false"}
    assert room.journaled("key_down", 1).data["error_ns"] == 7
