"""Tells the panels of the working page what to show; nothing here decides what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from curtain.domain.rules.principles import RuleBook, Touch, Warned
from curtain.domain.wire import Result
from curtain.session.events.wizard_events import MessageSent
from curtain.session.study.messages import MessageSet
from curtain.session.turns.turn_progress import TurnProgress, TurnState
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.message_suggestion import asking_again, likely
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.desk.session.outbox import ScenarioText, as_table
from wizard_app.desk.session.scenario_choice import ScenarioChoice
from wizard_app.desk.session.scenarios import remaining
from wizard_app.desk.situation import Situation, SqlState, WizardState
from wizard_app.desk.turn.answer import awaits_table, table_of
from wizard_app.desk.turn.cut_short import cut_short_told, way_on
from wizard_app.desk.turn.deadline import Deadline, Urgency
from wizard_app.desk.turn.sql_control import fault_place
from wizard_app.desk.turn.statements import PastStatements
from wizard_app.desk.turn.turn_clock import TurnClock
from wizard_app.desk.turn.turn_rows import RowMark, TurnRows, by_task
from wizard_app.translation import translate
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.panels.answers_panel import Answers


class WorkPresenter(QObject):
    """Reads the controllers, writes the panels. `overtime_began(message_id)`: the time of the open turn is over;
    `likely_changed(message_id)`: another message is likely now, or, with an empty id, time is not over any more."""

    overtime_began = Signal(str)
    likely_changed = Signal(str)

    def __init__(
        self, page: WorkPage, controllers: Controllers, clock: TurnClock, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._session = controllers.session
        self._turns = controllers.turns
        self._sql = controllers.sql
        self._listen = controllers.listen
        self._clock = clock
        self._messages = MessageSet(())
        self._titles: dict[str, str] = {}
        self._tasks: Mapping[str, ScenarioText] = {}
        self._past = PastStatements()
        self._book = RuleBook(None, ())
        self._shown_result: Result | None = None
        self._overtime_turn: int | None = None
        self._likely = ""
        self.deadline = Deadline(0)
        self.waiting = 0
        self.microphone = MicrophoneWatch()
        self.showing = False
        self.heard_live: Callable[[int], bool] = lambda _turn: False
        """Whether a turn is heard, or was, while it was spoken."""
        self._rows = TurnRows()

    @property
    def messages(self) -> MessageSet:
        """The canned messages of the session."""
        return self._messages

    def set_messages(self, messages: MessageSet) -> None:
        """The canned messages of the session that begins."""
        self._messages = messages

    def set_scenarios(self, scenarios: Sequence[ScenarioChoice]) -> None:
        """The scenarios that there are, for their titles."""
        self._titles = {one.id: one.title for one in scenarios}

    def set_tasks(self, texts: Mapping[str, ScenarioText]) -> None:
        """What the subject reads of each scenario, by id."""
        self._tasks = texts

    def set_rules(self, book: RuleBook) -> None:
        """The principles of interpretation of the domain."""
        self._book = book

    def set_past(self, past: PastStatements) -> None:
        """The statements of earlier sessions, for Ctrl+Up."""
        self._past = past

    def remember(self, sql: str) -> None:
        """A statement was run: it is the newest one for Ctrl+Up."""
        self._past.add(sql)

    @property
    def likely_message(self) -> str | None:
        """The id of the message that fits the query best; None if none does."""
        message = likely(self._messages, self._turns.fields.query)
        return self.asking_again or (message.id if message is not None else None)

    @property
    def asking_again(self) -> str | None:
        """The message for a recording that was cut short, until its query is sent: then it was enough."""
        turn = self._turns.turn
        if turn is None or turn.cut_reason is None or turn.query is not None:
            return None
        message = asking_again(self._messages)
        return message.id if message is not None else None

    @property
    def offered(self) -> str:
        """The id of the message that is offered because time is over, or an empty text."""
        return self._likely

    # -- the fields of another turn ----------------------------------------------------------------------

    @Slot()
    def show_turn(self) -> None:
        """Another turn is worked on, or none."""
        turn, fields = self._turns.turn, self._turns.fields
        self.showing = True
        idle = self.tr("Nothing to transcribe. The next question plays and appears by itself.")
        here = self.tr("Type what you hear, then Ctrl+Enter.")
        sent = turn.query if turn is not None else None
        self._page.query.show_turn(fields.query, sent, turn is not None, here if turn is not None else idle)
        self._page.sql.show_turn(fields.sql, turn is not None)
        self._past.leave()
        self._page.result.show_nothing()
        self._shown_result = None
        self.showing = False
        self.show_take(play=self.plays_by_itself)

    @property
    def plays_by_itself(self) -> bool:
        """Whether the recording of the open turn is new to the wizard."""
        turn = self._turns.turn
        if turn is None or self._turns.correcting:
            return False
        return not turn.heard and not self.heard_live(turn.number)

    def show_take(self, play: bool) -> None:
        """The recording of the open turn; `play` plays it if it is here."""
        turn = self._turns.turn
        wav: Path | None = self._session.take_path(turn.number) if turn is not None else None
        self._listen.show_take(turn.number if turn is not None else None, wav, play and wav is not None)
        if turn is not None and wav is None:
            self._page.listen.show_told(self.tr("the sound is arriving"))

    def walk(self, earlier: bool) -> None:
        """Ctrl+Up and Ctrl+Down in the editor."""
        editor = self._page.sql.editor
        statement = self._past.earlier(editor.toPlainText()) if earlier else self._past.later()
        if statement is not None:
            editor.replace_text(statement)

    # -- what changed ------------------------------------------------------------------------------------

    @Slot()
    def show_progress(self) -> None:
        """Everything that the journals may have changed."""
        turn = self._turns.turn
        self._page.query.show_sent(turn.query if turn is not None else None)
        self._page.cut_short.show_text(self._cut_short_told(turn))
        self._page.correcting.show_text(self._correcting_told(turn))
        paused = self.tr("Paused. The subject sees a quiet page. Ctrl+P goes on.")
        self._page.paused.show_text(paused if self._session.progress.paused else "")
        self._show_task()
        self.show_details(self._page.turns.selected or 0)
        self.show_yes_no()
        self.show_sql()
        self.tick()

    @Slot()
    def show_yes_no(self) -> None:
        """Whether the open query counts as a yes/no question."""
        self._page.sql.show_yes_no(self._turns.turn is not None and self._turns.fields.yes_no)

    @Slot(list, list)
    def show_rules(self, touched: list[Touch], warned: list[Warned]) -> None:
        """The rules that query and statement touch, and those that the statement breaks."""
        self._page.schema.show_rules(self._book, touched, warned)
        self._page.sql.show_warnings([f"{one.rule}: {one.sentence}" for one in warned])

    @Slot()
    def show_sql(self) -> None:
        """What the last run gave, and whether it belongs to what the editor holds."""
        state, last, good = self._sql.state, self._sql.last, self._sql.good
        self._page.sql.show_run(state, self._run_told())
        if good is None:
            if self._shown_result is not None:
                self._page.result.show_nothing()
        elif self._shown_result is not None and _same_table(good, self._shown_result):
            self._page.result.answers.show_answers(self._answers(good))
        elif good is not self._shown_result:
            table = as_table(table_of(good))
            self._page.result.show_result(table, self._table_told(good), self._answers(good), self._shown_fault(good))
        if last is not None and last.error is not None and state is SqlState.FAILED:
            self._page.sql.show_fault(fault_place(last, self._page.sql.text))
        if good is not None and good is not self._shown_result and state is SqlState.DONE:
            self.remember(good.sql)
        self._shown_result = good
        self._page.result.show_stale(good is not None and not self._sql.fresh)

    @Slot()
    def tick(self) -> None:
        """Seconds pass."""
        progress = self._session.progress
        waiting = self._clock.waiting_s(progress)
        self.deadline = self._clock.deadline(progress, waiting)
        current = self._turns.turn
        at_work = current.number if current else None
        rows = self._rows.rows(progress, at_work, self._turns.correcting, waiting, self._clock.unseen(progress))
        self.waiting = sum(row.mark is RowMark.WAITING for row in rows)
        self._page.turns.show_rows([*by_task(rows, progress, self._titles)])
        texts = (self._scenario_told(), self._unseen_told(), self._subject_told())
        self._page.scenario.setText("\n".join(line for line in texts if line))
        self._notice_overtime()

    @Slot(int)
    def show_details(self, selected: int = 0) -> None:
        """The selected turn in a few lines; else the turn at work if it has a note, else the one answered last."""
        progress, current = self._session.progress, self._turns.turn
        noted = current if current is not None and current.notes else None
        turn = progress.turns.get(selected) or noted or progress.last_sent
        self._page.details.setText("" if turn is None else "\n".join(_details(turn)))

    def situation(self, picking: bool, picked: bool) -> Situation:
        """The state from which the next key follows; `picking` and `picked` are those of the messages."""
        turn, progress = self._turns.turn, self._session.progress
        message = self._messages.by_id.get(self.likely_message or "")
        return Situation(
            state=self._state(turn),
            turn=turn.number if turn is not None else None,
            sql=self._sql.state,
            link_up=self._session.link_up,
            picking=picking,
            picked=picked,
            overtime=self.deadline.urgency is Urgency.OVER,
            speaking=any(one.state is TurnState.SPEAKING for one in progress.unfinished_turns),
            scenario=progress.scenario is not None,
            tasks_left=bool(remaining(progress)),
            end_stated=self._turns.end_stated is not None,
            solution=_shortened(progress.stated_solution),
            likely_message=_shortened(message.text) if message is not None else "",
            subject=self._subject_told().rstrip("."),
            form_open=self._session.wizard_form is not None,
            may_correct=self._turns.correctable is not None,
        )

    # -- inner -------------------------------------------------------------------------------------------

    def _state(self, turn: TurnProgress | None) -> WizardState:
        if self._session.closing:
            return WizardState.CLOSING
        if self._turns.correcting:
            return WizardState.CORRECT
        if self._session.progress.paused:
            return WizardState.PAUSED
        if turn is not None:
            return WizardState.ANSWER if turn.query is not None else WizardState.TRANSCRIBE
        return WizardState.IDLE if self._session.link_up else WizardState.WAITING

    def _notice_overtime(self) -> None:
        oldest = next((turn.number for turn in self._session.progress.open_turns), None)
        over = self.deadline.urgency is Urgency.OVER
        likely_now = (self.likely_message or "") if over else ""
        changed, self._likely = likely_now != self._likely, likely_now
        if over and oldest is not None and oldest != self._overtime_turn:
            self._overtime_turn = oldest
            self.overtime_began.emit(likely_now)
        elif changed:
            self.likely_changed.emit(likely_now)

    def _cut_short_told(self, turn: TurnProgress | None) -> str:
        reason = cut_short_told(turn.cut_reason) if turn is not None else ""
        if not reason:
            return ""
        text = self.tr("Recording cut short: {0}.").format(reason)
        return " ".join(one for one in (text, way_on(self.asking_again is not None)) if one)

    def _correcting_told(self, turn: TurnProgress | None) -> str:
        if not self._turns.correcting or turn is None:
            return ""
        seen = self.tr("Correcting turn {0}. The subject saw: {1}. What you send now takes its place.")
        unseen = self.tr("Correcting turn {0}. Not shown so far: {1}. What you send now takes its place.")
        return (seen if turn.reply_painted else unseen).format(turn.number, _sent_told(turn))

    def _unseen_told(self) -> str:
        unseen = self._clock.unseen(self._session.progress)
        if not unseen:
            return ""
        text = self.tr("Not on the subject’s screen: your reply to turn {0}.")
        return text.format(", ".join(map(str, unseen)))

    def _scenario_told(self) -> str:
        started = self._session.progress.scenario
        if started is None:
            return self.tr("No scenario is on the subject’s screen.")
        title = self._titles.get(started.scenario_id) or started.scenario_id
        if started.practice:
            return self.tr("Practice: {0}").format(title)
        return self.tr("Scenario {0} of {1}: {2}").format(started.number, started.of, title)

    def _show_task(self) -> None:
        started = self._session.progress.scenario
        task = self._tasks.get(started.scenario_id) if started is not None else None
        self._page.schema.task.show_task(self._scenario_told(), task)

    def _subject_told(self) -> str:
        """What the subject does beside talking, as far as the journal tells it."""
        progress = self._session.progress
        if self.microphone.test_told:
            return self.microphone.test_told
        if progress.started_over:
            return self.tr("The subject has started over: earlier answers are off the screen.")
        if not progress.subject_epoch or progress.turns or not self._session.link_up:
            return ""
        if "microphone_test" not in progress.forms:
            return self.tr("The subject is at the microphone test.")
        return "" if "briefing" in progress.forms else self.tr("The subject is reading the briefing.")

    def _run_told(self) -> str:
        last = self._sql.last
        match self._sql.state:
            case SqlState.RUNNING if self._sql.completing and last is not None:
                return self.tr("{0}. Working out the maximum. F5 stops it.").format(self._rows_told(last.total))
            case SqlState.RUNNING if self._sql.ready:
                return self.tr("Running. F5 stops it.")
            case SqlState.STALE:
                return self.tr("Changed since it was run.")
            case SqlState.FAILED if last is not None:
                return last.error or ""
            case SqlState.DONE if last is not None:
                return self.tr("{0} in {1} ms").format(self._rows_told(last.total), last.ms)
        return "" if self._sql.ready else self.tr("Opening the database…")

    def _table_told(self, result: Result) -> str:
        rows = self._rows_told(table_of(result).total)
        awaited = awaits_table(result) and result.show_fault is None
        return self.tr("The minimum so far; the table to show follows") if awaited else rows

    def _shown_fault(self, result: Result) -> str:
        """Why the subject will see the minimum, where the study wants more."""
        fault = result.show_fault if awaits_table(result) else None
        return self.tr("The subject will see the minimum: {0}").format(fault) if fault else ""

    def _answers(self, result: Result) -> Answers:
        answer_state = (result.cas_min, result.cas_error, result.cas_max, result.max_error, result.sql_max or "")
        return Answers(*answer_state, completing=self._sql.completing)

    def _rows_told(self, total: int) -> str:
        return self.tr("1 row") if total == 1 else self.tr("{0} rows").format(f"{total:,}")


def _same_table(result: Result, other: Result) -> bool:
    return result.rows is other.rows and result.shown is other.shown and result.show_fault == other.show_fault


def _details(turn: TurnProgress) -> list[str]:
    lines = [translate("Turns", "Turn {0}").format(turn.number)]
    if turn.query:
        lines.append(f"“{turn.query}”")
    if turn.sent:
        lines.append(translate("Turns", "Sent: {0}").format(_sent_told(turn)))
    if turn.take is not None and turn.take.clipped:
        lines.append(translate("Turns", "Too loud: the recording is clipped."))
    if reason := cut_short_told(turn.cut_reason):
        lines.append(translate("Turns", "Cut short: {0}.").format(reason))
    if turn.soundless:
        lines.append(translate("Turns", "No sound: the recording is silent."))
    if turn.recovered:
        lines.append(translate("Turns", "The recording was recovered after a crash."))
    return [*lines, *(translate("Turns", "Note: {0}").format(note) for note in turn.notes)]


def _sent_told(turn: TurnProgress) -> str:
    fact = turn.sent[-1].fact
    if isinstance(fact, MessageSent):
        return f"“{_shortened(fact.text)}”"
    if fact.total == 1:
        return translate("Turns", "a table of 1 row")
    return translate("Turns", "a table of {0} rows").format(fact.total)


def _shortened(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
