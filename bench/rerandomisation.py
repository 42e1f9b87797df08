"""How often the interval of a difference covers the true one, over simulated studies: python bench/rerandomisation.py

Each row is a design: two or three conditions, so many subjects, so many seconds between scenarios, and a share of runs
missing. Subjects differ by 40 s, runs by 60 s, and the first condition takes 40 s longer. A third condition takes 80 s
longer than the second. `power` is the share of studies that find the difference at p < .05, `contradictions` are
studies whose interval excludes 0 while p is above .05, or the reverse. Shares of solved runs stand below.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from size import SMALL, sized

from curtain.base.terminal import print_line
from curtain.session.study.conditions import Condition
from curtain.session.study.design import Design
from curtain_experiments.runs import rerandomisation
from curtain_experiments.runs.design import plan_for
from curtain_experiments.runs.run import RunRecord

STUDIES = sized(500, 2)
SUBJECTS = sized((8, 9, 12, 20, 30), (8,))
# A tenth of what the report draws: the coverage is the same, and the ends of one interval are a little less sure.
DRAWS, EXACT = 2_000, 20_000
EFFECT_S, THIRD_S, SUBJECTS_S, RUNS_S = 40.0, 80.0, 40.0, 60.0
SOLVED, EFFECT_OF_SHARES = 0.6, 0.2


@dataclass(frozen=True)
class SimulatedDesign:
    """`scenarios_s` is the difference between easy and hard scenarios, `missing` the share of runs that are not
    there."""

    conditions: int
    subjects: int
    scenarios_s: float
    missing: float


def studies(design: SimulatedDesign, random: np.random.Generator, solved: bool) -> Iterator[list[RunRecord]]:
    """Runs under a, b and perhaps c, in the orders of the product's own designs."""
    conditions = [Condition(id=name) for name in "abc"[: design.conditions]]
    scenarios = [str(number) for number in range(1, 2 * design.conditions + 1)]
    order = Design(order="alternate" if design.conditions == 2 else "latin_square")
    effects = {"a": EFFECT_S, "b": 0.0, "c": THIRD_S}
    hard = {name: design.scenarios_s * (place // 2) for place, name in enumerate(scenarios)}
    while True:
        runs = []
        for number in range(1, design.subjects + 1):
            level = random.normal(0, SUBJECTS_S)
            planned = plan_for(number, order, conditions, scenarios).runs
            plan = tuple((run.scenario_id, run.condition_id) for run in planned)
            for scenario, condition in plan:
                time = 300 + level + hard[scenario] + effects[condition] + random.normal(0, RUNS_S)
                share = SOLVED + EFFECT_OF_SHARES * (condition == "a") - hard[scenario] / 500 - level / 400
                answer = "correct" if random.random() < share else "incorrect"
                if random.random() >= design.missing:
                    runs.append(RunRecord(
                        f"s{number}", scenario, condition, session=f"s{number}", plan=plan,
                        completion_s=None if solved else time, solution=answer if solved else None,
                    ))  # fmt: skip
        yield runs


def measured(design: SimulatedDesign, count: int, solved: bool = False, seed: int = 1992) -> tuple[float, float, int]:
    """Coverage and power as shares of `count` studies, and how many contradict themselves."""
    random = np.random.default_rng(seed)
    truth = 100 * EFFECT_OF_SHARES if solved else EFFECT_S
    parts: Callable[[RunRecord], tuple[float, float] | None] = (
        (lambda run: (100.0 * bool(run.solved), 1.0)) if solved else (lambda run: (run.completion_s or 0.0, 1.0))
    )
    covered = power = contradictions = 0
    for _, runs in zip(range(count), studies(design, random, solved), strict=False):
        test = rerandomisation.Rerandomiser(runs, ("a", "b"), seed=1).test(parts)
        assert test is not None
        low, high = (-np.inf if test.low is None else test.low), (np.inf if test.high is None else test.high)
        covered += bool(low <= truth <= high)
        power += test.p <= 0.05
        contradictions += (test.p <= 0.05) != (not low <= 0 <= high)
    return covered / count, power / count, contradictions


def main() -> None:
    """A line a design; exit 1 if an interval covers in under 91 % or over 99 %, or contradicts its test."""
    rerandomisation.DRAWS, rerandomisation.MOST_EXACT = DRAWS, EXACT
    rows = [SimulatedDesign(*row) for row in product((2, 3), SUBJECTS, (0.0, 20.0, 50.0), (0.0, 0.15))]
    faulty = 0
    print_line("measure  conditions  subjects  scenarios  missing  covered   power  contradictions")
    for solved in (False, True):
        for row in rows:
            covered, power, contradictions = measured(row, STUDIES, solved)
            print_line(
                f"{'solved' if solved else 'time':8} {row.conditions:10} {row.subjects:9} {row.scenarios_s:8.0f} s "
                f"{100 * row.missing:6.0f} % {100 * covered:6.1f} % {100 * power:5.1f} % {contradictions:15}"
            )
            faulty += contradictions > 0 or not 0.91 <= covered <= 0.99
    sys.exit(not SMALL and faulty > 0)


if __name__ == "__main__":
    main()
