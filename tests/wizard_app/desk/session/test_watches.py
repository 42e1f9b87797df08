"""What the wizard reads of the subject's microphone and of two disks: the shorter counts, an unknown one not at all."""

import msgspec
import pytest

from curtain.link.messages import StationStatus
from wizard_app.desk.session.disk_watch import DiskSpace
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.desk.session.progress import SessionProgress

FINE = StationStatus(microphone="Desk", microphone_ok=True, recording=False, level_dbfs=-20.0)


def watch(**changes: object) -> MicrophoneWatch:
    return MicrophoneWatch().after(msgspec.structs.replace(FINE, **changes))


@pytest.mark.parametrize("state", ["missing", "none", "unusable", "lost"])
def test_no_microphone_is_red_with_words_and_one_that_never_came_is_reported_in_a_sentence(state: str) -> None:
    shown = watch(microphone_ok=False, microphone_state=state)
    assert shown.bad and shown.word not in ("", "mic")
    sentence = shown.problem(SessionProgress())
    assert state == "lost" or sentence.startswith(("The ", "No "))
    # Where none can be chosen, what to look at and what to start instead.
    assert state in ("missing", "lost") or ("“curtain check”" in sentence and 'input = "both"' in sentence)


@pytest.mark.parametrize(
    ("test", "word", "bad", "doubtful"),
    [
        ("quiet", "mic test: too quiet", False, True), ("good", "mic test: good", False, False),
        ("loud", "mic test: too loud", False, True), ("silent", "mic test: no sound", True, False),
        ("", "mic", False, False),
    ],
)  # fmt: skip
def test_the_test_ends_in_a_plain_word(test: str, word: str, bad: bool, doubtful: bool) -> None:
    shown = watch(test=test)
    assert (shown.word, shown.bad, shown.doubtful) == (word, bad, doubtful)


def test_one_silent_report_may_cover_the_moment_before_the_key() -> None:
    silent = msgspec.structs.replace(FINE, recording=True, level_dbfs=-120.0)
    once = MicrophoneWatch().after(silent)
    assert once.problem(SessionProgress()) == ""
    assert "no sound" in once.after(silent).problem(SessionProgress())
    assert once.after(silent).after(FINE).problem(SessionProgress()) == ""


def test_silence_between_questions_is_no_problem() -> None:
    quiet = msgspec.structs.replace(FINE, level_dbfs=-120.0)
    assert MicrophoneWatch().after(quiet).after(quiet).problem(SessionProgress()) == ""


def test_a_microphone_that_is_gone_comes_before_everything_else() -> None:
    silent = msgspec.structs.replace(FINE, recording=True, level_dbfs=-120.0)
    shown = MicrophoneWatch().after(silent).after(silent).problem(SessionProgress(microphone_lost="Desk"))
    assert "“Desk” is gone" in shown


@pytest.mark.parametrize(
    ("own", "subject", "hours"),
    [(None, None, None), (9.0, None, 9.0), (None, 0.0, 0.0), (9.0, 0.0, 0.0), (2.0, 5.0, 2.0)],
)
def test_the_shorter_disk_counts_and_an_unknown_one_does_not(
    own: float | None, subject: float | None, hours: float | None
) -> None:
    assert DiskSpace(own, subject).hours == hours


@pytest.mark.parametrize(
    ("space", "warning"),
    [
        (DiskSpace(), ""),
        (DiskSpace(9.0, 9.0), ""),
        (DiskSpace(9.0, 0.0), "The subject’s disk is full. Make room now."),
        (DiskSpace(0.0, 9.0), "This computer’s disk is full. Make room now."),
        (DiskSpace(0.5), "nearly full: 30 minutes"),
        # A write that failed counts, whatever the hours say.
        (DiskSpace(9.0, 9.0, "full"), "The subject’s disk is full. Make room now"),
        (DiskSpace(subject_problem="failing"), "The subject’s disk fails"),
    ],
)
def test_a_full_disk_is_reported_with_the_station_it_is_at(space: DiskSpace, warning: str) -> None:
    assert warning in space.warning and bool(warning) == bool(space.warning)


def test_a_session_is_refused_where_less_than_an_hour_fits() -> None:
    assert DiskSpace().refusal == "" and "less than one hour" in DiskSpace(wizard=0.5).refusal
