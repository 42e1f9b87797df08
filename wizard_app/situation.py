"""The state the wizard is in, and the next key to press in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal


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


Step = tuple[str, str]
"""A key and what it does now."""

_WINDOW_STEPS: dict[WizardState, list[Step]] = {
    WizardState.PAUSED: [("Ctrl+P", "go on")],
    WizardState.CLOSING: [("", "Wait until everything has arrived")],
    WizardState.CLOSED: [("Esc", "back to the start page")],
    WizardState.ARCHIVE: [("Up/Down", "turns"), ("F2", "play"), ("Esc", "back to the start page")],
    WizardState.START: [("Tab", "next field"), ("Alt+Up/Down", "order of the scenarios")],
}

_AT_DRAFTS: dict[str, list[Step]] = {
    "list": [("Enter", "take it and run it"), ("Up/Down", "look"), ("Del", "withdraw its example"), ("Esc", "back")],
    "chips": [("Enter", "other values"), ("Left/Right", "choose"), ("Del", "without it"), ("Esc", "back")],
    "rewording": [("Enter", "keep these words"), ("Esc", "the words of the query")],
}


def next_steps(now: Situation) -> list[Step]:
    """What the strip at the bottom says; the first step is the one to take."""
    if now.picking:
        return _picking(now)
    if now.browsing:
        return [("Up/Down", "choose a turn"), ("F2", "play it"), ("F9", "note on it"), ("Esc", "back")]
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
    return [*steps[now.state](now), ("F1", "keys")]


def _picking(now: Situation) -> list[Step]:
    choose = [("number or letters", "choose"), ("Tab", "blanks")]
    send = ("Enter", "send")
    return [send, *choose, ("Esc", "close")] if now.picked else [*choose, send, ("Esc", "close")]


def _transcribe(now: Situation) -> list[Step]:
    steps = [("Ctrl+Enter", "send query"), ("F2", "replay"), ("F3", "back 1 s")]
    if now.sql is SqlState.DONE:
        return [("Ctrl+Shift+Enter", "send query and answer"), *steps]
    steps[1:1] = _drafts(now)
    if now.words_offered:
        return [("Tab", "take the words that were made out"), *steps]
    return [_offer(now), *steps] if now.overtime else [*steps, ("Ctrl+M", "message")]


def _answer(now: Situation) -> list[Step]:
    if now.overtime and now.sql is not SqlState.DONE:
        return [_offer(now), *_sql_steps(now)]
    if now.end_stated:
        return [("Ctrl+E", "end the scenario"), ("Ctrl+M", "message")]
    return [*_sql_steps(now), ("Ctrl+M", "message")]


def _drafts(now: Situation) -> list[Step]:
    keys = "Alt+1" if now.drafts == 1 else f"Alt+1..{now.drafts}"
    return [(keys, "take a draft")] if now.drafts else []


def _offer(now: Situation) -> Step:
    return ("Ctrl+M, Enter", f"send “{now.likely_message}”") if now.likely_message else ("Ctrl+M", "message")


def _correct(now: Situation) -> list[Step]:
    return [*_sql_steps(now), ("Ctrl+M", "message"), ("Esc", "leave it as it was")]


def _sql_steps(now: Situation) -> list[Step]:
    by_state: dict[SqlState, list[Step]] = {
        SqlState.NONE: [*_drafts(now), ("F5", "run")],
        SqlState.RUNNING: [("", "Running")],
        SqlState.DONE: [("Ctrl+Shift+Enter", "send answer"), ("F5", "run again")],
        SqlState.FAILED: [("F5", "run again"), *_drafts(now)],
        SqlState.STALE: [("F5", "run the changed statement")],
    }
    return by_state[now.sql]


def _idle(now: Situation) -> list[Step]:
    if now.state is WizardState.WAITING:
        return [("", "Waiting for the subject’s station"), ("Ctrl+Shift+E", "end the session")]
    if not now.scenario:
        return [("Ctrl+N", "next scenario"), ("Ctrl+Shift+E", "end the session")]
    if now.solution and not now.speaking:
        return [("Ctrl+E", f"end the scenario: the subject answers “{now.solution}”"), ("Ctrl+N", "next scenario")]
    waiting = "The subject is speaking" if now.speaking else now.subject or "Wait for the subject"
    return [("", waiting), ("F8", "correct the last answer"), ("Ctrl+E", "end the scenario")]


KEYS: list[tuple[str, list[Step]]] = [
    (
        "Listen",
        [("F2", "play again"), ("F3", "back 1 second"), ("F4", "speed 1.0, 0.8, 0.6, 1.3")],
    ),
    (
        "Query",
        [
            ("Ctrl+T", "to the query"),
            ("Tab in it", "take the greyed words"),
            ("Ctrl+Enter", "send the query, also again"),
        ],
    ),
    (
        "Drafts",
        [
            ("Alt+1..5", "take a draft and run it"),
            ("Ctrl+D", "to the drafts: Up/Down look, Enter takes"),
            ("Del, Ctrl+Z", "there: withdraw the example, bring it back"),
            ("Ctrl+K", "to the values: Enter swaps, Del takes one out"),
            ("Ctrl+R", "other words, never seen by the subject"),
        ],
    ),
    (
        "SQL",
        [
            ("Ctrl+L", "to the SQL without sending the query"),
            ("F5", "run"),
            ("F6", "yes/no question or not"),
            ("Ctrl+Shift+R", "to the rules and back"),
            ("Ctrl+Shift+M", "to the maximum and back"),
            ("Ctrl+Space", "complete"),
            ("Ctrl+Up/Down", "earlier statements"),
            ("Ctrl+Shift+Enter", "send the answer"),
        ],
    ),
    (
        "Messages",
        [
            ("Ctrl+M", "open"),
            ("number or letters", "choose"),
            ("Tab", "blanks"),
            ("Enter", "send"),
            ("Esc", "close"),
        ],
    ),
    (
        "Turns",
        [
            ("F7", "to the list: F2 plays, F9 notes"),
            ("F8", "correct the last answer"),
            ("F9", "note on the turn at work"),
        ],
    ),
    (
        "Session",
        [
            ("Ctrl+E", "end of scenario"),
            ("Ctrl+N", "next scenario"),
            ("Ctrl+P", "pause, go on"),
            ("Ctrl+Shift+E", "end the session"),
            ("Ctrl+Shift+L", "what a red line offers"),
            ("F11", "full screen"),
            ("Ctrl+B", "fold the right column"),
        ],
    ),
]
"""Every key of the wizard's station by what it is for, as F1 shows them."""
