import pytest

from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact
from wizard_app.desk.session.scenarios import remaining, scenario_left


def stated(scenario_id: str, value: str) -> SessionProgress:
    return SessionProgress(solutions=(subject.SolutionReported(scenario_id=scenario_id, value=value, how="typed"),))


ANSWERED = wizard.ScenarioEnded(scenario_id="fair", reason="answered", answer="Tokyo", how="typed")


@pytest.mark.parametrize("progress", [SessionProgress(), stated("fair", " "), stated("another", "Tokyo")])
def test_an_answer_that_was_typed_is_kept_when_the_wizard_moves_on(progress: SessionProgress) -> None:
    assert scenario_left(stated("fair", "Tokyo"), "fair", "next") == ANSWERED
    assert scenario_left(progress, "fair", "next") == wizard.ScenarioEnded(scenario_id="fair", reason="next")


def test_starting_over_is_reported_until_the_next_question() -> None:
    after = with_subject_fact(SessionProgress(), subject.HistoryCleared(), None, 0)
    assert after.started_over
    take = subject.TakeSaved(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0)
    later = with_subject_fact(after, take, 1, 1)
    assert not later.started_over
    assert later.turns[1].take == take


def test_what_remains_is_neither_ended_nor_running() -> None:
    opened = wizard.SessionOpened(
        session_id="e00-01", speaker_id="e00", wizard_ids=["mb"], domain="personnel", scenario_ids=["a", "b", "c", "d"]
    )
    ended = (wizard.ScenarioEnded(scenario_id="c", reason="next"),)
    running = wizard.ScenarioStarted(scenario_id="b", number=2, of=4)
    assert remaining(SessionProgress(opened=opened, scenario=running, scenarios_ended=ended)) == ["a", "d"]
    assert remaining(SessionProgress()) == []
