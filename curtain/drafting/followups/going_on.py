"""From a follow-up and the statement before to new statements: each an edit of it, with how likely it is meant.

What the words ask for is found one after the other: to turn the direction round, to sort or count, what each value
does, a least or greatest value, conditions that a word usually stands for, something else to show. Each may be
understood in several ways; all together are as likely as the product, and less with each word that nothing explains.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ..learned.memory import Memory
from ..learned.reader import Guess
from ..query.recognise import Reading
from ..query.small_words import BACKWARDS, is_narrowing, phrase_at
from ..sql.edits import put, touches, turned_round
from ..sql.ground import Ground
from ..sql.same_year import in_the_same, year_before
from ..sql.statements import Statement
from .believed import believed
from .by_heads import counted_as_asked, sorts, with_head
from .by_most import number_of, with_most
from .by_values import with_values
from .counted_again import counted_again
from .edit import Edit, free_words
from .followups import Continued
from .grouped_again import grouped_again
from .heads import HeadWords, with_key
from .turn import FollowUpTurn
from .usual import usual_conditions
from .widened import added_to, asks_for_more, widened

__all__ = ["Follower"]

_WIDE = 8
_LATER_CHOICE = 0.7


class Follower:
    """Edits statements as follow-ups ask. Learns from the memory of answered questions as it grows."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._heads = HeadWords()

    def seen(self, memory: Memory) -> None:
        """Learns which words go with what is asked for; takes a tenth of a second with 4,000 questions, and nothing
        after that."""
        self._heads.seen(memory)

    def continued(
        self,
        reading: Reading,
        earlier: Sequence[Statement],
        guess: Guess,
        usual: Guess,
        memory: Memory,
        included: bool | None,
    ) -> list[Continued]:
        """Statements that go on from the last of those before, likeliest first; none if the query adds nothing to it.
        `usual` is what would be guessed of no words at all; `included` says whether the ends of periods belong to
        them."""
        self.seen(memory)
        turn = self._turn(reading, earlier, memory, included)
        whole = _as_a_whole(turn)
        return believed(turn, [whole] if whole else self._edits(turn, guess, usual))

    def _turn(
        self, reading: Reading, earlier: Sequence[Statement], memory: Memory, included: bool | None
    ) -> FollowUpTurn:
        before = earlier[-1]
        words = tuple(word.text for word in reading.words)
        year = year_before(reading, before)
        reading = in_the_same(reading, year) if year else reading
        narrowing = is_narrowing(" ".join(words)) or (year is not None and year.whole)
        keyed = with_key(memory, self._ground, before.root)
        added = tuple(added_to(earlier[:-1], before))
        return FollowUpTurn(reading, words, before, self._ground, memory, narrowing, included, keyed, added)

    def _edits(self, turn: FollowUpTurn, guess: Guess, usual: Guess) -> list[Edit]:
        many, in_order = number_of(turn), sorts(turn.words)
        edits = _likeliest(with_values(turn, [_turned(turn)], guess, many))
        if not in_order:
            edits = _likeliest(_with_plain(turn, edits, guess, usual))
        if asks_for_more(turn.words):
            edits = _likeliest(_with_more(turn, edits))
        if not in_order:
            edits = _likeliest(with_most(turn, edits, guess, usual, many))
        edits = _likeliest(one for edit in edits for one in with_head(turn, edit, self._heads))
        return [counted_as_asked(turn, edit) for edit in edits]


def _as_a_whole(turn: FollowUpTurn) -> Edit | None:
    """The edit of a query that is understood as a whole: “for each department”, “what about men” after a count."""
    every = frozenset(range(len(turn.words)))
    grouped = grouped_again(turn)
    if grouped is not None:
        return Edit(grouped, 1.0, every)
    again = counted_again(turn)
    return Edit(again[0], 1.0, every, again[1]) if again is not None else None


def _likeliest(edits: Iterable[Edit]) -> list[Edit]:
    return heapq.nlargest(_WIDE, edits, key=lambda one: one.chance)


def _turned(turn: FollowUpTurn) -> Edit:
    edit = Edit(turn.before, 1.0, frozenset())
    place = phrase_at(turn.words, BACKWARDS)
    if place is None or not all(map(turn.free, range(*place))):
        return edit
    pair = next((pair for pair in turn.ground.twins(turn.before.root) if touches(turn.before, pair)), None)
    return edit.with_(turned_round(turn.before, pair), 1.0, range(*place), True) if pair else edit


def _with_plain(turn: FollowUpTurn, edits: Iterable[Edit], guess: Guess, usual: Guess) -> Iterator[Edit]:
    for edit in edits:
        found = usual_conditions(turn, free_words(turn, edit), guess, usual)
        for choice in product((True, False), repeat=len(found)):
            changed = edit
            for taken, (clause, chance, words) in zip(choice, found, strict=True):
                if taken:
                    statement = put(changed.statement, [clause], turn.ground, turn.narrowing)
                    changed = changed.with_(statement, chance, words, True)
                else:
                    changed = replace(changed, chance=changed.chance * (1 - chance))
            yield changed


def _with_more(turn: FollowUpTurn, edits: Iterable[Edit]) -> Iterator[Edit]:
    """Each edit as what gives more rows than before."""
    for edit in edits:
        for place, (statement, plain) in enumerate(widened(turn.before, edit.statement, turn.added)):
            yield replace(edit, statement=statement, chance=edit.chance * _LATER_CHOICE**place, plain=plain)
