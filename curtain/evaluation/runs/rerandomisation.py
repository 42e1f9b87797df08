"""Exact re-randomisation: what the difference of two conditions would be had the subjects been put into the orders of
the design in another way. It assumes no distribution (Fisher 1935; Edgington and Onghena 2007)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from curtain.cas.scoring.intervals import Sum
from curtain.evaluation.runs.by_subject import subject_sums
from curtain.evaluation.runs.disk_list import drawn
from curtain.evaluation.runs.run import RunRecord, by_subject

MOST_EXACT = 200_000
"""Up to so many assignments all are counted: 15 subjects in two orders have 6,435."""
DRAWS, _CELLS = 20_000, 5_000_000
MOST_SUBJECTS = 2_000

Parts = Callable[[RunRecord], tuple[float, float] | None]
"""Of a run: what is summed, and by what it is divided. (time, 1) gives mean times, (correct, queries) percentages."""

Order = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rerandomised:
    """The difference, first condition less second, and how many assignments give one at least as large."""

    difference: float
    p: float
    assignments: int
    exact: bool


def order_of(runs: Sequence[RunRecord]) -> Order:
    """Which condition each scenario had for one subject: what the design assigns."""
    return tuple(sorted({(run.scenario, run.condition) for run in runs}))


class Rerandomiser:
    """Draws or counts the assignments of a set of runs once, and tests any number of measures over them.

    A subject keeps what was measured in each scenario, and gets the order of another subject. Each order is used as
    often as it was. Of more than `MOST_SUBJECTS` some are drawn, which a sentence in `limits` says.
    """

    def __init__(self, runs: Sequence[RunRecord], conditions: tuple[str, str], seed: int) -> None:
        self._conditions = conditions
        worked = list(by_subject(runs).values())
        self._worked = drawn(worked, MOST_SUBJECTS, seed)
        some = f"Re-randomisation takes {MOST_SUBJECTS:,} of the {len(worked):,} subjects, drawn by the seed."
        self.limits = (some,) if len(worked) > MOST_SUBJECTS else ()
        self._orders = list(dict.fromkeys(map(order_of, self._worked)))
        self._given = [self._orders.index(order_of(worked)) for worked in self._worked]
        self._assignments, self._exact = _assignments(self._given, len(self._orders), seed)

    def test(self, parts: Parts, within: str | None = None) -> Rerandomised | None:
        """The test for one measure; None where fewer than two orders were used or nothing was measured.

        With `within` only the runs of that scenario count, while the orders are those of all runs.
        """
        if len(self._orders) < 2:
            return None
        cells = np.zeros((len(self._worked), len(self._orders), 4))
        orders = list(map(dict, self._orders))
        for subject, worked in enumerate(self._worked):
            for scenario, sums in _sums(worked, parts, within).items():
                for number, order in enumerate(orders):
                    if (condition := order.get(scenario)) in self._conditions:
                        place = 2 * self._conditions.index(condition)
                        cells[subject, number, place : place + 2] += sums
        observed = float(_differences(cells, np.array([self._given]))[0])
        if math.isnan(observed):
            return None
        differences = _differences(cells, self._assignments)
        differences = differences[~np.isnan(differences)]
        # Sums in another sequence differ in their last digits, and an equal difference must count.
        extreme = int((np.abs(differences) >= abs(observed) - 1e-9 * max(1.0, abs(observed))).sum())
        p = extreme / len(differences) if self._exact else (extreme + 1) / (len(differences) + 1)
        return Rerandomised(observed, p, len(differences), self._exact)


def _sums(runs: Sequence[RunRecord], parts: Parts, within: str | None) -> Mapping[str, Sum]:
    """(above, below) of each scenario of one subject."""
    return subject_sums(
        (run.scenario, *measured)
        for run in runs
        if within in (None, run.scenario) and (measured := parts(run)) is not None
    )


def _differences(cells: Any, assignments: Any) -> Any:
    """The difference of each assignment (a row: the order of each subject), NaN where a condition has nothing."""
    totals = np.tile(cells[:, 0].sum(axis=0), (len(assignments), 1))
    # Everybody in the first order, plus what each other order changes: a product of matrices is far faster than sums.
    for order in range(1, cells.shape[1]):
        totals += (assignments == order).astype(float) @ (cells[:, order] - cells[:, 0])
    with np.errstate(invalid="ignore", divide="ignore"):
        differences = totals[:, 0] / totals[:, 1] - totals[:, 2] / totals[:, 3]
    return np.where((totals[:, 1] == 0) | (totals[:, 3] == 0), np.nan, differences)


def _assignments(given: Sequence[int], orders: int, seed: int) -> tuple[Any, bool]:
    """All ways to use each order as often as it was used, or, where they are too many, some drawn ones."""
    counts = [Counter(given)[order] for order in range(orders)]
    ways = math.factorial(len(given))
    for count in counts:
        ways //= math.factorial(count)
    if ways <= MOST_EXACT:
        return np.array(_every_way(tuple(range(len(given))), counts), dtype=int), True
    random = np.random.Generator(np.random.PCG64(seed))
    draws = max(2_000, min(DRAWS, _CELLS // len(given)))
    return random.permuted(np.tile(np.array(given, dtype=np.int16), (draws, 1)), axis=1), False


def _every_way(places: tuple[int, ...], counts: Sequence[int]) -> list[list[int]]:
    """Each assignment as the order of each subject, found by placing one order after the other."""
    total = len(places)
    ways: list[tuple[list[int], tuple[int, ...]]] = [([0] * total, places)]
    for order, count in enumerate(counts):
        ways = [
            (_with(assigned, chosen, order), tuple(place for place in free if place not in chosen))
            for assigned, free in ways
            for chosen in map(frozenset, combinations(free, count))
        ]
    return [assigned for assigned, _ in ways]


def _with(assigned: Sequence[int], chosen: frozenset[int], order: int) -> list[int]:
    return [order if place in chosen else earlier for place, earlier in enumerate(assigned)]
