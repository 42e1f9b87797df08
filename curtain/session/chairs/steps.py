"""Who worked on which part of a turn, and for how long."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from curtain.session.events import wizard_events as facts
from curtain.session.events.facts import FactLine
from curtain.session.journal.lines import JournalEntry
from curtain.session.roles import Part

StepEnd = Literal["done", "handed_over", "returned", "left"]


@dataclass(frozen=True)
class PersonStep:
    """One stretch of work of one person on one part. Times in ms on the session's clock; `ended` and `end` are None
    while it lasts and where the journal breaks off."""

    part: Part
    by: str
    began: int
    ended: int | None = None
    end: StepEnd | None = None


def person_steps(of_turn: Iterable[FactLine], at: Callable[[JournalEntry], int]) -> tuple[PersonStep, ...]:
    """The steps of one turn in the order in which they began.

    Args:
        of_turn: the lines of the wizard's journal about this turn, in their order.
        at: the time of a line in ms on the session's clock.
    """
    steps: list[PersonStep] = []
    for entry, fact, _ in of_turn:
        match fact:
            case facts.PartTaken():
                _end(steps, fact.part, at(entry), "handed_over")
                steps.append(PersonStep(fact.part, fact.wizard_id, at(entry)))
            case facts.PartReturned():
                _end(steps, fact.part, at(entry), "left" if fact.left else "returned")
            case facts.PartDone():
                _end(steps, fact.part, at(entry), "done")
    return tuple(steps)


def _end(steps: list[PersonStep], part: Part, ended: int, end: StepEnd) -> None:
    for place, step in enumerate(steps):
        if step.part == part and step.end is None:
            steps[place] = replace(step, ended=ended, end=end)
