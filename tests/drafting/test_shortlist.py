"""The likeliest candidate comes first, behind it what is wanted where that one is wrong."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from curtain.domain.pack.pack import Pack
from curtain.drafting.drafter.combined import Keyed, supplemented
from curtain.drafting.drafter.learning import Learned, Ranked, ranked
from curtain.drafting.drafter.shortlist import Judged, shortlist
from curtain.drafting.learned.memory import Form
from curtain.drafting.learned.rank import Group, Ranker
from curtain.drafting.learned.scoring import FEATURES, Proposal
from curtain.drafting.schema.directions import Directions
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.values import Draft

NO_DIRECTIONS = Directions({}, {})
PLAIN = Judged()
# One, two ... ferries, likeliest first; and how well each would come behind a wrong one.
AFTERWARDS = [0.1, 0.2, 0.9, 0.5, 0.7]


@pytest.fixture(scope="module")
def candidates(pack: Pack) -> list[Ranked]:
    parser = Parser(pack.tables, "ferry", pack.keys.primary)
    found = []
    for number, afterwards in enumerate(AFTERWARDS, start=1):
        statement = parser.parse(f"SELECT ferry_id FROM ferry WHERE stops = {number}")
        assert statement is not None
        proposal = Proposal(Form(statement, ()), statement, (), -1, (0.0,) * len(FEATURES), False)
        found.append(Ranked(proposal, 1 / (1 + number), afterwards))
    return found


def stops(candidates: list[Ranked], n: int, otherwise: Collection[int] = ()) -> list[int]:
    def judge(one: Proposal) -> Judged:
        return Judged(0.1, True) if _stops(one) in otherwise else PLAIN

    return [_stops(one.proposal) for one in shortlist(candidates, judge, NO_DIRECTIONS, n)]


def _stops(one: Proposal) -> int:
    return int(one.sql.rsplit(" ", 1)[1])


@pytest.mark.parametrize(
    ("n", "otherwise", "shown"),
    [
        (5, (), [1, 3, 5, 4, 2]),
        (3, (), [1, 3, 5]),
        # What says otherwise takes no place from anything else, also where it would be first.
        (3, (1,), [2, 3, 5]),
        (3, (3, 5), [1, 4, 2]),
        (4, (1, 2, 3), [4, 5, 3, 2]),
        (2, (1, 2, 3, 4, 5), [3, 5]),
    ],
)
def test_the_order_of_a_list(candidates: list[Ranked], n: int, otherwise: tuple[int, ...], shown: list[int]) -> None:
    assert stops(candidates, n, otherwise) == shown


@pytest.mark.parametrize(
    ("n", "otherwise", "shown"),
    [
        (3, (1,), [2, 3, 1]),
        (3, (1, 2), [3, 5, 1]),
        # Where nothing is left over, or it is unlikely itself, all is as it was.
        (3, (), [1, 3, 5]),
        (3, (4,), [1, 3, 5]),
    ],
)
def test_what_is_likely_is_there_instead_of_what_is_not(
    candidates: list[Ranked], n: int, otherwise: tuple[int, ...], shown: list[int]
) -> None:
    unlikely = [one if _stops(one.proposal) < 3 else replace(one, chance=0.02) for one in candidates]
    assert stops(unlikely, n, otherwise) == shown


def test_a_statement_is_shown_once(candidates: list[Ranked]) -> None:
    again = replace(candidates[0], afterwards=2.0)
    assert stops([*candidates, again], 9) == [1, 3, 5, 4, 2]


def test_a_chance_shrinks_by_what_is_missed(candidates: list[Ranked]) -> None:
    shown = shortlist(candidates, lambda one: Judged(0.2), NO_DIRECTIONS, 1)
    assert shown[0].chance == pytest.approx(0.2 * candidates[0].chance)


def test_before_anything_is_learned_the_rest_comes_as_the_first_does(candidates: list[Ranked]) -> None:
    known = ranked(Learned(), [replace(one.proposal, features=_alike(n)) for n, one in enumerate(candidates)])
    assert [one.afterwards for one in known] == sorted((one.afterwards for one in known), reverse=True)


def _alike(place: int) -> tuple[float, ...]:
    return tuple(0.5 - 0.1 * place if name == "alike" else 0.0 for name in FEATURES)


def test_another_order_is_learned_for_what_comes_behind_a_wrong_first() -> None:
    """Of candidates with two features the first tells nothing once the likeliest is known to be wrong."""
    dice = np.random.default_rng(1)
    groups = []
    for _ in range(60):
        rows = dice.normal(size=(6, 2))
        groups.append(Group(np.column_stack([rows, rows[:, 0]]), rows[:, 1] == rows[:, 1].max()))
    ranker = Ranker((0.0, 0.0, 1.0))
    ranker.fit(groups)
    rows = dice.normal(size=(6, 2))
    assert ranker.scores(np.column_stack([rows, rows[:, 0]])).argmax() == rows[:, 1].argmax()


def test_the_last_places_are_left_to_the_schema(candidates: list[Ranked]) -> None:
    keyed = [Keyed(one.proposal.statement, Draft(one.proposal.sql, one.chance)) for one in candidates]
    learned, drawn = keyed[:4], [keyed[0], keyed[4]]
    assert [one.sql[-1] for one in supplemented(learned, drawn, 5)] == ["1", "2", "3", "5", "4"]
    assert [one.sql[-1] for one in supplemented(learned, drawn, 3)] == ["1", "5", "2"]
    assert [one.sql[-1] for one in supplemented([], drawn, 1)] == ["1"]
    assert [one.sql[-1] for one in supplemented(learned, [], 5)] == ["1", "2", "3", "4"]
