"""The system in the wizard's chair: asks it for each turn of its condition, and sends what may be sent of its reply.

The person at the desk watches. They may take over a turn, or stop the system for the rest of the session.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from curtain.domain.maximum.yes_no import is_yes_no
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain.session.events import wizard_events as wizard
from curtain.session.study.conditions import Condition
from curtain.session.study.design import condition_in
from curtain.session.study.ids import utterance_id
from curtain.session.study.messages import MessageSet
from curtain.session.turns.turn_progress import TurnProgress
from curtain_experiments.desk import replying
from curtain_experiments.desk.systems import RunningSystems
from curtain_experiments.systems.client import SystemClient, TimedReply
from curtain_experiments.systems.protocol import HostedSystemError, SystemQuestion
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.session.progress import earlier_of
from wizard_app.desk.session.scenarios import condition_of_turn
from wizard_app.desk.turn.sql_control import as_attempt

if TYPE_CHECKING:
    from curtain.domain.worker.worker import SqlWorker

_EARLIER = 5


@dataclass(frozen=True)
class AtWork:
    """The turn that the system works on: `doing` is `hearing`, `asking` or `running`."""

    turn: int
    system: str
    doing: str


class SystemChair(QObject):
    """One turn at a time, the oldest first. `changed`: there is something else to show; `notice` is a sentence; `ready`
    may come from any thread: a system can be asked now."""

    changed = Signal()
    notice = Signal(str)
    ready = Signal()

    def __init__(self, controllers: Controllers, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._session = controllers.session
        self._turns = controllers.turns
        self._outgoing = controllers.outgoing
        self._background = background
        self._systems: RunningSystems | None = None
        self._worker: SqlWorker | None = None
        self._messages = MessageSet(())
        self._dialect = "1992"
        self._cas: dict[int, str] = {}
        self._replied: set[int] = set()
        self.at_work: AtWork | None = None
        self.last_problem = ""
        self.ready.connect(self.look)
        self._session.opened.connect(self._begin_session)
        self._session.progress_changed.connect(self.look)
        self._session.take_here.connect(lambda _turn, _wav: self.look())
        self._outgoing.taken_back.connect(lambda _turn: self.changed.emit())

    # -- state ---------------------------------------------------------------------------------------------

    @property
    def condition(self) -> Condition | None:
        """The condition of the turn at work; before one, that of the running scenario."""
        turn = self._turns.turn
        progress = self._session.progress
        if turn is not None:
            return condition_of_turn(progress, turn.number)
        scenario, opened = progress.scenario, progress.opened
        if scenario is None or opened is None:
            return None
        return condition_in(opened.conditions, scenario.condition_id)

    @property
    def stopped(self) -> bool:
        """Whether the person answers in place of the system for the rest of the session."""
        return self._session.progress.system_stopped

    def refusal(self, number: int, *, query: bool) -> str:
        """Why the person at the desk may not send a query or a reply on this turn; "" where they may."""
        condition = self._of_system(number)
        if condition is None or (query and condition.who == "typist"):
            return ""
        return self.tr("{0} answers this turn. Ctrl+Shift+O takes it over.").format(condition.system)

    # -- what happened -----------------------------------------------------------------------------------

    def set_content(self, messages: MessageSet, dialect: str) -> None:
        """The canned messages of the study, and how its domain writes answers."""
        self._messages, self._dialect = messages, dialect

    def set_worker(self, worker: SqlWorker) -> None:
        """The database is open."""
        self._worker = worker
        self.look()

    def set_systems(self, systems: RunningSystems) -> None:
        """The systems are started; some may still be learning."""
        self._systems = systems
        self.look()

    def close(self) -> None:
        """End the systems."""
        if self._systems is not None:
            self._systems.close()

    @Slot()
    def look(self) -> None:
        """Ask for the oldest turn that waits for its system, unless one is being worked on."""
        if self.at_work is None and self._systems is not None and self._worker is not None:
            turn = next(filter(self._waits, self._session.progress.open_turns), None)
            if turn is not None:
                self._begin(turn, self._systems)
        self.changed.emit()

    # -- what the person wishes --------------------------------------------------------------------------

    @Slot()
    def take_over(self) -> None:
        """Answer the turn at work in place of the system; it does not count for the comparison."""
        turn = self._turns.turn
        condition = self._of_system(turn.number) if turn is not None else None
        if turn is None or condition is None:
            self.notice.emit(self.tr("No turn waits for a system, so there is nothing to take over."))
            return
        self._replied.add(turn.number)
        self._outgoing.take_back(turn.number)
        self._let_go(turn.number)
        self._session.write([(wizard.TakenOver(system=condition.system), turn.number)])
        self.notice.emit(self.tr("You answer turn {0}. It does not count for the comparison.").format(turn.number))

    @Slot()
    def stop_or_go_on(self) -> None:
        """Let the person answer from here on, or the system again."""
        condition = self.condition
        if condition is None or condition.who == "wizard":
            self.notice.emit(self.tr("No system answers in this scenario."))
            return
        stopped = not self.stopped
        if stopped and self.at_work is not None:
            self._let_go(self.at_work.turn)
        self._session.write([(wizard.SystemStopped(system=condition.system, stopped=stopped), None)])

    # -- one turn ----------------------------------------------------------------------------------------

    def _waits(self, turn: TurnProgress) -> bool:
        condition = self._of_system(turn.number)
        if condition is None or turn.number in self._replied or turn.number in self._outgoing.held:
            return False
        if condition.who == "typist" or turn.typed is not None:
            return turn.query is not None
        return self._session.take_path(turn.number) is not None

    def _of_system(self, number: int) -> Condition | None:
        """The condition of a turn if a system answers it."""
        turn = self._session.progress.turns.get(number)
        condition = condition_of_turn(self._session.progress, number)
        if turn is None or condition is None or condition.who == "wizard" or turn.taken_over or self.stopped:
            return None
        return condition

    def _begin(self, turn: TurnProgress, systems: RunningSystems) -> None:
        condition = self._of_system(turn.number)
        assert condition is not None
        self._replied.add(turn.number)
        self.last_problem = ""
        if condition.who == "typist" or turn.query is not None:
            self._ask(turn.number, condition, turn.shown_query)
        elif condition.ears == "system":
            self._ask(turn.number, condition, None)
        else:
            self.at_work = AtWork(turn.number, condition.system, "hearing")
            heard = systems.hear(self._question(turn, None))
            self._background.when_done(heard, partial(self._on_heard, turn.number, condition))

    def _on_heard(self, number: int, condition: Condition, future: Future[str]) -> None:
        if not self._is_at_work(number):
            return
        try:
            text = " ".join(future.result().split())
        except HostedSystemError as error:
            self._fail(number, condition, "ears", str(error))
            return
        if text:
            self._outgoing.write([(wizard.QuerySent(text=text, heard_by="asr"), number)])
        self._ask(number, condition, text)

    def _ask(self, number: int, condition: Condition, text: str | None) -> None:
        assert self._systems is not None
        if (client := self._client(condition)) is None:
            why = self._systems.problems.get(condition.system, "")
            self._fail(number, condition, "missing", why or f"The system “{condition.system}” is not running.")
            return
        self.at_work = AtWork(number, condition.system, "asking")
        asked = client.ask(self._question(self._session.progress.turns[number], text))
        self._background.when_done(asked, partial(self._on_reply, number, condition))
        self.changed.emit()

    def _question(self, turn: TurnProgress, text: str | None) -> SystemQuestion:
        progress = self._session.progress
        session_id = progress.opened.session_id if progress.opened else ""
        wav: Path | None = self._session.take_path(turn.number)
        before = islice((one for one in earlier_of(progress, turn.number) if one.sent), _EARLIER)
        return SystemQuestion(
            utterance_id=utterance_id(session_id, turn.number) if session_id else str(turn.number),
            session_id=session_id,
            scenario_id=turn.scenario_id,
            turn=turn.number,
            text=text,
            audio=str(wav.absolute()) if wav is not None else None,
            previous=replying.earlier_turns(before, self._cas),
        )

    def _on_reply(self, number: int, condition: Condition, future: Future[TimedReply]) -> None:
        if not self._is_at_work(number):
            return
        try:
            timed = future.result()
        except HostedSystemError as error:
            self._fail(number, condition, error.kind, str(error))
            return
        reply = timed.reply
        facts: list[tuple[wizard.WizardFact, int | None]] = []
        turn = self._session.progress.turns.get(number)
        # What the subject typed is the query, whatever a system says that it heard.
        if condition.ears == "system" and reply.text and turn is not None and turn.typed is None:
            facts.append((wizard.QuerySent(text=reply.text, heard_by="system"), number))
        facts.append((replying.journaled(condition.system, reply, timed.ms), number))
        self._outgoing.write(facts)
        match reply.kind:
            case "sql":
                self._run(number, condition, reply.sql or "", reply.text)
            case "cas":
                self._show_cas(number, condition, timed)
            case "message":
                if refused := replying.refused_message(self._messages, reply.message or ""):
                    self._fail(number, condition, "message", f"The system “{condition.system}” {refused}.")
                else:
                    self._reply(number, replying.canned(self._messages, reply.message or "", condition.system))
            case _:
                self._reply(number, self._no_answer(condition))

    def _run(self, number: int, condition: Condition, sql: str, heard: str | None) -> None:
        assert self._worker is not None
        self.at_work = AtWork(number, condition.system, "running")
        turn = self._session.progress.turns.get(number)
        question = heard or (turn.shown_query if turn is not None else "") or ""
        minimum: Future[Result] = Future()
        ran = self._worker.run(sql, is_yes_no(question), "", minimum=minimum)
        self._background.when_done(ran, partial(self._on_ran, number, condition, sql))

    def _on_ran(self, number: int, condition: Condition, sql: str, future: Future[Result]) -> None:
        result = future.result()
        self._session.write([(as_attempt(sql, result), number)])
        if not self._is_at_work(number):
            return
        if result.error is not None:
            self._fail(number, condition, "sql", f"The SQL of “{condition.system}” cannot be run: {result.error}")
        else:
            self._reply(number, replying.answer_from_sql(result, condition.system))

    def _show_cas(self, number: int, condition: Condition, timed: TimedReply) -> None:
        try:
            answer = replying.table_of_cas(timed.reply, self._dialect)
        except replying.UnusableCas as error:
            self._fail(number, condition, "cas", f"The answer of “{condition.system}” cannot be shown: {error}")
            return
        if answer is None:
            self._reply(number, self._no_answer(condition))
            return
        self._cas[number] = answer[1]
        self._reply(number, replying.answer_from_cas(*answer, condition.system))

    def _no_answer(self, condition: Condition) -> wizard.MessageSent:
        client = self._client(condition)
        return replying.canned(
            self._messages, client.choice.no_answer if client else "not_understood", condition.system
        )

    def _client(self, condition: Condition) -> SystemClient | None:
        return self._systems.clients.get(condition.system) if self._systems is not None else None

    def _fail(self, number: int, condition: Condition, how: replying.FailureHow, sentence: str) -> None:
        """One journaled fact, and the canned message that the turn could not be processed."""
        self.last_problem = sentence
        failed = wizard.SystemFailed(system=condition.system, how=how, sentence=sentence)
        self._session.write([(failed, number)])
        client = self._client(condition)
        name = client.choice.failed if client else "unable"
        self._reply(number, replying.canned(self._messages, name, condition.system))

    def _reply(self, number: int, fact: wizard.AnswerSent | wizard.MessageSent) -> None:
        self.at_work = None
        self._outgoing.write([(fact, number)])
        self.look()

    # -- inner -------------------------------------------------------------------------------------------

    def _is_at_work(self, number: int) -> bool:
        """A reply that comes after its turn was taken over is too late."""
        return self.at_work is not None and self.at_work.turn == number and self._of_system(number) is not None

    def _let_go(self, number: int) -> None:
        if self.at_work is None or self.at_work.turn != number:
            return
        system, self.at_work = self.at_work.system, None
        client = self._systems.clients.get(system) if self._systems is not None else None
        # A program that hangs would keep the next turn waiting until its deadline.
        if client is not None:
            client.stop()

    def _begin_session(self) -> None:
        self._replied.clear()
        self._cas.clear()
        self.at_work, self.last_problem = None, ""
