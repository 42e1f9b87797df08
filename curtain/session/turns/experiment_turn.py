"""What an experiment knows of a turn: its condition and plan, what the recogniser made of it, and who answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, structs

from curtain.session.events import wizard_events as wizard
from curtain.session.study.conditions import Condition
from curtain.session.study.design import condition_in
from curtain.session.turns.turn_progress import TurnProgress


@dataclass(frozen=True)
class ExperimentTurn:
    """`hypothesis` is the recognised query: what was on the screen where a recogniser heard it or erred on purpose.

    `query_by` is who heard it (`wizard`, `asr`, `system`); `answered_by` is `wizard` or the name of a system, None
    while the turn is open and where there are no conditions. `taken_over` turns do not count for a comparison.
    `plan_number` is that of the subject's plan, `planned_condition_id` what the design had said for the scenario.
    """

    condition_id: str | None = None
    condition: Condition | None = None
    plan_number: int | None = None
    planned_condition_id: str | None = None
    hypothesis: str | None = None
    query_by: str = "wizard"
    answered_by: str | None = None
    taken_over: bool = False
    reply: wizard.SystemAnswered | None = None
    failure: wizard.SystemFailed | None = None

    def as_json(self) -> dict[str, Any]:
        """The keys that `curtain turns` adds to a turn; null where there is no experiment."""
        return {
            "condition_id": self.condition_id,
            "condition": structs.asdict(self.condition) if self.condition else None,
            "plan_number": self.plan_number,
            "planned_condition_id": self.planned_condition_id,
            "hypothesis": self.hypothesis,
            "query_by": self.query_by,
            "answered_by": self.answered_by,
            "taken_over": self.taken_over,
            "system_reply": _set_fields(self.reply) if self.reply else None,
            "system_fault": _set_fields(self.failure) if self.failure else None,
        }


def _set_fields(fact: wizard.WizardFact) -> dict[str, Any]:
    """A fact without what it leaves open, such as who was at the desk."""
    return {name: value for name, value in structs.asdict(fact).items() if value is not UNSET}


def experiment_turn(
    progress: TurnProgress,
    opened: wizard.SessionOpened | None,
    scenario: wizard.ScenarioStarted | None,
    facts: Iterable[object],
    system: str | None,
) -> ExperimentTurn:
    """Of one turn; `facts` are the wizard's about it, `system` is the system whose reply holds, None for a person."""
    all_facts = list(facts)
    replies = [fact for fact in all_facts if isinstance(fact, wizard.SystemAnswered)]
    failures = [fact for fact in all_facts if isinstance(fact, wizard.SystemFailed)]
    condition_id = scenario.condition_id if scenario else None
    plan = opened.plan if opened else None
    return ExperimentTurn(
        condition_id=condition_id,
        condition=condition_in(opened.conditions, condition_id) if opened else None,
        plan_number=plan.number if plan else None,
        planned_condition_id=_planned(opened, scenario),
        hypothesis=hypothesis_of(progress),
        query_by=progress.query_by,
        # Without conditions everybody knows who answers.
        answered_by=(system or "wizard") if progress.sent and condition_id is not None else None,
        taken_over=progress.taken_over,
        reply=replies[-1] if replies else None,
        failure=failures[-1] if failures else None,
    )


def hypothesis_of(progress: TurnProgress) -> str | None:
    """What a recogniser made of the turn; None where a person typed it and nothing was changed."""
    if progress.recognised is None and progress.query_by == "wizard":
        return None
    return progress.shown_query


def _planned(opened: wizard.SessionOpened | None, scenario: wizard.ScenarioStarted | None) -> str | None:
    if opened is None or opened.plan is None or scenario is None:
        return None
    runs = opened.plan.planned or opened.plan.runs
    return next((run.condition_id for run in runs if run.scenario_id == scenario.scenario_id), None)
