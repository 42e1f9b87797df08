from dataclasses import replace
from itertools import product

import pytest
from msgspec import structs

from curtain.session.chairs.table import ChairTable, PartState, TurnPart
from curtain.session.events.subject_events import TakeSaved
from curtain.session.events.wizard_events import ScenarioStarted
from curtain.session.roles import CHAIRS, Chair
from curtain.session.turns.turn_progress import TurnProgress
from wizard_app.desk.desk_view import DeskNow, DeskView, WizardState, desk_view
from wizard_app.desk.next_steps import next_steps
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.turn.control import Fields
from wizard_app.desk.turn.deadline import Deadline
from wizard_app.desk.turn.statements import SqlState
from wizard_app.keys.table import KEYS

OVER = Deadline(1, 2)
ANSWERING = DeskView(state=WizardState.ANSWER, turn=TurnProgress(3), link_up=True)


@pytest.mark.parametrize(
    ("now", "key"),
    [
        (DeskView(state=WizardState.START, enter="start the session"), "Enter"),
        (DeskView(state=WizardState.TRANSCRIBE, turn=TurnProgress(1)), "Ctrl+Enter"),
        (ANSWERING, "F5"),
        (replace(ANSWERING, sql=SqlState.DONE), "Ctrl+Shift+Enter"),
        (replace(ANSWERING, drafts=5), "Alt+1..5"),
        (replace(ANSWERING, drafts=1), "Alt+1"),
        (replace(ANSWERING, drafts=1, drafts_guess=True), "F5"),
        (replace(ANSWERING, drafts=1, fields=Fields(sql="SELECT 1")), "F5"),
        (replace(ANSWERING, drafts=5, sql=SqlState.STALE), "F5"),
        (replace(ANSWERING, drafts=5, at_drafts="list"), "Enter"),
        (replace(ANSWERING, drafts=5, at_drafts="chips"), "Enter"),
        (replace(ANSWERING, at_drafts="rewording"), "Enter"),
        (replace(ANSWERING, sql=SqlState.FAILED), "F5"),
        (replace(ANSWERING, sql=SqlState.STALE), "F5"),
        (replace(ANSWERING, end_stated=True), "Ctrl+E"),
        (replace(ANSWERING, deadline=OVER, likely_message="Sorry"), "Ctrl+M, Enter"),
        (replace(ANSWERING, deadline=OVER, likely_message="Sorry", sql=SqlState.DONE), "Ctrl+Shift+Enter"),
        (DeskView(state=WizardState.TRANSCRIBE, deadline=OVER, likely_message="Sorry"), "Ctrl+M, Enter"),
        (
            DeskView(state=WizardState.TRANSCRIBE, deadline=OVER, likely_message="Sorry", sql=SqlState.DONE),
            "Ctrl+Shift+Enter",
        ),
        (DeskView(state=WizardState.IDLE, link_up=True), "Ctrl+N"),
        (DeskView(state=WizardState.IDLE, link_up=True, tasks_left=False), "Ctrl+Shift+E"),
        (DeskView(state=WizardState.IDLE, link_up=True, scenario="fair", solution="sixteen"), "Ctrl+E"),
        (DeskView(state=WizardState.PAUSED), "Ctrl+P"),
        (replace(ANSWERING, picking=True), "number or letters"),
        (replace(ANSWERING, picking=True, picked=True), "Enter"),
        (replace(ANSWERING, picking=True, in_empty_blank=True), ""),
        (replace(ANSWERING, browsing=True), "Up/Down"),
    ],
)
def test_the_first_step_is_the_key_to_press_now(now: DeskView, key: str) -> None:
    assert next_steps(now)[0][0] == key


def test_every_state_names_a_next_step() -> None:
    for state, sql in product(WizardState, SqlState):
        steps = next_steps(DeskView(state=state, sql=sql))
        assert steps
        assert all(does for _, does in steps)


def test_no_key_has_two_meanings_in_the_list_of_keys() -> None:
    keys = [key for _, steps in KEYS.groups for key, _ in steps]
    assert len(keys) == len(set(keys))


def test_while_nothing_waits_the_strip_says_where_the_subject_is() -> None:
    reading = DeskView(
        state=WizardState.IDLE, link_up=True, scenario="fair", subject="The subject is reading the briefing"
    )
    assert next_steps(reading)[0] == ("", "The subject is reading the briefing")


SAID = TurnProgress(2, take=TakeSaved(utterance_id="a-002", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0))
FAIR = ScenarioStarted(scenario_id="fair", number=1, of=1)
FREE, TOMS = PartState(), PartState(holder="tom")


@pytest.mark.parametrize("link_up", [True, False])
@pytest.mark.parametrize("query", [None, "who is there"])
@pytest.mark.parametrize(
    ("people", "state", "strip"),
    [
        ({}, FREE, ("has no reply yet", "has no reply yet")),
        ({"rita": "wizard", "olga": "observer"}, FREE, ("is with rita", "is with rita")),
        ({"rita": "wizard", "tom": "transcriber"}, FREE, ("is with tom", "is with rita")),
        ({"rita": "wizard", "ann": "answerer", "bob": "answerer"}, FREE, ("is with rita", "is with ann, bob")),
        ({"rita": "wizard", "tom": "wizard"}, TOMS, ("is with tom", "is with tom")),
    ],
)
def test_no_strip_says_wait_while_a_question_waits(
    people: dict[str, Chair], state: PartState, strip: tuple[str, str], query: str | None, link_up: bool
) -> None:
    turn = structs.replace(SAID, query=query)
    chairs = ChairTable(people, {TurnPart(2, turn.next_part): state})
    progress = SessionProgress(turns={2: turn}, chairs=chairs, scenario=FAIR)
    for chair in CHAIRS:
        view = desk_view(DeskNow(page="work", session="a", link_up=link_up, progress=progress, chair=chair))
        assert next_steps(view)[0] == ("", f"Turn 2 {strip[query is not None]}")
        assert not any(words.startswith("Wait") for _, words in next_steps(view))


@pytest.mark.parametrize(
    ("now", "keys"),
    [
        (DeskView(state=WizardState.IDLE, link_up=True, chair="observer"), ["", "F7", "F2", "F1"]),
        (replace(ANSWERING, chair="observer"), ["", "F7", "F2", "F1"]),
        (DeskView(state=WizardState.IDLE, link_up=True, chair="answerer"), ["", "F7", "F2", "F8", "F9", "F1"]),
        (DeskView(state=WizardState.IDLE, link_up=True, scenario="fair", may_correct=False), ["", "Ctrl+E", "F1"]),
        (DeskView(state=WizardState.WAITING, chair="transcriber"), ["", "F7", "F2", "F9", "F1"]),
        (DeskView(state=WizardState.TRANSCRIBE, chair="transcriber"), ["Ctrl+Enter", "F2", "F3", "F1"]),
        (replace(ANSWERING, chair="answerer"), ["F5", "Ctrl+M", "F1"]),
    ],
)
def test_a_chair_is_offered_the_keys_of_its_role_alone(now: DeskView, keys: list[str]) -> None:
    assert [key for key, _ in next_steps(now)] == keys


def test_a_desk_that_joins_waits_and_is_shown_no_key_of_a_page_that_it_does_not_have() -> None:
    waiting = DeskView(state=WizardState.START, enter="start the session", joins=True)
    assert next_steps(waiting) == [("", "Waiting for the session to begin")]
