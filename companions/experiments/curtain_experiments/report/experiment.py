"""All that a report shows: runs, who is left out and why, measures, and the comparison of two conditions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import MappingProxyType
from typing import Literal

from curtain.cas.scoring.significance import holm
from curtain.session.study.analysis import Analysis
from curtain_experiments.runs.comparison import Comparison, MeasureContrast, compare_conditions
from curtain_experiments.runs.measures import Cell, cells
from curtain_experiments.runs.run import MOST_LISTED, Query, RunRecord, by_subject, chosen
from curtain_judge.agreement import QuestionAgreement

_MOST_COMPARED = 4


@dataclass(frozen=True, slots=True)
class Flow:
    """Participants: how many were recruited (None where nobody said), how many ran, how many are analysed, and why the
    others are not. `planned` are the runs that the analysed subjects were to have, None where nobody knows; `runs`
    those that are analysed."""

    recruited: int | None
    ran: int
    analysed: int
    excluded: tuple[tuple[str, int], ...]
    planned: int | None
    runs: int


@dataclass(frozen=True, slots=True)
class Declaration:
    """The analysis of the study. `when`: all sessions carry it, which began on `day`; some carry another, and the first
    with this one is `session` of `day`; none carries it; nobody declared one."""

    analysis: Analysis = field(default_factory=Analysis)
    when: Literal["before", "amid", "after", "never"] = "never"
    day: str = ""
    session: str = ""


@dataclass(frozen=True)
class Experiment:
    """The content of a report."""

    title: str
    sources: tuple[str, ...]
    seed: int
    runs: Sequence[RunRecord]
    queries: Sequence[Query]
    analysed: Sequence[RunRecord]
    """The runs that are not excluded."""
    flow: Flow
    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]
    agreement: tuple[QuestionAgreement, ...]
    declaration: Declaration = field(default_factory=Declaration)
    notes: tuple[str, ...] = ()
    """What a reader must know first, such as pairs that wait for a ruling."""

    def primary(self, comparison: Comparison) -> MeasureContrast | None:
        """What decides: the measure that was declared, or else the first that has a test."""
        wanted = self.declaration.analysis.primary
        return next((one for one in comparison.contrasts if one.measure == wanted or (not wanted and one.test)), None)


def experiment_of(
    runs: Sequence[RunRecord],
    *,
    queries: Sequence[Query] = (),
    recruited: int | None = None,
    agreement: Sequence[QuestionAgreement] = (),
    title: str = "",
    sources: Sequence[str] = (),
    declaration: Declaration = Declaration(),
    left_out: Mapping[str, str] = MappingProxyType({}),
    notes: Sequence[str] = (),
    seed: int,
) -> Experiment:
    """The figures of all runs. The same runs and seed give the same figures.

    `left_out` says of subjects without runs why they have none.
    """
    analysed = chosen(runs, lambda run: not run.excluded)
    pairs, with_condition = _pairs(analysed, declaration.analysis), chosen(analysed, lambda run: run.condition)
    experiment = Experiment(
        title=title,
        sources=tuple(sources),
        seed=seed,
        runs=runs,
        queries=queries,
        analysed=analysed,
        flow=_flow(runs, recruited, left_out),
        cells=tuple(cells(analysed)),
        comparisons=tuple(
            compare_conditions(with_condition, pair, seed=seed, analysis=declaration.analysis) for pair in pairs
        ),
        agreement=tuple(agreement),
        declaration=declaration,
        notes=(*notes, *_limit(len(runs))),
    )
    return replace(experiment, comparisons=_adjusted(experiment))


def _pairs(runs: Iterable[RunRecord], analysis: Analysis) -> list[tuple[str, str]]:
    """The conditions to compare, what was declared first."""
    conditions = list(dict.fromkeys(run.condition for run in runs if run.condition))
    first, *others = analysis.contrast or ("",)
    declared = [(first, other) for other in others if {first, other} <= {*conditions}]
    pairs = combinations(conditions[:_MOST_COMPARED], 2)
    return [*declared, *(pair for pair in pairs if {*pair} != {*analysis.contrast})]


def _adjusted(experiment: Experiment) -> tuple[Comparison, ...]:
    """With p after Holm over all pairs, where nobody declared which of several decides."""
    comparisons = experiment.comparisons
    tests = [contrast.test if (contrast := experiment.primary(one)) else None for one in comparisons]
    known = [test.p for test in tests if test]
    if len(known) < 2 or experiment.declaration.analysis.contrast:
        return comparisons
    adjusted = holm(known)
    return tuple(
        replace(one, holm=adjusted.pop(0) if test else None) for one, test in zip(comparisons, tests, strict=True)
    )


def _limit(runs: int) -> Iterator[str]:
    if runs > MOST_LISTED:
        yield (
            f"The page lists the first {MOST_LISTED:,} of {runs:,} runs; runs.csv "
            "and queries.csv have every run and query."
        )


def _flow(runs: Sequence[RunRecord], recruited: int | None, left_out: Mapping[str, str]) -> Flow:
    subjects = by_subject(runs)
    excluded = [worked[0].excluded for worked in subjects.values() if all(run.excluded for run in worked)]
    reasons = Counter([*excluded, *left_out.values()])
    ran = len(subjects) + len(left_out)
    kept = chosen(runs, lambda run: not run.excluded)
    most = tuple(reasons.most_common())
    recruited = None if recruited is None else max(recruited, ran)
    return Flow(recruited, ran, ran - reasons.total(), most, _planned(kept), len(kept))


def _planned(runs: Iterable[RunRecord]) -> int | None:
    """How many runs these sessions were to have; None where a plan is not known."""
    plans: dict[tuple[str, str], int] = {}
    for run in runs:
        if not run.plan:
            return None
        plans[run.group, run.session] = len(run.plan)
    return sum(plans.values())
