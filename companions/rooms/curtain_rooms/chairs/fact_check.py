"""What another desk wishes to write is only its word: each fact is checked like the wire before it is journaled."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from curtain.base.table import Table
from curtain.domain.wire import Result
from curtain.link.messages import LARGEST_NUMBER
from curtain.link.peer import can_cross
from curtain.session.events import wizard_events as facts
from curtain.session.roles import Part
from curtain.session.study.messages import BadBlank, MessageSet
from curtain_rooms.chairs.rules import PART_OF, NotGranted, Written
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.scenarios import scenario_started
from wizard_app.desk.session.subject.outbox import Outbox
from wizard_app.desk.turn.answer import table_of
from wizard_app.desk.turn.sql_control import answer_sha256, first_rows

_OF_A_TURN: tuple[type[facts.WizardFact], ...] = (
    *PART_OF, facts.TakeHeard, facts.WordsHeard, facts.NotHeard, facts.TakenOver, facts.ReplyTakenBack,
)  # fmt: skip
_NOT_OURS = "The other station sent something that Curtain does not write. Install the same version on both."


def check_turn(progress: SessionProgress, turn: int, part: Part | None = None) -> None:
    """Raises NotGranted for a turn that the subject has not begun, and for a part that it does not have."""
    if turn not in progress.turns:
        raise NotGranted(f"There is no turn {turn} in this session.")
    if part == "transcription" and progress.turns[turn].typed is not None:
        raise NotGranted(f"The subject typed turn {turn}. It has no words to write down, and they cannot be changed.")


def check_fact(
    fact: facts.WizardFact,
    turn: int | None,
    progress: SessionProgress,
    messages: MessageSet,
    outbox: Outbox,
    runs: Sequence[facts.StatementRun],
) -> None:
    """Raises NotGranted for a fact that a desk of this session would not write now.

    Args:
        fact: what is to be journaled, with the number of its turn.
        messages: the sentences that may stand in place of an answer.
        outbox: of the session as it stands; it is asked once and not used again.
        runs: the statements that were run in this turn.
    """
    if turn is not None:
        check_turn(progress, turn, PART_OF.get(type(fact)))
    if (turn is None) is isinstance(fact, _OF_A_TURN) and not isinstance(fact, facts.Note):
        raise NotGranted(_NOT_OURS)
    if not all(map(_is_sane, _numbers(msgspec.to_builtins(fact)))):
        raise NotGranted(_NOT_OURS)
    match fact:
        case facts.MessageSent():
            _check_message(fact, messages)
        case facts.AnswerSent():
            _check_answer(fact, runs)
        case facts.ScenarioStarted(scenario_id=scenario_id):
            if not outbox.knows(scenario_id) or progress.opened is None:
                raise NotGranted(f"This study has no scenario “{scenario_id[:64]}”.")
            if fact != scenario_started(progress.opened, scenario_id):
                raise NotGranted(_NOT_OURS)
        case facts.CallAnswered(calls=calls):
            if calls > progress.calls:
                raise NotGranted("The subject has not called for help that often.")
        case facts.ScenarioEnded(scenario_id=scenario_id):
            if progress.scenario is None or progress.scenario.scenario_id != scenario_id:
                raise NotGranted(f"The scenario “{scenario_id[:64]}” does not run now.")
        case facts.Corrected(of_seq=of_seq):
            if turn is None or of_seq not in {sent.seq for sent in progress.turns[turn].sent}:
                raise NotGranted(f"Nothing that was sent stands in line {of_seq} of this session.")
    if (message := outbox.worded(1, turn, fact)) is not None and not can_cross(message):
        raise NotGranted("The subject’s station cannot show that. Send something shorter.")


def _check_answer(sent: facts.AnswerSent, runs: Sequence[facts.StatementRun]) -> None:
    table, wide = sent.table, len(sent.table.headings)
    if {len(table.numeric), *map(len, table.rows)} != {wide} or table.total < len(table.rows):
        raise NotGranted(_NOT_OURS)
    if sent.system is not None:
        raise NotGranted("Only the session’s own station sends what a system answers.")
    if not any(_is_of(sent, run) for run in runs):
        raise NotGranted("That is not what the journal has of this statement in this turn. Run it again, then send it.")


def answer_in(written: Sequence[Written], is_open: bool) -> facts.AnswerSent | None:
    """The answer that is worked out again before these are written. Raises NotGranted while no database `is_open`."""
    answers = [fact for fact, _ in written if isinstance(fact, facts.AnswerSent)]
    if len(answers) > 1:
        raise NotGranted(_NOT_OURS)
    if answers and not is_open:
        raise NotGranted(
            "The session’s own station cannot work this answer out: its database is not open. Send it again later."
        )
    return answers[0] if answers else None


def check_again(sent: facts.AnswerSent, run: Result) -> None:
    """Raises NotGranted for an answer that the session's own station does not get of the statement, in `run`."""
    minimum = Table(headings=run.headings, rows=run.rows, numeric=run.numeric, total=run.total)
    tables = [table_of(run), *([minimum] if sent.shown == "minimum" and not sent.yes_no else [])]
    is_same = sent.table in tables and sent.cas_min in (run.cas_min, run.failure or None)
    if run.error is not None or not is_same or sent.cas_max not in (None, run.cas_max, run.failure or None):
        raise NotGranted(
            "The session’s own station gets something else of this statement. Both desks need the same study and "
            f"database. {run.error or ''}".rstrip()
        )


def _is_of(sent: facts.AnswerSent, run: facts.StatementRun) -> bool:
    """Whether this answer is what the journal keeps of this run. It does not keep the table of another answer than the
    minimum."""
    table = sent.table
    if (run.sql, run.error, run.answer_sha256) != (sent.sql, None, answer_sha256(sent.cas_min)):
        return False
    minimum = (run.rows, run.headings, run.first_rows) == (table.total, table.headings, first_rows(table.rows))
    return minimum or sent.shown != "minimum" or sent.yes_no


def _check_message(sent: facts.MessageSent, messages: MessageSet) -> None:
    message = messages.by_id.get(sent.message_id)
    if message is None:
        raise NotGranted(f"This study has no message “{sent.message_id[:64]}”.")
    try:
        text = message.fill(sent.blanks)
    except BadBlank as error:
        raise NotGranted(str(error)) from error
    # The subject reads what the message set says, never the other desk's own words.
    if (sent.text, sent.counts_as) != (text, message.counts_as):
        raise NotGranted(f"Message “{sent.message_id}” has another text at the session’s own station.")


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part)
    elif isinstance(value, int | float):
        yield value


def _is_sane(number: float) -> bool:
    """Whether a signal of Qt and the notation of the journal can carry it; JSON has no infinity."""
    return math.isfinite(number) and abs(number) <= LARGEST_NUMBER
