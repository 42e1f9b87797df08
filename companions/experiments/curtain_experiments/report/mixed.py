"""A linear mixed model of the runs: conditions and scenarios as fixed effects, subjects as random intercepts.

An extra, beside the exact test that the design justifies: `pip install 'curtain-woz[stats]'` brings statsmodels.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from curtain.base.errors import CurtainError
from curtain_experiments.runs.disk_list import chosen, drawn
from curtain_experiments.runs.run import RunRecord, by_subject

MEASURES = (("completion_s", "completion time, s"), ("queries", "queries"), ("no_answer", "without an answer"))
"""Columns of runs.csv, and what they are called."""
_FEWEST_SUBJECTS = 5
MOST_RUNS = 10_000
"""A model of more would take hours."""


@dataclass(frozen=True, slots=True)
class MixedEffect:
    """How much higher a measure is under the first condition than under the second, subject and scenario aside.

    `low` and `high` are the ends of the 95 % interval (Wald), `subject_sd` is the spread between subjects. All are in
    the measure's unit. `note` is a sentence where the fit is to be doubted, "" where it is not.
    """

    measure: str
    first: str
    second: str
    runs: int
    subjects: int
    difference: float
    low: float
    high: float
    p: float
    subject_sd: float
    note: str = ""


def mixed_effects(runs: Sequence[RunRecord], seed: int = 0) -> list[MixedEffect]:
    """One effect for each measure and pair of conditions, in the order in which the conditions were met.

    Of more than `MOST_RUNS` runs, those of some subjects are drawn by the seed, which the note says.

    Raises CurtainError without statsmodels, with one condition, and with fewer than five subjects in a pair.
    """
    conditions = list(dict.fromkeys(run.condition for run in runs if not run.excluded))
    if len(conditions) < 2:
        raise CurtainError("A mixed model compares conditions, and these runs have one only. Leave --mixed out.")
    effects = [
        effect
        for first, second in combinations(conditions, 2)
        for name, title in MEASURES
        if (effect := _effect(runs, name, title, (first, second), seed)) is not None
    ]
    if not effects:
        names = ", ".join(title for _, title in MEASURES)
        raise CurtainError(
            f"A mixed model needs {_FEWEST_SUBJECTS} subjects with one of these measures: {names}. Leave --mixed out."
        )
    return effects


def _effect(runs: Sequence[RunRecord], name: str, title: str, pair: tuple[str, str], seed: int) -> MixedEffect | None:
    """None where too few subjects have the measure, or where it never varies."""
    wanted = chosen(runs, lambda run: not run.excluded and run.condition in pair and getattr(run, name) is not None)
    worked = list(by_subject(wanted).values())
    # Whole subjects, as many as have so many runs.
    most = len(worked) * MOST_RUNS // max(MOST_RUNS, len(wanted))
    subjects = drawn(worked, most, seed)
    kept = [run for runs_of_one in subjects for run in runs_of_one]
    if len(subjects) < _FEWEST_SUBJECTS or len({getattr(run, name) for run in kept}) < 2:
        return None
    fitted, doubts = _fitted(kept, name, pair)
    low, high = fitted.conf_int().loc["first"]
    return MixedEffect(
        measure=title,
        first=pair[0],
        second=pair[1],
        runs=len(kept),
        subjects=len(subjects),
        difference=float(fitted.params["first"]),
        low=float(low),
        high=float(high),
        p=float(fitted.pvalues["first"]),
        subject_sd=float(fitted.cov_re.iloc[0, 0]) ** 0.5,
        note=f"The model holds {most:,} of {len(worked):,} subjects. {doubts}".strip()
        if most < len(worked)
        else doubts,
    )


def _fitted(runs: Sequence[RunRecord], name: str, pair: tuple[str, str]):  # type: ignore[no-untyped-def]
    try:
        import pandas as pd
        import statsmodels.formula.api as smf  # type: ignore[import-untyped]
    except ImportError as missing:
        raise CurtainError(
            "--mixed needs statsmodels: pip install 'curtain-woz[stats]'. runs.csv holds the runs for any other tool."
        ) from missing
    frame = pd.DataFrame(
        {
            "measure": [float(getattr(run, name)) for run in runs],
            "first": [float(run.condition == pair[0]) for run in runs],
            "scenario": [run.scenario for run in runs],
            "subject": [run.group for run in runs],
        }
    )
    fixed = "measure ~ first + C(scenario)" if frame["scenario"].nunique() > 1 else "measure ~ first"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = smf.mixedlm(fixed, frame, groups=frame["subject"]).fit(reml=True)
    # A spread of 0 between subjects is at the edge of what can be: the fit stands, and its interval is doubtful.
    doubtful = not fitted.converged or any("boundary" in str(one.message) for one in caught)
    return fitted, "The spread between subjects is at its edge; read the interval with care." if doubtful else ""
