"""The start page tells when the subject's station is at work in another session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curtain.link.messages import Hello
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from wizard_app.desk.session.plan import SessionPlan, missing, one_sentence, wrong
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact
from wizard_app.desk.session.scenarios import remaining, scenario_left
from wizard_app.desk.session.session_rows import SessionRow, hindrance_of
from wizard_app.desk.session.states import JournaledTie
from wizard_app.desk.turn.control import read_end_statement

OURS, THEIRS = "a" * 32, "b" * 32
BOUND = Hello(session_id="e01-01", identity=OURS, bound=True)


def row(closed: bool, identity: str = OURS, session_id: str = "e01-01") -> SessionRow:
    return SessionRow(session_id, closed, "2026-01-02", 4, identity=identity)


@pytest.mark.parametrize("hello", [None, Hello(), Hello(session_id="e01-01", identity=OURS)])
def test_a_station_that_is_bound_to_no_session_hinders_nothing(hello: Hello | None) -> None:
    assert hindrance_of(hello, [row(closed=False)]) == ""


@pytest.mark.parametrize("rows", [[], [row(False, THEIRS)], [row(False, OURS, "e02-01")]])
def test_a_station_of_another_study_is_reported_with_the_way_on(rows: list[SessionRow]) -> None:
    assert hindrance_of(BOUND, rows) == (
        "The subject’s station still belongs to session e01-01 of another study. "
        "End or resume it there first, or start the subject’s station again."
    )


@pytest.mark.parametrize("identity", [OURS, ""])
def test_a_station_of_an_open_session_of_this_study_is_told_to_be_resumed(identity: str) -> None:
    assert hindrance_of(BOUND, [row(False, identity)]) == (
        "The subject’s station still belongs to session e01-01. Resume it first, or start the subject’s station again."
    )


def test_a_session_that_was_closed_here_hinders_nothing() -> None:
    assert hindrance_of(BOUND, [row(closed=True)]) == ""


MS, S = 1_000_000, 1_000_000_000


@pytest.mark.parametrize(
    ("offset_ns", "seconds", "journaled"),
    [(0, 1, False), (1 * MS, 99, False), (2 * MS, 1, True), (-3 * MS, 1, True), (0, 100, True)],
)
def test_a_comparison_of_clocks_is_journaled_when_the_offset_moved_or_the_last_one_is_old(
    offset_ns, seconds, journaled
):
    assert JournaledTie(0, 5 * S).gives_way(offset_ns, (5 + seconds) * S) is journaled


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("End scenario. The answer is flight 1203.", "flight 1203"),
        ("end scenario the answer is Mary Graham", "Mary Graham"),
        ("End of the scenario, my answer is: 4,900", "4,900"),
        ("END SCENARIO", ""),
        ("End task. The solution is BOS", "BOS"),
        ("end scenario and the answer is U.S. Air", "U.S. Air"),
        ("End scenario. The answer is\nKühn, department 45.", "Kühn, department 45"),
    ],
)
def test_the_closing_formula_gives_the_answer(query: str, answer: str) -> None:
    found = read_end_statement(query)
    assert found is not None
    assert found.answer == answer


@pytest.mark.parametrize(
    "query",
    ["", "the answer is 5", "when does the scenario end", "who is at the end of the scenario hall", "weekend flights"],
)
def test_a_question_is_no_end_statement(query: str) -> None:
    assert read_end_statement(query) is None


def stated(scenario_id: str, value: str) -> SessionProgress:
    return SessionProgress(solutions=(subject.SolutionReported(scenario_id=scenario_id, value=value, how="typed"),))


def test_an_answer_that_was_typed_is_kept_when_the_wizard_moves_on() -> None:
    left = scenario_left(stated("fair", "Tokyo"), "fair", "next")
    assert left == wizard.ScenarioEnded(scenario_id="fair", reason="answered", answer="Tokyo", how="typed")


@pytest.mark.parametrize("progress", [SessionProgress(), stated("fair", " "), stated("another", "Tokyo")])
def test_without_an_answer_the_reason_is_that_the_wizard_moved_on(progress: SessionProgress) -> None:
    assert scenario_left(progress, "fair", "next") == wizard.ScenarioEnded(scenario_id="fair", reason="next")


def test_starting_over_is_reported_until_the_next_question() -> None:
    after = with_subject_fact(SessionProgress(), subject.HistoryCleared(), None, 0)
    assert after.started_over
    take = subject.TakeSaved(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0)
    later = with_subject_fact(after, take, 1, 1)
    assert not later.started_over
    assert later.turns[1].take == take


def test_what_remains_is_neither_ended_nor_running() -> None:
    opened = wizard.SessionOpened(
        session_id="e00-01", speaker_id="e00", wizard_ids=["mb"], domain="personnel", scenario_ids=["a", "b", "c", "d"]
    )
    ended = (wizard.ScenarioEnded(scenario_id="c", reason="next"),)
    running = wizard.ScenarioStarted(scenario_id="b", number=2, of=4)
    assert remaining(SessionProgress(opened=opened, scenario=running, scenarios_ended=ended)) == ["a", "d"]
    assert remaining(SessionProgress()) == []


WHOLE = SessionPlan("e00", "mb", ("a", "b"), "p", True, "C-1")


def test_a_whole_plan_misses_nothing() -> None:
    assert missing(WHOLE) == []
    assert one_sentence([]) == ""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"speaker_id": ""}, "speaker id"),
        ({"wizard_id": " "}, "wizard id"),
        ({"scenario_ids": (), "practice_id": None}, "scenario"),
        ({"consent": False}, "consent"),
        ({"consent_id": ""}, "consent id"),
    ],
)
def test_what_is_missing_is_named(change: dict[str, object], told: str) -> None:
    found = missing(replace(WHOLE, **change))  # type: ignore[arg-type]
    assert len(found) == 1
    assert told in found[0]


@pytest.mark.parametrize(
    ("speaker", "told"),
    [
        ("E00", "small letters: e00"),
        ("e0", "too short"),
        ("v" * 33, "has 33 characters; 32 at most"),
        ("e 00", "may only contain letters, digits"),
        ("-e00", "may only contain letters, digits"),
        ("vp12", ""),
        ("ÄÖÜ", ""),
        ("e00", ""),
    ],
)
def test_a_speaker_id_that_cannot_be_taken_says_what_is_wrong_with_it(speaker: str, told: str) -> None:
    plan = replace(WHOLE, speaker_id=speaker)
    assert missing(plan) == []
    assert told in wrong(plan)
    assert bool(wrong(plan)) is bool(told)


def test_a_trial_needs_no_consent() -> None:
    assert missing(replace(WHOLE, pilot=True, consent=False, consent_id="")) == []


def test_the_practice_scenario_comes_first_and_once() -> None:
    assert replace(WHOLE, scenario_ids=("a", "p", "b")).all_ids == ["p", "a", "b"]
