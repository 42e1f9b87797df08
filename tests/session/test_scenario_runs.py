"""When scenarios began and ended, what the subject stated and when; queries an hour, and how long it waited."""

import pytest

from curtain.session.events import subject_events as s
from curtain.session.events import wizard_events as w
from curtain.session.turns.pace import Pace, pace_of, shared_work_of
from curtain.session.turns.scenario_runs import ScenarioRun, run_at, scenario_runs
from curtain.session.turns.turns import Turn, fold
from tests.session.test_turns import Line, answer, journal, message, opened, spoken, started

TIED: Line = (5, w.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=0), None)


def ended(at: int, reason: str, answer: str | None = None, how: str | None = None, name: str = "s1") -> Line:
    return (at, w.ScenarioEnded(scenario_id=name, reason=reason, answer=answer, how=how), None)  # type: ignore[arg-type]


def reported(at: int, value: str, name: str = "s1") -> Line:
    return (at, s.SolutionReported(scenario_id=name, value=value, how="typed"), None)


def runs(of_subject: list[Line], of_wizard: list[Line]) -> tuple[ScenarioRun, ...]:
    return scenario_runs(journal([started(), *of_subject]), journal([*opened(), TIED, *of_wizard]))


def test_a_typed_answer_was_found_when_the_subject_reported_it() -> None:
    of_subject = [*spoken(1, 1000, 3000), reported(9000, "51"), reported(20_000, "52")]
    (run,) = runs(of_subject, [ended(26_000, "answered", "52", "typed")])
    assert run == ScenarioRun("s1", 10, 26_000, "answered", "52", "typed", 20_000)
    assert not run.given_up


def test_a_spoken_answer_was_found_when_the_key_came_up() -> None:
    of_subject = [*spoken(1, 1000, 3000), *spoken(2, 30_000, 33_000), *spoken(3, 50_000, 51_000)]
    (run,) = runs(of_subject, [ended(41_000, "answered", "flight 12", "spoken")])
    assert (run.answer, run.how, run.answered_ms) == ("flight 12", "spoken", 33_000)


def test_a_scenario_that_was_given_up_has_an_end_and_no_answer() -> None:
    (run,) = runs([], [ended(70_000, "given_up")])
    assert run == ScenarioRun("s1", 10, 70_000, "given_up") and run.given_up


def test_an_open_scenario_has_the_answer_that_was_stated_so_far() -> None:
    (run,) = runs([reported(8000, "51")], [])
    assert (run.ended_ms, run.reason, run.answer, run.answered_ms) == (None, None, "51", 8000)


def test_an_answer_to_a_scenario_without_a_start_is_kept() -> None:
    assert runs([reported(8000, "7", "other")], [])[1] == ScenarioRun("other", None, None, None, "7", "typed", 8000)


@pytest.mark.parametrize(("at", "began"), [(5, 10), (500, 10), (4000, 3000)])
def test_a_scenario_that_was_begun_again_is_another_run(at: int, began: int) -> None:
    again = [ended(2000, "next"), (3000, w.ScenarioStarted(scenario_id="s1", number=1, of=2), None)]
    both = runs([reported(3500, "9")], [*again, ended(5000, "answered", "9", "typed")])
    assert [(run.started_ms, run.answered_ms) for run in both] == [(10, None), (3000, 3500)]
    found = run_at(both, "s1", at)
    assert found is not None and found.started_ms == began


def test_turns_tell_their_scenario() -> None:
    of_subject = [started(), *spoken(1, 1000, 3000), reported(20_000, "52")]
    of_wizard = [*opened(), TIED, ended(26_000, "answered", "52", "typed")]
    (turn,) = fold(journal(of_subject), journal(of_wizard))
    assert turn.as_json()["scenario"] == {
        "started_ms": 10, "ended_ms": 26_000, "reason": "answered", "answer": "52", "how": "typed",
        "answered_ms": 20_000, "given_up": False, "condition_id": None, "solution": None, "solution_from": None,
    }  # fmt: skip


def test_starting_over_belongs_to_the_scenario_in_which_it_was_done() -> None:
    second = (6000, w.ScenarioStarted(scenario_id="s2", number=2, of=2), None)
    cleared: Line = (5000, s.HistoryCleared(), None)
    shown: Line = (6010, s.Painted(what="scenario", id=5), None)
    of_subject = [*spoken(1, 1000, 3000), cleared, shown, *spoken(2, 7000, 8000)]
    both = runs(of_subject, [ended(5500, "next"), second])
    assert [(run.scenario_id, run.clears) for run in both] == [("s1", 1), ("s2", 0)]
    turns = fold(journal([started(), *of_subject]), journal([*opened(), TIED, ended(5500, "next"), second]))
    assert [turn.history_cleared for turn in turns] == [False, False]


def session(waits: list[tuple[int, int]], practice: bool = False, people: tuple[str, str] | None = None) -> list[Turn]:
    """One turn every minute; (wait for the query, wait for the answer) in ms after the key came up. `people`: who sends
    queries and who sends answers."""
    of_subject, of_wizard = [started()], [*opened(), TIED]
    if practice:
        of_wizard.append((20, w.ScenarioStarted(scenario_id="p", number=0, of=2, practice=True), None))
    for turn, (query, reply) in enumerate(waits, 1):
        down = 60_000 * turn
        of_subject += spoken(turn, down, down + 2000)
        facts: list[w.WizardFact] = [w.QuerySent(text="a"), answer()]
        facts = [w.named(fact, who) for fact, who in zip(facts, people, strict=True)] if people else facts
        of_wizard += [(down + 2000 + wait, fact, turn) for wait, fact in zip((query, reply), facts, strict=True)]
    return fold(journal(of_subject), journal(of_wizard))


def test_a_session_tells_its_pace_and_its_waits() -> None:
    found = pace_of(session([(3000, 8000), (4000, 20_000), (5000, 58_000)]))
    assert (found.queries, found.span_ms, found.per_hour) == (3, 180_000, 60.0)
    assert found.to_query_ms == (3000, 4000, 5000) and found.to_reply_ms == (8000, 20_000, 58_000)
    assert found.sentence() == (
        "Queries: 3. Queries an hour: 60. From the end of speech to the query: 4.0 s at the median. "
        "To the reply: 20.0 s at the median, up to 58.0 s for nine in ten."
    )


def test_the_wait_ends_with_the_first_reply_and_not_with_its_correction() -> None:
    of_subject = [started(), *spoken(1, 1000, 3000)]
    replies: list[Line] = [(9000, answer(), 1), (50_000, w.Corrected(of_seq=5), 1), (60_000, message(), 1)]
    (turn,) = fold(journal(of_subject), journal([*opened(), TIED, *replies]))
    assert pace_of([turn]).to_reply_ms == (6000,)


def test_practice_has_no_pace_and_one_short_session_no_rate() -> None:
    assert pace_of(session([(3000, 8000)], practice=True)) == Pace()
    assert Pace().sentence() == ""
    assert pace_of(session([(3000, 8000)])).per_hour is None


def test_two_people_are_told_how_many_turns_an_hour_they_did_and_who_did_what() -> None:
    shared = session([(3000, 8000), (4000, 28_000)], people=("tess", "ann"))
    assert shared_work_of(shared) == "2 turns in 90 s, 80 an hour. Queries by tess (2); replies by ann (2)."
    assert shared_work_of(session([(3000, 8000)], people=("kim", "kim"))) == ""
    assert shared_work_of(session([(3000, 8000)])) == ""
    assert shared_work_of([]) == ""
