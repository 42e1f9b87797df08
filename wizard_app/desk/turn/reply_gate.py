"""Between the desk and the journal: replies that wait for a moment."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from msgspec import structs
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from curtain.session.events import wizard_events as wizard
from wizard_app.desk.session.progress import Facts, SessionProgress, Write
from wizard_app.desk.session.scenarios import condition_of_turn

_REPLIES = (wizard.AnswerSent, wizard.MessageSent)

_NS = 1_000_000_000
_MS = 1_000_000


@dataclass(frozen=True)
class HeldReply:
    """A reply that waits: its facts, when it is due, and when it was sent by whoever made it (ns of the clock).
    `briefly`: only so that it can be taken back, and not for a constant latency."""

    facts: Facts
    due_ns: int
    sent_ns: int
    briefly: bool = False

    @property
    def kind(self) -> Literal["answer", "message"]:
        """What it is."""
        return "answer" if any(isinstance(fact, wizard.AnswerSent) for fact, _ in self.facts) else "message"


class ReplyGate(QObject):
    """Stands between whoever replies and the journal. `changed`: another reply waits, or one waits no more;
    `taken_back(turn)`: a reply was taken back, and its turn is open again.

    A reply is journaled at its moment and not before, so that a line in the journal always means that it left.
    What a person sends waits for `take_back_s` seconds, with its query and what it corrects, unless a constant latency
    holds it; the next reply lets it go.
    """

    changed = Signal()
    taken_back = Signal(int)

    def __init__(
        self,
        write: Write,
        progress: Callable[[], SessionProgress],
        now_ns: Callable[[], int],
        parent: QObject,
        take_back_s: float = 0.0,
    ) -> None:
        super().__init__(parent)
        self.take_back_s = take_back_s
        self._write = write
        self._progress = progress
        self._now_ns = now_ns
        self.held: dict[int, HeldReply] = {}
        self._timer = QTimer(self, singleShot=True)
        # The coarse timer of Qt is 5 % early or late: 400 ms of eight seconds.
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.release_due)

    @property
    def latest(self) -> tuple[int, float] | None:
        """The turn whose reply can be taken back for some seconds, and how many are left; None if there is none."""
        briefly = ((turn, reply.due_ns) for turn, reply in self.held.items() if reply.briefly)
        turn, due_ns = next(briefly, (0, 0))
        return (turn, max(0.0, (due_ns - self._now_ns()) / _NS)) if turn else None

    def forget(self) -> None:
        """Another session begins."""
        self.held.clear()
        self._timer.stop()

    def write(self, facts: Facts) -> None:
        """Journal facts at once, but a reply only at its moment. A person's message sees to the calls for help that
        came before it was chosen; what a system sends helps nobody."""
        progress = self._progress()
        by_person = any(isinstance(fact, wizard.MessageSent) and fact.system is None for fact, _ in facts)
        if by_person and progress.calls_for_help:
            facts = [*facts, (wizard.CallAnswered(calls=progress.calls), None)]
        reply_of = {turn: fact for fact, turn in facts if isinstance(fact, _REPLIES)}
        turn = next(iter(reply_of), None)
        due_ns = self._due_ns(turn) if turn is not None else None
        if turn is not None:
            self.let_go()
            if self.take_back_s and reply_of[turn].system is None and not self._is_timed(turn):
                now = self._now_ns()
                self.held[turn] = HeldReply(facts, now + round(self.take_back_s * _NS), now, briefly=True)
                self.release_due()
                return
        # A correction replaces what the subject has seen already: it does not wait, and it is not late.
        if turn is None or due_ns is None or any(isinstance(fact, wizard.Corrected) for fact, _ in facts):
            self._write(facts)
            return
        at_once = [(fact, number) for fact, number in facts if not isinstance(fact, _REPLIES)]
        if at_once:
            self._write(at_once)
        reply: Facts = [(fact, number) for fact, number in facts if isinstance(fact, _REPLIES)]
        self.held[turn] = HeldReply(reply, due_ns, self._now_ns())
        self.release_due()

    def take_back(self, turn: int) -> bool:
        """Take a reply back before the subject sees it; False if it has left."""
        reply = self.held.pop(turn, None)
        if reply is None:
            return False
        self._write([(wizard.ReplyTakenBack(kind=reply.kind), turn)])
        self.taken_back.emit(turn)
        self.changed.emit()
        return True

    def let_go(self) -> None:
        """What could still be taken back leaves now: whoever sends the next reply does not want it back."""
        if self.latest is not None:
            self._release(self.latest[0])
            self.changed.emit()

    def flush(self) -> None:
        """Let everything leave now: the scenario or the session ends with it."""
        for turn in list(self.held):
            self._release(turn)
        self.changed.emit()

    @Slot()
    def release_due(self) -> None:
        """Let leave what is due, and set the clock for the next."""
        now = self._now_ns()
        for turn in [turn for turn, reply in self.held.items() if reply.due_ns <= now]:
            self._release(turn)
        if self.held:
            left_ns = min(reply.due_ns for reply in self.held.values()) - self._now_ns()
            self._timer.start(max(0, round(left_ns / _MS)))
        self.changed.emit()

    def _release(self, turn: int) -> None:
        reply = self.held.pop(turn)
        late_ms = (reply.sent_ns - reply.due_ns) // _MS
        times = {"late_ms": late_ms} if late_ms >= 0 else {"held_ms": max(0, self._now_ns() - reply.sent_ns) // _MS}
        self._write([(_with_times(fact, times), number) for fact, number in reply.facts])

    def _is_timed(self, turn: int) -> bool:
        condition = condition_of_turn(self._progress(), turn)
        return condition is not None and condition.latency_s is not None

    def _due_ns(self, turn: int) -> int | None:
        progress = self._progress()
        condition = condition_of_turn(progress, turn)
        released_ns = progress.released_on_wizard_clock(turn)
        if condition is None or condition.latency_s is None or released_ns is None:
            return None
        return released_ns + round(condition.latency_s * _NS)


def _with_times(fact: wizard.WizardFact, times: dict[str, int]) -> wizard.WizardFact:
    return structs.replace(fact, **times) if isinstance(fact, wizard.AnswerSent | wizard.MessageSent) else fact
