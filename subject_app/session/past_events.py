"""What a session's own journal tells after a restart: state is a fold of events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from curtain.session.events.subject_events import (
    AnySubjectFact,
    DeviceFound,
    FormFilled,
    HistoryCleared,
    KeyDown,
    Painted,
    SubjectEpoch,
    TakeCancelled,
    TakeRecovered,
    TakeSaved,
    subject_fact,
)
from curtain.session.journal.journal import JournalEntry

PaintedKey = tuple[str, int, int]


@dataclass
class Past:
    """`pressed` are the turns whose key went down, `takes` maps utterances to their SHA-256, `painted` holds
    (what, id, turn of a one_moment or 0), `awaiting` the turns spoken since the last task was shown."""

    epochs: int = 0
    last_turn: int = 0
    forms: set[str] = field(default_factory=set)
    pressed: set[int] = field(default_factory=set)
    takes: dict[str, str] = field(default_factory=dict)
    take_turns: set[int] = field(default_factory=set)
    withdrawn: set[int] = field(default_factory=set)
    painted: set[PaintedKey] = field(default_factory=set)
    awaiting: set[int] = field(default_factory=set)
    cleared: int = 0
    microphone: str = ""

    @property
    def seen(self) -> int:
        """The last message that was on the screen."""
        return max((number for _, number, _ in self.painted), default=0)

    @property
    def lost_turns(self) -> list[int]:
        """The key went down, and nothing was kept."""
        return sorted(self.pressed - self.take_turns - self.withdrawn)


def replay(entries: Iterable[JournalEntry]) -> Past:
    """The past that these lines tell. Raises UnreadableFact."""
    past = Past()
    for entry in entries:
        fact = subject_fact(entry)
        if fact is not None:
            # A type of a later Curtain is passed over.
            _take_in(past, fact, entry.turn or 0)
    return past


def _take_in(past: Past, fact: AnySubjectFact, turn: int) -> None:
    past.last_turn = max(past.last_turn, turn)
    match fact:
        case SubjectEpoch():
            past.epochs += 1
        case KeyDown():
            past.pressed.add(turn)
        case TakeSaved() | TakeRecovered():
            past.takes[fact.utterance_id] = fact.sha256
            past.take_turns.add(turn)
            past.awaiting.add(turn)
        case TakeCancelled():
            past.withdrawn.add(turn)
        case Painted():
            _paint(past, fact, turn)
        case HistoryCleared():
            past.cleared = past.seen
        case FormFilled():
            past.forms.add(fact.form)
        case DeviceFound():
            past.microphone = fact.name


def _paint(past: Past, fact: Painted, turn: int) -> None:
    # A message has a number; “one moment” has none and is known by its turn.
    past.painted.add((fact.what, fact.id, 0 if fact.id else turn))
    if fact.what == "scenario":
        # Turns of the last task get no answer any more.
        past.awaiting.clear()
