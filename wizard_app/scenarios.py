"""Scenarios in the order of a session."""

from __future__ import annotations

from curtain.session import wizard_events as wizard


def scenario_started(opened: wizard.SessionOpened, scenario_id: str) -> wizard.ScenarioStarted:
    """The practice scenario has number 0, the planned ones count from 1; one that was not planned comes after them."""
    practice = scenario_id == opened.practice_id
    real = [one for one in opened.scenario_ids if one != opened.practice_id]
    if not practice and scenario_id not in real:
        real.append(scenario_id)
    number = 0 if practice else real.index(scenario_id) + 1
    return wizard.ScenarioStarted(scenario_id=scenario_id, number=number, of=len(real), practice=practice)
