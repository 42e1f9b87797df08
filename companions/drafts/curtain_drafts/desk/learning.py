"""What the NL tool learns from the session that runs: each answered turn, at once. No Qt here."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import islice

from curtain.session.study.ids import utterance_id
from curtain.session.turns.turn_progress import TurnProgress
from curtain_drafts.drafting.values import Asked, Example
from wizard_app.desk.session.progress import SessionProgress, earlier_of

_EARLIER = 5


@dataclass(frozen=True)
class Lesson:
    """What is new: examples to learn, an example of a known id in place of the other, and ids to forget."""

    learn: tuple[Example, ...] = ()
    forget: tuple[str, ...] = ()


@dataclass(frozen=True)
class Learnt:
    """What the tool was given so far: `examples` by turn. `read` and `without` are what it was worked out from."""

    examples: Mapping[int, Example] = field(default_factory=dict)
    read: SessionProgress = field(default_factory=SessionProgress)
    without: Set[str] = frozenset()

    def after(self, progress: SessionProgress, without: Set[str] = frozenset()) -> tuple[Learnt, Lesson]:
        """What is known once the tool has the lesson. `without` are ids of utterances that are no examples:
        of the turn that is being corrected, and of those that the wizard has withdrawn."""
        first = self._first_changed(progress, without)
        if first is None:
            return replace(self, read=progress), Lesson()
        # Turns lean on earlier ones alone: those before the first change teach what they taught.
        now = {number: example for number, example in self.examples.items() if number < first}
        for number in sorted(number for number in progress.turns if number >= first):
            example = _example(progress, progress.turns[number])
            if example is not None and example.id not in without:
                now[number] = example
        before = {number: example for number, example in self.examples.items() if number >= first}
        new = tuple(now[number] for number in now if number >= first and before.get(number) != now[number])
        gone = tuple(example.id for number, example in before.items() if number not in now)
        return Learnt(now, progress, without), Lesson(new, gone)

    def _first_changed(self, progress: SessionProgress, without: Set[str]) -> int | None:
        """The first turn that may teach something else than before; None if none does."""
        before = self.read
        if (before.opened, before.cuts, self.without) != (progress.opened, progress.cuts, without):
            return 0
        turns = before.turns
        changed = progress.all_turns.changed_since(before.all_turns)
        return next((at for at in changed if _teaches(turns.get(at)) != _teaches(progress.turns[at])), None)


def _teaches(turn: TurnProgress | None) -> tuple[object, ...]:
    """All that an example is made of."""
    if turn is None or turn.answer is None or not turn.is_whole:
        return ()
    return (turn.query, turn.answer.sql, turn.number, turn.scenario_id)


def earlier_asked(progress: SessionProgress, number: int) -> tuple[Asked, ...]:
    """The answered turns on which this one may lean, oldest first."""
    asked = (
        Asked(one.query, one.answer.sql) for one in earlier_of(progress, number) if one.query and one.answer is not None
    )
    return tuple(reversed(list(islice(asked, _EARLIER))))


def _example(progress: SessionProgress, turn: TurnProgress) -> Example | None:
    # Practice is no data, so it teaches nothing.
    practice = progress.opened.practice_id if progress.opened is not None else None
    if turn.answer is None or not turn.query or not turn.is_whole or turn.scenario_id == practice:
        return None
    # What a system under test answered may be wrong; nothing must learn from it.
    if turn.answer.system is not None:
        return None
    previous = earlier_asked(progress, turn.number)
    return Example(turn.query, turn.answer.sql, previous, example_id(progress, turn), "study", turn.scenario_id or "")


def example_id(progress: SessionProgress, turn: TurnProgress) -> str:
    """The id of what a turn teaches: that of its utterance, whether it was spoken or typed."""
    if turn.take is not None:
        return turn.take.utterance_id
    return utterance_id(progress.opened.session_id, turn.number) if progress.opened is not None else str(turn.number)
