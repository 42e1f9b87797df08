"""The subject's station after a crash, and what becomes of sessions that the wizard's station refuses."""

import shutil

import pytest

from curtain.audio.wav import WavFormat, header
from curtain.base.clock import Clock
from curtain.link.events import TurnedAway
from curtain.link.messages import Declined, Hello, SessionName, Waiting
from curtain.session.events.subject_events import SubjectEpoch
from curtain.session.journal.journal import Journal
from curtain.session.journal.lines import read_journal
from tests.subject_app.conftest import ELSEWHERE, IDENTITY, NOW, SECRET


@pytest.fixture
def after_crash(seated, make_room, tmp_path):
    """A second station on what the disk held when the first was killed."""

    return lambda: make_room(seated.left(tmp_path / "after"))


def test_a_killed_station_resumes_its_session(seated, after_crash):
    seated.said(1)
    again = after_crash()
    assert again.station.hello().session_id == "e00-01"
    assert again.station.hello().epoch == 2
    assert again.station.hello().secret == seated.station.hello().secret == SECRET
    assert not again.station.hello().bound
    assert again.view.page == "waiting"
    again.welcome(journal_have=3)
    again.page("main")
    again.until(lambda: again.view.state == "one_moment" and again.station.microphone.ready)
    again.answer(1, 1)
    assert again.view.state == "idle"
    again.said(2)


def test_a_take_cut_off_by_the_crash_is_mended_and_reported_once(seated, after_crash, make_room, tmp_path):
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
    third = make_room(again.left(tmp_path / "second"))
    assert (third.types().count("take_recovered"), third.types().count("epoch")) == (1, 3)


def test_a_take_whose_line_was_never_written_is_reported_after_the_crash(seated, make_room, tmp_path):
    take = seated.said(1)
    copy = seated.left(tmp_path / "cut")
    journal = copy / seated.session.name / "subject.events.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b'{"seq"')])
    again = make_room(copy)
    assert again.journaled("take_recovered", 1).data["sha256"] == take["sha256"]


@pytest.mark.parametrize("kept", [None, b"", header(WavFormat(16000), 0)])
def test_a_press_of_which_no_sound_was_kept_is_no_take(seated, make_room, tmp_path, kept):
    seated.press()
    seated.journaled("key_down", 1)
    copy = seated.left(tmp_path / "cut", ignore=shutil.ignore_patterns("*.part"))
    if kept is not None:
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
    seated.station.acts.cancel()
    seated.journaled("take_cancelled", 1)
    seated.until(lambda: not part.exists())
    copy = seated.left(tmp_path / "cut")
    (copy / seated.session.name / "audio" / part.name).write_bytes(kept)
    again = make_room(copy)
    assert "take_recovered" not in again.types()
    assert not list((again.session / "audio").iterdir())


def test_what_was_painted_before_the_crash_is_not_told_again(seated, after_crash):
    seated.station.acts.painted("answer", 7, 1)
    seated.journaled("painted")
    again = after_crash()
    again.welcome(journal_have=1)
    again.page("main")
    again.station.acts.painted("answer", 7, 1)
    again.station.acts.painted("answer", 8, 1)
    again.until(lambda: again.types().count("painted") == 2)
    assert again.journaled("painted").data["id"] == 8


def test_what_the_subject_wiped_off_stays_wiped_off_after_a_crash(seated, after_crash):
    seated.scenario(1)
    seated.answer(2, 1)
    seated.station.acts.painted("answer", 2, 1)
    seated.station.acts.start_over()
    seated.journaled("history_cleared")
    again = after_crash()
    again.welcome(journal_have=1)
    again.page("main")
    again.scenario(1)
    again.answer(2, 1)
    assert again.shown.exchanges == ()
    again.answer(3, 2)
    assert [exchange.turn for exchange in again.shown.exchanges] == [2]


def test_a_session_that_was_closed_without_everything_is_left_for_the_next(seated):
    """The wizard closed it as it is: a recording that only this station has stays in its spool."""
    seated.finish()
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
    seated.said(1)
    again = after_crash()
    again.station.on_refused(TurnedAway("session", ""))
    again.welcome(identity=ELSEWHERE, microphone="desk")
    again.page("mic_test")
    there = again.folder / f"e00-01-{ELSEWHERE}"
    first = read_journal(there / "subject.events.jsonl").entries[0]
    assert first.data["identity"] == ELSEWHERE and first.data["session_id"] == "e00-01"
    assert list((there / "audio").iterdir()) == []
    assert again.station.hello().session == SessionName("e00-01", ELSEWHERE)


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


def test_a_station_comes_back_to_a_session_that_was_set_aside(seated, after_crash):
    seated.said(1)
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
