"""Which combinations of what is asked for and of conditions come first."""

from __future__ import annotations

import pytest

from curtain.drafting.learned.meanings import DOUBT, likely_meanings
from curtain.drafting.learned.memory import Memory
from curtain.drafting.learned.reader import Guess

HEAD = "ferry|DISTINCT ferry.ferry_id|"
WEEKDAYS = [f"ferry>day_code=days.day_code#{n}.day_name = '{day}'" for n, day in enumerate(("MON", "TUE", "WED"), 2)]
DIRECT, CHEAP = "ferry.stops = 0", "ferry.price < 10"


def sets(chances: dict[str, float]) -> list[frozenset[str]]:
    guess = Guess({HEAD: 1.0}, chances, (), {})
    return [plain for _, plain, _ in likely_meanings({HEAD: 1.0}, {"ferry": guess}, Memory(), [])]


@pytest.mark.parametrize("chance", [0.003, 0.9])
def test_clauses_that_always_came_together_are_there_all_or_not_at_all(chance: float) -> None:
    found = sets(dict.fromkeys(WEEKDAYS, chance) | {DIRECT: 0.3})
    assert {len(plain.intersection(WEEKDAYS)) for plain in found} == {0, len(WEEKDAYS)}
    # As one thing that is doubtful, they come right behind the likeliest and do not take every place.
    assert len(found) == 4


def test_what_two_words_mean_may_come_alone() -> None:
    assert frozenset([DIRECT]) in sets({DIRECT: DOUBT, CHEAP: DOUBT})
