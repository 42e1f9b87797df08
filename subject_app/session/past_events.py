"""What a session's own journal says after a restart: state is a fold of events."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from curtain.session.events import subject_events as subject
from curtain.session.journal.lines import JournalEntry
from curtain.session.study.ids import is_turn_number
from curtain.session.turns.spoken_turn import SpokenTurn

PaintedKey = tuple[str, int, int]


@dataclass
class Past:
    """`turns` are those that the subject opened, by number; `answers` what was given by form; `painted` holds
     (what, id, turn of a one_moment or 0),
    `awaiting` the turns spoken since the last task was shown."""

    epochs: int = 0
    forms: set[str] = field(default_factory=set)
    answers: dict[str, dict[str, str]] = field(default_factory=dict)
    turns: dict[int, SpokenTurn] = field(default_factory=dict)
    painted: set[PaintedKey] = field(default_factory=set)
    awaiting: set[int] = field(default_factory=set)
    cleared: int = 0
    microphone: str = ""

    @property
    def last_turn(self) -> int:
        """The last number in use; 0 before the first."""
        return max(self.turns, default=0)

    @property
    def seen(self) -> int:
        """The last message that was on the screen."""
        return max((number for _, number, _ in self.painted), default=0)

    @property
    def takes(self) -> dict[str, str]:
        """The SHA-256 of each recording that was kept."""
        return {take.recording: take.sha256 for turn in self.turns.values() for take in turn.recordings}

    @property
    def withdrawn(self) -> set[int]:
        """The turns that do not count."""
        return {number for number, turn in self.turns.items() if turn.cancelled is not None}

    @property
    def lost_turns(self) -> list[int]:
        """The key went down, and nothing was kept."""
        return sorted(number for number, turn in self.turns.items() if turn.left_nothing)

    def add(self, fact: subject.SubjectFact | None, turn: int | None, t_ns: int = 0) -> None:
        """One more line; `fact` is None for a type of a later Curtain, which opens its turn all the same."""
        if is_turn_number(turn):
            spoken = self.turns[turn] = self.turns.get(turn, SpokenTurn(turn)).after_subject(fact, t_ns)
            self._await(spoken, fact)
        match fact:
            case subject.SubjectEpoch():
                self.epochs += 1
            case subject.Painted():
                self._paint(fact, turn or 0)
            case subject.HistoryCleared():
                self.cleared = self.seen
            case subject.FormFilled():
                self.fill(fact)
            case subject.DeviceFound():
                self.microphone = fact.name

    def fill(self, fact: subject.FormFilled) -> None:
        """One more line about a form: later answers take the place of earlier ones."""
        self.answers.setdefault(fact.form, {}).update(fact.values)
        if fact.complete:
            self.forms.add(fact.form)

    def _await(self, turn: SpokenTurn, fact: subject.SubjectFact | None) -> None:
        if turn.cancelled is not None:
            self.awaiting.discard(turn.number)
        elif isinstance(fact, subject.TakeSaved | subject.TakeRecovered | subject.TurnTyped):
            self.awaiting.add(turn.number)

    def _paint(self, fact: subject.Painted, turn: int) -> None:
        # A message has a number; “one moment” has none and is known by its turn.
        self.painted.add((fact.what, fact.id, 0 if fact.id else turn))
        if fact.what == "scenario":
            # Turns of the last task get no answer any more.
            self.awaiting.clear()


def replay(entries: Iterable[JournalEntry]) -> Past:
    """The past that these lines record. Raises UnreadableFact."""
    past = Past()
    for entry in entries:
        past.add(subject.subject_fact(entry), entry.turn, entry.t_ns)
    return past
