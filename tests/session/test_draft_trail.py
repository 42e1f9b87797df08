"""The revision trail of a turn, and how far the drafts reached."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.table import Table
from curtain.session.events import wizard_events as w
from curtain.session.journal.lines import JournalEntry
from curtain.session.turns.coverage import Coverage, coverage_of
from curtain.session.turns.draft_trail import Trail, edits_between, trail_of
from curtain.session.turns.turns import Turn, fold
from curtain_drafts.desk.examples import AnsweredTurn, answered_in

ONE, TWO = "SELECT city FROM employee", "SELECT city FROM employee WHERE level = 7"
NO_TABLE = Table(headings=[], rows=[], numeric=[], total=0)


def shown(*drafts: str, **more: Any) -> w.DraftShown:
    return w.DraftShown(drafts=list(drafts), question="which cities", **more)


def taken(sql: str, place: int = 1, **more: Any) -> w.DraftTaken:
    return w.DraftTaken(sql=sql, place=place, **more)


def ran(sql: str, rows: int | None = 3, **more: Any) -> w.StatementRun:
    return w.StatementRun(sql=sql, rows=rows, ms=1, error=None if rows is not None else "No.", **more)


def sent(sql: str) -> w.AnswerSent:
    return w.AnswerSent(sql=sql, table=NO_TABLE, cas_min="(())")


MESSAGE = w.MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer")
SWAPPED = w.ChipChanged(kind="level", said="seven", was="7", to="8")


@pytest.mark.parametrize(
    ("facts", "way", "edits", "attempt"),
    [
        ([], None, None, None),
        ([shown(ONE), taken(ONE)], None, None, None),
        ([sent(ONE)], "by_hand", None, None),
        ([shown(TWO), ran(ONE), sent(ONE)], "by_hand", None, 1),
        ([shown(ONE), taken(ONE), ran(ONE), sent(ONE)], "unaided", 0, 1),
        ([shown(TWO, ONE), taken(ONE, 2), ran(f" {ONE} ;"), sent(ONE)], "unaided", 0, 1),
        ([shown(ONE), taken(ONE), ran(ONE), ran(TWO), sent(TWO)], "revised", 4, 2),
        ([shown(ONE), taken(ONE), ran(TWO, None), ran(ONE), ran(TWO), ran(ONE), sent(ONE)], "unaided", 0, 4),
        # Run once more for its result after a crash, and taken from an earlier turn.
        ([shown(ONE), taken(ONE), ran(TWO), ran(ONE), ran(ONE, again_of=1), sent(ONE)], "unaided", 0, 2),
        ([ran(TWO), ran(ONE, again_of=1), sent(ONE)], "by_hand", None, 2),
        ([shown(ONE, reworded=True), taken(ONE), ran(ONE), sent(ONE)], "revised", 0, 1),
        ([shown(ONE), taken(ONE), shown(TWO, reworded=True), sent(ONE)], "unaided", 0, None),
        ([shown(TWO), taken(TWO, chips=[SWAPPED]), ran(TWO), sent(TWO)], "revised", 0, 1),
        ([shown(ONE), taken(ONE), ran(ONE), shown(TWO), taken(TWO), ran(TWO), sent(TWO)], "unaided", 0, 2),
        ([shown(ONE), taken(ONE), ran(ONE), MESSAGE], None, None, None),
        ([shown(ONE), taken(ONE), sent(ONE), w.Corrected(of_seq=3), ran(TWO), sent(TWO)], "revised", 4, 1),
        ([sent(ONE), w.Corrected(of_seq=1), shown(TWO), taken(TWO), ran(TWO), sent(TWO)], "revised", 0, 1),
        ([shown(ONE), taken(ONE), sent(ONE), w.Corrected(of_seq=3), MESSAGE], None, None, None),
        ([sent(ONE), shown(TWO), taken(TWO)], "by_hand", None, None),
        ([w.DraftShown(drafts=[ONE]), w.DraftTaken(sql=ONE), sent(ONE)], "unaided", 0, None),
    ],
)
def test_how_an_answer_came_about(
    facts: Sequence[object], way: str | None, edits: int | None, attempt: int | None
) -> None:
    trail = trail_of(facts)
    assert (trail.way, trail.edits, trail.attempt) == (way, edits, attempt)


def test_the_trail_names_the_list_from_which_the_draft_was_taken() -> None:
    first = shown(TWO, ONE, confidences=[0.9, 0.4], drafters=["curtain", "chat"])
    chosen = taken(ONE, 2, drafter="chat", confidence=0.4, chips=[SWAPPED])
    trail = trail_of([shown(TWO), first, chosen, ran(ONE), shown(ONE), sent(ONE)])
    assert json.loads(msgspec.json.encode(trail)) == {
        "shown": [
            {"sql": TWO, "confidence": 0.9, "drafter": "curtain"},
            {"sql": ONE, "confidence": 0.4, "drafter": "chat"},
        ],
        "lists": 3,
        "question": "which cities",
        "reworded": False,
        "taken": {
            "sql": ONE,
            "place": 2,
            "drafter": "chat",
            "confidence": 0.4,
            "chips": [{"kind": "level", "said": "seven", "was": "7", "to": "8"}],
        },
        "edits": 0,
        "attempt": 1,
        "way": "revised",
        "times_taken": 1,
    }


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        ("SELECT 1", "SELECT 1", 0),
        ("SELECT 1", "  SELECT\n 1 ;", 0),
        ("SELECT 1", "SELECT 2", 1),
        ("SELECT city FROM employee", "SELECT last_name, city FROM employee", 2),
        ("... WHERE city = 'BOSTON'", "... WHERE city = 'NEW YORK'", 1),
        ("", "SELECT 1", 2),
    ],
)
def test_edits_are_counted_in_words_and_signs(before: str, after: str, edits: int) -> None:
    assert edits_between(before, after) == edits_between(after, before) == edits


words = st.lists(st.sampled_from(["a", "b", "=", "'x y'", "employee.city"]), max_size=6).map(" ".join)


@given(words, words, words)
def test_edits_are_a_distance(one: str, two: str, three: str) -> None:
    assert (edits_between(one, two) == 0) == (one == two)
    assert edits_between(one, three) <= edits_between(one, two) + edits_between(two, three)


def turns_of(*many: Sequence[w.WizardFact], practice: bool = False, query: str = "which cities") -> list[Turn]:
    facts: list[tuple[int | None, w.WizardFact]] = [
        (None, w.SessionOpened(session_id="e00-01", speaker_id="e00", wizard_ids=["w"], scenario_ids=["s"])),
        (None, w.ScenarioStarted(scenario_id="s", number=1, of=1, practice=practice)),
    ]
    for number, turn in enumerate(many, start=1):
        facts += [(number, w.QuerySent(text=f"{query} {number}")), *((number, fact) for fact in turn)]
    return fold([], [entry(number, turn, fact) for number, (turn, fact) in enumerate(facts, start=1)])


def entry(seq: int, turn: int | None, fact: w.WizardFact) -> JournalEntry:
    data = msgspec.to_builtins(fact)
    return JournalEntry(seq, turn, seq * 1_000_000, "2026-03-01T09:30:00.000Z", data.pop("type"), data)


UNAIDED = [shown(ONE, TWO), taken(ONE), ran(ONE), sent(ONE)]
SECOND = [shown(TWO, ONE), taken(ONE, 2), ran(ONE), sent(ONE)]
REVISED = [shown(ONE), taken(ONE), ran(TWO), sent(TWO)]
BY_HAND = [shown(ONE), ran(TWO), sent(TWO)]


def test_coverage_counts_the_turns_that_were_answered_from_the_database() -> None:
    found = coverage_of(turns_of(UNAIDED, SECOND, REVISED, BY_HAND, [shown(ONE), MESSAGE], [shown(ONE)]))
    assert found == Coverage(unaided=2, revised=1, by_hand=1, drafted=4, unable=1)
    assert found.sentence() == (
        "Requests within scope: 5. Answered by a draft as it stood: 2 (40 %); also counting revised drafts: 3 (60 %). "
        "SQL written by hand: 1; without an answer: 1. This counts what was sent; whether it was right, nobody has "
        "judged."
    )


def test_a_request_beyond_scope_does_not_count() -> None:
    beyond = w.MessageSent(message_id="not_a_query", blanks={}, text="No", counts_as="no_answer")
    found = coverage_of(turns_of(UNAIDED, [MESSAGE], [beyond], [shown(ONE)]))
    assert (found.in_scope, found.answered, found.unaided) == (2, 1, 1)
    assert coverage_of(turns_of([beyond])).sentence() == ""


@pytest.mark.parametrize(
    "turns", [[], turns_of([sent(ONE)]), turns_of([shown(ONE), MESSAGE]), turns_of(UNAIDED, practice=True)]
)
def test_where_drafts_had_no_part_nothing_is_said_of_them(turns: list[Turn]) -> None:
    assert coverage_of(turns).sentence() == ""


def test_the_turns_of_a_session_tell_their_trail() -> None:
    (turn,) = turns_of(REVISED)
    printed = json.loads(json.dumps(turn.as_json()))["drafts"]
    assert (printed["way"], printed["edits"], printed["attempt"]) == ("revised", 4, 1)
    (bare,) = turns_of([sent(ONE)])
    assert bare.drafts == Trail(way="by_hand")


def test_a_journal_written_before_drafts_were_logged_in_full_can_be_read() -> None:
    old = JournalEntry(1, 1, 0, "2026-03-01T09:30:00.000Z", "draft_shown", {"drafts": [ONE]})
    assert w.read(old) == w.DraftShown(drafts=[ONE])
    old = JournalEntry(2, 1, 0, "2026-03-01T09:30:00.000Z", "draft_taken", {"sql": ONE})
    assert w.read(old) == w.DraftTaken(sql=ONE)


def test_answered_turns_are_learnt_with_those_before_them_and_with_their_corrections() -> None:
    corrected = [sent(ONE), w.Corrected(of_seq=1), sent(TWO)]
    spoilt = [sent(ONE), w.Corrected(of_seq=1), MESSAGE]
    found = answered_in(turns_of([sent(ONE)], [MESSAGE], corrected, spoilt, [sent("SELECT 3")]))
    assert found == [
        AnsweredTurn("e00-01-001", "which cities 1", ONE, (), "s"),
        AnsweredTurn("e00-01-003", "which cities 3", TWO, (("which cities 1", ONE),), "s"),
        AnsweredTurn(
            "e00-01-005", "which cities 5", "SELECT 3", (("which cities 1", ONE), ("which cities 3", TWO)), "s"
        ),
    ]


def test_practice_is_not_learnt_from() -> None:
    assert answered_in(turns_of([sent(ONE)], practice=True)) == []
