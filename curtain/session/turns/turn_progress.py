"""One turn as both journals describe it: the fold behind the wizard's screen and the corpus alike.

Nothing here logs, opens files or knows the time. Times are nanoseconds: of the subject's clock where the fact is the
subject's, of the wizard's clock where it is the wizard's.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, Self

from msgspec.structs import replace

from curtain.session.events import wizard_events as wizard
from curtain.session.events.facts import FactLine
from curtain.session.events.subject_events import TurnTyped
from curtain.session.roles import Part
from curtain.session.study.ids import is_turn_number
from curtain.session.turns.spoken_turn import SpokenTurn

Outcome = Literal["answer", "message", "cancelled", "open"]


class TurnState(Enum):
    """How far a turn has come; the four outcomes of `Outcome`, and three kinds of `open`."""

    SPEAKING = "speaking"
    SAVING = "saving"
    INTERRUPTED = "interrupted"
    OPEN = "open"
    ANSWERED = "answer"
    MESSAGED = "message"
    CANCELLED = "cancelled"


_OUTCOMES: dict[TurnState, Outcome] = {
    TurnState.ANSWERED: "answer",
    TurnState.MESSAGED: "message",
    TurnState.CANCELLED: "cancelled",
}


_ONLY_CHARS = 60


@dataclass(frozen=True, slots=True)
class AnswerOutline:
    """What later turns need of an answer that was sent: its statement, its mark as a yes/no question, its rows in all,
    and the beginning of the `only` cell of a table that has one.

    Table and CAS stay in the journal. Kept here, they were most of what a long session held in memory.
    """

    sql: str
    yes_no: bool
    total: int
    system: str | None = None
    only: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer or a canned message that went to the subject, and the journal line it stands for."""

    seq: int
    sent_ns: int
    fact: AnswerOutline | wizard.MessageSent
    by: str | None = None


