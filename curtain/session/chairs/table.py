"""Who sits in which chair and who holds which part of which turn, as a fold of journal lines.

The rules: one holder a part; no part done twice; a chair that drops out gives its parts back at once; what was typed
stays with the part. The subject's screen knows nothing of all this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from curtain.session.events import wizard_events as facts
from curtain.session.roles import MAY_HOLD, Chair, Part

ChairFact = (
    facts.ChairJoined | facts.ChairLeft | facts.PartTaken | facts.PartTyped | facts.PartReturned | facts.PartDone
)


class TurnPart(NamedTuple):
    """One part of one turn."""

    turn: int
    part: Part


class ChairLine(NamedTuple):
    """A fact about chairs with the number of its turn; None for a fact about the whole session."""

    fact: ChairFact
    turn: int | None = None


@dataclass(frozen=True)
class PartState:
    """Who holds a part (None: free), what was typed for it so far and by whom, and who did it (None: nobody yet)."""

    holder: str | None = None
    typed: str = ""
    done_by: str | None = None
    typed_by: str | None = None


FREE = PartState()


@dataclass(frozen=True)
class ChairTable:
    """Who is here, by wizard id, and the state of each part that somebody touched."""

    chairs: Mapping[str, Chair] = field(default_factory=dict)
    parts: Mapping[TurnPart, PartState] = field(default_factory=dict)

    def state(self, what: TurnPart) -> PartState:
        """The state of a part; free if nobody touched it."""
        return self.parts.get(what, FREE)

    def held_by(self, wizard_id: str) -> list[TurnPart]:
        """The parts that a person holds, in the order of the turns."""
        return sorted(what for what, state in self.parts.items() if state.holder == wizard_id)

    def people_for(self, turn: int, part: Part) -> list[str]:
        """Who holds a part, or may take it: a whole desk leaves it to the chair that is there for it."""
        if (holder := self.state(TurnPart(turn, part)).holder) is not None:
            return [holder]
        may = {person: chair for person, chair in self.chairs.items() if part in MAY_HOLD[chair]}
        return sorted(person for person, chair in may.items() if chair != "wizard") or sorted(may)

    def after(self, line: ChairLine) -> ChairTable:
        """The table after one more line of the journal."""
        fact = line.fact
        if isinstance(fact, facts.ChairJoined):
            return replace(self, chairs={**self.chairs, fact.wizard_id: fact.chair})
        if isinstance(fact, facts.ChairLeft):
            return replace(self, chairs={who: chair for who, chair in self.chairs.items() if who != fact.wizard_id})
        if line.turn is None:
            return self  # a damaged line: a part without its turn changes nothing
        what = TurnPart(line.turn, fact.part)
        return replace(self, parts={**self.parts, what: _part_after(self.state(what), fact)})


def _part_after(
    state: PartState, fact: facts.PartTaken | facts.PartTyped | facts.PartReturned | facts.PartDone
) -> PartState:
    match fact:
        case facts.PartTaken():
            return replace(state, holder=fact.wizard_id)
        case facts.PartTyped():
            return replace(state, typed=fact.text, typed_by=fact.wizard_id)
        case facts.PartReturned():
            return replace(state, holder=None)
        case facts.PartDone():
            return replace(state, holder=None, done_by=fact.wizard_id)
