"""Words that say what is asked for, against what a statement gives: “what airline is the flight” names the airline."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from .features import senses
from .naming import Names, stem
from .recognise import Reading

__all__ = ["AskedWords", "asked_in", "fit_of", "leaning"]

_COUNTING = re.compile(r"\bhow many\b|\b(?:number|count|total) of\b")
_GIVEN = re.compile(r"(\w+)(?:#\d+)?\.(\w*?)(?=\s|$|\)|,|\|)")
_PLACED = 4


@dataclass(frozen=True)
class AskedWords:
    """The words of a query that names of tables and columns have, in order, and whether a number is asked for."""

    words: tuple[str, ...]
    counting: bool


def asked_in(reading: Reading, vocabulary: Names) -> AskedWords:
    """The words of a query outside its values that name something in the database."""
    values = {place for one in reading.found if not one.weak for place in range(one.first, one.last)}
    said = [word.text for place, word in enumerate(reading.words) if place not in values]
    named = _all_meant(vocabulary)
    words = tuple(w for w in said if stem(w) in vocabulary or _meant(w) in named)
    return AskedWords(words, bool(_COUNTING.search(" ".join(said))))


@lru_cache(maxsize=16)
def _all_meant(vocabulary: Names) -> Names:
    return frozenset(map(_meant, vocabulary)) - {""}


def _meant(word: str) -> str:
    """What a word means, if it can name something: “list” and “name” only ask."""
    sense = senses([word])[0]
    return "" if sense == "show" else sense


def fit_of(head: str, asked: AskedWords) -> tuple[float, float, float]:
    """How many of the words the head has, whether it has the first of them (1, or -1 if not), and whether it counts as
    is asked for (0 if so)."""
    names, alike = _names(head)
    words = asked.words[:_PLACED]
    had = sum(stem(word) in names for word in words)
    first = 0.0
    if words:
        first = 1.0 if stem(words[0]) in names or senses(words[:1])[0] in alike else -1.0
    return float(had), first, float(asked.counting != ("COUNT(" in head))


def leaning(heads: Iterable[tuple[str, float]], asked: AskedWords) -> dict[str, float]:
    """Probabilities of heads, those raised that the words speak for."""
    raised = {head: chance * 3.0 ** _speaks(head, asked) for head, chance in heads}
    total = sum(raised.values()) or 1.0
    return {head: chance / total for head, chance in raised.items()}


def _speaks(head: str, asked: AskedWords) -> float:
    had, first, miscounts = fit_of(head, asked)
    return had + max(0.0, first) - miscounts


@lru_cache(maxsize=4096)
def _names(head: str) -> tuple[Names, Names]:
    """The words in the names of what a head gives, and what these words mean."""
    given = _GIVEN.findall(head.split("|")[1] if "|" in head else head)
    words = [part for table, column in given for part in [*table.lower().split("_"), *column.lower().split("_")]]
    return frozenset(map(stem, words)), frozenset(senses(words))
