"""Which cells of a design the sessions of a study have filled so far."""

from collections.abc import Iterator
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.session.bundle.bundle import Bundle
from curtain.session.events import wizard_events as wizard
from curtain.session.events.facts import wizard_lines
from curtain.session.study.study import Study
from curtain_experiments.runs.design import PastRun


def past_runs(study: Study) -> list[PastRun]:
    """The scenarios that ran under a condition, by session; practice and trial sessions do not count.

    A session that cannot be read is passed over: the list of sessions says so. Raises StudyMissing.
    """
    runs: list[PastRun] = []
    for session in study.sessions():
        try:
            runs += _runs_of(session.session_id, session.path)
        except CurtainError:
            continue
    return runs


def _runs_of(session_id: str, path: Path) -> Iterator[PastRun]:
    facts = [line.fact for line in wizard_lines(Bundle(path).read_wizard_journal().entries)]
    opened = next((fact for fact in facts if isinstance(fact, wizard.SessionOpened)), None)
    if opened is None or opened.plan is None or opened.pilot:
        return
    ended = {fact.scenario_id: fact.reason for fact in facts if isinstance(fact, wizard.ScenarioEnded)}
    finished = any(isinstance(fact, wizard.SessionClosed) and fact.reason == "finished" for fact in facts)
    number = opened.plan.number
    started = [fact for fact in facts if isinstance(fact, wizard.ScenarioStarted) and not fact.practice]
    for fact in started:
        if fact.condition_id is not None:
            # The last scenario of a session that was finished ends with it.
            complete = finished or ended.get(fact.scenario_id, "session_ended") != "session_ended"
            yield PastRun(number, session_id, fact.scenario_id, fact.condition_id, complete)
    if not started:
        # The number is taken all the same: somebody sat there.
        yield PastRun(number, session_id, "", "", False)
