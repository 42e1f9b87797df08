"""What the window proposes follows from the study's state alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from curtain.commands.sessions.facts import SessionFacts, StudyFacts
from curtain_home.control.next_step import next_deed
from curtain_home.panels.keys import KEYS

SOUND = SessionFacts("e00-01", Path("e00-01"), closed=True, turns=9, annotated=9, soundness="sound",
                     is_read=True)  # fmt: skip
OTHER = replace(SOUND, session_id="e01-01")
TRIAL = replace(SOUND, session_id="p00-01", pilot=True, soundness="unknown", annotated=0)


def study(*sessions: SessionFacts, **more: object) -> StudyFacts:
    return StudyFacts(Path("my-study"), "personnel", sessions, **more)  # type: ignore[arg-type]


CASES = [
    ("no study", None, "new_study", "Make a study"),
    ("study.toml is wrong", StudyFacts(Path("x"), problem="Line 2 is wrong."), "refresh", "Line 2 is wrong. Correct"),
    ("an empty study", study(), "trial_session", "Run a trial session"),
    ("trials alone", study(TRIAL), "both_stations", "only trial sessions"),
    ("a trial without a question", study(replace(TRIAL, turns=0)), "trial_session", "No trial session so far"),
    ("a computer without a microphone", study(voiceless="No microphone."), "settings", "No microphone."),
    ("there, a trial without a question is not begun again in the same way",
     study(replace(TRIAL, turns=0), voiceless="No microphone."), "settings", "No trial session so far goes beyond"),
    ("there, trials alone", study(TRIAL, voiceless="No microphone."), "settings", "No microphone."),
    ("a session that was not ended", study(SOUND, replace(OTHER, closed=False)), "both_stations", "e01-01 was not"),
    ("a session that cannot be read", study(replace(SOUND, problem="No.")), "verify", "e00-01 cannot be read"),
    ("damage comes before all else", study(replace(OTHER, closed=False), replace(SOUND, soundness="damaged")),
     "both_stations", "e01-01 was not ended"),
    ("a damaged session", study(OTHER, replace(SOUND, soundness="damaged")), "repair", "e00-01 is damaged"),
    ("sessions past their last day", study(SOUND, due=("e00-01",)), "retention", "kept no longer: e00-01."),
    ("four of them", study(SOUND, due=("a", "b", "c", "d")), "retention", "a, b, c, …."),
    ("a closed session", study(replace(SOUND, soundness="unknown")), "verify", "e00-01 is closed. Verify"),
    ("two of them", study(replace(SOUND, soundness="unknown"), replace(OTHER, soundness="unknown")), "verify",
     "Still to verify after it: 1 session."),
    ("turns without annotation", study(replace(SOUND, annotated=4)), "annotate", "5 turns of 9"),
    ("sessions that are not read yet", study(SOUND, replace(OTHER, is_read=False)), "", "are being read"),
    ("one turn without annotation", study(replace(SOUND, annotated=8)), "annotate", "1 turn of 9"),
    ("everything annotated", study(SOUND), "export", "One session is in no export"),
    ("two new sessions", study(SOUND, OTHER), "export", "2 sessions are in no export"),
    ("everything exported", study(SOUND, exported=frozenset({"e00-01"})), "both_stations", "annotated and exported"),
    ("a session without a consent form is in no export, so none is proposed",
     study(SOUND, replace(OTHER, barred="no consent"), exported=frozenset({"e00-01"})), "more_actions",
     "leave out 1 session without a consent form, first e01-01"),
    ("a withdrawn consent comes before an export, and waits for no annotator",
     study(SOUND, replace(OTHER, barred="withdrawn", annotated=0)), "more_actions", "session e01-01 was withdrawn"),
    ("so does a session whose subject does not know who answered", study(SOUND, replace(OTHER, barred="undisclosed")),
     "more_actions", "Nobody has disclosed to the subject of session e01-01 who answered"),
    ("a session in which nobody said anything is in no export",
     study(SOUND, replace(OTHER, turns=0, annotated=0), exported=frozenset({"e00-01"})), "both_stations",
     "annotated and exported"),
    ("a trial is never exported, and nobody waits for it", study(SOUND, TRIAL, exported=frozenset({"e00-01"})),
     "both_stations", "annotated and exported"),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "action", "words"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_next_step_follows_from_the_state(facts: StudyFacts | None, action: str, words: str) -> None:
    deed = next_deed(facts)
    assert deed.action == action
    assert words in deed.sentence


@pytest.mark.parametrize("facts", [case[1] for case in CASES if case[1] is not None and not case[1].problem])
def test_while_a_station_runs_nothing_else_is_proposed(facts: StudyFacts) -> None:
    assert next_deed(facts, stations=["wizard"]).action == ""


def test_a_session_that_the_wizard_left_is_resumed_without_a_second_subjects_station() -> None:
    left = study(replace(OTHER, closed=False))
    assert next_deed(left, stations=["subject"]).action == "wizard_station"
    assert next_deed(left, stations=["subject", "wizard"]).action == ""
    assert next_deed(study(SOUND), stations=["subject"]).action == ""


def test_every_proposal_is_an_action_with_a_key_and_a_sentence() -> None:
    for _, facts, _, _ in CASES:
        deed = next_deed(facts)
        assert deed.action in KEYS.bound or "being read" in deed.sentence
        assert deed.sentence.endswith(".")
        assert max(len(sentence.split()) for sentence in deed.sentence.split(".")) <= 25


def test_what_is_proposed_of_a_session_names_it() -> None:
    assert next_deed(study(SOUND, replace(OTHER, soundness="damaged"))).session_id == "e01-01"
