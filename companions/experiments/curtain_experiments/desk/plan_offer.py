"""What the start page says of the design: who comes next, what was done, where it is thin. Values and functions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curtain.session.study.conditions import Condition
from curtain.session.study.design import Design, PlannedRun, SubjectPlan
from curtain_experiments.runs.design import BadDesign, Cell, PastRun, cell_counts, next_number, plan_for, thin_cells


@dataclass(frozen=True)
class PlanOffer:
    """The plan of the next subject, and the cells of the design. `problem` is why there is no plan."""

    design: Design
    conditions: tuple[Condition, ...]
    scenarios: tuple[str, ...]
    plan: SubjectPlan | None = None
    counts: Mapping[Cell, int] = field(default_factory=dict)
    thin: tuple[Cell, ...] = ()
    problem: str = ""


def offer_of(
    design: Design, conditions: Sequence[Condition], scenarios: Sequence[str], past: Iterable[PastRun]
) -> PlanOffer | None:
    """None for a study without conditions."""
    if not conditions:
        return None
    offer, ran = PlanOffer(design, tuple(conditions), tuple(scenarios)), list(past)
    try:
        plan = plan_of_number(offer, next_number(ran))
    except BadDesign as error:
        return replace(offer, problem=str(error))
    counts = cell_counts(conditions, scenarios, ran)
    return replace(offer, plan=plan, counts=counts, thin=thin_cells(counts))


def plan_of_number(offer: PlanOffer, number: int) -> SubjectPlan:
    """What the design says for any subject. Raises BadDesign."""
    return plan_for(number, offer.design, offer.conditions, offer.scenarios)


def departed(offer: PlanOffer, number: int, chosen: Sequence[str], reason: str) -> SubjectPlan | None:
    """The plan as it will be carried out: that of `number`, with the scenarios that are chosen in their order.

    Where that is not what the design says for the next subject, `planned` has what it said and `override` the reason.
    """
    if offer.plan is None:
        return None
    wanted = plan_of_number(offer, number)
    runs = tuple(PlannedRun(scenario, _condition(wanted, scenario, at)) for at, scenario in enumerate(chosen))
    if number == offer.plan.number and runs == offer.plan.runs:
        return offer.plan
    return SubjectPlan(number=number, runs=runs, override=reason.strip(), planned=offer.plan.runs)


def _condition(plan: SubjectPlan, scenario: str, at: int) -> str:
    """A planned scenario keeps its condition wherever it is moved; another one gets that of its place."""
    return plan.condition_of(scenario) or plan.runs[min(at, len(plan.runs) - 1)].condition_id
