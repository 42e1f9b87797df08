"""The state the wizard is in, and the next key to press in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from curtain.desk.key_table import Step
from wizard_app.keys import key_of


class WizardState(Enum):
    """What the window asks of the wizard now; the values are read by the driver."""

    START = "start"
    WAITING = "waiting"
    IDLE = "idle"
    TRANSCRIBE = "transcribe"
    ANSWER = "answer"
    CORRECT = "correct"
    PAUSED = "paused"
    CLOSING = "closing"
    CLOSED = "closed"
    ARCHIVE = "archive"


class SqlState(Enum):
    """How the statement in the editor stands to the last run of this turn; the values are read by the driver."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STALE = "stale"


Place = Literal["", "list", "chips", "rewording"]
"""Where among the drafts the cursor is."""


@dataclass(frozen=True)
class Situation:
    """All that the next key depends on; as it stands, no session is open."""

    state: WizardState = WizardState.START
    turn: int | None = None
    sql: SqlState = SqlState.NONE
    link_up: bool = False
    picking: bool = False
    picked: bool = False
    enter: str = ""
    overtime: bool = False
    speaking: bool = False
    scenario: bool = True
    end_stated: bool = False
    solution: str = ""
    likely_message: str = ""
    browsing: bool = False
    subject: str = ""
    drafts: int = 0
    at_drafts: Place = ""
    words_offered: bool = False


_WINDOW_STEPS: dict[WizardState, list[Step]] = {
    WizardState.PAUSED: [(key_of("pause"), "go on")],
    WizardState.CLOSING: [("", "Wait until everything has arrived")],
    WizardState.CLOSED: [(key_of("leave"), "back to the start page")],
    WizardState.ARCHIVE: [
        ("Up/Down", "turns"),
        (key_of("replay"), "play"),
        (key_of("leave"), "back to the start page"),
    ],
    WizardState.START: [("Tab", "next field"), ("Alt+Up/Down", "order of the scenarios")],
}

_AT_DRAFTS: dict[str, list[Step]] = {
    "list": [
        ("Enter", "take it and run it"),
        ("Up/Down", "look"),
        ("Del", "withdraw its example"),
        (key_of("leave"), "back"),
    ],
    "chips": [("Enter", "other values"), ("Left/Right", "choose"), ("Del", "without it"), (key_of("leave"), "back")],
    "rewording": [("Enter", "keep these words"), (key_of("leave"), "the words of the query")],
}


def next_steps(now: Situation) -> list[Step]:
    """What the strip at the bottom says; the first step is the one to take."""
    if now.picking:
        return _picking(now)
    if now.browsing:
        return [
            ("Up/Down", "choose a turn"),
            (key_of("replay"), "play it"),
            (key_of("note"), "note on it"),
            (key_of("leave"), "back"),
        ]
    if now.at_drafts:
        return _AT_DRAFTS[now.at_drafts]
    if now.state is WizardState.START and now.enter:
        return [("Enter", now.enter), *_WINDOW_STEPS[WizardState.START]]
    if now.state in _WINDOW_STEPS:
        return _WINDOW_STEPS[now.state]
    steps = {
        WizardState.TRANSCRIBE: _transcribe,
        WizardState.ANSWER: _answer,
        WizardState.CORRECT: _correct,
        WizardState.WAITING: _idle,
        WizardState.IDLE: _idle,
    }
    return [*steps[now.state](now), (key_of("keys"), "keys")]


def _picking(now: Situation) -> list[Step]:
    choose = [("framed key", "send it at once"), ("number or letters", "choose"), ("Tab", "blanks")]
    send = ("Enter", "send")
    return [send, *choose, (key_of("leave"), "close")] if now.picked else [*choose, send, (key_of("leave"), "close")]


def _transcribe(now: Situation) -> list[Step]:
    steps = [(key_of("send_query"), "send query"), (key_of("replay"), "replay"), (key_of("back"), "back 1 s")]
    if now.sql is SqlState.DONE:
        return [(key_of("send_answer"), "send query and answer"), *steps]
    steps[1:1] = _drafts(now)
    if now.words_offered:
        return [("Tab", "take the words that were made out"), *steps]
    return [_offer(now), *steps] if now.overtime else [*steps, (key_of("message"), "message")]


def _answer(now: Situation) -> list[Step]:
    if now.overtime and now.sql is not SqlState.DONE:
        return [_offer(now), *_sql_steps(now)]
    if now.end_stated:
        return [(key_of("end_scenario"), "end the scenario"), (key_of("message"), "message")]
    return [*_sql_steps(now), (key_of("message"), "message")]


def _drafts(now: Situation) -> list[Step]:
    first = key_of("draft_1")
    keys = first if now.drafts == 1 else f"{first}..{now.drafts}"
    return [(keys, "take a draft")] if now.drafts else []


def _offer(now: Situation) -> Step:
    return (
        (f"{key_of('message')}, Enter", f"send “{now.likely_message}”")
        if now.likely_message
        else (key_of("message"), "message")
    )


def _correct(now: Situation) -> list[Step]:
    return [*_sql_steps(now), (key_of("message"), "message"), (key_of("leave"), "leave it as it was")]


def _sql_steps(now: Situation) -> list[Step]:
    by_state: dict[SqlState, list[Step]] = {
        SqlState.NONE: [*_drafts(now), (key_of("run"), "run")],
        SqlState.RUNNING: [("", "Running")],
        SqlState.DONE: [(key_of("send_answer"), "send answer"), (key_of("run"), "run again")],
        SqlState.FAILED: [(key_of("run"), "run again"), *_drafts(now)],
        SqlState.STALE: [(key_of("run"), "run the changed statement")],
    }
    return by_state[now.sql]


def _idle(now: Situation) -> list[Step]:
    if now.state is WizardState.WAITING:
        return [("", "Waiting for the subject’s station"), (key_of("end_session"), "end the session")]
    if not now.scenario:
        return [(key_of("next_scenario"), "next scenario"), (key_of("end_session"), "end the session")]
    if now.solution and not now.speaking:
        return [
            (key_of("end_scenario"), f"end the scenario: the subject answers “{now.solution}”"),
            (key_of("next_scenario"), "next scenario"),
        ]
    waiting = "The subject is speaking" if now.speaking else now.subject or "Wait for the subject"
    return [("", waiting), (key_of("correct"), "correct the last answer"), (key_of("end_scenario"), "end the scenario")]
