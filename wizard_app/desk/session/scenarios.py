"""Scenarios in the order of a session."""

from collections.abc import Mapping
from typing import Literal

from curtain.base.hearing import Input
from curtain.session.events import wizard_events as wizard
from curtain.session.study.conditions import Condition
from curtain.session.study.design import condition_in
from wizard_app.desk.session.progress import SessionProgress


def scenario_started(opened: wizard.SessionOpened, scenario_id: str) -> wizard.ScenarioStarted:
    """The practice scenario has number 0, the planned ones count from 1; one that was not planned comes after them."""
    practice = scenario_id == opened.practice_id
    real = [one for one in opened.scenario_ids if one != opened.practice_id]
    if not practice and scenario_id not in real:
        real.append(scenario_id)
    number = 0 if practice else real.index(scenario_id) + 1
    return wizard.ScenarioStarted(
        scenario_id=scenario_id, number=number, of=len(real), practice=practice,
        condition_id=condition_id_of(opened, scenario_id), input=opened.inputs.get(scenario_id, "speech"),
    )  # fmt: skip


def inputs_of(
    opened: wizard.SessionOpened, of_study: Input, of_scenarios: Mapping[str, Input | None]
) -> dict[str, Input]:
    """How the subject asks in each scenario, where not by speech alone: as its condition says, else as the scenario
    itself, else as the study."""
    inputs: dict[str, Input] = {}
    for scenario_id, of_scenario in of_scenarios.items():
        condition = condition_in(opened.conditions, condition_id_of(opened, scenario_id))
        inputs[scenario_id] = (condition.input if condition is not None else None) or of_scenario or of_study
    return {scenario_id: given for scenario_id, given in inputs.items() if given != "speech"}


def input_of_session(opened: wizard.SessionOpened | None) -> Input:
    """How the subject asks in the planned scenarios together: `both` where one is spoken and another typed."""
    inputs = _inputs_planned(opened)
    return inputs.pop() if len(inputs) == 1 else "both"


def must_speak(opened: wizard.SessionOpened | None) -> bool:
    """Whether a planned scenario takes no typed question, so that nothing can be asked in it without a microphone."""
    return "speech" in _inputs_planned(opened)


def _inputs_planned(opened: wizard.SessionOpened | None) -> set[Input]:
    planned = (*opened.scenario_ids, *filter(None, [opened.practice_id])) if opened is not None else ()
    return {opened.inputs.get(one, "speech") for one in planned} if opened is not None and planned else {"speech"}


def condition_id_of(opened: wizard.SessionOpened, scenario_id: str | None) -> str | None:
    """Practice runs under the first condition of the subject, so that it is practice for that."""
    if opened.plan is None or not opened.plan.runs or scenario_id is None:
        return None
    practice = scenario_id == opened.practice_id
    return opened.plan.runs[0].condition_id if practice else opened.plan.condition_of(scenario_id)


def condition_of_turn(progress: SessionProgress, number: int) -> Condition | None:
    """The condition under which a turn runs; None without an experiment, and for a scenario that was not planned."""
    turn, opened = progress.turns.get(number), progress.opened
    if turn is None or opened is None:
        return None
    return condition_in(opened.conditions, condition_id_of(opened, turn.scenario_id))


def remaining(progress: SessionProgress) -> list[str]:
    """The planned scenarios that are still to come, in their order; neither those that ended nor the one that runs."""
    planned = progress.opened.scenario_ids if progress.opened is not None else []
    running = progress.scenario.scenario_id if progress.scenario is not None else None
    return [one for one in planned if one not in progress.ended_ids and one != running]


def scenario_left(
    progress: SessionProgress, scenario_id: str, reason: Literal["next", "session_ended"]
) -> wizard.ScenarioEnded:
    """A scenario ends because the wizard moves on: what the subject has stated by then is its answer."""
    stated = progress.solution_of(scenario_id)
    if stated is None or not stated.value.strip():
        return wizard.ScenarioEnded(scenario_id=scenario_id, reason=reason)
    return wizard.ScenarioEnded(scenario_id=scenario_id, reason="answered", answer=stated.value, how=stated.how)
