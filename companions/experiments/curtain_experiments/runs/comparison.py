"""Two conditions compared: one difference for each measure, with the test and the interval of re-randomisation."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from curtain.cas.scoring.intervals import Interval
from curtain.cas.scoring.significance import holm, mcnemar
from curtain.session.study.analysis import MEASURES, Analysis, Measure
from curtain_experiments.runs.measures import Credit, credit, unanswered_in
from curtain_experiments.runs.rerandomisation import Parts, Rerandomised, Rerandomiser
from curtain_experiments.runs.run import RunRecord, by_subject, chosen, grouped
from curtain_score.by_subject import subject_sums


@dataclass(frozen=True, slots=True)
class MeasureContrast:
    """One measure: both conditions over so many runs, and the first minus the second. `interval` holds the differences
    that `test` does not refute at its alpha; None where it refutes none, and where nothing varies."""

    measure: Measure
    unit: str
    runs: tuple[int, int]
    first: float
    second: float
    difference: float
    interval: Interval | None
    test: Rerandomised | None
    sensitivity: Rerandomised | None
    """Of the primary measure where the mix differs: the test with each scenario compared with itself."""
    sensitivity_interval: Interval | None
    mix_differs: bool
    """Whether some scenario has another share of the runs under the first condition than under the second."""


@dataclass(frozen=True, slots=True)
class ScenarioContrast:
    """Correct solutions within one scenario: (count, runs) of both; `holm` is the p after Holm over all scenarios."""

    scenario: str
    first: tuple[int, int]
    second: tuple[int, int]
    test: Rerandomised | None
    holm: float | None


@dataclass(frozen=True)
class Comparison:
    """All that is said about two conditions; `orders` are the planned ones."""

    first: str
    second: str
    subjects: int
    orders: int
    contrasts: tuple[MeasureContrast, ...]
    scenarios: tuple[ScenarioContrast, ...]
    preferred: tuple[int, int, int]
    """Subjects who preferred the first, the second, neither."""
    sign_test: float | None
    limits: tuple[str, ...]
    """What the design cannot show, in sentences."""
    smallest_p: float
    """That the design allows, two-sided."""
    planned: bool
    """Whether the orders are stored plans; else they were inferred from the runs."""
    exact: bool
    """Whether the tests rest on the design alone: with a third condition they do not."""
    holm: float | None = None
    """The p of the primary measure after Holm over all pairs of conditions, where several were compared."""


def compare_conditions(
    runs: Sequence[RunRecord],
    conditions: tuple[str, str],
    *,
    seed: int,
    analysis: Analysis = Analysis(),  # noqa: B008 - a frozen value
) -> Comparison:
    """Compares two conditions over the runs that are analysed, which are those of all conditions."""
    both = chosen(runs, lambda run: run.condition in conditions)
    tests = Rerandomiser(runs, conditions, seed)
    preferred = _preferred(both, conditions)
    return Comparison(
        *conditions,
        subjects=len({run.group for run in both}),
        orders=tests.planned,
        contrasts=tuple(_contrasts(both, conditions, tests, analysis)),
        scenarios=_scenarios(both, conditions, tests),
        preferred=preferred,
        sign_test=mcnemar(preferred[0], preferred[1]) if sum(preferred) else None,
        limits=(*_limits(both, conditions, tests), *tests.order_sentences, *tests.limits),
        smallest_p=tests.smallest_p,
        planned=any(run.plan for run in runs),
        exact=len(both) == len(runs),
    )


# -- measures -------------------------------------------------------------------------------------------


_SHARE, _SCORE, _OPEN = 100.0, 200.0, math.inf
"""How large a difference can be."""


def measures_of(runs: Sequence[RunRecord]) -> dict[Measure, tuple[str, float, Parts]]:
    """The unit, the largest difference, and what is measured of each of these runs."""
    unanswered = unanswered_in(runs)

    def of_runs(value: float | None, scale: float = 1.0) -> tuple[float, float] | None:
        return None if value is None else (scale * value, 1.0)

    def of_queries(value: float | None, total: float | None) -> tuple[float, float] | None:
        return None if value is None or not total else (100 * value, total)

    def of_credit(part: Callable[[Credit], float | None]) -> Parts:
        return lambda run: of_queries(part(credit(run)), run.evaluable)

    return {
        "correct solutions": ("points", _SHARE, _solved),
        "stated solutions": ("points", _SHARE, lambda run: of_runs(run.stated, 100)),
        "completion time": ("s", _OPEN, lambda run: of_runs(run.completion_s)),
        "queries": ("", _OPEN, lambda run: of_runs(run.queries)),
        "correct queries": ("points", _SHARE, of_credit(lambda counts: counts.correct)),
        "incorrect queries": ("points", _SHARE, of_credit(lambda counts: counts.incorrect)),
        "queries without an answer": ("points", _SHARE, lambda run: of_queries(unanswered(run), run.evaluable)),
        "score": ("points", _SCORE, of_credit(lambda counts: counts.score)),
    }


def subject_means(runs: Iterable[RunRecord], condition: str, parts: Parts) -> dict[str, float]:
    """Of each subject under a condition, over all their runs."""
    measured = ((run.group, *sums) for run in runs if run.condition == condition and (sums := parts(run)))
    return {subject: value / size for subject, (value, size) in subject_sums(measured).items()}


def _contrasts(
    runs: Sequence[RunRecord], conditions: tuple[str, str], tests: Rerandomiser, analysis: Analysis
) -> Iterable[MeasureContrast]:
    measures = measures_of(runs)
    # What was declared stands first.
    declared, primary = (name for name in (analysis.primary, *analysis.secondary) if name), analysis.primary
    for name in dict.fromkeys((*declared, *MEASURES)):
        unit, most, parts = measures[name]
        sides = [
            [(run.scenario, *measured) for run in runs if run.condition == condition and (measured := parts(run))]
            for condition in conditions
        ]
        if not all(sides):
            continue
        first, second = (math.fsum(one[1] for one in side) / math.fsum(one[2] for one in side) for side in sides)
        alternative = analysis.alternative if name == analysis.primary else "two-sided"
        test_of = partial(tests.test, parts, alternative=alternative, alpha=analysis.alpha)
        test, runs_of_both = test_of(), (len(sides[0]), len(sides[1]))
        primary, differs = primary or (name if test else ""), _mix_differs(*sides)
        other = test_of(each_scenario=True) if name == primary and differs else None
        intervals = [_interval(one, most) for one in (test, other)]
        yield MeasureContrast(
            name, unit, runs_of_both, first, second, first - second, intervals[0], test, other, intervals[1], differs
        )


def _mix_differs(*sides: Sequence[tuple[str, float, float]]) -> bool:
    first, second = (Counter(scenario for scenario, *_ in side) for side in sides)
    return any(first[name] * len(sides[1]) != second[name] * len(sides[0]) for name in first | second)


def _interval(test: Rerandomised | None, most: float) -> Interval | None:
    """Within what can be; None where nothing is refuted, and where the interval would be a point."""
    if test is None or (test.low is None and test.high is None) or test.low == test.high:
        return None
    low, high = (-most if test.low is None else test.low), (most if test.high is None else test.high)
    return Interval(max(-most, low), min(most, high), "re-randomisation")


# -- scenarios and preferences --------------------------------------------------------------------------


def _scenarios(
    runs: Sequence[RunRecord], conditions: tuple[str, str], tests: Rerandomiser
) -> tuple[ScenarioContrast, ...]:
    rows: list[ScenarioContrast] = []
    parts = grouped(chosen(runs, lambda run: run.solved is not None), lambda run: (run.scenario, run.condition))
    for scenario in sorted({scenario for scenario, _ in parts}):
        sides = [[bool(run.solved) for run in parts.get((scenario, condition), ())] for condition in conditions]
        if all(sides):
            first, second = ((sum(side), len(side)) for side in sides)
            rows.append(ScenarioContrast(scenario, first, second, tests.test(_solved, within=scenario), None))
    adjusted = holm([row.test.p for row in rows if row.test])
    return tuple(replace(row, holm=adjusted.pop(0) if row.test else None) for row in rows)


def _solved(run: RunRecord) -> tuple[float, float] | None:
    return None if run.solved is None else (100.0 * run.solved, 1.0)


def _preferred(runs: Sequence[RunRecord], conditions: tuple[str, str]) -> tuple[int, int, int]:
    """By subject: whoever names a condition in any run prefers it; `none` is a preference for neither."""
    stated = {run.group: run.preference for run in runs if run.preference}
    first, second = (sum(name == condition for name in stated.values()) for condition in conditions)
    return first, second, len(stated) - first - second


# -- what the design cannot show ------------------------------------------------------------------------


def _limits(runs: Sequence[RunRecord], conditions: tuple[str, str], tests: Rerandomiser) -> list[str]:
    met = [{(run.scenario, run.condition) for run in worked} for worked in by_subject(runs).values()]
    sentences = []
    if all(len({scenario for scenario, _ in places}) == len(places) for places in met):
        sentences.append(
            "Within a scenario conditions are compared between subjects: nobody worked on one scenario under both."
        )
    uncrossed = sum(len({condition for _, condition in places}) < 2 for places in met)
    if uncrossed:
        sentences.append(
            f"{uncrossed} of {len(met)} subjects worked under one condition only; "
            "they say nothing about a difference within a subject."
        )
    if tests.planned == 1:
        sentences.append(
            "All subjects had the same order: conditions cannot be distinguished from the scenarios and their places."
        )
    everywhere = set().union(*met)
    lopsided = [
        scenario
        for scenario in dict.fromkeys(run.scenario for run in runs)
        if not everywhere >= {(scenario, condition) for condition in conditions}
    ]
    if lopsided:
        sentences.append(f"Under one condition only: scenario {', '.join(lopsided)}.")
    if not any(run.preference for run in runs):
        sentences.append("No subject stated a preference.")
    return sentences
