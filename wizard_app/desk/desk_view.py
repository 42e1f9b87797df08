"""What the wizard's window has to show, worked out from what is true now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from curtain.domain.wire import Result
from curtain.qt.languages.translation import sentence_here, translate
from curtain.session.events.subject_events import LONGEST_HOLD_S
from curtain.session.events.wizard_events import MessageSent
from curtain.session.roles import Chair
from curtain.session.study.messages import MessageSet
from curtain.session.turns.turn_progress import TurnProgress, TurnState
from wizard_app.desk.message_suggestion import asking_again, likely
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.scenarios import input_of_session, remaining
from wizard_app.desk.session.subject.outbox import ScenarioText
from wizard_app.desk.turn.answer import Answers, answers_of, as_said, awaits_table, table_of
from wizard_app.desk.turn.control import Fields
from wizard_app.desk.turn.deadline import Deadline, Urgency
from wizard_app.desk.turn.sql_control import problem_place
from wizard_app.desk.turn.statements import SqlState
from wizard_app.desk.turn.turn_rows import ListRow, RowMark, TurnRows, by_task
from wizard_app.keys.table import key_of


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


Place = Literal["", "list", "chips", "rewording"]
"""Where among the drafts the cursor is."""


@dataclass(frozen=True)
class DeskTexts:
    """What study and domain say: the canned messages, and of each scenario its title and what the subject reads."""

    messages: MessageSet = field(default_factory=lambda: MessageSet(()))
    titles: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[str, ScenarioText] = field(default_factory=dict)


@dataclass(frozen=True)
class DeskNow:
    """What is true now; as it stands, no session is open.

    The session: `session` is its id, `waiting_s` how long each turn that waits has waited, `unseen` the turns whose
    reply is not shown, `leaving` those whose reply waits for its moment. `take_back` is the one whose reply can be
    taken back for `take_back_s` seconds more, of `grace_s`; 0 if there is none. The turn that is worked on: `last` is
    its last run, `good` the last that succeeded, `fresh` whether `good` belongs to what the editor holds. `coming` is
    the turn that is being spoken while none is open. The desk: `enter` is what Enter does on the start page, `selected`
    the turn chosen in the list, 0 if none, `drafts` how many drafts can be taken, `drafts_guess` whether the
    first is a guess, `words_offered` and `words_doubted` whether grey words can be taken, and gone through.
    """

    progress: SessionProgress = field(default_factory=SessionProgress)
    texts: DeskTexts = field(default_factory=DeskTexts)
    session: str = ""
    link_up: bool = False
    open_forms: int = 0
    wizard_form: str = ""
    microphone: MicrophoneWatch = field(default_factory=MicrophoneWatch)
    deadline: Deadline = field(default_factory=lambda: Deadline(0))
    waiting_s: Mapping[int, float] = field(default_factory=dict)
    unseen: Sequence[int] = ()
    leaving: Sequence[int] = ()
    take_back: int = 0
    take_back_s: float = 0.0
    grace_s: float = 0.0

    turn: TurnProgress | None = None
    coming: int | None = None
    fields: Fields = field(default_factory=Fields)
    correcting: bool = False
    end_stated: bool = False
    may_correct: bool = True
    sql: SqlState = SqlState.NONE
    database_open: bool = True
    completing: bool = False
    last: Result | None = None
    good: Result | None = None
    fresh: bool = True

    page: Literal["start", "work", "closing", "archive"] = "start"
    chair: Chair = "wizard"
    joins: bool = False
    enter: str = ""
    picking: bool = False
    picked: bool = False
    in_empty_blank: bool = False
    browsing: bool = False
    selected: int = 0
    drafts: int = 0
    drafts_guess: bool = False
    at_drafts: Place = ""
    words_offered: bool = False
    words_doubted: bool = False


@dataclass(frozen=True)
class DeskView(DeskNow):
    """What is true now and what the window shows of it.

    `scenario` is the id of the one on the subject's screen. `elsewhere` says with whom the oldest question is, if this
    desk has none. `likely` is the id of the message that fits the turn best;
    `asks_again`: its recording was cut short. `problems` are sentences by the name of the problem, empty where there is
    none. `failure` says why the empty answer may be a presupposition failure, `failed` that it is marked so. `send` is
    what Send would send now, empty where there is nothing.
    """

    state: WizardState = WizardState.START
    scenario: str = ""
    tasks_left: bool = True
    speaking: bool = False
    solution: str = ""
    subject: str = ""
    elsewhere: str = ""
    waiting: int = 0
    likely: str = ""
    likely_message: str = ""
    asks_again: bool = False
    problems: Mapping[str, str] = field(default_factory=dict)
    rows: Sequence[ListRow] = ()
    details: str = ""
    account: str = ""
    task_heading: str = ""
    task: ScenarioText | None = None
    correction: str = ""
    paused: str = ""
    cut_short: str = ""
    placeholder: str = ""
    run: str = ""
    problem_at: tuple[int, int] | None = None
    table: str = ""
    table_problem: str = ""
    answers: Answers | None = None
    failure: str = ""
    failed: bool = False
    send: str = ""

    @property
    def work(self) -> tuple[int | None, bool]:
        """The turn that the fields belong to, and whether it is being corrected."""
        return self.turn.number if self.turn is not None else None, self.correcting

    @property
    def typed_on(self) -> int | None:
        """The turn whose query is typed now: the one at work, or the one that is coming. The subject's own is not."""
        if self.turn is not None:
            return self.turn.number if self.turn.typed is None else None
        return self.coming

    @property
    def sent(self) -> str | None:
        """The query that the subject has of the turn."""
        return self.turn.query if self.turn is not None else None

    @property
    def overtime(self) -> bool:
        """Whether the time of the oldest open turn is over."""
        return self.deadline.urgency is Urgency.OVER

    @property
    def offered(self) -> str:
        """The id of the message that is offered because time is over, or an empty text."""
        return self.likely if self.overtime else ""

    @property
    def oldest(self) -> int | None:
        """The turn that has waited longest."""
        return next((turn.number for turn in self.progress.open_turns), None)

    @property
    def driver_properties(self) -> dict[str, str | int | bool]:
        """The properties of the window that a driver reads; the table is in `window`."""
        last = self.progress.last_sent
        return {
            "state": self.state.value,
            "link": "up" if self.link_up else "down",
            "session": self.session,
            "scenario": self.scenario,
            "solution": self.solution,
            "turn": self.work[0] or 0,
            "open_turns": len(self.progress.open_turns),
            "open_forms": self.open_forms,
            "wizard_form": self.wizard_form,
            "answered_turn": last.number if last is not None else 0,
            "sql_state": self.sql.value,
            "sql_settled": self.sql is not SqlState.RUNNING,
            "picking": self.picking,
            "urgency": self.deadline.urgency.value,
            "drafts": self.drafts,
            "take_back": self.take_back,
        }


