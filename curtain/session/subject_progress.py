"""What the subject's station knows of its session: a fold of its own journal, the same live and after a restart.

Nothing here imports the wizard's facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from curtain.session.lines import Entry, UnreadableFact
from curtain.session.subject_events import (
    AnySubjectFact,
    DeviceFound,
    DeviceLost,
    Epoch,
    FormFilled,
    HistoryCleared,
    KeyDown,
    KeyUp,
    Painted,
    SolutionReported,
    TakeCancelled,
    TakeRecovered,
    TakeSaved,
    read,
)


@dataclass(frozen=True)
class TakeInFlight:
    """A turn whose key went down and whose take is neither saved nor withdrawn yet. Times of the key itself."""

    turn: int
    pressed_ns: int
    released_ns: int | None = None


@dataclass(frozen=True)
class SubjectProgress:
    """The session as far as the subject's journal tells it.

    `painted` holds the link numbers of everything that was shown; `saved` the take of each turn; `in_flight`
    the takes a restart must look for, by turn: to be mended, or withdrawn as `no_sound`.
    """

    session_id: str | None = None
    epochs: int = 0
    last_seq: int = 0
    last_turn: int = 0
    painted: frozenset[int] = frozenset()
    history_cleared_at_turn: int = 0
    in_flight: Mapping[int, TakeInFlight] = field(default_factory=dict)
    saved: Mapping[int, TakeSaved | TakeRecovered] = field(default_factory=dict)
    cancelled: frozenset[int] = frozenset()
    solutions: tuple[SolutionReported, ...] = ()
    forms: frozenset[str] = frozenset()
    microphone_lost: str | None = None

    @property
    def have(self) -> int:
        """The last link number shown, as the hello tells it; 0 if none."""
        return max(self.painted, default=0)

    def is_history(self, turn: int) -> bool:
        """True if the subject started over after this turn: it is no longer shown."""
        return turn <= self.history_cleared_at_turn


def replay(entries: Iterable[Entry]) -> SubjectProgress:
    """The progress after all `entries`, from the beginning of the journal."""
    state = SubjectProgress()
    for entry in entries:
        state = apply(state, entry)
    return state


def apply(state: SubjectProgress, entry: Entry) -> SubjectProgress:
    """The progress after one more line. A line of the future or with damaged fields changes only `last_seq`."""
    state = replace(state, last_seq=entry.seq)
    try:
        fact = read(entry)
    except UnreadableFact:
        return state
    return state if fact is None else _after(state, fact, entry.turn)


def _after(state: SubjectProgress, fact: AnySubjectFact, turn: int | None) -> SubjectProgress:
    match fact:
        case Epoch(number=number, session_id=session):
            return replace(state, epochs=max(state.epochs, number), session_id=session)
        case Painted(id=shown):
            return replace(state, painted=state.painted | {shown}) if shown else state
        case HistoryCleared():
            return replace(state, history_cleared_at_turn=state.last_turn)
        case SolutionReported():
            return replace(state, solutions=(*state.solutions, fact))
        case DeviceLost(name=name):
            return replace(state, microphone_lost=name)
        case DeviceFound():
            return replace(state, microphone_lost=None)
        case FormFilled(form=form):
            return replace(state, forms=state.forms | {form})
    return state if turn is None else _after_of_turn(state, fact, turn)


def _after_of_turn(state: SubjectProgress, fact: AnySubjectFact, turn: int) -> SubjectProgress:
    match fact:
        case KeyDown(pressed_ns=pressed):
            begun = {**state.in_flight, turn: TakeInFlight(turn, pressed)}
            return replace(state, last_turn=max(state.last_turn, turn), in_flight=begun)
        case KeyUp(released_ns=released) if turn in state.in_flight:
            spoken = replace(state.in_flight[turn], released_ns=released)
            return replace(state, in_flight={**state.in_flight, turn: spoken})
        case TakeSaved() | TakeRecovered():
            return replace(_landed(state, turn), saved={**state.saved, turn: fact})
        case TakeCancelled():
            return replace(_landed(state, turn), cancelled=state.cancelled | {turn})
    return state


def _landed(state: SubjectProgress, turn: int) -> SubjectProgress:
    return replace(state, in_flight={n: take for n, take in state.in_flight.items() if n != turn})
