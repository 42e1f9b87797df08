"""Words that turn a question into its contrary: what answers “less than his supervisor” is no answer to “more than”."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .column_words import words_in
from .comparisons import negated_at
from .recognise import Found
from .words import words_of

__all__ = ["denies_anything", "turned_round", "words_about"]

_PAIRS = [
    (words_in("more over above greater higher"), words_in("less fewer under below lower smaller")),
    (words_in("after later since"), words_in("before earlier")),
    (words_in("older"), words_in("younger")),
    (words_in("most highest largest greatest maximum"), words_in("least fewest lowest smallest minimum")),
    (words_in("oldest"), words_in("youngest")),
    (words_in("longest"), words_in("shortest")),
    (words_in("first earliest"), words_in("last latest")),
    (words_in("with"), words_in("without")),
    (words_in("men man male males"), words_in("women woman female females")),
    (words_in("same"), words_in("different")),
]
_OF_TIME = [words_in(one) for one in ("year years", "month months", "week weeks", "day days", "hour hours")]
_UNITS_OF_TIME = frozenset().union(*_OF_TIME)
_DENYING = words_in("only both every all each non none nobody nothing no lack lacks lacking neither nor but unless")
_BEFORE, _BEHIND = 3, 2


def words_about(value: Found) -> range:
    """The places of the words that say a value: of a number, date or time those that compare it, too."""
    if value.is_measure:
        return range(max(0, value.first - _BEFORE), value.last + _BEHIND)
    return range(value.first, value.last)


def turned_round(question: Sequence[str], example: str, told: Collection[int]) -> bool:
    """Whether the question says the contrary of an answered one: it has a word of a pair, and that one the other. Words
    at places that a value already tells do not count."""
    free = {word for at, word in enumerate(question) if at not in told}
    said, other = frozenset(question), frozenset(words_of(example))
    if any(said & unit and not other & unit and other & _UNITS_OF_TIME for unit in _OF_TIME):
        return True
    ways = ((one, two) for pair in _PAIRS for one, two in (pair, pair[::-1]))
    return any(free & one and not said & two and other & two and not other & one for one, two in ways)


def denies_anything(words: Sequence[str]) -> bool:
    """Whether any word of a question may deny something."""
    return not _DENYING.isdisjoint(words) or any(negated_at(words, at) for at in range(len(words)))
