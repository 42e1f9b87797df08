"""Re-randomisation: what the difference of two conditions would be had the subjects been put into the planned orders in
another way. It assumes no distribution (Fisher 1935; Edgington and Onghena 2007), and its inversion is the interval.

Orders are those that were planned, whatever was recorded. A run that is missing leaves its subject's order as it was.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from curtain.base.plural import count_of
from curtain.cas.scoring.intervals import Sum
from curtain.session.study.analysis import Alternative
from curtain_experiments.runs.run import RunRecord, by_subject, drawn
from curtain_score.by_subject import subject_sums
from curtain_score.files.json_lines import shown_id

Slot = tuple[str, int]
"""A scenario, and how often its condition had changed before: 0 where a subject meets it under one condition alone."""
Order = frozenset[tuple[Slot, str]]
"""The condition of each slot."""
_MOST_NAMED = 6

NO_PLAN = (
    "No plan is stored with these runs (column “plan”). The orders were inferred from the data; the p holds only if "
    "subjects came in an arbitrary order. The orders of the subjects with the most runs count as planned; a subject "
    "with missing runs is assigned the only order that fits the runs present."
)


def slots_of(runs: Sequence[RunRecord]) -> list[tuple[Slot, RunRecord]]:
    """The runs of one subject with their slots, in the order of work."""
    sessions = list(dict.fromkeys(run.session for run in runs))
    ordered = sorted(runs, key=lambda run: (sessions.index(run.session), run.position or 0))
    slots = _slots((run.scenario, run.condition) for run in ordered)
    return list(zip(slots, ordered, strict=True))


def planned_orders(subjects: Sequence[Sequence[RunRecord]]) -> tuple[list[Order | None], tuple[str, ...]]:
    """The planned order of each subject, and what a reader must know of it, in sentences.

    None for a subject who departed from the plan, and for one without a plan whose runs agree with no order or with
    several: nobody knows which conditions they could have had.
    """
    recorded = [frozenset((slot, run.condition) for slot, run in slots_of(runs)) for runs in subjects]
    stored = [_stored(runs) for runs in subjects]
    most = max(map(len, recorded), default=0)
    # Where no plan is stored, somebody who lacks a run must not count as an order of their own.
    known = {*filter(None, stored)} or {order for order in recorded if len(order) == most}
    orders = [_order(plan, done, known) for plan, done in zip(stored, recorded, strict=True)]
    sentences = [] if any(stored) else [NO_PLAN]
    if lost := orders.count(None):
        sentences.append(
            f"The planned order of {lost} of {count_of(len(orders), 'subject')} is not known, or they departed from "
            "it: they keep their conditions in every assignment, which makes the test weaker."
        )
    return orders, tuple(sentences)


def order_sentences(subjects: Sequence[Sequence[RunRecord]], orders: Sequence[Order | None]) -> Iterator[str]:
    """How many subjects had each order, and what cannot be told apart where all took the scenarios in one sequence."""
    sequences = [_sequence(runs) for runs in subjects]
    longest = max(sequences, key=len, default=[])
    # Lines of a file without positions may be sorted: their order says nothing.
    known = all(run.plan or run.position is not None for runs in subjects for run in runs)
    alike = known and all(sequence == [slot for slot in longest if slot in sequence] for sequence in sequences)
    counts = Counter(filter(None, orders))
    if 1 < len(counts) <= _MOST_NAMED and alike:
        first, *others = (
            (count, ", ".join(shown_id(dict(order)[slot]) for slot in longest if slot in dict(order)))
            for order, count in counts.most_common()
        )
        rest = "".join(f"; {count} {name}" for count, name in others)
        yield f"{count_of(first[0], 'subject')} had {first[1]}{rest}."
    if len(counts) > 1 and alike:
        yield (
            "All subjects took the scenarios in the same order, so effects of scenario and of practice cannot be told "
            "apart; carry-over between the systems is assumed absent."
        )


def _sequence(runs: Sequence[RunRecord]) -> list[Slot]:
    """In the order of the plan, or else of work."""
    planned = [pair for _, plan in dict.fromkeys((run.session, run.plan) for run in runs) for pair in plan]
    return list(dict.fromkeys(_slots(planned) or (slot for slot, _ in slots_of(runs))))


def _order(plan: Order, done: Order, known: set[Order]) -> Order | None:
    fitting = [order for order in ({plan} if plan else known) if done <= order]
    return fitting[0] if len(fitting) == 1 else None


def _stored(runs: Sequence[RunRecord]) -> Order:
    plans = dict.fromkeys((run.session, run.plan) for run in runs)
    pairs = [pair for _, plan in plans for pair in plan]
    return frozenset(zip(_slots(pairs), (condition for _, condition in pairs), strict=True))


def _slots(pairs: Iterable[tuple[str, str]]) -> list[Slot]:
    """Of (scenario, condition) in order. A scenario that was begun anew under its condition is in one slot."""
    slots: list[Slot] = []
    last: dict[str, tuple[str, int]] = {}
    for scenario, condition in pairs:
        before, changes = last.get(scenario, (condition, 0))
        last[scenario] = condition, changes + (condition != before)
        slots.append((scenario, last[scenario][1]))
    return slots


MOST_EXACT = 200_000
"""Up to so many assignments all are counted: 15 subjects in two orders have 6,435."""
DRAWS, _CELLS = 20_000, 5_000_000
MOST_SUBJECTS = 2_000
# Sums in another sequence differ in their last digits, and an equal difference must count.
_EQUAL = 1e-9

Parts = Callable[[RunRecord], tuple[float, float] | None]
"""Of a run: what is summed, and by what it is divided. (time, 1) gives mean times, (correct, queries) percentages."""


@dataclass(frozen=True, slots=True)
class Rerandomised:
    """The difference, first condition minus second, and how many assignments give one at least as large.

    `low` and `high` enclose the differences that the same test does not refute; None where every larger one is in.
    """

    difference: float
    p: float
    low: float | None
    high: float | None
    assignments: int
    exact: bool


class Rerandomiser:
    """Draws or counts the assignments of a set of runs once, and tests any number of measures over them.

    A subject keeps what was measured in each scenario, and gets the planned order of another subject of the study who
    was to work on the same scenarios. Of more than `MOST_SUBJECTS` some are drawn, which a sentence in `limits` says.
    `runs` are those of all conditions, since the orders are.
    """

    def __init__(self, runs: Sequence[RunRecord], conditions: tuple[str, str], seed: int) -> None:
        self._conditions = conditions
        worked = list(by_subject(runs).values())
        subjects = drawn(worked, MOST_SUBJECTS, seed)
        self._slots = [slots_of(one) for one in subjects]
        planned, sentences = planned_orders(subjects)
        some = f"Re-randomisation takes {MOST_SUBJECTS:,} of the {len(worked):,} subjects, drawn by the seed."
        self.limits = (*sentences, *((some,) if len(worked) > MOST_SUBJECTS else ()))
        self.order_sentences = tuple(order_sentences(subjects, planned))
        # Who has no known order keeps what they had, and changes with nobody.
        orders = [
            order or frozenset((slot, run.condition) for slot, run in slots)
            for order, slots in zip(planned, self._slots, strict=True)
        ]
        self._orders = list(dict.fromkeys(orders))
        self.planned = len({*planned} - {None})
        self._given = np.array([self._orders.index(order) for order in orders], dtype=np.int16)
        groups: dict[object, list[int]] = {}
        for place, (order, slots) in enumerate(zip(planned, self._slots, strict=True)):
            if order is not None:
                groups.setdefault((slots[0][1].study, frozenset(slot for slot, _ in order)), []).append(place)
        self._assignments, self._exact = _assignments(self._given, list(groups.values()), seed)
        exchanged = ([orders[place] for place in group] for group in groups.values())
        mirrored = self._exact and all(_is_mirrored(group, conditions) for group in exchanged)
        self.smallest_p = min(1.0, (1 + mirrored) / len(self._assignments))
        """The smallest two-sided p; where each assignment has a mirror image, both give the same difference."""

    def test(
        self,
        parts: Parts,
        within: str | None = None,
        alternative: Alternative = "two-sided",
        alpha: float = 0.05,
        each_scenario: bool = False,
    ) -> Rerandomised | None:
        """The test for one measure; None where the conditions of nobody could have been others, or nothing was
        measured. With `within` only the runs of that scenario count, while the orders are those of all runs.

        `each_scenario` compares each with itself, weighed by n1 n2 / (n1 + n2) of the sizes as least squares with fixed
        scenarios do, and Mantel and Haenszel's difference of shares (Greenland and Robins 1985)."""
        measured = [
            [(slot, run.condition, sums) for slot, run in slots if within in (None, slot[0]) and (sums := parts(run))]
            for slots in self._slots
        ]
        totals = subject_sums((condition, *sums) for one in measured for _, condition, sums in one)
        if len(self._assignments) < 2 or not all(totals.get(one, (0, 0))[1] for one in self._conditions):
            return None
        strata = {slot[0] if each_scenario else within for one in measured for slot, _, _ in one}
        weighted = np.zeros((3, len(self._assignments)))
        for stratum in sorted(strata, key=str):
            some = [[one for one in runs if stratum in (None, one[0][0])] for runs in measured]
            weighted += _differences(
                self._cells(some, partial(_unshifted, totals, self._conditions)), self._assignments
            )
        differences, shifts = weighted[:2] / np.where(weighted[2] > _EQUAL, weighted[2], np.nan)
        if np.isnan(differences[0]):
            return None  # no scenario was measured under both conditions
        known = ~np.isnan(differences)
        ends = _refuted_beyond(differences[known], shifts[known], alternative)
        inside = int(((ends[0] <= 0) & (ends[1] >= 0)).sum())
        low, high = _bounds(*ends, alpha)
        return Rerandomised(float(differences[0]), inside / len(ends[0]), low, high, len(ends[0]), self._exact)

    def _cells(self, measured: Sequence[Sequence[tuple[Slot, str, Sum]]], unshifted: Callable[..., Any]) -> Any:
        """What each subject adds to either condition in each order: (sum, what a shift adds, size) of both."""
        cells = np.zeros((len(measured), len(self._orders), 6))
        for number, order in enumerate(map(dict, self._orders)):
            for subject, runs in enumerate(measured):
                for slot, condition, sums in runs:
                    if (assigned := order.get(slot)) in self._conditions:
                        place = 3 * self._conditions.index(assigned)
                        cells[subject, number, place : place + 3] += unshifted(condition, *sums)
        return cells


