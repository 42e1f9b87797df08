"""What has happened in a session, folded from the two journals: the same code live, on resume and in the archive.

Nothing here logs, opens files or knows the time. Times are nanoseconds: of the subject's clock where the
fact is the subject's, of the wizard's clock where it is the wizard's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import msgspec

from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard


class TurnState(Enum):
    SPEAKING = "speaking"
    SAVING = "saving"
    INTERRUPTED = "interrupted"
    OPEN = "open"
    ANSWERED = "answer"
    MESSAGED = "message"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class AnswerOutline:
    """What later turns need of an answer that was sent: its statement, its mark as a yes/no question, its rows in all.

    Table and CAS stay in the journal. Kept here, they were most of what a long session held in memory.
    """

    sql: str
    yes_no: bool
    total: int


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer or a canned message that went to the subject, and the journal line it stands for."""

    seq: int
    sent_ns: int
    fact: AnswerOutline | wizard.MessageSent


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """One utterance and everything that was done about it so far, the attempts without the rows that they gave."""

    number: int
    scenario_id: str | None = None
    pressed_ns: int | None = None
    released_ns: int | None = None
    take: subject.TakeSaved | subject.TakeRecovered | None = None
    ended_by: subject.EndedBy = "key"
    cancelled: str | None = None
    interrupted: bool = False
    heard: bool = False
    query: str | None = None
    attempts: tuple[wizard.StatementRun, ...] = ()
    sent: tuple[Sent, ...] = ()
    painted_ns: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def state(self) -> TurnState:
        if self.sent:
            is_answer = isinstance(self.sent[-1].fact, AnswerOutline)
            return TurnState.ANSWERED if is_answer else TurnState.MESSAGED
        if self.cancelled is not None:
            return TurnState.CANCELLED
        if self.take is not None:
            return TurnState.OPEN
        if self.interrupted:
            return TurnState.INTERRUPTED
        return TurnState.SPEAKING if self.released_ns is None else TurnState.SAVING

    @property
    def answer(self) -> AnswerOutline | None:
        """The answer that holds; none if the last reply was a message."""
        last = self.sent[-1].fact if self.sent else None
        return last if isinstance(last, AnswerOutline) else None

    @property
    def too_short(self) -> bool:
        """The key was only tapped: this is shown nowhere."""
        return self.cancelled == "too_short"

    @property
    def is_no_turn(self) -> bool:
        """A tap, or a take without sound; `curtain turns` leaves them out too."""
        return self.cancelled in ("too_short", "no_sound")

    @property
    def recovered(self) -> bool:
        return isinstance(self.take, subject.TakeRecovered)

    @property
    def soundless(self) -> bool:
        return self.take is not None and subject.is_soundless(self.take.peak_dbfs)

    @property
    def cut_reason(self) -> str | None:
        """Why the recording ends before the subject did, as `curtain turns` names it; None where it does not."""
        take = self.take
        if self.cancelled == "disk_full" or (isinstance(take, subject.TakeSaved) and take.disk_full):
            return "disk_full"
        if take is None:
            return None
        if self.ended_by != "key":
            return self.ended_by
        if isinstance(take, subject.TakeSaved):
            return "microphone_lost" if take.lost else None
        return "crash" if self._held_ms is None or subject.misses_speech(take, self._held_ms) else None

    @property
    def _held_ms(self) -> float | None:
        if self.pressed_ns is None or self.released_ns is None:
            return None
        return (self.released_ns - self.pressed_ns) / 1e6

    @property
    def waited_s(self) -> float | None:
        """From the key's release until the subject's screen showed the answer; both on the subject's clock."""
        if self.released_ns is None or self.painted_ns is None:
            return None
        return max(0.0, (self.painted_ns - self.released_ns) / 1e9)


_ASKING = (TurnState.OPEN, TurnState.SPEAKING, TurnState.SAVING)


class Turns(dict[int, TurnProgress]):
    """The turns by number. `with_turn` gives other ones; these never change.

    What the window asks after each line is known without a look at every turn, so that a line costs the same in
    turn 900 as in turn 9: `asking` are the numbers of the turns that wait, are being spoken or saved, in order;
    `last_sent` is the turn whose answer or message left last.
    """

    def __init__(self, turns: Mapping[int, TurnProgress]) -> None:
        super().__init__(turns)
        self.asking = tuple(sorted(number for number, turn in turns.items() if turn.state in _ASKING))
        sent = [turn for turn in turns.values() if turn.sent]
        self.last_sent: TurnProgress | None = max(sent, key=_last_seq, default=None)

    def with_turn(self, turn: TurnProgress) -> Turns:
        after = Turns.__new__(Turns)
        after.update(self)
        after[turn.number] = turn
        others = (number for number in self.asking if number != turn.number)
        after.asking = tuple(sorted((*others, turn.number))) if turn.state in _ASKING else tuple(others)
        last = self.last_sent
        is_last = bool(turn.sent) and (last is None or _last_seq(turn) >= _last_seq(last))
        after.last_sent = turn if is_last else last
        return after


