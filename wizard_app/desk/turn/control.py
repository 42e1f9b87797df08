"""What is done about a turn: its query, its statement, its answer, its correction. No widgets here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from PySide6.QtCore import QObject, Signal, Slot

from curtain.base.errors import CurtainError
from curtain.domain.maximum.yes_no import is_yes_no
from curtain.domain.wire import Result
from curtain.session.events import wizard_events as wizard
from curtain.session.study.messages import MessageSet
from curtain.session.turns.turn_progress import AnswerOutline, TurnProgress, TurnState
from wizard_app.desk.session.progress import Facts, SessionProgress, Write, oldest_unanswered
from wizard_app.desk.session.unsent import UnsentTurn
from wizard_app.desk.turn.answer import answer_of, as_said, awaits_table
from wizard_app.desk.turn.sql_control import RunRequest, SqlControl
from wizard_app.desk.turn.statements import SqlState

_COMING = (TurnState.SPEAKING, TurnState.SAVING)

OfThisDesk = Callable[[SessionProgress], Sequence[TurnProgress]]
SentHere = Callable[[SessionProgress], TurnProgress | None]


class Refusal(Protocol):
    """Why a query or a reply may not be sent on a turn by the person at the desk; "" if it may."""

    def __call__(self, number: int, *, query: bool) -> str: ...


@dataclass(frozen=True, slots=True)
class Fields:
    """What a turn's fields hold as they stand in the window. `marked` is what the wizard said of a yes/no question,
    None as long as the words of the query decide; `sql_max` is a maximum written by hand. `failed` is the statement
    whose empty answer is marked as a presupposition failure. `past` counts the heard words that the wizard put away."""

    query: str = ""
    sql: str = ""
    marked: bool | None = None
    sql_max: str = ""
    failed: str = ""
    past: int = 0

    @property
    def yes_no(self) -> bool:
        """Whether the query counts as a yes/no question: as marked, else by its first words."""
        return is_yes_no(self.query) if self.marked is None else self.marked

    @property
    def asked(self) -> RunRequest:
        """What a run of these fields is about."""
        return RunRequest(self.sql, self.yes_no, self.sql_max)


@dataclass(frozen=True, slots=True)
class _Left:
    """The turn that was replied to last, as it stood then."""

    number: int
    corrects: bool
    ran: tuple[RunRequest, Result] | None


class TurnControl(QObject):
    """Works on the oldest open turn, or on the one being corrected.

    `correction_changed` says before everything else that a turn was opened again or left as it was;
    `turn_changed` that the fields belong to another turn; `changed` that anything to show is different;
    `notice` is a sentence for the wizard about a wish that could not be met as it was.
    """

    turn_changed = Signal()
    changed = Signal()
    notice = Signal(str)
    query_left = Signal()
    reply_left = Signal(int)
    correction_changed = Signal()

    def __init__(self, write: Write, sql: SqlControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._write = write
        self._sql = sql
        self._progress = SessionProgress()
        self._messages = MessageSet(())
        self._fields: dict[int, Fields] = {}
        self._restored: dict[int, UnsentTurn] = {}
        self._leaving: set[int] = set()
        self._queries_left: dict[int, str] = {}
        self._edits: dict[int, QueryEdits] = {}
        self._correcting: int | None = None
        self._number: int | None = None
        self._awaiting: int | None = None
        self._left: _Left | None = None
        self._reopened = Fields()
        self._unseen = False
        self._refusal: Refusal = lambda number, *, query: ""
        self._of_this_desk: OfThisDesk = lambda progress: progress.unfinished_turns
        self._sent_here: SentHere = lambda progress: progress.last_sent
        sql.changed.connect(self._send_awaited)
        sql.changed.connect(self.changed)

    # -- state ---------------------------------------------------------------------------------------------

    @property
    def turn(self) -> TurnProgress | None:
        """The turn that is worked on."""
        return self._progress.turns.get(self._number) if self._number is not None else None

    @property
    def correcting(self) -> bool:
        """Whether a turn that has been answered is open again."""
        return self._correcting is not None

    @property
    def correctable(self) -> TurnProgress | None:
        """The turn that this desk sent last, which it may correct."""
        return self._sent_here(self._progress)

    @property
    def corrected(self) -> TurnProgress | None:
        """The turn that is being corrected."""
        return self._progress.turns.get(self._correcting) if self._correcting is not None else None

    @property
    def coming(self) -> int | None:
        """The number of the turn that is being spoken or saved, if none is open: what is typed now is its query."""
        ours = self._of_this_desk(self._progress) if self._number is None else ()
        return next((turn.number for turn in ours if turn.state in _COMING), None)

    @property
    def fields(self) -> Fields:
        """What is typed on the open turn, or on the one that is coming; empty fields if there is neither."""
        number = self._typed_on
        return self._fields.get(number, Fields()) if number is not None else Fields()

    @property
    def correction_edited(self) -> bool:
        """Whether a correction was written that leaving it would lose."""
        now, before = self.fields, self._reopened
        return self.correcting and (now.query, now.sql, now.sql_max) != (before.query, before.sql, before.sql_max)

    @property
    def unsent(self) -> dict[int, UnsentTurn]:
        """What was typed on turns that still wait for their answer."""
        waiting = {turn.number for turn in self._progress.unfinished_turns} | {self._correcting}
        return {
            number: self._restored.get(number) or self._as_unsent(number, typed)
            for number, typed in self._fields.items()
            if number in waiting and typed != Fields()
        }

    @property
    def end_stated(self) -> EndStatement | None:
        """The end statement that the open turn holds, if it holds one."""
        turn = self.turn
        return read_end_statement(turn.query) if turn is not None and turn.query and not self.correcting else None

    # -- what happened -----------------------------------------------------------------------------------

    def begin_session(self, messages: MessageSet, unsent: dict[int, UnsentTurn]) -> None:
        """Forget the session before; `unsent` is what a restart found typed and not sent, by turn."""
        self._messages = messages
        self._fields = {
            number: Fields(typed.query, typed.sql, typed.marked, typed.sql_max, typed.failed, typed.past)
            for number, typed in unsent.items()
        }
        self._restored = dict(unsent)
        self._leaving.clear()
        self._queries_left.clear()
        self._edits.clear()
        self._correcting = self._number = self._left = None

    def show_progress(self, progress: SessionProgress) -> None:
        """The journals have grown."""
        self._progress = progress
        self._leaving = {number for number in self._leaving if number in self._open_numbers()}
        self._choose_turn()
        self.changed.emit()

    def work_on(self, turns: OfThisDesk, sent: SentHere) -> None:
        """Of the turns that wait or are being spoken, this desk works on these alone, and `sent` is the one that it may
        correct; others are somebody else's."""
        self._of_this_desk, self._sent_here = turns, sent
        self._choose_turn()

    def recall(self, number: int) -> None:
        """A wish could not be journaled: the turn is open again."""
        self._leaving.discard(number)
        self._queries_left.pop(number, None)
        self._choose_turn()
        self.changed.emit()

    def reopen(self, number: int) -> None:
        """A reply was taken back before it left: its turn is open again, as it stood when the reply was sent."""
        left = self._left
        if left is not None and left.number == number and left.corrects:
            self._correcting = number
            self.correction_changed.emit()
        self.recall(number)

    def set_query(self, text: str) -> None:
        """The query as it stands in the field."""
        if (number := self._typed_on) is not None:
            self._edits.setdefault(number, QueryEdits(self.fields.query)).show(text)
        self._set(replace(self.fields, query=text))

    def put_away(self, past: int) -> None:
        """How many of the words heard of this question are not to be offered again."""
        if past != self.fields.past:
            self._set(replace(self.fields, past=past))

    def set_sql(self, text: str) -> None:
        """The statement as it stands in the editor."""
        self._set(replace(self.fields, sql=text))

    def set_sql_max(self, text: str) -> None:
        """A maximum by hand; an empty text lets it be derived."""
        self._set(replace(self.fields, sql_max=text))

    def mark_yes_no(self, marked: bool) -> None:
        """The wizard says whether the query is a yes/no question."""
        self._set(replace(self.fields, marked=marked))

    def mark_failure(self, marked: bool) -> None:
        """The wizard says whether the empty answer to this statement is a presupposition failure."""
        self._set(replace(self.fields, failed=self.fields.sql.strip() if marked else ""))

    # -- what the wizard wishes --------------------------------------------------------------------------

    def use(self, statement: str, marked: bool | None, of: int) -> None:
        """Run the statement of turn `of` for the turn at work, as if it had been typed here."""
        if self.turn is None:
            self.notice.emit(self.tr("No turn is open, so there is nothing to run it for."))
            return
        self._set(replace(self.fields, sql=statement, sql_max="", marked=marked))
        self._sql.run(of)

    @Slot()
    def run_sql(self) -> None:
        """Run what the editor holds, or stop what runs."""
        if self.turn is None or self._has_statement():
            self._sql.run()

    @Slot()
    def send_query(self) -> None:
        """Send the transcription, also again if it was changed."""
        turn, text = self.turn, self._typed_query
        if turn is None:
            if self.coming is not None:
                self.notice.emit(self.tr("The question is not over yet. What you have typed stays with it."))
            return
        if turn.typed is not None:
            self.query_left.emit()
            return
        if not text:
            self.notice.emit(self.tr("The query is empty. Type what you heard, or send a message with Ctrl+M."))
            return
        if self._is_refused(turn, query=True):
            return
        facts = self._unsent_query(turn)
        if facts:
            self._write(facts)
        self.query_left.emit()

    @Slot()
    def send_answer(self) -> None:
        """Send the result of the last run, and before it a query not sent yet; a changed statement is run first.

        A result that still lacks its maximum is sent as soon as that is there, and with it the table that the study
        wants to be shown; the limit on the statement's time holds for both.
        """
        turn, result = self.turn, self._sql.sendable
        if turn is None or self._is_refused(turn, query=False):
            return
        # A reference without its maximum lets answers say too much unpunished (001, section 2.2.2).
        if self._sql.completing:
            self._awaiting = turn.number
            self._unseen = self._sql.good is not None and awaits_table(self._sql.good)
            waiting = self.tr("The answer goes out when its maximum is ready. F5 sends it without a maximum.")
            unseen = self.tr("The answer goes out when the table to show is ready. F5 sends the minimum.")
            self.notice.emit(unseen if self._unseen else waiting)
            return
        if result is None:
            self._run_first()
            return
        self._send(turn, answer_of(as_said(result, self.fields.failed)))

    def send_message(self, message_id: str, blanks: dict[str, str]) -> bool:
        """Send a canned message, and before it a query that was not sent; False if it cannot be; `notice` says why."""
        turn, message = self.turn, self._messages.by_id.get(message_id)
        if turn is None or message is None:
            self.notice.emit(self.tr("No turn is open, so there is nothing to reply to. F8 corrects the last answer."))
            return False
        if self._is_refused(turn, query=False):
            return False
        try:
            text = message.fill(blanks)
        except CurtainError as error:
            self.notice.emit(str(error))
            return False
        fact = wizard.MessageSent(message_id=message.id, blanks=blanks, text=text, counts_as=message.counts_as)
        self._send(turn, fact)
        return True

    def correct(self, number: int) -> None:
        """Open this answered turn again; with 0 the one whose answer or message left this desk last."""
        last = self.correctable if not number else self._progress.turns.get(number)
        if last is None or not last.sent:
            self.notice.emit(self.tr("Nothing has been sent yet."))
            return
        # Nobody corrects what another one sent.
        mine = self.correctable
        if mine is None or mine.sent[-1].by != last.sent[-1].by:
            self.notice.emit(self.tr("Another desk sent the reply to turn {0}.").format(last.number))
            return
        # The subject's screen holds the answers to one task: a reply to an earlier one would mislead.
        running = self._progress.scenario
        if running is not None and last.scenario_id not in (None, running.scenario_id):
            self.notice.emit(self.tr("Turn {0} is of an earlier scenario. Annotators correct it.").format(last.number))
            return
        self._correcting = last.number
        self._fields[last.number] = Fields(last.query or "", statement_of(last), mark_of(last))
        self.correction_changed.emit()
        self._choose_turn()
        self._reopened = self.fields
        self.changed.emit()

    @Slot()
    def leave_correcting(self) -> None:
        """Back to the oldest open turn; what was sent stays as it is."""
        self._correcting = None
        self.correction_changed.emit()
        self._choose_turn()
        self.changed.emit()

    def ask_first(self, refusal: Refusal) -> None:
        """Ask this before something leaves: a system may answer the turn."""
        self._refusal = refusal

    def _is_refused(self, turn: TurnProgress, *, query: bool) -> bool:
        sentence = "" if self.correcting else self._refusal(turn.number, query=query)
        if sentence:
            self.notice.emit(sentence)
        return bool(sentence)

    # -- inner -------------------------------------------------------------------------------------------

    def _send(self, turn: TurnProgress, fact: wizard.AnswerSent | wizard.MessageSent) -> None:
        facts: Facts = self._unsent_query(turn)
        # Journaled before the new reply, so that whoever reads knows what it replaces.
        if self.correcting and turn.sent:
            facts.append((wizard.Corrected(of_seq=turn.sent[-1].seq), turn.number))
        facts.append((fact, turn.number))
        # The turn counts as answered at once; the journal's confirmation comes a moment later.
        self._leaving.add(turn.number)
        self._left = _Left(turn.number, self.correcting, self._sql.ran)
        self._correcting = None
        self._write(facts)
        self.reply_left.emit(turn.number)
        self._choose_turn()
        self.changed.emit()

    def _unsent_query(self, turn: TurnProgress) -> Facts:
        """A transcription that was typed and not sent leaves before the reply; an empty field takes nothing back."""
        text = self._typed_query
        # What the subject typed is their own: no other words take its place.
        if turn.typed is not None or not text or text == self._queries_left.get(turn.number, turn.query):
            return []
        self._queries_left[turn.number] = text
        edits = self._edits.get(turn.number, QueryEdits())
        return [(wizard.QuerySent(text=text, earlier_texts=edits.take(text)), turn.number)]

    @property
    def _typed_query(self) -> str:
        return " ".join(self.fields.query.split())

    @Slot()
    def _send_awaited(self) -> None:
        """Send what the wizard wished to send while its maximum was missing, unless it was changed meanwhile."""
        if self._awaiting is None or (self._awaiting == self._number and self._sql.completing):
            return
        same_turn, self._awaiting = self._awaiting == self._number, None
        turn, result = self.turn, self._sql.sendable
        if same_turn and turn is not None and result is not None:
            self._send(turn, answer_of(as_said(result, self.fields.failed), unseen=self._unseen))
        elif same_turn:
            self.notice.emit(self.tr("The statement changed before its maximum was ready. Nothing was sent."))

    def _run_first(self) -> None:
        if self._sql.state is SqlState.RUNNING:
            self.notice.emit(self.tr("The statement is still running. Send when you see its result."))
            return
        if self._sql.state is SqlState.FAILED:
            self.notice.emit(self.tr("The last run failed, so there is no answer to send."))
            return
        if self._has_statement():
            self._sql.run()
            self.notice.emit(
                self.tr("This statement has not been run yet. It is running now: check the result, then send again.")
            )

    def _has_statement(self) -> bool:
        if not self.fields.sql.strip():
            self.notice.emit(self.tr("There is no statement to run. Ctrl+L goes to the SQL, Ctrl+M to the messages."))
        return bool(self.fields.sql.strip())

    @property
    def _typed_on(self) -> int | None:
        return self.coming if self._number is None else self._number

    def _set(self, fields: Fields) -> None:
        if (number := self._typed_on) is not None:
            self._fields[number] = fields
        self._sql.set_asked(fields.asked)

    def _choose_turn(self) -> None:
        wanted = self._correcting
        if wanted is None:
            still = (turn for turn in self._of_this_desk(self._progress) if turn.number not in self._leaving)
            wanted = oldest_unanswered(still)
        if wanted != self._number:
            self._number = wanted
            self._begin_fields(wanted)
            left = self._left
            ran = left.ran if left is not None and left.number == wanted else None
            turn = self.turn
            tried = turn.attempts[-1].sql if turn is not None and turn.attempts else ""
            self._sql.begin_turn(wanted, self.fields.asked, ran, tried)
            self.turn_changed.emit()

    def _begin_fields(self, number: int | None) -> None:
        """A turn seen for the first time since a restart: begin with what was sent and tried."""
        turn = self._progress.turns.get(number) if number is not None else None
        if turn is None:
            return
        typed = self._fields.get(turn.number, Fields())
        restored = self._restored.pop(turn.number, None)
        if restored is not None:
            typed = _unless_overtaken(typed, restored, turn)
        marked = typed.marked if typed.marked is not None else mark_of(turn)
        query, sql = turn.typed or typed.query or turn.query or "", typed.sql or statement_of(turn)
        self._fields[turn.number] = replace(typed, query=query, sql=sql, marked=marked)

    def _as_unsent(self, number: int, typed: Fields) -> UnsentTurn:
        turn = self._progress.turns.get(number, TurnProgress(number))
        return UnsentTurn(
            query=typed.query, sql=typed.sql, marked=typed.marked, sql_max=typed.sql_max, failed=typed.failed,
            past=typed.past, sent=turn.query, tried=len(turn.attempts),
        )  # fmt: skip

    def _open_numbers(self) -> set[int]:
        return {turn.number for turn in self._progress.open_turns}


