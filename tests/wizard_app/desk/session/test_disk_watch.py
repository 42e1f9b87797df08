"""Two disks, one warning: the shorter one counts, and an unknown one is no full one."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from curtain.link.events import TurnedAway
from curtain.link.messages import StationStatus
from curtain.session.events.subject_events import FormFilled, TakeSaved
from curtain.session.journal.lines import read_journal
from tests.wizard_app.room import CONTROL, PATIENCE_MS, SHIFT, Room
from wizard_app.desk.session import control
from wizard_app.desk.session.disk_watch import DiskSpace
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.quota import Allowance, most_bytes, refusal_of


@pytest.mark.parametrize(
    ("own", "subject", "hours"),
    [(None, None, None), (9.0, None, 9.0), (None, 0.0, 0.0), (9.0, 0.0, 0.0), (2.0, 5.0, 2.0)],
)
def test_the_shorter_disk_counts_and_an_unknown_one_does_not(
    own: float | None, subject: float | None, hours: float | None
) -> None:
    assert DiskSpace().with_wizard(own).with_subject(subject).hours == hours


def test_nothing_is_said_of_a_disk_that_nobody_has_looked_at() -> None:
    assert (DiskSpace().warning, DiskSpace().refusal) == ("", "")


def test_a_full_disk_is_reported_with_the_station_it_is_at() -> None:
    assert DiskSpace(wizard=9.0, subject=0.0).warning == "The subject’s disk is full. Make room now."
    assert DiskSpace(wizard=0.0, subject=9.0).warning == "This computer’s disk is full. Make room now."
    assert "nearly full: 30 minutes" in DiskSpace(wizard=0.5).warning
    assert "less than one hour" in DiskSpace(wizard=0.5).refusal
    assert DiskSpace(wizard=9.0, subject=9.0).warning == ""


def test_a_write_that_failed_at_the_subjects_is_told_whatever_the_hours_say() -> None:
    full = DiskSpace(wizard=9.0).with_subject(9.0, "full")
    assert full.warning.startswith("The subject’s disk is full. Make room now")
    assert DiskSpace().with_subject(None, "failing").warning.startswith("The subject’s disk fails")
    assert full.with_subject(9.0).warning == ""


# What the wizard is told of the subject's microphone.

FINE = StationStatus(microphone="Desk", microphone_ok=True, recording=False, level_dbfs=-20.0)


def watch(**changes: object) -> MicrophoneWatch:
    return MicrophoneWatch().after(msgspec.structs.replace(FINE, **changes))


@pytest.mark.parametrize("state", ["missing", "none", "unusable", "lost"])
def test_no_microphone_is_red_with_words(state: str) -> None:
    told = watch(microphone_ok=False, microphone_state=state)
    assert told.bad
    assert told.word not in ("", "mic")


@pytest.mark.parametrize("state", ["missing", "none", "unusable"])
def test_a_microphone_that_never_came_is_reported_in_a_sentence(state: str) -> None:
    assert watch(microphone_ok=False, microphone_state=state).trouble(SessionProgress()).startswith(("The ", "No "))


@pytest.mark.parametrize(
    ("test", "word", "bad", "doubtful"),
    [
        ("quiet", "mic test: too quiet", False, True),
        ("good", "mic test: good", False, False),
        ("loud", "mic test: too loud", False, True),
        ("silent", "mic test: no sound", True, False),
        ("", "mic", False, False),
    ],
)
def test_the_test_ends_in_a_plain_word(test: str, word: str, bad: bool, doubtful: bool) -> None:
    told = watch(test=test)
    assert (told.word, told.bad, told.doubtful) == (word, bad, doubtful)


def test_one_silent_report_may_cover_the_moment_before_the_key() -> None:
    silent = msgspec.structs.replace(FINE, recording=True, level_dbfs=-120.0)
    once = MicrophoneWatch().after(silent)
    assert once.trouble(SessionProgress()) == ""
    assert "no sound" in once.after(silent).trouble(SessionProgress())
    assert once.after(silent).after(FINE).trouble(SessionProgress()) == ""


def test_silence_between_questions_is_no_trouble() -> None:
    quiet = msgspec.structs.replace(FINE, level_dbfs=-120.0)
    assert MicrophoneWatch().after(quiet).after(quiet).trouble(SessionProgress()) == ""


def test_a_microphone_that_is_gone_comes_before_everything_else() -> None:
    silent = msgspec.structs.replace(FINE, recording=True, level_dbfs=-120.0)
    told = MicrophoneWatch().after(silent).after(silent).trouble(SessionProgress(microphone_lost="Desk"))
    assert "“Desk” is gone" in told


# What the subject's station may bring onto the wizard's disk.

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
    ("changes", "told"),
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
def test_a_recording_that_cannot_be_is_not_fetched(changes: dict[str, object], told: str) -> None:
    refusal = refusal_of("e00-01", 3, msgspec.structs.replace(TAKE, **changes))
    assert told in refusal and bool(told) == bool(refusal)


def test_a_file_is_at_most_as_long_as_its_frames_and_its_header() -> None:
    assert most_bytes(TAKE) == 44 + 16000 * 2 * 2


def test_an_announcement_without_end_is_reported_and_the_session_closes_as_it_is(qtbot: QtBot, room: Room) -> None:
    room.begin()
    room.subject.press()
    room.subject.fact(msgspec.structs.replace(TAKE, utterance_id="e00-01-001", frames=10**9), 1)
    told = room.window.findChild(QLabel, "problem_text")
    assert told is not None
    qtbot.waitUntil(lambda: "62,500 seconds; at most 120" in told.text(), timeout=PATIENCE_MS)
    room.key(Qt.Key.Key_E, CONTROL | SHIFT)
    room.press_in_dialog("end_session_confirmed")
    room.wait(state="closing")


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
    qtbot.waitUntil(lambda: [one.code for one in refusals][:1] == ["quota"], timeout=PATIENCE_MS)
    assert "has to wait" in room.window.problem.text
    assert room.subject.journal is not None
    copy, last = room.app.station.controllers.session.session.bundle.subject_journal, room.subject.journal.last_seq
    qtbot.waitUntil(lambda: read_journal(copy).last_seq == last, timeout=PATIENCE_MS)
    room.wait(link="up")
