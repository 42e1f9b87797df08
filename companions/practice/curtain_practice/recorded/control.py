"""One recorded turn after the other: asks it, follows what the trainee does, and judges the reply."""

from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from curtain.session.events.wizard_events import AnswerSent, MessageSent
from curtain.session.turns.turn_progress import TurnProgress
from curtain_practice.course import Course, Exercise, StepTimes
from curtain_practice.judgement import ReplyJudgement, TrainedReply, judge
from curtain_practice.recorded.recorded_subject import RecordedSubject
from curtain_practice.sittings import PracticeTurn, add_turn
from wizard_app.desk.controllers import Controllers


@dataclass(frozen=True)
class Trainee:
    """Who practises, in which study, since when (UTC, ISO 8601), and how many seconds a reply may take."""

    wizard: str
    study: Path
    sitting: str
    deadline_s: float


@dataclass(frozen=True)
class JudgedTurn:
    """A judged turn as the page shows it; `place` counts from 1. `query` is what the trainee typed."""

    place: int
    of: int
    exercise: Exercise
    query: str
    reply: TrainedReply
    judgement: ReplyJudgement
    row: PracticeTurn


class TrainingControl(QObject):
    """`judged(JudgedTurn)` once a reply is judged and kept; `finished` after the last exercise; `failed` a sentence."""

    judged = Signal(object)
    finished = Signal()
    failed = Signal(str)

    def __init__(
        self,
        course: Course,
        trainee: Trainee,
        controllers: Controllers,
        subject: RecordedSubject,
        clock: Clock,
        background: Background,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._course = course
        self._trainee = trainee
        self._session = controllers.session
        self._subject = subject
        self._clock = clock
        self._background = background
        self._place = 0
        self._turn = 0
        self._to_ask = False
        self._asked_ns = 0
        self._query_ns: int | None = None
        self._session.opened.connect(self.go_on)
        self._session.progress_changed.connect(self._follow)

    def go_on(self) -> None:
        """Ask the next recorded turn, in its own scenario; after the last one, finish."""
        if self._place >= len(self._course.exercises):
            self.finished.emit()
            return
        self._to_ask = True
        wanted, running = self._exercise.scenario_id, self._session.progress.scenario
        if wanted and running is not None and running.scenario_id != wanted:
            self._session.begin_scenario(wanted)
        self._follow()

    @property
    def _exercise(self) -> Exercise:
        return self._course.exercises[self._place]

    def _follow(self) -> None:
        progress = self._session.progress
        if self._to_ask:
            self._ask_when_its_task_is_shown()
        turn = progress.turns.get(self._turn) if self._turn else None
        if turn is None:
            return
        if turn.query is not None and self._query_ns is None:
            self._query_ns = self._clock.monotonic_ns()
        if turn.sent:
            self._turn = 0
            self._judge(turn)

    def _ask_when_its_task_is_shown(self) -> None:
        wanted, running = self._exercise.scenario_id, self._session.progress.scenario
        if running is None or (wanted and running.scenario_id != wanted):
            return
        self._to_ask = False
        self._asked_ns, self._query_ns = self._clock.monotonic_ns(), None
        try:
            exercise, asks = self._exercise, self._subject
            self._turn = asks.ask(Path(exercise.audio)) if exercise.audio else asks.ask_typed(exercise.query)
        except CurtainError as error:
            self.failed.emit(str(error))
            self._place += 1
            self.go_on()

    def _judge(self, turn: TurnProgress) -> None:
        sent = turn.sent[-1]
        times = _times(self._asked_ns, self._query_ns, self._clock.monotonic_ns())
        reply = self._reply(sent.seq)
        work = partial(judge, self._exercise, reply, self._course.dialect)
        self._background.run(work, partial(self._on_judged, turn.query or "", reply, times))

    def _reply(self, seq: int) -> TrainedReply:
        session = self._session.session
        fact = session.fact_at(seq) if session is not None else None
        match fact:
            case AnswerSent():
                return TrainedReply(cas_min=fact.cas_min, sql=fact.sql)
            case MessageSent():
                return TrainedReply(message_id=fact.message_id)
            case _:
                return TrainedReply()

    def _on_judged(self, query: str, reply: TrainedReply, times: StepTimes, future: Future[ReplyJudgement]) -> None:
        exercise, judgement = self._exercise, future.result()
        row = PracticeTurn(
            sitting=self._trainee.sitting,
            utterance_id=exercise.utterance_id,
            right=judgement.right,
            expected=judgement.expected,
            given=judgement.given,
            reason=judgement.reason,
            times=times,
            original=exercise.times,
            missed=(times.total_ms or 0) > self._trainee.deadline_s * 1000,
            sql=reply.sql,
        )
        try:
            add_turn(self._trainee.study, self._trainee.wizard, row)
        except CurtainError as error:
            self.failed.emit(str(error))
        self._place += 1
        of = len(self._course.exercises)
        self.judged.emit(JudgedTurn(self._place, of, exercise, query, reply, judgement, row))


def _times(asked_ns: int, query_ns: int | None, replied_ns: int) -> StepTimes:
    # A message may be sent without a query: all of the time then went into listening.
    query_ns = replied_ns if query_ns is None else query_ns
    return StepTimes(transcribe_ms=(query_ns - asked_ns) // 1_000_000, answer_ms=(replied_ns - query_ns) // 1_000_000)
