"""Two conditions compared: re-randomisation first, then the tests that readers know, with effect sizes in intervals."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from curtain.cas.scoring.intervals import Interval, Sum, wilson
from curtain.cas.scoring.significance import Table, holm, mcnemar, stuart_maxwell
from curtain.evaluation.runs.by_subject import difference_interval, subject_sums
from curtain.evaluation.runs.disk_list import chosen, grouped
from curtain.evaluation.runs.measures import Credit, Policy, credit, unanswered
from curtain.evaluation.runs.rerandomisation import Parts, Rerandomised, Rerandomiser, order_of
from curtain.evaluation.runs.run import RunRecord, Solution, by_subject

_SOLUTIONS: tuple[Solution, ...] = ("correct", "incorrect", "none")


@dataclass(frozen=True, slots=True)
class MeasureContrast:
    """One measure: first condition less second; `standardised` is Hedges' g of the runs, for times and counts."""

    measure: str
    unit: str
    difference: float | None
    interval: Interval | None
    test: Rerandomised | None
    standardised: tuple[float, float, float] | None = None
    """g with the ends of its 95 % interval."""


@dataclass(frozen=True, slots=True)
class ScenarioContrast:
    """Correct solutions within one scenario: between subjects, so Fisher's exact test; `holm` is adjusted."""

    scenario: str
    first: tuple[int, int]
    second: tuple[int, int]
    p: float
    holm: float
    time: Rerandomised | None

    @property
    def difference(self) -> Interval | None:
        """The 95 % interval of the difference in percent, first less second (Newcombe 1998)."""
        return newcombe(self.first, self.second)


@dataclass(frozen=True)
class Comparison:
    """All that is said about two conditions. `pairs` cross-tabulates the solutions of the n-th run of a subject under
    the first condition with those of the n-th under the second: correct, incorrect, none."""

    first: str
    second: str
    subjects: int
    orders: int
    contrasts: tuple[MeasureContrast, ...]
    scenarios: tuple[ScenarioContrast, ...]
    pairs: Table
    mcnemar: float
    stuart_maxwell: float
    fisher_stated: float | None
    fisher_solved: float | None
    preferred: tuple[int, int, int]
    """Subjects who preferred the first, the second, neither."""
    sign_test: float | None
    limits: tuple[str, ...]
    """What the design cannot show, in sentences."""


def compare_conditions(
    runs: Sequence[RunRecord], conditions: tuple[str, str], policy: Policy = "own_bucket", *, seed: int
) -> Comparison:
    """Compares two conditions over the runs that are analysed."""
    both = chosen(runs, lambda run: run.condition in conditions)
    sides = grouped(both, lambda run: run.condition)
    first, second = (sides.get(condition, []) for condition in conditions)
    pairs = _pairs(both, conditions)
    tests = Rerandomiser(both, conditions, seed)
    preferred = _preferred(both, conditions)
    return Comparison(
        *conditions,
        subjects=len({run.group for run in both}),
        orders=len(set(map(order_of, by_subject(both).values()))),
        contrasts=tuple(_contrasts(first, second, policy, tests)),
        scenarios=_scenarios(both, conditions, tests),
        pairs=pairs,
        mcnemar=mcnemar(pairs[0][1] + pairs[0][2], pairs[1][0] + pairs[2][0]),
        stuart_maxwell=stuart_maxwell(pairs),
        fisher_stated=_fisher_of([run.stated for run in first], [run.stated for run in second]),
        fisher_solved=_fisher_of([run.solved for run in first], [run.solved for run in second]),
        preferred=preferred,
        sign_test=mcnemar(preferred[0], preferred[1]) if sum(preferred) else None,
        limits=(*_limits(both, conditions), *tests.limits),
    )


# -- measures -------------------------------------------------------------------------------------------


_SHARE, _SCORE, _OPEN = (0.0, 100.0), (-100.0, 100.0), (0.0, math.inf)
"""What a measure can be at the least and at the most."""