def _last_seq(turn: TurnProgress) -> int:
    return turn.sent[-1].seq


@dataclass(frozen=True)
class SessionProgress:
    """The session as far as both journals tell it.

    `cuts` are the turns after which nothing said before counts. `closed_seq` is the journal line of `closed`, 0 before
    it; `missing` is without what the wizard closed the session. `corrected` maps each corrected turn to the journal
    line of its first correction.
    """

    opened: wizard.SessionOpened | None = None
    consent: wizard.ConsentConfirmed | None = None
    scenario: wizard.ScenarioStarted | None = None
    scenarios_ended: tuple[wizard.ScenarioEnded, ...] = ()
    solutions: tuple[subject.SolutionReported, ...] = ()
    paused: bool = False
    closed: wizard.SessionClosed | None = None
    closed_seq: int = 0
    missing: tuple[str, ...] = ()
    corrected: Mapping[int, int] = field(default_factory=dict)
    wizard_epochs: int = 0
    subject_epoch: int = 0
    offset_ns: int | None = None
    microphone_lost: str | None = None
    forms: tuple[str, ...] = ()
    started_over: bool = False
    cuts: tuple[int, ...] = ()
    turns: Mapping[int, TurnProgress] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.turns, Turns):
            object.__setattr__(self, "turns", Turns(self.turns))

    @property
    def in_order(self) -> list[TurnProgress]:
        return [self.turns[number] for number in sorted(self.turns)]

    @property
    def counted(self) -> list[TurnProgress]:
        """The turns as they are counted."""
        return [turn for turn in self.in_order if not turn.is_no_turn]

    @property
    def open_turns(self) -> list[TurnProgress]:
        """The takes that wait for an answer, oldest first: the wizard works on the first."""
        return [turn for turn in self.unfinished_turns if turn.state is TurnState.OPEN]

    @property
    def unfinished_turns(self) -> list[TurnProgress]:
        """Every turn that still asks for something: waiting, being spoken, being saved."""
        return [self.turns[number] for number in self._turns.asking]

    @property
    def soundless_turn(self) -> int | None:
        """The latest turn with a recording, if that holds digital silence."""
        latest_first = (self.turns[number] for number in sorted(self.turns, reverse=True))
        latest = next((turn for turn in latest_first if turn.take is not None), None)
        return latest.number if latest is not None and latest.soundless else None

    @property
    def last_sent(self) -> TurnProgress | None:
        """The turn whose answer or message left last."""
        return self._turns.last_sent

    @property
    def _turns(self) -> Turns:
        assert isinstance(self.turns, Turns)
        return self.turns

    @property
    def ended_ids(self) -> set[str]:
        return {ended.scenario_id for ended in self.scenarios_ended}

    def solution_of(self, scenario_id: str) -> subject.SolutionReported | None:
        """The latest answer that the subject stated for this scenario."""
        stated = [one for one in self.solutions if one.scenario_id == scenario_id]
        return stated[-1] if stated else None

    @property
    def stated_solution(self) -> str:
        """What the subject has stated as the answer to the running scenario, or an empty text."""
        stated = self.solution_of(self.scenario.scenario_id) if self.scenario is not None else None
        return stated.value if stated is not None else ""

    def released_on_wizard_clock(self, number: int) -> int | None:
        """When the talk key of this turn came up, or None while it is down or the clocks are not tied."""
        released = self.turns[number].released_ns if number in self.turns else None
        if released is None or self.offset_ns is None:
            return None
        return released + self.offset_ns


def with_subject_fact(
    progress: SessionProgress, fact: subject.SubjectFact, turn: int | None, t_ns: int
) -> SessionProgress:
    """The progress after one line of the subject's journal."""
    match fact:
        case subject.SubjectEpoch(number=number):
            return _interrupt_open_takes(replace(progress, subject_epoch=number))
        case subject.SolutionReported():
            return replace(progress, solutions=(*progress.solutions, fact))
        case subject.DeviceLost(name=name):
            return replace(progress, microphone_lost=name)
        case subject.DeviceFound():
            return replace(progress, microphone_lost=None)
        case subject.FormFilled(form=form):
            return replace(progress, forms=(*progress.forms, form))
        case subject.HistoryCleared():
            return replace(_cut(progress, _last_spoken(progress)), started_over=True)
        case subject.TakeSaved() | subject.TakeRecovered():
            # With the next question there is something on the screen again.
            progress = replace(progress, started_over=False)
    if turn is None:
        return progress
    return _with_turn(progress, _turn_after_subject(_turn(progress, turn), fact, t_ns))


