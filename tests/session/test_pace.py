"""Queries an hour, and how long the subject waited."""

from curtain.session.events import wizard_events as w
from curtain.session.turns.pace import Pace, pace_of, shared_work_of
from curtain.session.turns.turns import Turn, fold
from tests.session.test_turns import Line, answer, journal, message, opened, spoken, started

TIED: Line = (5, w.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=0), None)


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
