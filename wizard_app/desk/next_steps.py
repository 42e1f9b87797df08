"""The next key to press, as the strip at the bottom says it."""

from curtain.qt.languages.key_table import Step
from curtain.qt.languages.translation import translate
from wizard_app.desk.desk_view import DeskView, WizardState, shortened
from wizard_app.desk.turn.statements import SqlState
from wizard_app.keys.table import key_of, start_steps


def _window_steps() -> dict[WizardState, list[Step]]:
    return {
        WizardState.PAUSED: [(key_of("pause"), translate("Steps", "go on"))],
        WizardState.CLOSING: [("", translate("Steps", "Wait until everything has arrived"))],
        WizardState.CLOSED: [(key_of("leave"), translate("Steps", "back to the start page"))],
        WizardState.ARCHIVE: [
            ("Up/Down", translate("Steps", "turns")),
            (key_of("replay"), translate("Steps", "play")),
            (key_of("leave"), translate("Steps", "back")),
        ],
        WizardState.START: start_steps(),
    }


def _at_drafts() -> dict[str, list[Step]]:
    return {
        "list": [
            ("Enter", translate("Steps", "take it and run it")),
            ("Up/Down", translate("Steps", "look")),
            ("Del", translate("Steps", "withdraw its example")),
            (key_of("leave"), translate("Steps", "back")),
        ],
        "chips": [
            ("Enter", translate("Steps", "other values")),
            ("Left/Right", translate("Steps", "choose")),
            ("Del", translate("Steps", "without it")),
            (key_of("leave"), translate("Steps", "back")),
        ],
        "rewording": [
            ("Enter", translate("Steps", "keep these words")),
            (key_of("leave"), translate("Steps", "the words of the query")),
        ],
    }


def next_steps(now: DeskView) -> list[Step]:
    """What the strip at the bottom says; the first step is the one to take."""
    if now.picking:
        return _picking(now)
    if now.browsing:
        return [
            ("Up/Down", translate("Steps", "choose a turn")),
            ("Enter", translate("Steps", "look at it")),
            (key_of("replay"), translate("Steps", "play it")),
            (key_of("note"), translate("Steps", "note on it")),
            (key_of("correct"), translate("Steps", "correct it")),
            (key_of("leave"), translate("Steps", "back")),
        ]
    if now.at_drafts:
        return _at_drafts()[now.at_drafts]
    if now.state is WizardState.START and now.joins:
        return [("", translate("Steps", "Waiting for the session to begin"))]
    if now.state is WizardState.START and now.enter:
        return [("Enter", now.enter), *_window_steps()[WizardState.START]]
    if now.wizard_form:
        return [("Enter", translate("Steps", "go on")), ("Tab", translate("Steps", "next question"))]
    if now.state in _window_steps():
        return _window_steps()[now.state]
    if now.chair == "observer" or (now.chair != "wizard" and now.state in (WizardState.WAITING, WizardState.IDLE)):
        return _watching(now)
    steps = {
        WizardState.TRANSCRIBE: _transcribe,
        WizardState.ANSWER: _answer,
        WizardState.CORRECT: _correct,
        WizardState.WAITING: _idle,
        WizardState.IDLE: _idle,
    }
    first, *others = steps[now.state](now)
    if now.take_back:
        others = [(key_of("take_back"), translate("Steps", "take turn {0} back").format(now.take_back)), *others]
    return [first, *others, (key_of("keys"), translate("Steps", "keys"))]


def _watching(now: DeskView) -> list[Step]:
    """A chair that has nothing to do now; scenario and session are for the wizard."""
    steps = [
        ("", _waits_for(now)),
        (key_of("turn_list"), translate("Steps", "turns")),
        (key_of("replay"), translate("Steps", "play")),
    ]
    # An observer touches nothing, not even with a note.
    note = [] if now.chair == "observer" else [(key_of("note"), translate("Steps", "note"))]
    if now.chair == "answerer" and now.may_correct:
        steps.append((key_of("correct"), translate("Steps", "correct the last answer")))
    return [*steps, *note, (key_of("keys"), translate("Steps", "keys"))]


def _waits_for(now: DeskView) -> str:
    """What a desk without a question waits for."""
    speaking, idle = translate("Steps", "The subject is speaking"), translate("Steps", "Wait for the subject")
    return speaking if now.speaking else now.elsewhere or now.subject or idle


