"""From what a system says to the facts that leave the desk: only what a wizard's answers could be. No Qt here."""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import structs

from curtain.base.table import Table
from curtain.cas import Alternatives, CasError, NoAnswer, Relation, Scalar, parse, python_value, write
from curtain.cas.values import FAILURES
from curtain.domain.wire import Result
from curtain.session.events import wizard_events as wizard
from curtain.session.study.messages import MessageSet
from curtain.session.turns.turn_progress import AnswerOutline, TurnProgress
from curtain_experiments.systems.protocol import EarlierTurn, SystemReply
from wizard_app.desk.turn.answer import answer_of

_MOST_ROWS = 200
_YES_NO = {True: "Yes", False: "No"}
_LAST_RESORT = "Sorry, the system is unable to answer your query."
FailureHow = Literal["missing", "crash", "silence", "rubbish", "stopped", "ears", "sql", "cas", "message"]


def journaled(system: str, reply: SystemReply, ms: int) -> wizard.SystemAnswered:
    """The reply as it was said."""
    return wizard.SystemAnswered(system=system, ms=ms, **structs.asdict(reply))


def canned(messages: MessageSet, message_id: str, system: str) -> wizard.MessageSent:
    """The canned message of this id; where the study has none without blanks, the sentence of 1989 (section 6.2)."""
    message = messages.by_id.get(message_id)
    if message is None or message.blanks:
        return wizard.MessageSent(
            message_id="unable", blanks={}, text=_LAST_RESORT, counts_as="no_answer", system=system
        )
    return wizard.MessageSent(
        message_id=message.id, blanks={}, text=message.text, counts_as=message.counts_as, system=system
    )


def refused_message(messages: MessageSet, message_id: str) -> str:
    """Why a system may not send a message of this id; "" if it may."""
    message = messages.by_id.get(message_id)
    if message is None:
        return f"asks for the message “{message_id}”, which the study does not have"
    return f"asks for the message “{message_id}”, which has blanks to fill in" if message.blanks else ""


def answer_from_sql(result: Result, system: str) -> wizard.AnswerSent:
    """The answer to a statement, as a wizard's would be."""
    return structs.replace(answer_of(result), system=system)


def answer_from_cas(table: Table, cas: str, system: str) -> wizard.AnswerSent:
    """The answer of a system that has a database of its own: a table without a statement."""
    return wizard.AnswerSent(sql="", table=table, cas_min=cas, system=system)


def earlier_turns(turns: Iterable[TurnProgress], cas: Mapping[int, str]) -> list[EarlierTurn]:
    """The earlier turns as a system reads them, oldest first; `cas` has the answers that came without SQL, by turn."""
    earlier: list[EarlierTurn] = []
    for turn in turns:
        last = turn.sent[-1].fact if turn.sent else None
        if isinstance(last, AnswerOutline):
            earlier.append(EarlierTurn(text=turn.shown_query or "", sql=last.sql or None, cas=cas.get(turn.number)))
        elif last is not None:
            earlier.append(EarlierTurn(text=turn.shown_query or "", message=last.message_id))
    return earlier[::-1]


class UnusableCas(ValueError):
    """A CAS that cannot be shown as an answer; what is wrong with it."""


def table_of_cas(reply: SystemReply, dialect: str) -> tuple[Table, str] | None:
    """The table of a reply with `cas` as a subject sees one, at most 200 rows of its `total`, and the answer itself.

    None if the system says there that it has no answer. Raises UnusableCas.
    CAS has no headings, so columns are counted. Only that distinguishes such a table from one of the wizard's.
    """
    try:
        answer = parse(reply.cas or "", dialect)
    except CasError as error:
        raise UnusableCas(str(error)) from error
    if isinstance(answer, NoAnswer):
        return None
    if isinstance(answer, Alternatives):
        raise UnusableCas("alternatives cannot be shown: give one answer")
    relation = Relation(((answer.cell,),)) if isinstance(answer, Scalar) else answer
    if isinstance(answer, Scalar) and answer.cell in FAILURES.values():
        # As when the wizard marks one: the subject sees that nothing was found.
        relation = Relation()
    rows = [[_text(cell) for cell in row] for row in relation.rows()] if relation.columns else []
    headings = ["Answer"] if relation.width == 1 else [f"Column {at}" for at in range(1, relation.width + 1)]
    numeric = [all(_is_number(cell) for cell in column) for column in relation.columns]
    return Table(headings=headings, rows=rows[:_MOST_ROWS], numeric=numeric, total=len(rows)), write(answer, dialect)


def _text(cell: str) -> str:
    value = python_value(cell)
    if isinstance(value, bool):
        return _YES_NO[value]
    return "" if value is None else str(value)


def _is_number(cell: str) -> bool:
    value = python_value(cell)
    return value is None or (not isinstance(value, bool | str))