def desk_view(now: DeskNow, made: TurnRows | None = None) -> DeskView:
    """The view that follows from what is true now; of the rows `made` before, those that have not changed stay."""
    if not now.session:
        now = replace(now, deadline=Deadline(0))
        if now.page != "work":
            now = replace(now, turn=None, coming=None, fields=Fields(), correcting=False)
            now = replace(now, sql=SqlState.NONE, last=None, good=None)
    progress, turn, good, messages = now.progress, now.turn, now.good, now.texts.messages
    number = turn.number if turn is not None else None
    rows = (made or TurnRows()).rows(progress, number, now.correcting, now.waiting_s, now.unseen, now.leaving)
    started, scenario, subject = progress.scenario, _scenario(now), _subject_does(now)
    again = _cut_off(turn) and asking_again(messages)
    offer = again or likely(messages, now.fields.query)
    transcribe = translate("Desk", "Type what you hear, then Ctrl+Enter.")
    coming = translate("Desk", "The subject is speaking. What you type stays with this question.")
    idle = translate("Desk", "Nothing to transcribe. The next question plays and appears by itself.")
    if now.microphone.state == "unused":
        idle = translate("Desk", "The next question appears by itself.")
    if now.take_back:
        waits = translate("Desk", "Your reply to turn {0} has not left yet. {1} takes it back.")
        idle = waits.format(now.take_back, key_of("take_back"))
    paused = translate("Desk", "Paused. The subject sees a quiet page. Ctrl+P goes on.")
    return DeskView(
        **vars(now),
        state=_state(now),
        scenario=started.scenario_id if started is not None else "",
        tasks_left=bool(remaining(progress)),
        speaking=any(one.state is TurnState.SPEAKING for one in progress.unfinished_turns),
        solution=progress.stated_solution,
        subject=subject.rstrip("."),
        elsewhere=_question_elsewhere(progress, now.leaving) if turn is None else "",
        waiting=sum(row.mark is RowMark.WAITING for row in rows) if now.session else 0,
        likely=offer.id if offer else "",
        likely_message=offer.text if offer else "",
        asks_again=bool(again),
        problems={"microphone": now.microphone.problem(progress), "help": _call(now)},
        rows=[*by_task(rows, progress, now.texts.titles)],
        details="\n".join(_details(_chosen(now))),
        account="\n".join(filter(None, (_unseen(now), subject))),
        task_heading=scenario,
        task=now.texts.tasks.get(started.scenario_id) if started is not None else None,
        correction=_correction(now),
        paused=paused if progress.paused else "",
        cut_short=_cut_short(turn, bool(again)),
        placeholder=transcribe if turn is not None else coming if now.coming is not None else idle,
        run=_run(now),
        problem_at=problem_place(now.last, now.fields.sql.strip()) if now.last and now.sql is SqlState.FAILED else None,
        table=_table(good) if good is not None else "",
        table_problem=_table_problem(good) if good is not None else "",
        answers=answers_of(as_said(good, now.fields.failed), completing=now.completing) if good is not None else None,
        failure=_failure(good) if good is not None and good.failure else "",
        failed=good is not None and bool(good.failure) and now.fields.failed == good.sql,
        send=_send(now) if good is not None else "",
    )


