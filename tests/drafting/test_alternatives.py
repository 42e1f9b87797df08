"""“Or” between conditions of different columns."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.sql.alternatives import ValueAlternatives, alternatives_in, asks_for_either
from curtain.drafting.values import Request
from tests.drafting.answers import answer


@pytest.mark.parametrize(
    ("question", "pairs"),
    [
        ("ferries to skye or from iona", [(0, 1)]),
        ("ferries to skye or from skye", [(0, 1)]),
        ("red line ferries or ferries to skye", [(0, 1)]),
        ("ferries to skye or on friday", [(0, 1)]),
        ("ferries on friday or under 20 pounds to skye", [(0, 1)]),
        # One breath, one number, no choice at all.
        ("ferries of red line or blue line", []),
        ("ferries with 2 or more stops to skye", []),
        ("ferries with less than 2 stops or above 20 pounds", [(0, 1)]),
        ("ferries to skye on friday", []),
        ("ferries to skye that leave before or around noon", []),
        # Which belong together is not said.
        ("ferries to skye on friday or to mull on monday", []),
    ],
)
def test_which_values_are_alternatives(drafter: LocalDrafter, question: str, pairs: list[tuple[int, int]]) -> None:
    assert list(alternatives_in(drafter._recogniser.read(question)).pairs) == pairs


def test_an_arm_that_is_no_value_makes_no_pair(drafter: LocalDrafter) -> None:
    reading = drafter._recogniser.read("red line or nonstop ferries to skye")
    nonstop = {("or", "nonstop"): ["ferry.stops = 0"]}
    assert alternatives_in(reading).pairs == [(0, 1)]
    assert alternatives_in(reading, lambda words: nonstop.get(tuple(words[:2]), [])).pairs == []
    # That a table is there compares nothing.
    assert alternatives_in(reading, lambda words: ["ferry.stop."]).pairs == [(0, 1)]


@pytest.mark.parametrize(
    ("words", "either"),
    [
        ("to skye or from mull", True),
        ("managers or employees", True),
        ("20 or more", False),
        ("less than or equal to 20", False),
        ("in legal or not", False),
        ("an hour or so", False),
        ("or on friday", False),
        ("to skye", False),
    ],
)
def test_what_leaves_a_choice_in_words(words: str, either: bool) -> None:
    assert asks_for_either(words.split()) is either


@pytest.mark.parametrize(
    ("sql", "choice"),
    [
        ("SELECT 1 FROM a WHERE b = 1 OR c = 2", True),
        ("SELECT 1 FROM a WHERE b IN (1, 2)", True),
        ("SELECT 1 UNION SELECT 2", True),
        ("SELECT 1 FROM a WHERE b IN (SELECT c FROM d)", False),
        ("SELECT 1 FROM a WHERE b = 1 AND c = 2", False),
    ],
)
def test_what_leaves_a_choice_in_sql(sql: str, choice: bool) -> None:
    assert ValueAlternatives(either=True).are_missed_by(sql) is not choice
    assert not ValueAlternatives().are_missed_by(sql)


def test_lists_are_no_choice_of_what_is_said_crosswise() -> None:
    crossed = ValueAlternatives(either=True, crossed=True)
    assert crossed.are_missed_by("SELECT 1 FROM a WHERE b IN (1, 2) AND c IN (3, 4)")
    assert not crossed.are_missed_by("SELECT 1 FROM a WHERE b = 1 AND c = 3 OR b = 2 AND c = 4")


EITHER = [
    ("ferries to skye or on friday", {1, 2, 3}),
    ("ferries to skye or from skye", {1, 2, 4}),
    ("ferries on friday or to north rona", {2, 3, 4}),
    ("red line ferries or ferries on friday", {1, 2, 3, 4}),
    ("ferries from mull to skye on monday or before 8 am", {1}),
]


@pytest.mark.parametrize(("question", "ids"), EITHER)
def test_either_of_two_conditions_is_enough(drafter: LocalDrafter, pack: Pack, question: str, ids: set[int]) -> None:
    assert answer(pack, drafter.drafts(Request(question))[0].sql) == ids


@pytest.mark.parametrize(("question", "ids"), EITHER[:4])
def test_either_is_enough_also_without_examples(pack: Pack, question: str, ids: set[int]) -> None:
    bare = LocalDrafter(pack, database(pack), [])
    assert answer(pack, bare.drafts(Request(question))[0].sql) == ids


@pytest.mark.parametrize(
    "question", ["ferries to skye on friday or to north rona on sunday", "cheap or red line ferries to skye"]
)
def test_an_or_that_is_not_understood_leaves_no_draft_likely(drafter: LocalDrafter, question: str) -> None:
    drafts = drafter.drafts(Request(question))
    assert all(" OR " in one.sql or one.confidence <= 0.2 for one in drafts)
