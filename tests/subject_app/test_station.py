import hashlib
import shutil
import wave

import pytest

from curtain.audio.devices import NoPortAudio
from curtain.audio.wav import WavFormat, header
from curtain.base.clock import Clock
from curtain.link.events import TurnedAway
from curtain.link.messages import (
    AudioChunk,
    Declined,
    Hello,
    JournalLine,
    LiveSound,
    PauseShown,
    ScenarioOver,
    SessionName,
    Waiting,
    WantAudio,
)
from curtain.session.events.subject_events import SubjectEpoch
from curtain.session.journal.journal import Journal
from curtain.session.journal.lines import parse_line, read_journal
from subject_app.talk.microphone import Readiness
from subject_app.view import Notice
from tests.subject_app.conftest import IDENTITY, NOW, SECRET, HandSound

ELSEWHERE = "b" * 32


@pytest.fixture
def seated(room):
    room.settle_in()
    return room


# -- getting started


def test_it_waits_until_a_session_begins(room):
    room.station.on_message(Waiting())
    assert room.view.page == "waiting"
    room.welcome(microphone="desk")
    room.page("mic_test")


def test_the_pages_come_in_their_order_and_are_journaled(room):
    room.settle_in()
    room.until(lambda: room.types().count("form_filled") == 2)
    forms = [entry.data["form"] for entry in room.entries if entry.type == "form_filled"]
    assert forms == ["microphone_test", "briefing"]


def test_a_microphone_is_never_taken_by_itself(room):
    room.welcome()
    room.until(lambda: room.station.microphone.readiness is Readiness.CHOOSE)
    assert room.sound.opened == []
    assert room.station.microphone.names == ["desk", "head"]


def test_the_chosen_microphone_is_opened_and_journaled(room):
    room.welcome()
    room.until(lambda: room.station.microphone.readiness is Readiness.CHOOSE)
    room.station.choose_microphone("head")
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


def test_the_microphone_test_plays_back_what_was_said_and_keeps_nothing(room):
    room.welcome(microphone="desk")
    room.page("mic_test")
    room.ready()
    room.ask()
    room.until(lambda: room.sound.played)
    room.until(lambda: room.station.mic_test.heard.value == "good")
    assert "key_down" not in room.types()
    room.station.finish_mic_test()
    room.until(lambda: not (room.session / "microphone_test").exists())


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


def test_a_question_is_journaled_in_order_and_each_line_is_safe_before_it_is_sent(seated):
    seated.ask()
    seated.journaled("take_saved", 1)
    assert seated.types(1) == ["key_down", "key_up", "take_saved"]
    seated.until(lambda: "take_saved" in seated.link.types)
    assert seated.link.types == seated.types()
    assert seated.link.unsafe == []


