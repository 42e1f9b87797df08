"""What the NL tool learns from the session that runs: each answered turn, at once. No Qt here."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from curtain.drafting.values import Asked, Example
from wizard_app.progress import Progress, Turn, earlier_of

_EARLIER = 5


@dataclass(frozen=True)
class Lesson:
    """What is new: examples to learn, an example of a known id in place of the other, and ids to forget."""

    learn: tuple[Example, ...] = ()
    forget: tuple[str, ...] = ()


@dataclass(frozen=True)
class Learnt:
    """The examples that were told of so far, by the id of their utterance."""

    known: Mapping[str, Example] = field(default_factory=dict)

    def after(self, progress: Progress, without: Container[str] = ()) -> tuple[Learnt, Lesson]:
        """What is known once the tool has been told the lesson. `without` are ids of utterances that are no examples:
        of the turn that is being corrected, and of those that the wizard has withdrawn."""
        now = {key: example for key, example in answered(progress).items() if key not in without}
        new = tuple(example for key, example in now.items() if self.known.get(key) != example)
        gone = tuple(key for key in self.known if key not in now)
        return (Learnt(now), Lesson(new, gone)) if new or gone else (self, Lesson())


def answered(progress: Progress) -> dict[str, Example]:
    """Each turn whose last reply is an answer, by its utterance; neither practice nor one corrected to a message."""
    examples = (_example(progress, turn) for turn in progress.in_order)
    return {one.id: one for one in examples if one is not None}


def earlier_asked(progress: Progress, number: int) -> tuple[Asked, ...]:
    """The answered turns on which this one may lean, oldest first."""
    earlier = earlier_of(progress, number)
    asked = [Asked(one.query, one.answer.sql) for one in earlier if one.query and one.answer is not None]
    return tuple(asked[-_EARLIER:])


def _example(progress: Progress, turn: Turn) -> Example | None:
    practice = progress.opened.practice_id if progress.opened is not None else None
    if turn.answer is None or not turn.query or turn.take is None or turn.scenario_id == practice:
        return None
    previous = earlier_asked(progress, turn.number)
    return Example(turn.query, turn.answer.sql, previous, turn.take.utterance_id, "study")