class TurnProgress(SpokenTurn, frozen=True):
    """One utterance and everything that was done about it so far, the attempts without the rows that they gave.
    `drafts_seq` is the line of the latest drafts, 0 without any. `recognised_here`: a recogniser of a desk has heard
    the recording, or a line says why none has."""

    scenario_id: str | None = None
    heard: bool = False
    recognised_here: bool = False
    query: str | None = None
    query_seq: int = 0
    recognised: str | None = None
    query_by: wizard.QueryBy = "wizard"
    taken_over: bool = False
    system_failed: bool = False
    drafts_seq: int = 0
    attempts: tuple[wizard.StatementRun, ...] = ()
    sent: tuple[Sent, ...] = ()
    notes: tuple[str, ...] = ()

    def after_wizard(self, fact: object, t_ns: int, seq: int) -> Self:
        """The turn after line `seq` of the wizard's journal, which was written at `t_ns`."""
        changed = self._changed_by_wizard(fact, t_ns, seq)
        return replace(self, **changed) if changed else self

    def _changed_by_wizard(self, fact: object, t_ns: int, seq: int) -> dict[str, Any]:
        match fact:
            case wizard.TakeHeard():
                return {"heard": True}
            case wizard.WordsHeard() | wizard.NotHeard():
                return {"recognised_here": True}
            case wizard.QuerySent():
                return {
                    "query": fact.text, "query_seq": seq, "recognised": fact.recognised, "query_by": fact.heard_by,
                }  # fmt: skip
            case wizard.TakenOver():
                return {"taken_over": True}
            case wizard.SystemFailed():
                return {"system_failed": True}
            case wizard.StatementRun():
                return {"attempts": (*self.attempts, replace(fact, headings=[], first_rows=[]))}
            case wizard.DraftShown():
                return {"drafts_seq": seq}
            case wizard.AnswerSent() | wizard.MessageSent():
                return {"sent": (*self.sent, Sent(seq, t_ns, _outline_of(fact), fact.wizard_id or None))}
            case wizard.Note():
                return {"notes": (*self.notes, fact.text)}
        return {}

    def _changed_by(self, fact: object, t_ns: int) -> dict[str, Any]:
        changed = super()._changed_by(fact, t_ns)
        # What the subject typed is the query: nobody has to hear it.
        return (
            {**changed, "query": fact.text or None, "query_by": "subject"} if isinstance(fact, TurnTyped) else changed
        )

    @property
    def state(self) -> TurnState:
        """A reply counts more than a withdrawal: the subject has seen it."""
        if self.sent:
            return TurnState.ANSWERED if self.answer is not None else TurnState.MESSAGED
        if self.cancelled is not None:
            return TurnState.CANCELLED
        if self.is_whole:
            return TurnState.OPEN
        if self.released_ns is not None and not self.interrupted:
            return TurnState.SAVING
        # Where no line mentions the key, nobody is speaking: the line is damaged, and nothing must wait for its end.
        unknown = self.interrupted or self.pressed_ns is None
        return TurnState.INTERRUPTED if unknown else TurnState.SPEAKING

    @property
    def next_part(self) -> Part:
        """What an open turn waits for."""
        return "transcription" if self.query is None else "answer"

    @property
    def outcome(self) -> Outcome:
        """What the turn counts as in the corpus."""
        return _OUTCOMES.get(self.state, "open")

    @property
    def answer(self) -> AnswerOutline | None:
        """The answer that holds; none if the last reply was a message."""
        last = self.sent[-1].fact if self.sent else None
        return last if isinstance(last, AnswerOutline) else None

    @property
    def shown_query(self) -> str | None:
        """What stands on the subject's screen as the query: with its errors, where they were put in."""
        return self.query if self.recognised is None else self.recognised

    @property
    def hypothesis(self) -> str | None:
        """What a recogniser made of the turn; None where a person typed it and nothing was changed."""
        by_person = self.query_by in ("wizard", "subject")
        return None if self.recognised is None and by_person else self.shown_query

    @property
    def query_painted(self) -> bool:
        """Whether the query is on the subject's screen, as it was sent last, or was typed there."""
        return self.typed is not None or self.query_seq in self.painted

    @property
    def reply_painted(self) -> bool:
        """Whether the subject's station reported the latest reply on its screen."""
        return bool(self.sent) and self.sent[-1].seq in self.painted

    @property
    def is_no_turn(self) -> bool:
        """A press without speech is no turn, unless the wizard replied to it or noted something on it."""
        return self.without_speech and not self.sent and not self.notes

    @property
    def is_tap(self) -> bool:
        """The key was only tapped, and that is no turn: this is shown nowhere."""
        return self.is_no_turn and self.cancelled == "too_short"

    @property
    def waited_s(self) -> float | None:
        """From the key's release until the subject's screen showed the answer; both on the subject's clock."""
        if self.released_ns is None or self.painted_ns is None:
            return None
        return max(0.0, (self.painted_ns - self.released_ns) / 1e9)


def turns_in(of_subject: Iterable[FactLine], of_wizard: Iterable[FactLine]) -> dict[int, TurnProgress]:
    """The turns of a session by number, in their order, also those that are no turns; without their scenarios."""
    turns: dict[int, TurnProgress] = {}
    for (entry, fact, _), number in _numbered(of_subject):
        turns[number] = (turns.get(number) or TurnProgress(number)).after_subject(fact, entry.t_ns)
    for (entry, fact, _), number in _numbered(of_wizard):
        turns[number] = (turns.get(number) or TurnProgress(number)).after_wizard(fact, entry.t_ns, entry.seq)
    return dict(sorted(turns.items()))


def _numbered(lines: Iterable[FactLine]) -> Iterator[tuple[FactLine, int]]:
    for line in lines:
        if is_turn_number(number := line.entry.turn):
            yield line, number


def _outline_of(fact: wizard.AnswerSent | wizard.MessageSent) -> AnswerOutline | wizard.MessageSent:
    """A message is short enough to stay whole."""
    if isinstance(fact, wizard.MessageSent):
        return fact
    cells = [cell for row in fact.table.rows for cell in row] if fact.table.total == 1 else []
    only = cells[0][:_ONLY_CHARS] if len(cells) == 1 else ""
    return AnswerOutline(fact.sql, fact.yes_no, fact.table.total, fact.system, only)