def _measures(policy: Policy) -> list[tuple[str, str, tuple[float, float], Parts]]:
    def of_runs(value: float | None, scale: float = 1.0) -> tuple[float, float] | None:
        return None if value is None else (scale * value, 1.0)

    def of_queries(value: float | None, total: float | None) -> tuple[float, float] | None:
        return None if value is None or not total else (100 * value, total)

    def of_credit(part: Callable[[Credit], float | None]) -> Parts:
        return lambda run: of_queries(part(credit(run, policy)), credit(run, policy).total)

    return [
        ("correct solutions", "points", _SHARE, lambda run: of_runs(run.solved, 100)),
        ("stated solutions", "points", _SHARE, lambda run: of_runs(run.stated, 100)),
        ("completion time", "s", _OPEN, _time),
        ("queries", "", _OPEN, lambda run: of_runs(run.queries)),
        ("correct queries", "points", _SHARE, of_credit(lambda counts: counts.correct)),
        ("incorrect queries", "points", _SHARE, of_credit(lambda counts: counts.incorrect)),
        ("queries without an answer", "points", _SHARE, lambda run: of_queries(unanswered(run), run.evaluable)),
        ("score", "points", _SCORE, of_credit(lambda counts: counts.score)),
    ]


def _contrasts(
    first: Sequence[RunRecord], second: Sequence[RunRecord], policy: Policy, tests: Rerandomiser
) -> list[MeasureContrast]:
    contrasts = []
    for name, unit, limits, parts in _measures(policy):
        sums = [
            subject_sums((run.group, *measured) for run in side if (measured := parts(run))) for side in (first, second)
        ]
        if not all(sums):
            continue
        difference = _mean(sums[0].values()) - _mean(sums[1].values())
        contrasts.append(
            MeasureContrast(
                name,
                unit,
                difference,
                _difference_interval(sums, *limits),
                tests.test(parts),
                _hedges(_values(first, parts), _values(second, parts)) if unit in ("s", "") else None,
            )
        )
    return contrasts


def _values(runs: Iterable[RunRecord], parts: Parts) -> Sequence[float]:
    return array("d", (measured[0] for run in runs if (measured := parts(run))))


def _mean(sums: Collection[Sum]) -> float:
    return math.fsum(value for value, _ in sums) / math.fsum(size for _, size in sums)


def _difference_interval(sides: Sequence[Mapping[str, Sum]], least: float, most: float) -> Interval | None:
    subjects = dict.fromkeys((*sides[0], *sides[1]))
    aligned = [[side.get(subject, (0.0, 0.0)) for subject in subjects] for side in sides]
    bounds = difference_interval(aligned[0], aligned[1], least, most)
    return None if bounds is None else Interval(*bounds, "subject")


def _hedges(first: Sequence[float], second: Sequence[float]) -> tuple[float, float, float] | None:
    """Hedges' g, the difference in pooled standard deviations, with its large-sample interval (Hedges 1981)."""
    n, m = len(first), len(second)
    if n < 2 or m < 2:
        return None
    means = [math.fsum(values) / len(values) for values in (first, second)]
    squares = sum(
        math.fsum((value - mean) ** 2 for value in values) for values, mean in zip((first, second), means, strict=True)
    )
    if not squares:
        return None
    g = (means[0] - means[1]) / math.sqrt(squares / (n + m - 2)) * (1 - 3 / (4 * (n + m) - 9))
    half = 1.96 * math.sqrt((n + m) / (n * m) + g * g / (2 * (n + m)))
    return g, g - half, g + half


# -- solutions ------------------------------------------------------------------------------------------


def _fisher_of(first: Sequence[bool | None], second: Sequence[bool | None]) -> float | None:
    sides = [[answer for answer in side if answer is not None] for side in (first, second)]
    left, right = ((sum(side), len(side)) for side in sides)
    return fisher_exact(left, right) if all(sides) else None


def _pairs(runs: Sequence[RunRecord], conditions: tuple[str, str]) -> Table:
    counts = [[0, 0, 0] for _ in _SOLUTIONS]
    for worked in by_subject(runs).values():
        sides = [_solutions_under(condition, worked) for condition in conditions]
        # Whoever has more runs on one side leaves the rest of them out.
        for first, second in zip(*sides, strict=False):
            counts[_SOLUTIONS.index(first)][_SOLUTIONS.index(second)] += 1
    rows = [(row[0], row[1], row[2]) for row in counts]
    return rows[0], rows[1], rows[2]


def _solutions_under(condition: str, runs: Sequence[RunRecord]) -> list[Solution]:
    """In the order in which the subject worked."""
    ordered = sorted(runs, key=lambda run: (run.position or 0, run.scenario))
    return [run.solution for run in ordered if run.condition == condition and run.solution is not None]