def test_the_take_holds_what_was_said_with_what_came_before_and_after(seated):
    seated.ask(1.0)
    take = seated.journaled("take_saved", 1).data
    path = seated.session / "audio" / "e00-01-001.wav"
    with wave.open(str(path)) as file:
        assert file.getnframes() == take["frames"]
    assert take["frames"] == pytest.approx(16000 * (1.0 + 0.3 + 0.1), abs=320)
    assert take["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert take["microphone"] == "desk"


def test_it_listens_only_once_sound_has_come(seated):
    seated.press()
    assert seated.view.state == "idle"
    seated.hear(0.04)
    seated.state("listening")


def test_one_moment_is_shown_at_once_after_the_release(seated):
    seated.press()
    seated.hear(1.0)
    seated.release()
    assert seated.view.state == "one_moment"
    assert seated.moments == [1]


def test_the_answer_ends_the_moment(seated):
    seated.scenario()
    seated.ask()
    seated.journaled("take_saved", 1)
    seated.query(2, 1)
    assert seated.view.state == "one_moment"
    seated.answer(3, 1)
    assert seated.view.state == "idle"
    assert seated.link.acks == [1, 2, 3]


def test_a_second_question_can_be_asked_while_the_first_is_worked_on(seated):
    seated.ask()
    seated.ask()
    seated.journaled("take_saved", 2)
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


def test_the_hint_to_hold_the_key_goes_with_the_next_press(seated):
    seated.press()
    seated.hear(0.1)
    seated.release()
    seated.press()
    assert seated.view.notice is Notice.NONE


def test_a_question_can_be_taken_back_while_it_is_spoken(seated):
    seated.press()
    seated.hear(1.0)
    seated.station.cancel()
    seated.release()
    assert seated.journaled("take_cancelled", 1).data["reason"] == "cancelled"
    assert seated.types(1) == ["key_down", "take_cancelled"]
    assert seated.view.state == "idle"


def test_a_cancelled_question_keeps_its_number(seated):
    seated.press()
    seated.hear(1.0)
    seated.station.cancel()
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
    seated.station.release(seated.stamp(), "focus_lost")
    assert seated.view.notice is Notice.CUT_SHORT
    seated.hear(0.5)
    assert seated.journaled("key_up", 1).data["ended_by"] == "focus_lost"
    seated.journaled("take_saved", 1)
    seated.press()
    assert seated.view.notice is Notice.NONE


def test_the_result_of_the_microphone_test_is_reported_at_once_and_journaled(room):
    room.welcome(microphone="desk")
    room.page("mic_test")
    room.ready()
    assert room.station.test_state == "waiting"
    room.press()
    assert room.station.test_state == "speaking"
    room.hear(1.0)
    room.release()
    room.hear(0.5)
    room.until(lambda: room.station.test_state == "good")
    room.station.finish_mic_test()
    assert room.station.test_state == ""
    assert room.journaled("form_filled").data["values"] == {"microphone": "desk", "result": "good"}


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


def test_a_microphone_that_is_pulled_out_is_reported_in_red_until_it_is_back(seated):
    seated.sound.connected.remove("desk")
    seated.sound.source.vanish()
    seated.until(lambda: seated.view.notice is Notice.NO_MICROPHONE)
    seated.sound.connected.append("desk")
    seated.until(lambda: seated.view.notice is Notice.NONE)


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


def test_nothing_can_be_said_during_a_pause(seated):
    seated.scenario()
    seated.tell(PauseShown, seq=2, paused=True)
    assert seated.view.page == "paused"
    assert not seated.view.talking_allowed
    seated.tell(PauseShown, seq=3, paused=False)
    assert seated.view.talking_allowed


def test_what_was_being_said_when_a_pause_came_is_kept(seated):
    seated.press()
    seated.hear(1.0)
    seated.tell(PauseShown, seq=1, paused=True)
    seated.release()
    seated.hear(0.5)
    assert seated.journaled("take_saved", 1)


def test_the_end_of_a_task_ends_the_waiting(seated):
    seated.scenario()
    seated.ask()
    seated.journaled("take_saved", 1)
    seated.tell(ScenarioOver, seq=2, scenario_id="s1")
    assert seated.view.state == "idle"


# -- the microphone goes away


def test_a_lost_microphone_is_one_moment_until_the_same_one_is_back(seated):
    seated.sound.connected.remove("desk")
    seated.sound.source.vanish()
    seated.state("one_moment")
    assert seated.view.page == "main"
    seated.journaled("device_lost")
    seated.sound.connected.append("desk")
    seated.state("idle")
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


def test_a_whole_take_is_not_said_to_be_cut(seated):
    seated.ask()
    assert seated.journaled("take_saved", 1).data["lost"] is False


def test_a_press_without_a_microphone_is_a_question_without_sound(seated):
    seated.sound.connected.clear()
    seated.sound.source.vanish()
    seated.state("one_moment")
    seated.press()
    seated.release()
    assert seated.journaled("take_cancelled", 1).data["reason"] == "no_sound"


# -- what is shown


def test_what_was_painted_is_told_once(seated):
    seated.station.painted("answer", 7, 2)
    seated.station.painted("answer", 7, 2)
    seated.station.painted("one_moment", 0, 1)
    seated.station.painted("one_moment", 0, 2)
    seated.until(lambda: seated.types().count("painted") == 3)
    seated.journaled("painted")
    assert [(entry.turn, entry.data["what"]) for entry in seated.entries if entry.type == "painted"] == [
        (2, "answer"), (1, "one_moment"), (2, "one_moment"),
    ]  # fmt: skip


def test_starting_over_wipes_what_was_shown_and_is_journaled(seated):
    seated.scenario()
    seated.query(2, 1)
    seated.answer(3, 1)
    seated.station.start_over()
    assert seated.shown.exchanges == ()
    seated.journaled("history_cleared")


def test_a_call_for_help_is_journaled(seated):
    seated.station.call_for_help()
    seated.journaled("help_called")


def test_a_typed_solution_is_journaled_with_its_task(seated):
    seated.scenario()
    seated.station.report_solution("  Ada ")
    assert seated.journaled("solution_reported").data == {"scenario_id": "s1", "value": "Ada", "how": "typed"}
    assert seated.solutions == ["Ada"]


def test_an_empty_solution_is_none(seated):
    seated.scenario()
    seated.station.report_solution("  ")
    assert seated.solutions == []


# -- audio on request


@pytest.mark.parametrize("length", [10, 64 * 1024, 1024 * 1024])
def test_audio_is_sent_in_pieces_as_it_is_wanted(seated, length):
    seated.ask(3.0)
    seated.journaled("take_saved", 1)
    whole = (seated.session / "audio" / "e00-01-001.wav").read_bytes()
    seated.tell(WantAudio, utterance_id="e00-01-001", offset=44, length=length)
    seated.until(lambda: sum(len(chunk.data) for chunk in seated.link.of(AudioChunk)) == min(length, len(whole) - 44))
    chunks = seated.link.of(AudioChunk)
    assert b"".join(chunk.data for chunk in chunks) == whole[44 : 44 + length]
    assert all(len(chunk.data) <= 64 * 1024 and chunk.total == len(whole) for chunk in chunks)


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


def test_speech_is_not_sent_unasked(seated):
    seated.ask()
    seated.journaled("take_saved", 1)
    assert seated.link.of(LiveSound) == []


def test_a_wish_for_audio_that_is_not_there_is_no_trouble(seated):
    seated.tell(WantAudio, utterance_id="e00-01-077", offset=0, length=10)
    seated.ask()
    seated.journaled("take_saved", 1)
    seated.tell(WantAudio, utterance_id="e00-01-001", offset=0, length=10)
    seated.until(lambda: seated.link.of(AudioChunk))


# -- the end


def finish(seated):
    seated.ask()
    sha = seated.journaled("take_saved", 1).data["sha256"]
    seated.answer(1, 1)
    seated.over(2)
    assert seated.view.page == "closing"
    return sha


def test_the_spool_is_removed_once_everything_is_safe_elsewhere(seated):
    sha = finish(seated)
    seated.station.on_acked(len(seated.entries))
    assert (seated.session / "audio" / "e00-01-001.wav").exists()
    seated.safe("e00-01-001", sha)
    seated.until(lambda: not seated.session.exists())
    assert seated.view.page == "closing"
    assert seated.station.hello().session_id == ""


def test_the_spool_of_a_session_stays_for_the_days_that_were_set(make_room):
    seated = make_room(keep_days=7)
    seated.settle_in()
    sha = finish(seated)
    seated.station.on_acked(len(seated.entries))
    seated.safe("e00-01-001", sha)
    seated.until((seated.session / "closed").exists)
    assert (seated.session / "audio" / "e00-01-001.wav").exists()


def test_a_station_at_work_in_a_session_says_that_it_leaves_it_for_no_other(seated):
    assert seated.station.hello().bound
    finish(seated)
    assert not seated.station.hello().bound


@pytest.mark.parametrize("wrong", ["acks", "sum"])
def test_the_spool_stays_open_while_anything_is_not_safe(seated, wrong):
    sha = finish(seated)
    seated.station.on_acked(len(seated.entries) - (wrong == "acks"))
    seated.safe("e00-01-001", "0" * 64 if wrong == "sum" else sha)
    # It lets a session go at once, and only then closes the folder.
    assert seated.station.hello().session_id == "e00-01"
    assert not (seated.session / "closed").exists()


def test_the_next_session_begins_with_its_own_microphone_test(seated):
    sha = finish(seated)
    seated.safe("e00-01-001", sha)
    seated.station.on_acked(len(seated.entries))
    seated.until(lambda: not seated.session.exists())
    seated.welcome(session_id="e00-02", microphone="desk")
    seated.page("mic_test")
    assert seated.station.hello().session_id == "e00-02"


# -- after a crash


@pytest.fixture
def after_crash(seated, make_room, tmp_path):
    """A second station on what the disk held when the first was killed."""

    def restart():
        copy = tmp_path / "after"
        shutil.copytree(seated.folder, copy)
        return make_room(copy)

    return restart


def test_a_killed_station_resumes_its_session(seated, after_crash):
    seated.ask()
    seated.journaled("take_saved", 1)
    again = after_crash()
    assert again.station.hello().session_id == "e00-01"
    assert again.station.hello().epoch == 2
    assert not again.station.hello().bound
    assert again.view.page == "waiting"
    again.welcome(journal_have=3)
    again.page("main")
    again.until(lambda: again.view.state == "one_moment" and again.station.microphone.ready)
    again.answer(1, 1)
    assert again.view.state == "idle"
    again.ask()
    assert again.journaled("take_saved", 2)


def test_a_take_cut_off_by_the_crash_is_mended_and_reported(seated, after_crash):
    seated.press()
    seated.hear(1.0)
    seated.until(lambda: list((seated.session / "audio").glob("*.part")))
    seated.journaled("key_down", 1)
    seated.until(lambda: next((seated.session / "audio").glob("*.part")).stat().st_size > 2 * 15000)
    again = after_crash()
    take = again.journaled("take_recovered", 1).data
    assert take["utterance_id"] == "e00-01-001"
    assert take["frames"] >= 15000
    assert (again.session / "audio" / "e00-01-001.wav").exists()


def test_a_take_whose_line_was_never_written_is_reported_after_the_crash(seated, make_room, tmp_path):
    seated.ask()
    take = seated.journaled("take_saved", 1).data
    copy = tmp_path / "cut"
    shutil.copytree(seated.folder, copy)
    journal = copy / seated.session.name / "subject.events.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b'{"seq"')])
    again = make_room(copy)
    assert again.journaled("take_recovered", 1).data["sha256"] == take["sha256"]


def test_a_press_of_which_nothing_was_kept_is_reported_after_the_crash(seated, make_room, tmp_path):
    seated.press()
    seated.journaled("key_down", 1)
    copy = tmp_path / "cut"
    shutil.copytree(seated.folder, copy, ignore=shutil.ignore_patterns("*.part"))
    again = make_room(copy)
    assert again.journaled("take_cancelled", 1).data["reason"] == "no_sound"


@pytest.mark.parametrize("kept", [b"", header(WavFormat(16000), 0)])
def test_a_take_cut_off_before_any_sound_came_is_no_take(seated, make_room, tmp_path, kept):
    seated.press()
    seated.journaled("key_down", 1)
    copy = tmp_path / "cut"
    shutil.copytree(seated.folder, copy, ignore=shutil.ignore_patterns("*.part"))
    (copy / seated.session.name / "audio" / "e00-01-001.wav.part").write_bytes(kept)
    again = make_room(copy)
    assert again.journaled("take_cancelled", 1).data["reason"] == "no_sound"
    assert "take_recovered" not in again.types()


def test_a_question_taken_back_is_not_brought_back_by_a_crash(seated, make_room, tmp_path):
    seated.press()
    seated.hear(1.0)
    part = seated.session / "audio" / "e00-01-001.wav.part"
    seated.until(part.exists)
    kept = part.read_bytes()
    seated.station.cancel()
    seated.journaled("take_cancelled", 1)
    seated.until(lambda: not part.exists())
    copy = tmp_path / "cut"
    shutil.copytree(seated.folder, copy)
    (copy / seated.session.name / "audio" / part.name).write_bytes(kept)
    again = make_room(copy)
    assert "take_recovered" not in again.types()
    assert not list((again.session / "audio").iterdir())


def test_recovery_done_twice_tells_nothing_twice(seated, make_room, tmp_path):
    seated.press()
    seated.hear(1.0)
    seated.until(lambda: list((seated.session / "audio").glob("*.part")))
    seated.until(lambda: next((seated.session / "audio").glob("*.part")).stat().st_size > 2 * 15000)
    first, second = tmp_path / "first", tmp_path / "second"
    shutil.copytree(seated.folder, first)
    again = make_room(first)
    again.journaled("take_recovered", 1)
    shutil.copytree(first, second)
    third = make_room(second)
    assert third.types().count("take_recovered") == 1
    assert third.types().count("epoch") == 3


def test_what_was_painted_before_the_crash_is_not_told_again(seated, after_crash):
    seated.station.painted("answer", 7, 1)
    seated.journaled("painted")
    again = after_crash()
    again.welcome(journal_have=1)
    again.page("main")
    again.station.painted("answer", 7, 1)
    again.station.painted("answer", 8, 1)
    again.until(lambda: again.types().count("painted") == 2)
    assert again.journaled("painted").data["id"] == 8


def test_what_the_subject_wiped_off_stays_wiped_off_after_a_crash(seated, after_crash):
    seated.scenario(1)
    seated.answer(2, 1)
    seated.station.painted("answer", 2, 1)
    seated.station.start_over()
    seated.journaled("history_cleared")
    again = after_crash()
    again.welcome(journal_have=1)
    again.page("main")
    again.scenario(1)
    again.answer(2, 1)
    assert again.shown.exchanges == ()
    again.answer(3, 2)
    assert [exchange.turn for exchange in again.shown.exchanges] == [2]


def test_an_old_session_left_in_the_spool_does_not_block_a_new_one(seated, after_crash):
    again = after_crash()
    again.station.on_refused(TurnedAway("session", ""))
    assert again.station.hello().session_id == ""
    again.welcome(session_id="e00-02", microphone="desk")
    again.page("mic_test")
    assert not (again.session / "closed").exists()


def test_a_session_that_was_closed_without_everything_is_left_for_the_next(seated):
    """The wizard closed it as it is: a recording that only this station has stays in its spool."""
    finish(seated)
    seated.station.on_refused(TurnedAway("session", ""))
    assert seated.station.hello() == Hello(wall_utc=NOW)
    assert seated.view.page == "closing"
    seated.welcome(session_id="e00-02", microphone="desk")
    seated.page("mic_test")
    assert (seated.session / "audio" / "e00-01-001.wav").exists() and not (seated.session / "closed").exists()


def test_a_session_begun_here_is_not_given_up_for_another(seated):
    seated.station.on_refused(TurnedAway("session", ""))
    assert seated.station.hello().session_id == "e00-01"
    assert seated.view.page == "stopped"
    seated.welcome(journal_have=1)
    seated.page("main")


def test_a_namesake_in_another_study_begins_afresh(seated, after_crash):
    """Its journal, forms and recordings are those of another person."""
    seated.ask()
    seated.journaled("take_saved", 1)
    again = after_crash()
    again.station.on_refused(TurnedAway("session", ""))
    again.welcome(identity=ELSEWHERE, microphone="desk")
    again.page("mic_test")
    there = again.folder / f"e00-01-{ELSEWHERE}"
    first = read_journal(there / "subject.events.jsonl").entries[0]
    assert first.data["identity"] == ELSEWHERE and first.data["session_id"] == "e00-01"
    assert list((there / "audio").iterdir()) == []
    assert again.station.hello().session == SessionName("e00-01", ELSEWHERE)


def test_a_namesake_follows_a_session_that_was_closed(make_room):
    room = make_room(keep_days=7)
    room.settle_in()
    sha = finish(room)
    room.safe("e00-01-001", sha)
    room.station.on_acked(len(room.entries))
    room.until((room.session / "closed").exists)
    room.welcome(identity=ELSEWHERE, microphone="desk")
    room.page("mic_test")


def test_the_folder_of_another_session_is_not_taken_for_this_one(seated, make_room, tmp_path):
    copy = tmp_path / "renamed"
    shutil.copytree(seated.session, copy / f"e00-01-{ELSEWHERE}")
    again = make_room(copy)
    assert again.station.hello() == Hello(wall_utc=NOW)
    again.welcome(identity=ELSEWHERE)
    again.page("stopped")
    assert [one.reason for one in again.link.of(Declined)] == ["unusable"]


def test_a_session_of_an_earlier_curtain_is_resumed(seated, make_room, tmp_path):
    copy = tmp_path / "old"
    with Journal(make_folder(copy / "e00-01") / "subject.events.jsonl", Clock()) as journal:
        journal.append(SubjectEpoch(number=1, app_version="0", pid=1, session_id="e00-01")).result()
    again = make_room(copy)
    assert again.station.hello().session == SessionName("e00-01") and again.station.hello().epoch == 2
    again.welcome(identity="", journal_have=1, microphone="desk")
    again.page("mic_test")


def make_folder(path):
    path.mkdir(parents=True)
    return path


def test_the_station_shows_the_secret_of_its_session_again_after_a_restart(seated, after_crash):
    assert seated.station.hello().secret == SECRET
    seated.journaled("epoch")
    assert after_crash().station.hello().secret == SECRET


def test_a_station_comes_back_to_a_session_that_was_set_aside(seated, after_crash):
    seated.ask()
    seated.journaled("take_saved", 1)
    again = after_crash()
    again.station.on_refused(TurnedAway("session", ""))

    def asked_again() -> bool:
        if not again.station.hello().secret:
            again.station.on_refused(TurnedAway("seat", "", SessionName("e00-01", IDENTITY)))
        return again.station.hello().secret == SECRET

    again.until(asked_again)
    again.welcome(journal_have=1)
    again.page("main")


def test_a_station_without_the_session_that_is_refused_says_so(room):
    room.station.on_refused(TurnedAway("seat", "", SessionName("e00-01", IDENTITY)))
    assert room.view.page == "stopped"
    room.tell(Waiting)
    assert room.view.page == "waiting"


@pytest.mark.parametrize("code", ["in_use", "seat"])
def test_a_booth_without_a_session_waits_calmly_while_another_one_has_its_session(room, code):
    room.station.takes_turns = True
    room.station.on_refused(TurnedAway(code, "", SessionName("e00-01", IDENTITY)))
    assert room.view.page == "waiting"


def test_a_spool_that_lost_lines_the_other_station_has_does_not_go_on(room):
    room.welcome(journal_have=99, microphone="desk")
    room.page("stopped")
    assert [(one.session_id, one.identity, one.reason) for one in room.link.of(Declined)] == [
        ("e00-01", IDENTITY, "behind")
    ]


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
    told = []
    room.station.refused.connect(told.append)
    room.welcome()
    room.until(lambda: room.station.microphone.readiness is Readiness.UNUSABLE)
    assert room.view.page == "mic_test"
    assert not room.view.talking_allowed
    assert isinstance(told[0], NoPortAudio)


def test_a_take_the_disk_refuses_is_kept_elsewhere_and_still_reported(seated):
    shutil.rmtree(seated.session / "audio")
    seated.ask()
    take = seated.journaled("take_saved", 1).data
    assert take["frames"] > 16000
    seated.tell(WantAudio, utterance_id="e00-01-001", offset=0, length=10**6)
    seated.until(lambda: seated.link.of(AudioChunk))
    assert hashlib.sha256(seated.link.of(AudioChunk)[0].data).hexdigest() == take["sha256"]