def _failure(good: Result) -> str:
    """Why an empty answer may be a presupposition failure."""
    if not good.without:
        return translate("Desk", "What is asked about cannot exist by definition.")
    return translate("Desk", "Without {0} nothing is left either.").format(good.without)


def _state(now: DeskNow) -> WizardState:
    if now.page == "start":
        return WizardState.START
    if now.page == "archive":
        return WizardState.ARCHIVE
    if now.page == "closing" and not now.session:
        return WizardState.CLOSED
    if now.progress.closed is not None:
        return WizardState.CLOSING
    if now.correcting:
        return WizardState.CORRECT
    if now.progress.paused:
        return WizardState.PAUSED
    if now.turn is not None:
        return WizardState.ANSWER if now.turn.query is not None else WizardState.TRANSCRIBE
    return WizardState.IDLE if now.link_up else WizardState.WAITING


def _question_elsewhere(progress: SessionProgress, leaving: Sequence[int]) -> str:
    """“Turn 4 is with kim”: where the question is that has waited longest without a reply; "" if none waits."""
    turn = next((turn for turn in progress.open_turns if turn.number not in leaving), None)
    if turn is None:
        return ""
    people = progress.chairs.people_for(turn.number, turn.next_part)
    words = translate("Chairs", "Turn {0} is with {1}") if people else translate("Chairs", "Turn {0} has no reply yet")
    return words.format(turn.number, ", ".join(people))


def _cut_off(turn: TurnProgress | None) -> bool:
    """Whether the recording was cut short, until its query is sent: then it was enough."""
    return turn is not None and turn.cut_reason is not None and turn.query is None


def _chosen(now: DeskNow) -> TurnProgress | None:
    """The selected turn, else the turn at work if it has a note, else the one answered last."""
    noted = now.turn if now.turn is not None and now.turn.notes else None
    return now.progress.turns.get(now.selected) or noted or now.progress.last_sent


def _call(now: DeskNow) -> str:
    """Until the wizard sees to it: by a message, by the pause, or by saying so."""
    if not now.session or not now.progress.calls_for_help:
        return ""
    sentence = translate("Desk", "The subject asks for help. Send a message ({0}) or pause ({1}). {2} clears this.")
    return sentence.format(*map(key_of, ("message", "pause", "answer_call")))


def _cut_short(turn: TurnProgress | None, asks_again: bool) -> str:
    """Why the recording ends before the subject did, and the keys that ask for it again, where a message does so."""
    reason = _reason(turn)
    if not reason:
        return ""
    text = translate("Desk", "Recording cut short: {0}.").format(reason)
    again = translate("CutShort", "{0}, Enter asks again.").format(key_of("message"))
    return f"{text} {again}" if asks_again else text


def _reason(turn: TurnProgress | None) -> str:
    """Why a recording was cut short, as a part of a sentence; an empty text if it was not."""
    if turn is None or turn.cut_reason is None:
        return ""
    reasons = {
        "focus_lost": translate("CutShort", "another window came to the front"),
        "page_left": translate("CutShort", "the subject’s page changed"),
        "too_long": translate("CutShort", "the key was held for {0} seconds").format(f"{LONGEST_HOLD_S:.0f}"),
        "station_closed": translate("CutShort", "the subject’s station was closed"),
        "microphone_lost": translate("CutShort", "the microphone was lost"),
        "disk_full": translate("CutShort", "the subject’s disk was full"),
        "crash": translate("CutShort", "the subject’s station stopped"),
    }
    return reasons.get(turn.cut_reason, translate("CutShort", "it ended before the subject did"))


def _correction(now: DeskNow) -> str:
    turn = now.turn
    if not now.correcting or turn is None:
        return ""
    seen = translate("Desk", "Correcting turn {0}. The subject saw: {1}. What you send now takes its place.")
    unseen = translate("Desk", "Correcting turn {0}. Not shown so far: {1}. What you send now takes its place.")
    return (seen if turn.reply_painted else unseen).format(turn.number, _sent(turn))


def _unseen(now: DeskNow) -> str:
    if not now.unseen:
        return ""
    text = translate("Desk", "Not on the subject’s screen: your reply to turn {0}.")
    return text.format(", ".join(map(str, now.unseen)))


