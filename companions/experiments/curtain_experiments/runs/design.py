"""Who works on which scenario under which condition, and how evenly: functions over the design of an experiment.

papers/004, "Design": the same scenarios in the same order for everybody; sessions alternate between robust on the
first two scenarios and full on the last two, and the reverse. Williams (1949) has the squares that are balanced for
what came immediately before. Nothing here knows of files, windows or time.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from curtain.base.errors import CurtainError
from curtain.session.study.conditions import Condition
from curtain.session.study.design import Design, PlannedRun, SubjectPlan

Cell = tuple[str, str]
"""A scenario and the condition under which it runs."""

_LONGEST_CYCLE = 10_000


class BadDesign(CurtainError):
    """The design cannot be carried out with these conditions and scenarios; the sentence names the cell."""


class PastRun(msgspec.Struct, frozen=True):
    """A scenario that ran in an earlier session; `number` is that of the subject's plan, `complete` if it was ended
    and not cut off with the session."""

    number: int
    session_id: str
    scenario_id: str
    condition_id: str
    complete: bool = True


def williams_square(size: int) -> list[list[int]]:
    """Orders of 0 to size-1 in which each comes equally often in each place and equally often after each other one:
    `size` rows, twice as many for an odd size (Williams 1949)."""
    first = [0]
    for step in range(1, size):
        first.append((step + 1) // 2 if step % 2 else size - step // 2)
    rows = [[(value + shift) % size for value in first] for shift in range(size)]
    return rows + [row[::-1] for row in rows] if size % 2 and size > 1 else rows


def plan_for(number: int, design: Design, conditions: Sequence[Condition], scenarios: Sequence[str]) -> SubjectPlan:
    """The plan of subject `number`, counted from 1. Raises BadDesign."""
    share = _share(design, conditions, scenarios)
    ordered = _scenario_order(number, design, conditions, scenarios)
    order = _condition_order(number, design, [one.id for one in conditions])
    conditions_in_order = (name for name in order for _ in range(share))
    return SubjectPlan(number=number, runs=tuple(map(PlannedRun, ordered, conditions_in_order)))


def cycle_length(design: Design, conditions: Sequence[Condition], scenarios: Sequence[str]) -> int:
    """After how many subjects the plans begin anew; for a random order the length of a block."""
    return _condition_orders(design, len(conditions)) * _scenario_orders(design, len(scenarios))


def balance_problem(design: Design, conditions: Sequence[Condition], scenarios: Sequence[str]) -> str:
    """Why the design fills its cells unevenly, naming the emptiest and the fullest one; "" if it is balanced.

    A fixed order is somebody's wish: scenario and condition are then the same thing, and nothing is said here.
    """
    try:
        _share(design, conditions, scenarios)
    except BadDesign as error:
        return str(error)
    if design.order in ("fixed", "random") or len(conditions) < 2:
        return ""
    length = min(cycle_length(design, conditions, scenarios), _LONGEST_CYCLE)
    planned = Counter(
        (run.scenario_id, run.condition_id)
        for number in range(1, length + 1)
        for run in plan_for(number, design, conditions, scenarios).runs
    )
    counts = {(scenario, one.id): planned[scenario, one.id] for scenario in scenarios for one in conditions}
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    if counts[least] == counts[most]:
        return ""
    return (
        f"[design] cannot be balanced: in {length} subjects scenario {least[0]} runs {_times(counts[least])} under "
        f"condition “{least[1]}”, and scenario {most[0]} {_times(counts[most])} under “{most[1]}”. "
        'With more than two conditions take order = "latin_square".'
    )


def cell_counts(
    conditions: Sequence[Condition], scenarios: Sequence[str], past: Iterable[PastRun]
) -> Mapping[Cell, int]:
    """How many complete runs each cell of the design has so far."""
    done = Counter((run.scenario_id, run.condition_id) for run in past if run.complete)
    return {(scenario, one.id): done[scenario, one.id] for scenario in scenarios for one in conditions}


def thin_cells(counts: Mapping[Cell, int]) -> tuple[Cell, ...]:
    """The cells with fewer runs than the fullest by more than one: a design that alternates is one behind by itself."""
    most = max(counts.values(), default=0)
    return tuple(cell for cell, count in counts.items() if count < most - 1)


def next_number(past: Iterable[PastRun]) -> int:
    """The first number that no session has worked on."""
    taken = {run.number for run in past}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


def _share(design: Design, conditions: Sequence[Condition], scenarios: Sequence[str]) -> int:
    """Scenarios for each condition. Raises BadDesign naming the cell that stays empty or the scenario that is over."""
    if not conditions:
        raise BadDesign("[design] needs conditions; write a [[conditions]] table for each, or take [design] out.")
    count, offered = len(conditions), len(scenarios)
    share = design.scenarios_per_condition or offered // count
    needed = share * count
    if share and needed == offered:
        return share
    demand = f"{count} condition{'' if count == 1 else 's'} of {share or 1} need {needed or count} scenarios"
    if needed > offered or not share:
        short = conditions[min(offered // (share or 1), count - 1)].id
        raise BadDesign(
            f"[design] cannot be balanced: {demand}, and the study offers {offered}. Condition “{short}” has too few; "
            "name more “scenarios”, or change “scenarios_per_condition”."
        )
    raise BadDesign(
        f"[design] cannot be balanced: {demand}, and the study offers {offered}. Scenario {scenarios[needed]} has no "
        "condition; take it out of “scenarios”, or change “scenarios_per_condition”."
    )


def _condition_orders(design: Design, count: int) -> int:
    match design.order:
        case "fixed":
            return 1
        case "alternate":
            return min(2, count)
        case "latin_square":
            return len(williams_square(count))
    return count


def _scenario_orders(design: Design, count: int) -> int:
    return len(williams_square(count)) if design.scenario_order == "counterbalanced" else 1


def _condition_order(number: int, design: Design, ids: Sequence[str]) -> list[str]:
    at = (number - 1) % _condition_orders(design, len(ids))
    match design.order:
        case "fixed":
            return list(ids)
        case "alternate":
            return list(ids) if at == 0 else list(ids)[::-1]
        case "latin_square":
            return [ids[place] for place in williams_square(len(ids))[at]]
    return _random_order(number, design.seed, ids)


def _random_order(number: int, seed: int, ids: Sequence[str]) -> list[str]:
    """A row of a cyclic square with its rows and names shuffled, anew for each block of subjects."""
    block, at = divmod(number - 1, len(ids))
    # A text as seed: Python hashes it by SHA-512, the same on every machine and version.
    dice = random.Random(f"conditions {seed} {block}")
    names, shifts = list(ids), list(range(len(ids)))
    dice.shuffle(names)
    dice.shuffle(shifts)
    return [names[(place + shifts[at]) % len(names)] for place in range(len(names))]


def _scenario_order(
    number: int, design: Design, conditions: Sequence[Condition], scenarios: Sequence[str]
) -> list[str]:
    if design.scenario_order == "fixed":
        return list(scenarios)
    # Crossed: every order of the scenarios meets every order of the conditions once in a cycle.
    rows = williams_square(len(scenarios))
    row = rows[(number - 1) // _condition_orders(design, len(conditions)) % len(rows)]
    return [scenarios[place] for place in row]


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