def with_wizard_fact(
    progress: SessionProgress, fact: wizard.WizardFact, turn: int | None, t_ns: int, seq: int
) -> SessionProgress:
    """The progress after one line of the wizard's journal."""
    if turn is not None:
        if isinstance(fact, wizard.Corrected) and turn not in progress.corrected:
            progress = replace(progress, corrected={**progress.corrected, turn: seq})
        return _with_turn(progress, _turn_after_wizard(_turn(progress, turn), fact, t_ns, seq))
    match fact:
        case wizard.WizardEpoch(number=number):
            return replace(progress, wizard_epochs=number)
        case wizard.SessionOpened():
            return replace(progress, opened=fact)
        case wizard.ConsentConfirmed():
            return replace(progress, consent=fact)
        case wizard.ScenarioStarted():
            return replace(_cut(progress, max(progress.turns, default=0)), scenario=fact)
        case wizard.ScenarioEnded():
            return replace(progress, scenario=None, scenarios_ended=(*progress.scenarios_ended, fact))
        case wizard.Paused() | wizard.Resumed():
            return replace(progress, paused=isinstance(fact, wizard.Paused))
        case wizard.LinkRestored(offset_ns=offset):
            return replace(progress, offset_ns=offset)
        case wizard.SessionClosed():
            return replace(progress, closed=fact, closed_seq=seq)
        case wizard.GapAccepted(missing=missing):
            return replace(progress, missing=tuple(missing))
    return progress


def earlier_of(progress: SessionProgress, number: int) -> Iterator[TurnProgress]:
    """The turns on which this one may lean, the latest first: before it, in its scenario, and since the subject last
    started over."""
    turn = progress.turns.get(number)
    after = max((cut for cut in progress.cuts if cut < number), default=0)
    scenario = turn.scenario_id if turn is not None else None
    before = (progress.turns[at] for at in range(number - 1, after, -1) if at in progress.turns)
    return (one for one in before if one.scenario_id == scenario)


def oldest_unanswered(turns: Iterable[TurnProgress]) -> int | None:
    """The number of the turn that the wizard works on now."""
    return next((turn.number for turn in turns if turn.state is TurnState.OPEN), None)


def _cut(progress: SessionProgress, after: int) -> SessionProgress:
    return replace(progress, cuts=(*progress.cuts, after)) if after else progress


def _last_spoken(progress: SessionProgress) -> int:
    """By the subject's own journal: on resume the wizard's is folded first and knows of later turns."""
    return max((turn.number for turn in progress.turns.values() if turn.pressed_ns is not None), default=0)


def _turn(progress: SessionProgress, number: int) -> TurnProgress:
    scenario = progress.scenario.scenario_id if progress.scenario else None
    return progress.turns.get(number, TurnProgress(number, scenario))


def _with_turn(progress: SessionProgress, turn: TurnProgress) -> SessionProgress:
    turns = progress.turns
    return replace(progress, turns=(turns if isinstance(turns, Turns) else Turns(turns)).with_turn(turn))


def _turn_after_subject(turn: TurnProgress, fact: subject.SubjectFact, t_ns: int) -> TurnProgress:
    match fact:
        case subject.KeyDown(pressed_ns=pressed):
            return replace(turn, pressed_ns=pressed)
        case subject.KeyUp(released_ns=released, ended_by=ended_by):
            return replace(turn, released_ns=released, ended_by=ended_by)
        case subject.TakeSaved() | subject.TakeRecovered():
            return replace(turn, take=fact)
        case subject.TakeCancelled(reason=reason):
            return replace(turn, cancelled=reason)
        case subject.Painted(what="answer" | "message") if turn.painted_ns is None:
            return replace(turn, painted_ns=t_ns)
    return turn


def _turn_after_wizard(turn: TurnProgress, fact: wizard.WizardFact, t_ns: int, seq: int) -> TurnProgress:
    match fact:
        case wizard.TakeHeard():
            return replace(turn, heard=True)
        case wizard.QuerySent(text=text):
            return replace(turn, query=text)
        case wizard.StatementRun():
            return replace(turn, attempts=(*turn.attempts, _without_rows(fact)))
        case wizard.AnswerSent() | wizard.MessageSent():
            return replace(turn, sent=(*turn.sent, Sent(seq, t_ns, outline_of(fact))))
        case wizard.Note(text=text):
            return replace(turn, notes=(*turn.notes, text))
    return turn


def outline_of(fact: wizard.AnswerSent | wizard.MessageSent) -> AnswerOutline | wizard.MessageSent:
    """What is kept in memory of a reply: a message is short enough to stay whole."""
    if isinstance(fact, wizard.MessageSent):
        return fact
    return AnswerOutline(fact.sql, fact.yes_no, fact.table.total)


def _without_rows(ran: wizard.StatementRun) -> wizard.StatementRun:
    return msgspec.structs.replace(ran, headings=[], first_rows=[])


def _interrupt_open_takes(progress: SessionProgress) -> SessionProgress:
    """A new start of the subject's station: what was being said then can only come back as a mended take."""
    turns = {
        number: replace(turn, interrupted=True) if turn.take is None and turn.cancelled is None else turn
        for number, turn in progress.turns.items()
    }
    return replace(progress, turns=turns)
