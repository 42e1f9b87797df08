"""The properties of the window that a driver reads; the table is in `window`."""

from __future__ import annotations

from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.situation import Situation, SqlState
from wizard_app.desk.turn.deadline import Deadline


def seen_by_driver(now: Situation, session: SessionControl, deadline: Deadline) -> dict[str, str | int | bool]:
    """The state of the window by property name; tests and rehearsals wait for these values."""
    progress, running = session.progress, session.session
    last = progress.last_sent
    return {
        "state": now.state.value,
        "link": "up" if now.link_up else "down",
        "session": running.session_id if running is not None else "",
        "scenario": progress.scenario.scenario_id if progress.scenario is not None else "",
        "solution": progress.stated_solution,
        "turn": now.turn or 0,
        "open_turns": len(progress.open_turns),
        "open_forms": len(session.open_forms),
        "wizard_form": session.wizard_form.name if session.wizard_form is not None else "",
        "answered_turn": last.number if last is not None else 0,
        "sql_state": now.sql.value,
        "sql_settled": now.sql is not SqlState.RUNNING,
        "picking": now.picking,
        "urgency": deadline.urgency.value,
        "drafts": now.drafts,
    }