def _picking(now: DeskView) -> list[Step]:
    if now.in_empty_blank:
        return [
            ("", translate("Steps", "Fill in the blank")),
            ("Enter", translate("Steps", "send")),
            ("Tab", translate("Steps", "blanks")),
            (key_of("leave"), translate("Steps", "close")),
        ]
    choose = [
        (translate("Steps", "number or letters"), translate("Steps", "choose")),
        (translate("Steps", "framed key"), translate("Steps", "send it at once")),
        ("Tab", translate("Steps", "blanks")),
    ]
    send = ("Enter", translate("Steps", "send"))
    return (
        [send, *choose, (key_of("leave"), translate("Steps", "close"))]
        if now.picked
        else [*choose, send, (key_of("leave"), translate("Steps", "close"))]
    )


def _transcribe(now: DeskView) -> list[Step]:
    steps = [
        (key_of("send_query"), translate("Steps", "send query")),
        (key_of("replay"), translate("Steps", "replay")),
        (key_of("back"), translate("Steps", "back 1 s")),
    ]
    if now.sql is SqlState.DONE:
        return [(key_of("send_answer"), translate("Steps", "send query and answer")), *steps]
    steps[1:1] = _drafts(now)
    if now.words_offered:
        steps[0] = (key_of("send_query"), translate("Steps", "send it with the grey words"))
        steps.insert(1, ("Tab", translate("Steps", "take them")))
    if now.words_doubted:
        steps.insert(1, (key_of("next_doubt"), translate("Steps", "next doubtful word")))
    if now.words_offered:
        return steps
    if now.chair == "transcriber":
        return steps
    return [_offer(now), *steps] if now.overtime else [*steps, (key_of("message"), translate("Steps", "message"))]


def _answer(now: DeskView) -> list[Step]:
    if now.overtime and now.sql is not SqlState.DONE:
        return [_offer(now), *_sql_steps(now)]
    if now.end_stated:
        return [
            (key_of("end_scenario"), translate("Steps", "end the scenario")),
            (key_of("message"), translate("Steps", "message")),
        ]
    return [*_sql_steps(now), (key_of("message"), translate("Steps", "message"))]


def _drafts(now: DeskView) -> list[Step]:
    first = key_of("draft_1")
    keys = first if now.drafts == 1 else f"{first}..{now.drafts}"
    return [(keys, translate("Steps", "take a draft"))] if now.drafts else []


def _offer(now: DeskView) -> Step:
    return (
        (f"{key_of('message')}, Enter", translate("Steps", "send “{0}”").format(shortened(now.likely_message)))
        if now.likely_message
        else (key_of("message"), translate("Steps", "message"))
    )


def _correct(now: DeskView) -> list[Step]:
    return [
        *_sql_steps(now),
        (key_of("message"), translate("Steps", "message")),
        (key_of("leave"), translate("Steps", "leave it as it was")),
    ]


def _sql_steps(now: DeskView) -> list[Step]:
    run = [(key_of("run"), translate("Steps", "run"))]
    by_state: dict[SqlState, list[Step]] = {
        # A statement that stands there is run; a draft would take its place. A guess is no first step.
        SqlState.NONE: [*run, *_drafts(now)] if now.fields.sql.strip() or now.drafts_guess else [*_drafts(now), *run],
        SqlState.RUNNING: [(key_of("run"), translate("Steps", "stop it"))],
        SqlState.DONE: [
            (key_of("send_answer"), translate("Steps", "send answer")),
            (key_of("run"), translate("Steps", "run again")),
        ],
        SqlState.FAILED: [(key_of("run"), translate("Steps", "run again")), *_drafts(now)],
        SqlState.STALE: [(key_of("run"), translate("Steps", "run the changed statement"))],
    }
    return by_state[now.sql]


def _idle(now: DeskView) -> list[Step]:
    if now.state is WizardState.WAITING:
        return [
            ("", now.elsewhere or translate("Steps", "Waiting for the subject’s station")),
            (key_of("end_session"), translate("Steps", "end the session")),
        ]
    if not now.scenario:
        steps = [
            (key_of("next_scenario"), translate("Steps", "next scenario")),
            (key_of("end_session"), translate("Steps", "end the session")),
        ]
        return steps if now.tasks_left else steps[::-1]
    if now.solution and not now.speaking:
        return [
            (
                key_of("end_scenario"),
                translate("Steps", "end the scenario: the subject answers “{0}”").format(shortened(now.solution)),
            ),
            (key_of("next_scenario"), translate("Steps", "next scenario")),
        ]
    correct = [(key_of("correct"), translate("Steps", "correct the last answer"))] if now.may_correct else []
    return [("", _waits_for(now)), *correct, (key_of("end_scenario"), translate("Steps", "end the scenario"))]