def _unshifted(
    totals: dict[str, Sum], conditions: tuple[str, str], condition: str, value: float, size: float
) -> tuple[float, float, float]:
    """A run as it were without an effect: its sum, what an effect of 1 of the first condition adds to that, its size.

    A third condition has an effect of its own. It is estimated, so that the test is not exact with three.
    """
    if condition in conditions:
        return value, size * (condition == conditions[0]), size
    (first, second), (above, below) = (totals[name] for name in conditions), totals[condition]
    level = (first[0] + second[0]) / (first[1] + second[1])
    return value - size * (above / below - level), size * first[1] / (first[1] + second[1]), size


def _differences(cells: Any, assignments: Any) -> Any:
    """The difference of each assignment (a row: the order of each subject), how much of an effect it holds (1 for the
    first assignment, which is what was done), both times their weight, and the weight: 0 where a condition has nothing.
    """
    totals = np.tile(cells[:, 0].sum(axis=0), (len(assignments), 1))
    # Everybody in the first order, plus what each other order changes: a product of matrices is far faster than sums.
    for order in range(1, cells.shape[1]):
        totals += (assignments == order).astype(float) @ (cells[:, order] - cells[:, 0])
    first, second = totals[:, 2], totals[:, 5]
    both = np.maximum(first + second, _EQUAL)
    return np.array([*((totals[:, :2].T * second - totals[:, 3:5].T * first) / both), first * second / both])


