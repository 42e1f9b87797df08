"""Whether a query asks for the most or the least of something, and whether a statement gives it: “the cheapest flight”
is not every flight, and who asks for a fare does not ask for the lowest."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from .column_words import adjective_forms, words_in
from .comparisons import superlative_at
from .naming import stem
from .recognise import Reading

__all__ = ["BestAsked", "BestHabits", "best_asked", "gives_best", "gives_best_of"]

_LOOKS_FOR = r"\b(MAX|MIN|ARG_MAX|ARG_MIN|MAX_BY|MIN_BY|(?<!UNION )ALL) ?\("
_GIVES = re.compile(_LOOKS_FOR, re.IGNORECASE)
# Other ways to say it, which say many other things as well.
_MAY_GIVE = re.compile(rf"{_LOOKS_FOR}|\b(ORDER BY|LIMIT|QUALIFY|RANK|EXISTS)\b", re.IGNORECASE)
_PERHAPS = words_in("first last most least top soon sooner possible maximum minimum max min record ever than more less")
_ENDS = words_in("first last")
_MOST_OTHERWISE = 0.1
_MOST_UNASKED = 0.05


@dataclass(frozen=True)
class BestAsked:
    """What a query says of it: adjectives that surely ask (“cheapest”), things of which the first or last is
    asked for, and whether it may be asked at all."""

    adjectives: tuple[str, ...] = ()
    things: frozenset[str] = frozenset()
    perhaps: bool = False

    @property
    def count(self) -> int:
        """How many things are surely asked for."""
        return len(self.adjectives) + len(self.things)


def best_asked(reading: Reading) -> BestAsked:
    """Looks through its words; those of a longer name (“first class”) are not meant."""
    texts = [word.text for word in reading.words]
    named = {at for one in reading.found for at in range(one.first, one.last) if one.last - one.first > 1}
    free = [place for place in range(len(texts)) if place not in named]
    superlatives = [found for place in free if (found := superlative_at(texts, place)) is not None]
    surely = tuple(one.adjective for one in superlatives if one.adjective)
    behind = (texts[place + 1] for place in free if texts[place] in _ENDS and place + 1 < len(texts))
    perhaps = any(texts[place] in _PERHAPS or adjective_forms(texts[place]) for place in range(len(texts)))
    return BestAsked(surely, frozenset(map(stem, behind)), bool(superlatives) or perhaps)


def gives_best(sql: str) -> bool | None:
    """Whether a statement looks for a greatest or least value; None if it sorts and the like, which may be for that."""
    return True if _GIVES.search(sql) else None if _MAY_GIVE.search(sql) else False


def gives_best_of(sql: str, column: str) -> bool:
    """Whether it is this column of which a statement looks for the greatest or least value."""
    return re.search(rf"\b(MAX|MIN)\((\w+\.)?{column}\)|\b{column} [<>]=? ALL\b", sql, re.IGNORECASE) is not None


@dataclass
class BestHabits:
    """How often questions with such a word, or without any (""), were answered with and without a greatest or least
    value: what is called “the highest point” may be a column, and the latest salary meant by “the salary”."""

    times: Counter[tuple[str, bool]] = field(default_factory=Counter)

    def __contains__(self, adjective: str) -> bool:
        return self.times[adjective, True] + self.times[adjective, False] > 0

    def add(self, asked: BestAsked, given: bool | None) -> None:
        """One more answered question."""
        words = asked.adjectives if asked.perhaps else ("",)
        self.times.update((word, given is not False) for word in words if given is not None or word)

    def otherwise(self, asked: BestAsked, root: str, given: bool | None) -> bool:
        """Whether a statement about this table does not give what is asked for, or gives what nobody asks for, and such
        questions are not usually answered so."""
        if given is None:
            return False
        if given:
            return not asked.perhaps and self._share("", True) <= _MOST_UNASKED
        wanted = any(self._share(word, False) <= _MOST_OTHERWISE for word in asked.adjectives)
        return wanted or not asked.things.isdisjoint(map(stem, root.split("_")[-1:]))

    def _share(self, word: str, given: bool) -> float:
        here, there = self.times[word, given], self.times[word, not given]
        return here / (here + there) if here else 0.0
