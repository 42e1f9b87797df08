"""Contrary words, and what a “not” is said of."""

from __future__ import annotations

import pytest

from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.drafter.sayings import sayings_of
from curtain.drafting.query.denials import denied_beyond, denied_in
from curtain.drafting.query.opposites import denies_anything, turned_round


@pytest.mark.parametrize(
    ("question", "example", "told", "contrary"),
    [
        ("who earns less than the boss", "Who earns more than the boss?", (), True),
        ("who earns more than the boss", "Who earns more than the boss?", (), False),
        ("more than 30 people", "fewer than 10 people", (0, 1, 2), False),
        ("more men than women", "more women than men", (), False),
        ("did ann come after ben", "did ann come before ben", (), True),
        ("ferries with a cafe", "ferries without a cafe", (), True),
        ("ferries that go before noon and after six", "ferries that go after six", (), False),
    ],
)
def test_a_word_of_a_pair_against_the_other_turns_a_question_round(
    question: str, example: str, told: tuple[int, ...], contrary: bool
) -> None:
    assert turned_round(question.split(), example, told) is contrary


@pytest.mark.parametrize(
    ("question", "denies"),
    [
        ("who is no clerk", True),
        ("only ferries", True),
        ("non smoking cabins", True),
        ("any line but this", True),
        ("who is here", False),
    ],
)
def test_a_question_denies_something_or_nothing(question: str, denies: bool) -> None:
    assert denies_anything(question.split()) is denies


@pytest.mark.parametrize(
    ("question", "denied", "beyond"),
    [
        ("ferries without a cafe from mull", {0}, {0}),
        ("ferries not from mull", {0}, set()),
        ("ferries that do not go to mull", {0}, {0}),
        ("does caledonian not go to mull", set(), set()),
    ],
)
def test_a_not_may_be_said_of_something_before_the_value(
    drafter: LocalDrafter, question: str, denied: set[int], beyond: set[int]
) -> None:
    reading = drafter._recogniser.read(question)
    places = {n for n, one in enumerate(reading.found) if one.meanings[0].label == "MULL"}
    assert {n - min(places) for n in denied_in(reading)} == denied
    assert {n - min(places) for n in denied_beyond(reading)} == beyond


def test_a_denied_verb_with_a_time_denies_the_time(drafter: LocalDrafter) -> None:
    said = sayings_of(drafter._recogniser.read("i can't leave mull before noon"), lambda words: ())
    assert (said.denied, said.bounds, dict(said.signs)) == (frozenset(), frozenset({1}), {1: ">="})