def _refuted_beyond(differences: Any, shifts: Any, alternative: Alternative) -> tuple[Any, Any]:
    """For each assignment the effects between which its difference is at least as large as the observed one.

    Less an effect, the observed difference shrinks by it and any other by a share of it. So each assignment counts in
    one stretch that holds the observed difference. An end of 0 is exactly 0, and p and interval never contradict.
    """
    observed = differences[0]
    tiny = _EQUAL * max(1.0, abs(observed))
    ends = []
    for gap, rate in ((observed - differences, 1 - shifts), (observed + differences, 1 + shifts)):
        gap = np.where(np.abs(gap) <= tiny, 0.0, gap)
        ends.append(np.divide(gap, rate, out=np.full(len(gap), np.inf), where=rate > _EQUAL))
    always = np.isinf(ends[0])
    if alternative == "greater":
        return np.where(always, -np.inf, ends[0]), np.full(len(always), np.inf)
    if alternative == "less":
        return np.full(len(always), -np.inf), ends[0]
    always |= np.isinf(ends[1])
    return np.where(always, -np.inf, np.minimum(*ends)), np.where(always, np.inf, np.maximum(*ends))


def _bounds(lows: Any, highs: Any, alpha: float) -> tuple[float | None, float | None]:
    """The ends of the effects that more than a share `alpha` of the assignments count for."""
    beyond = math.floor(alpha * len(lows) + _EQUAL)
    low, high = float(np.sort(lows)[beyond]), float(np.sort(highs)[-1 - beyond])
    return (low if math.isfinite(low) else None), (high if math.isfinite(high) else None)