def _unless_overtaken(typed: Fields, kept: UnsentTurn, turn: TurnProgress) -> Fields:
    """What was sent or run after the text had been kept is newer than the text. A maximum by hand stays with the
    statement that it was written for."""
    query = typed.query if kept.sent == turn.query else ""
    if kept.tried == len(turn.attempts):
        return replace(typed, query=query)
    same = kept.sql.strip() == statement_of(turn).strip()
    return replace(typed, query=query, sql="", sql_max=typed.sql_max if same else "")


def mark_of(turn: TurnProgress) -> bool | None:
    """What was said of a yes/no question with the last answer; None if nothing was answered yet."""
    answers = [sent.fact for sent in turn.sent if isinstance(sent.fact, AnswerOutline)]
    return answers[-1].yes_no if answers else None


def statement_of(turn: TurnProgress) -> str:
    """The statement of the last answer, else the last one tried."""
    answers = [sent.fact.sql for sent in turn.sent if isinstance(sent.fact, AnswerOutline)]
    tried = [attempt.sql for attempt in turn.attempts]
    return answers[-1] if answers else tried[-1] if tried else ""


# Reads the closing formula of a scenario: “End scenario. The answer is flight 1203.” (Hirschman et al. 1992).


_FORMULA = re.compile(
    r"""^\W*(?:end|and|finish)(?:\s+of)?\s+(?:the\s+|this\s+)?(?:scenario|task)\b[\W_]*
        (?:(?:and\s+)?(?:the|my)\s+(?:answer|solution)\s+is\b[\s:,]*(?P<answer>.*?))?[\s.]*$""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class EndStatement:
    """The subject ended the scenario; `answer` is empty if none was stated."""

    answer: str


def read_end_statement(query: str) -> EndStatement | None:
    """The end statement in a query, or None if the query is a question like any other."""
    match = _FORMULA.match(query.strip())
    return EndStatement((match["answer"] or "").strip()) if match else None


_MOST = 50


class QueryEdits:
    """Follows the field of one turn. A text is kept when it stops growing at its end: what is deleted then, or put in
    before the end, is one edit until words are added at the end again."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._growing = bool(text)
        self._earlier: list[str] = []

    def show(self, text: str) -> None:
        """The field holds this text now."""
        grown = text.startswith(self._text)
        if not grown and self._growing:
            self._keep(self._text)
        if text != self._text:
            self._growing = grown
        self._text = text

    def take(self, sent: str) -> list[str]:
        """The texts since the last call, as the query is sent."""
        earlier = [text for text in self._earlier if text != sent]
        self._earlier = []
        # What was sent is in the journal already.
        self._growing = False
        return earlier

    def _keep(self, text: str) -> None:
        plain = " ".join(text.split())
        if plain and plain not in self._earlier[-1:]:
            self._earlier = [*self._earlier, plain][-_MOST:]
