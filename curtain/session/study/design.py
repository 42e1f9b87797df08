"""Who works on which scenario under which condition: the design of an experiment and a plan that follows it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from curtain.session.study.conditions import Condition

Order = Literal["fixed", "alternate", "latin_square", "random"]


class Design(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table `[design]`.

    `order` of the conditions: `fixed` as listed; `alternate` as listed for odd subjects, reversed for even ones;
    `latin_square` the rows of a Williams square; `random` drawn from `seed`, each condition equally often in each place
    within a block of subjects. `scenarios_per_condition` 0 divides the scenarios evenly. `scenario_order`
    `counterbalanced` gives the scenarios the rows of a Williams square, crossed with the orders of the conditions.
    """

    order: Order = "fixed"
    scenarios_per_condition: Annotated[int, Meta(ge=0, le=50, description="a whole number from 1, or 0 for even")] = 0
    scenario_order: Annotated[Literal["fixed", "counterbalanced"], Meta(description='"fixed" or "counterbalanced"')] = (
        "fixed"
    )
    seed: Annotated[int, Meta(ge=0, le=2**31 - 1, description="a whole number")] = 1992


class PlannedRun(msgspec.Struct, frozen=True):
    """One scenario under one condition."""

    scenario_id: str
    condition_id: str


class SubjectPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What subject `number` (from 1) works on, in order. `override` is why a person departed from the design, "" where
    nobody did; `planned` is then what the design had said."""

    number: int
    runs: tuple[PlannedRun, ...]
    override: str = ""
    planned: tuple[PlannedRun, ...] = ()

    @property
    def scenario_ids(self) -> tuple[str, ...]:
        """The scenarios in their order."""
        return tuple(run.scenario_id for run in self.runs)

    def condition_of(self, scenario_id: str) -> str | None:
        """The id of the condition of a scenario; None for a scenario that is not planned."""
        return next((run.condition_id for run in self.runs if run.scenario_id == scenario_id), None)


def condition_in(rows: Sequence[Mapping[str, object]], condition_id: str | None) -> Condition | None:
    """The condition of this id among those of a journal; None where there is none that this version can read."""
    row = next((one for one in rows if one.get("id") == condition_id), None)
    if row is None:
        return None
    try:
        # Keys of the future are passed over: the line keeps them.
        return msgspec.convert({key: row[key] for key in row if key in Condition.__struct_fields__}, Condition)
    except msgspec.ValidationError:
        return None
