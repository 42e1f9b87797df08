"""“From Mull to Skye and from Skye to Mull” are ferries of which each goes one way or the other."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.drafter.two_ways import Twice, said_twice
from curtain.drafting.values import Request
from tests.drafting.answers import answer

FIRST_TWO = Twice((0, 1), (2, 3))


@pytest.mark.parametrize(
    ("question", "twice"),
    [
        ("ferries from mull to skye and from skye to mull", FIRST_TWO),
        ("ferries from mull to skye and skye to mull", FIRST_TWO),
        ("ferries from mull to skye or from iona to eigg", FIRST_TWO),
        ("ferries from mull to skye and show me all ferries from iona to eigg", FIRST_TWO),
        ("ferries between mull and skye and between skye and mull", FIRST_TWO),
        ("ferries from mull to skye and from iona to eigg on friday", FIRST_TWO),
        ("red line ferries from mull to skye and from skye to mull", Twice((1, 2), (3, 4))),
        ("from mull to skye on friday and from skye to mull on sunday", Twice((0, 1, 2), (3, 4, 5))),
        ("ferries to skye on friday or to mull on monday", FIRST_TWO),
        ("ferries to skye on friday or to mull on friday", FIRST_TWO),
        ("from mull to skye and from mull to iona", FIRST_TWO),
        ("from mull to skye on a friday and from skye to mull on sunday", Twice((0, 1, 2), (3, 4, 5))),
        ("red line 82 and red line 139", FIRST_TWO),
        # One breath, one way, other words.
        ("ferries from mull to skye and iona", None),
        ("ferries between mull and skye", None),
        ("ferries from mull to skye from iona to eigg", None),
        ("ferries from mull to skye and to iona from eigg", None),
        ("ferries from mull to skye and from mull to skye", None),
        ("ferries before 8 am and after 9 pm", None),
        ("red line 82 and red line 82", None),
        ("between 20 and 30 and 40 and 50", None),
    ],
)
def test_what_is_said_twice(drafter: LocalDrafter, question: str, twice: Twice | None) -> None:
    assert said_twice(drafter._recogniser.read(question)) == twice


BOTH = [
    ("ferries from mull to skye and from skye to north rona", {1, 2, 4}),
    ("ferries from iona to eigg and from eigg to iona", {3}),
    ("ferries from mull to skye on friday or from iona to eigg on friday", {2, 3}),
    ("show me ferries from mull to skye on monday and show me ferries from skye to north rona on sunday", {1, 4}),
]


@pytest.mark.parametrize(
    ("question", "ids"), [*BOTH, ("red line ferries from mull to skye and from skye to north rona", {1, 4})]
)
def test_the_answer_has_both(drafter: LocalDrafter, pack: Pack, question: str, ids: set[int]) -> None:
    assert answer(pack, drafter.drafts(Request(question))[0].sql) == ids


@pytest.mark.parametrize(("question", "ids"), BOTH)
def test_the_answer_has_both_also_without_examples(pack: Pack, question: str, ids: set[int]) -> None:
    bare = LocalDrafter(pack, database(pack), [])
    assert answer(pack, bare.drafts(Request(question))[0].sql) == ids


def test_a_draft_with_one_way_alone_is_not_likely(drafter: LocalDrafter, pack: Pack) -> None:
    drafts = drafter.drafts(Request("ferries from mull to skye and from skye to north rona"))
    assert all(one.confidence <= 0.2 for one in drafts if answer(pack, one.sql) == {1, 2})


def test_where_both_cannot_be_said_there_are_drafts_of_little_confidence(pack: Pack) -> None:
    bare = LocalDrafter(pack, database(pack), [])
    drafts = bare.drafts(Request("islands from mull to skye and from skye to mull"))
    assert drafts and all(one.confidence <= 0.5 for one in drafts)
