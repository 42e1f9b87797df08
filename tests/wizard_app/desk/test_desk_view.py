"""What the window shows follows from what is true now, as a table: no widget, no clock, no thread."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from curtain.domain.wire import Result
from curtain.link.messages import StationStatus
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.study.messages import load_message_set
from curtain.session.turns.turn_progress import Sent, TurnProgress
from wizard_app.desk.desk_view import DeskNow, DeskTexts, WizardState, desk_view
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.turn.control import Fields
from wizard_app.desk.turn.deadline import Deadline
from wizard_app.desk.turn.statements import SqlState
from wizard_app.desk.turn.turn_rows import TurnRows

TAKE = subject.TakeSaved(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0)
OPEN = TurnProgress(2, released_ns=1, take=TAKE)
SORRY = Sent(4, 0, wizard.MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer"))
SENT = TurnProgress(1, released_ns=1, take=TAKE, query="who", sent=(SORRY,))
FAIR = wizard.ScenarioStarted(scenario_id="fair", number=1, of=2)
BOTH = wizard.SessionOpened(
    session_id="e00-01", speaker_id="e00", wizard_ids=["w"], scenario_ids=["fair"], inputs={"fair": "both"}
)
UNUSED = MicrophoneWatch().after(
    StationStatus(microphone="", microphone_ok=True, recording=False, level_dbfs=-120.0, microphone_state="unused")
)
MESSAGES = load_message_set("base")
NOW = DeskNow(
    page="work",
    session="s001",
    link_up=True,
    progress=SessionProgress(scenario=FAIR, turns={1: SENT, 2: OPEN}, subject_epoch=1),
    texts=DeskTexts(MESSAGES, {"fair": "The fair"}),
    turn=OPEN,
)
GOOD = Result(sql="select 1", rows=[["1"]], headings=["n"], numeric=[True], total=1, ms=3, cas_min="1")
WANTED = Result(sql="select 1", rows=[["1"]], total=1, show="maximum")
FAILED = Result(sql="select 1", cas_min="()", failure="contingent-failure", without="sal > 5")
CUT = replace(NOW, turn=TurnProgress(2, released_ns=1, take=TAKE, ended_by="focus_lost"))
IDLE = replace(NOW, turn=None)


def on(now: DeskNow, **facts: Any) -> DeskNow:
    """The same with other facts of the session."""
    return replace(now, progress=replace(now.progress, **facts))


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (NOW, WizardState.TRANSCRIBE),
        (replace(NOW, turn=structs.replace(OPEN, query="who")), WizardState.ANSWER),
        (replace(NOW, turn=SENT, correcting=True), WizardState.CORRECT),
        (on(NOW, paused=True), WizardState.PAUSED),
        (replace(on(NOW, paused=True), turn=SENT, correcting=True), WizardState.CORRECT),
        (IDLE, WizardState.IDLE),
        (replace(IDLE, link_up=False), WizardState.WAITING),
        (on(NOW, closed=wizard.SessionClosed(reason="finished")), WizardState.CLOSING),
        (replace(on(NOW, closed=wizard.SessionClosed(reason="finished")), page="closing"), WizardState.CLOSING),
        (DeskNow(page="closing"), WizardState.CLOSED),
        (DeskNow(page="archive"), WizardState.ARCHIVE),
        (DeskNow(), WizardState.START),
    ],
)
def test_the_state_is_what_the_window_asks_of_the_wizard(now: DeskNow, state: WizardState) -> None:
    assert desk_view(now).state is state


@pytest.mark.parametrize(
    ("now", "name", "text"),
    [
        (NOW, "task_heading", "Scenario 1 of 2: The fair"),
        (on(NOW, scenario=None), "task_heading", "No scenario is on the subject’s screen."),
        (replace(NOW, unseen=[1]), "account", "Not on the subject’s screen: your reply to turn 1."),
        (on(IDLE, turns={}), "subject", "The subject is at the microphone test"),
        (on(IDLE, turns={}, forms={"microphone_test": 0}), "subject", "The subject is reading the briefing"),
        (on(IDLE, turns={}, forms={"microphone_test": 0, "briefing": 0}), "subject", ""),
        (replace(on(IDLE, turns={}, opened=BOTH), microphone=UNUSED), "subject",
         "No microphone is connected at the subject’s station, so the subject types"),
        (replace(on(IDLE, turns={}, opened=structs.replace(BOTH, inputs={"fair": "text"})), microphone=UNUSED),
         "subject", "The subject is reading the briefing"),
        (NOW, "details", "Turn 1\n“who”\nSent: “Sorry”"),
        (replace(NOW, selected=2), "details", "Turn 2"),
        (replace(NOW, turn=structs.replace(OPEN, notes=("coughs",))), "details", "Turn 2\nNote: coughs"),
        (NOW, "placeholder", "Type what you hear, then Ctrl+Enter."),
        (IDLE, "placeholder", "Nothing to transcribe. The next question plays and appears by itself."),
        (replace(IDLE, microphone=UNUSED), "placeholder", "The next question appears by itself."),
        (replace(IDLE, take_back=1), "placeholder",
         "Your reply to turn 1 has not left yet. Ctrl+Shift+B takes it back."),
        (replace(NOW, take_back=1), "placeholder", "Type what you hear, then Ctrl+Enter."),
        (NOW, "correction", ""),
        (replace(NOW, turn=SENT, correcting=True), "correction",
         "Correcting turn 1. Not shown so far: “Sorry”. What you send now takes its place."),
        (NOW, "cut_short", ""),
        (CUT, "cut_short", "Recording cut short: another window came to the front. Ctrl+M, Enter asks again."),
        (replace(CUT, texts=DeskTexts()), "cut_short", "Recording cut short: another window came to the front."),
        (on(NOW, paused=True), "paused", "Paused. The subject sees a quiet page. Ctrl+P goes on."),
        (replace(NOW, database_open=False), "run", "Opening the database…"),
        (replace(NOW, sql=SqlState.RUNNING), "run", "Running. F5 stops it."),
        (replace(NOW, sql=SqlState.RUNNING, database_open=False), "run",
         "The database is still being opened, then your statement runs. F5 stops it."),
        (replace(NOW, sql=SqlState.RUNNING, last=GOOD, completing=True), "run",
         "1 row. Working out the maximum. F5 stops it."),
        (replace(NOW, sql=SqlState.DONE, last=GOOD), "run", "1 row in 3 ms"),
        (replace(NOW, sql=SqlState.STALE, last=GOOD), "run", "Changed since it was run."),
        (replace(NOW, sql=SqlState.FAILED, last=Result(sql="x", error="No table x.")), "run", "No table x."),
        (replace(NOW, good=GOOD), "table", "1 row"),
        (replace(NOW, good=GOOD), "failure", ""),
        (replace(NOW, good=FAILED), "failure", "Without sal > 5 nothing is left either."),
        (replace(NOW, good=FAILED), "failed", False),
        (replace(NOW, good=FAILED, fields=Fields(sql="select 1", failed="select 1")), "failed", True),
        (replace(NOW, good=FAILED, fields=Fields(sql="select 2", failed="select 2")), "failed", False),
        (replace(NOW, good=WANTED), "table", "The minimum so far; the table to show follows"),
        (replace(NOW, good=Result(sql="", show="maximum", show_fault="no key")), "table_problem",
         "The subject will see the minimum: no key"),
        (NOW, "likely", "not_understood"),
        (replace(NOW, fields=Fields(query="who")), "likely", "unable"),
        (CUT, "likely", "cut_off"),
        (NOW, "offered", ""),
        (replace(NOW, deadline=Deadline(1, 2)), "offered", "not_understood"),
    ],
)  # fmt: skip
def test_each_text_follows_from_what_is_true(now: DeskNow, name: str, text: str) -> None:
    assert getattr(desk_view(now), name) == text


def test_a_call_for_help_is_a_problem_as_long_as_a_session_runs() -> None:
    called = on(NOW, calls=1)
    assert "Ctrl+Shift+A" in desk_view(called).problems["help"]
    assert desk_view(replace(called, session="")).problems["help"] == ""


def test_the_driver_reads_no_turn_and_no_statement_where_no_session_runs() -> None:
    run = replace(NOW, sql=SqlState.DONE, deadline=Deadline(1, 2))
    seen = desk_view(run).driver_properties
    assert (seen["turn"], seen["sql_state"], seen["urgency"], seen["answered_turn"]) == (2, "done", "over", 1)
    seen = desk_view(replace(run, session="", page="start")).driver_properties
    assert (seen["turn"], seen["sql_state"], seen["urgency"]) == (0, "none", "none")


def test_what_waits_beside_the_turn_at_work_is_counted_and_its_rows_are_made_once() -> None:
    made, third = TurnRows(), TurnProgress(3, released_ns=2, take=TAKE)
    now = on(NOW, turns={1: SENT, 2: OPEN, 3: third})
    first, then = desk_view(now, made), desk_view(now, made)
    assert (first.waiting, first.oldest) == (1, 2)
    assert all(row is other for row, other in zip(first.rows, then.rows, strict=True))