def _scenario(now: DeskNow) -> str:
    started = now.progress.scenario
    if started is None:
        return translate("Desk", "No scenario is on the subject’s screen.")
    title = now.texts.titles.get(started.scenario_id) or started.scenario_id
    if started.practice:
        return translate("Desk", "Practice: {0}").format(title)
    return translate("Desk", "Scenario {0} of {1}: {2}").format(started.number, started.of, title)


def _subject_does(now: DeskNow) -> str:
    """What the subject does beside talking, as far as the journal shows it."""
    progress = now.progress
    if now.microphone.test_sentence:
        return now.microphone.test_sentence
    if progress.started_over:
        return translate("Desk", "The subject has started over: earlier answers are off the screen.")
    if not progress.subject_epoch or progress.turns or not now.link_up:
        return ""
    given = input_of_session(progress.opened)
    if now.microphone.state == "unused" and given != "text":
        return translate("Desk", "No microphone is connected at the subject’s station, so the subject types.")
    if "microphone_test" not in progress.forms and given != "text":
        return translate("Desk", "The subject is at the microphone test.")
    return "" if "briefing" in progress.forms else translate("Desk", "The subject is reading the briefing.")


def _run(now: DeskNow) -> str:
    """What the last run of the statement says."""
    last = now.last
    match now.sql:
        case SqlState.RUNNING if now.completing and last is not None:
            return translate("Desk", "{0}. Working out the maximum. F5 stops it.").format(_row_count(last.total))
        case SqlState.RUNNING if now.database_open:
            return translate("Desk", "Running. F5 stops it.")
        case SqlState.RUNNING:
            return translate("Desk", "The database is still being opened, then your statement runs. F5 stops it.")
        case SqlState.STALE:
            return translate("Desk", "Changed since it was run.")
        case SqlState.FAILED if last is not None:
            return sentence_here(last.error or "")
        case SqlState.DONE if last is not None:
            return translate("Desk", "{0} in {1} ms").format(_row_count(last.total), last.ms)
    return "" if now.database_open else translate("Desk", "Opening the database…")


def _send(now: DeskNow) -> str:
    """What Send would send: the rows, or what a table of one cell says."""
    good = now.good
    if good is None or now.turn is None or not (now.completing or now.sql is SqlState.DONE):
        return ""
    table = table_of(good)
    cell = table.rows[0][0] if table.total == 1 and len(table.rows[0]) == 1 else ""
    what = f"“{shortened(cell, 24)}”" if cell else _row_count(table.total)
    text = translate("Desk", "Send {0} instead") if now.correcting else translate("Desk", "Send {0}")
    return text.format(what)


def _table(result: Result) -> str:
    if awaits_table(result) and result.show_fault is None:
        return translate("Desk", "The minimum so far; the table to show follows")
    return _row_count(table_of(result).total)


def _table_problem(result: Result) -> str:
    """Why the subject will see the minimum, where the study wants more."""
    problem = result.show_fault if awaits_table(result) else None
    return translate("Desk", "The subject will see the minimum: {0}").format(sentence_here(problem)) if problem else ""


def _row_count(total: int) -> str:
    return translate("Desk", "1 row") if total == 1 else translate("Desk", "{0} rows").format(f"{total:,}")


def _details(turn: TurnProgress | None) -> list[str]:
    if turn is None:
        return []
    lines = [translate("Turns", "Turn {0}").format(turn.number)]
    if turn.query:
        lines.append(f"“{turn.query}”")
    if turn.typed is not None:
        lines.append(translate("Turns", "Typed by the subject."))
    if turn.sent:
        lines.append(translate("Turns", "Sent: {0}").format(_sent(turn)))
    if turn.take is not None and turn.take.clipped:
        lines.append(translate("Turns", "Too loud: the recording is clipped."))
    if reason := _reason(turn):
        lines.append(translate("Turns", "Cut short: {0}.").format(reason))
    if turn.soundless:
        lines.append(translate("Turns", "No sound: the recording is silent."))
    if turn.recovered:
        lines.append(translate("Turns", "The recording was recovered after a crash."))
    return [*lines, *(translate("Turns", "Note: {0}").format(note) for note in turn.notes)]


def _sent(turn: TurnProgress) -> str:
    fact = turn.sent[-1].fact
    if isinstance(fact, MessageSent):
        return f"“{shortened(fact.text)}”"
    if fact.only:
        return shortened(fact.only)
    if fact.total == 1:
        return translate("Turns", "a table of 1 row")
    return translate("Turns", "a table of {0} rows").format(fact.total)


def shortened(text: str, most: int = 40) -> str:
    """The text, cut where it is longer."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
