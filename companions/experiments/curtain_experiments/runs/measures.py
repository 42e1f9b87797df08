"""End-to-end measures of a set of runs, as tables 2 and 4 of papers/004 state them.

The rows for all scenarios follow from the printed ones: times and queries are means over runs, percentages of queries
are pooled over queries, and percentages of runs are over runs. Scores are rounded last.
"""

import math
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from curtain.cas.scoring.intervals import Interval, Sum
from curtain_experiments.runs.run import RunRecord, grouped
from curtain_score.by_subject import ratio_interval, subject_sums

ALL = "All"

Quantity = Callable[[RunRecord], float | None]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over `n` runs, their standard deviation with n - 1, and the interval of the mean."""

    n: int
    mean: float | None
    deviation: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Percentage:
    """A percentage: `count` of `total`, unrounded, with its interval."""

    count: float
    total: float
    percent: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Cell:
    """One line of table 4: a scenario, or all of them, under one condition."""

    scenario: str
    condition: str
    runs: Sequence[RunRecord]
    stated: Percentage
    solved: Percentage
    time: Mean
    first_solution: Mean
    queries: Mean
    correct: Percentage
    partial: Percentage
    incorrect: Percentage
    no_answer: Percentage
    score: Percentage
    """Correct less incorrect, in percent of the evaluable queries."""


def cells(runs: Sequence[RunRecord]) -> list[Cell]:
    """The lines of table 4: every scenario under every condition, then all scenarios. Excluded runs must be out."""
    by_condition = grouped(runs, lambda run: run.condition)
    parts = grouped(runs, lambda run: (run.scenario, run.condition))
    scenarios = sorted(dict.fromkeys(scenario for scenario, _ in parts), key=_natural)
    places = [place for place in product(scenarios, by_condition) if place in parts]
    no_answer = unanswered_in(runs)
    lines = [_cell(*place, parts[place], no_answer) for place in places]
    return lines + [_cell(ALL, condition, worked, no_answer) for condition, worked in by_condition.items()]


def _cell(scenario: str, condition: str, runs: Sequence[RunRecord], no_answer: Quantity) -> Cell:
    return Cell(
        scenario,
        condition,
        runs,
        stated=_of_runs(runs, lambda run: run.stated),
        solved=_of_runs(runs, lambda run: run.solved),
        time=_mean(runs, lambda run: run.completion_s),
        first_solution=_mean(runs, lambda run: run.first_solution_s),
        queries=_mean(runs, lambda run: run.queries),
        correct=_pooled(runs, lambda run: credit(run).correct),
        partial=_pooled(runs, lambda run: credit(run).partial),
        incorrect=_pooled(runs, lambda run: credit(run).incorrect),
        no_answer=_pooled(runs, no_answer),
        score=_pooled(runs, lambda run: credit(run).score, least=-100.0),
    )


@dataclass(frozen=True, slots=True)
class Credit:
    """The queries of a run by what they count as; None where nobody has judged them."""

    correct: float | None
    partial: float | None
    incorrect: float | None

    @property
    def score(self) -> float | None:
        """Correct less incorrect."""
        return None if self.correct is None or self.incorrect is None else self.correct - self.incorrect


def credit(run: RunRecord) -> Credit:
    """What the judged queries of a run count as; a partially correct answer is a class of its own."""
    if run.correct is None or run.incorrect is None:
        return Credit(None, None, None)
    return Credit(run.correct, run.partial or 0.0, run.incorrect)


def unanswered(run: RunRecord) -> float | None:
    """Queries without an answer: as judged, and where nobody has, as the session counted them."""
    return run.no_answer if run.unanswered is None else run.unanswered


def unanswered_in(runs: Iterable[RunRecord]) -> Quantity:
    """Where judges labelled some of the runs, the others count in no percentage of queries."""
    judged = any(run.unanswered is not None for run in runs)
    return (lambda run: run.unanswered) if judged else unanswered


def _of_runs(runs: Iterable[RunRecord], answer: Callable[[RunRecord], bool | None]) -> Percentage:
    """The share of runs, over those where it is known."""
    return _percentage((run.group, float(known), 1.0) for run in runs if (known := answer(run)) is not None)


def _mean(runs: Sequence[RunRecord], quantity: Quantity) -> Mean:
    """The mean over runs; its interval keeps those of a subject together."""
    known = array("d", (value for run in runs if (value := quantity(run)) is not None))
    if not known:
        return Mean(0, None, None, None)
    parts = ((run.group, value, 1.0) for run in runs if (value := quantity(run)) is not None)
    return Mean(len(known), *mean_and_deviation(known), _interval(subject_sums(parts).values()))


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean, and the standard deviation with n - 1; None for a single value. Needs a value."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def _pooled(runs: Sequence[RunRecord], quantity: Quantity, least: float = 0.0) -> Percentage:
    """The percentage over all queries of all runs."""
    parts = (
        (run.group, value, total) for run in runs if (value := quantity(run)) is not None and (total := run.evaluable)
    )
    return _percentage(parts, least)


def _percentage(parts: Iterable[tuple[str, float, float]], least: float = 0.0) -> Percentage:
    """Of (subject, count, total)."""
    sums = subject_sums(parts).values()
    count, total = (math.fsum(one[side] for one in sums) for side in (0, 1))
    if not total:
        return Percentage(0, 0, None, None)
    interval = _interval(((100 * value, size) for value, size in sums), least, 100.0)
    return Percentage(count, total, 100 * count / total, interval)


def _interval(sums: Iterable[Sum], least: float = 0.0, most: float = math.inf) -> Interval | None:
    bounds = ratio_interval(list(sums), least, most)
    return None if bounds is None else Interval(*bounds, "subject")


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Numbers inside a name are ordered as numbers: 2 before 10."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)