def _assignments(given: Any, groups: Sequence[Sequence[int]], seed: int) -> tuple[Any, bool]:
    """All ways to use each order in each group as often as it was used, or, where they are too many, some drawn ones;
    what was done comes first."""
    counts = [Counter(given[group].tolist()) for group in groups]
    ways = math.prod(math.factorial(one.total()) // math.prod(map(math.factorial, one.values())) for one in counts)
    if ways <= MOST_EXACT:
        rows = given[None, :]
        for group, count in zip(groups, counts, strict=True):
            each = _every_way(count)
            rows = np.repeat(rows, len(each), axis=0)
            rows[:, group] = np.tile(each, (len(rows) // len(each), 1))
        done = np.flatnonzero((rows == given).all(axis=1))[0]
        rows[[0, done]] = rows[[done, 0]]
        return rows, True
    random = np.random.Generator(np.random.PCG64(seed))
    rows = np.tile(given, (max(2_000, min(DRAWS, _CELLS // len(given))) + 1, 1))
    for group in groups:
        rows[1:, group] = random.permuted(rows[1:, group], axis=1)
    return rows, False


def _is_mirrored(orders: Sequence[Order], conditions: tuple[str, str]) -> bool:
    """Whether as many subjects have each order as have it with the two conditions exchanged."""
    other = dict(zip(conditions, reversed(conditions), strict=True))
    mirrored = (frozenset((slot, other.get(name, name)) for slot, name in order) for order in orders)
    return Counter(orders) == Counter(mirrored)


def _every_way(counts: Counter[int]) -> Any:
    """Each assignment of a group (a row: the order of each subject), found by placing one order after the other."""
    rows = np.full((1, counts.total()), -1, dtype=np.int16)
    for order, count in counts.items():
        free = np.nonzero(rows < 0)[1].reshape(len(rows), -1)
        ways = np.array(list(combinations(range(free.shape[1]), count)))
        rows = np.repeat(rows, len(ways), axis=0)
        np.put_along_axis(rows, free[:, ways].reshape(-1, count), order, axis=1)
    return rows