def _scenarios(
    runs: Sequence[RunRecord], conditions: tuple[str, str], tests: Rerandomiser
) -> tuple[ScenarioContrast, ...]:
    rows = []
    parts = grouped(chosen(runs, lambda run: run.solution is not None), lambda run: (run.scenario, run.condition))
    for scenario in sorted({scenario for scenario, _ in parts}):
        sides = [[run.solved for run in parts.get((scenario, condition), ())] for condition in conditions]
        if all(sides):
            first, second = ((sum(map(bool, side)), len(side)) for side in sides)
            time = tests.test(_time, within=scenario)
            rows.append((scenario, first, second, fisher_exact(first, second), time))
    adjusted = holm([row[3] for row in rows])
    return tuple(
        ScenarioContrast(scenario, first, second, p, at, time)
        for (scenario, first, second, p, time), at in zip(rows, adjusted, strict=True)
    )


def _time(run: RunRecord) -> tuple[float, float] | None:
    return None if run.completion_s is None else (run.completion_s, 1.0)


def _preferred(runs: Sequence[RunRecord], conditions: tuple[str, str]) -> tuple[int, int, int]:
    """By subject: whoever names a condition in any run prefers it; `none` is a preference for neither."""
    stated = {run.group: run.preference for run in runs if run.preference}
    first, second = (sum(name == condition for name in stated.values()) for condition in conditions)
    return first, second, len(stated) - first - second


# -- what the design cannot show ------------------------------------------------------------------------


def _limits(runs: Sequence[RunRecord], conditions: tuple[str, str]) -> list[str]:
    subjects = by_subject(runs)
    orders = [order_of(one) for one in subjects.values()]
    sentences = []
    if all(len({scenario for scenario, _ in order}) == len(order) for order in orders):
        sentences.append("Within a scenario the system was between subjects: nobody worked on one scenario with both.")
    uncrossed = sum(len({condition for _, condition in order}) < 2 for order in orders)
    if uncrossed:
        sentences.append(
            f"{uncrossed} of {len(subjects)} subjects worked under one condition only; "
            "they say nothing about a difference within a subject."
        )
    if len(set(orders)) < 2:
        sentences.append(
            "All subjects had the same order: the systems cannot be distinguished from the scenarios and their places."
        )
    met = dict.fromkeys(place for order in orders for place in order)
    lopsided = [
        scenario
        for scenario in dict.fromkeys(run.scenario for run in runs)
        if not met.keys() >= {(scenario, condition) for condition in conditions}
    ]
    if lopsided:
        sentences.append(f"Under one condition only: scenario {', '.join(lopsided)}.")
    if not any(run.preference for run in runs):
        sentences.append("No subject stated a preference.")
    return sentences


def fisher_exact(first: tuple[int, int], second: tuple[int, int]) -> float:
    """The two-sided p of Fisher's exact test for two (count, total): tables at most as likely as the observed one.

    27 of 30 against 21 of 30 gives .10, 30 of 30 against 25 of 30 gives .052.
    """
    (a, n), (b, m) = first, second
    lowest, highest = max(0, a + b - m), min(n, a + b)
    # Each table against the one before, as logarithms: the numbers themselves have a digit for each run.
    ways = array("d", [0.0])
    for k in range(lowest, highest):
        ways.append(ways[-1] + math.log((n - k) * (a + b - k) / ((k + 1) * (m - a - b + k + 1))))
    # Rounding must not distinguish equally likely tables.
    likeliest, most = max(ways), ways[a - lowest] + 1e-7
    shares = [math.exp(way - likeliest) for way in ways]
    return min(
        1.0, math.fsum(share for way, share in zip(ways, shares, strict=True) if way <= most) / math.fsum(shares)
    )


def newcombe(first: tuple[int, int], second: tuple[int, int]) -> Interval | None:
    """The interval of a difference of two percentages from their Wilson intervals (Newcombe 1998, method 10)."""
    (a, n), (b, m) = first, second
    left, right = wilson(a, n), wilson(b, m)
    if left is None or right is None:
        return None
    p, q = 100 * a / n, 100 * b / m
    low = p - q - math.hypot(p - left.low, right.high - q)
    high = p - q + math.hypot(left.high - p, q - right.low)
    return Interval(low, high, "")
