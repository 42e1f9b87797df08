"""The known word that a misspelled one most likely stands for.

The distance is Damerau's (1964): letters left out, put in, changed, or swapped with their neighbour, in the restricted
form that changes no letter twice. Known words are found by what is left of them without one or two letters, so that
only a few have to be compared (the symmetric-delete index, Garbe 2012).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..query.clock_words import MONTHS
from ..query.column_words import adjective_forms, said_words, word_forms
from ..query.comparisons import COMPARING, CONTRACTED
from ..query.lexicon import Lexicon
from ..query.small_words import BESIDE, LIGHT, SILENT
from ..query.words import Word, number_at, split_words, words_of
from .marks import FUNCTION_WORDS
from .pack_schema import Schema
from .verbs import verbs_for_above

__all__ = ["SpeltWords", "corrected", "distance", "known_of", "known_words", "nearest"]

_SHORTEST, _LONG, _LONGEST = 4, 7, 24
_SHORTEST_SAID = 5
_OFTEN = 2


@dataclass(frozen=True)
class SpeltWords:
    """Words that are spelt right, and those that are meant to be found for misspelled ones by what remains of them when
    letters are left out."""

    words: frozenset[str]
    remains: Mapping[str, tuple[str, ...]]


def known_words(targets: Iterable[str], others: Iterable[str] = ()) -> SpeltWords:
    """An index of words: `targets` may be meant by a misspelled word, `others` are only known to be right. Words of
    fewer than four letters or with anything but letters are no targets."""
    wanted = {word for word in targets if _fits(word)}
    remains: dict[str, list[str]] = {}
    for word in sorted(wanted):
        for rest in _remains(word):
            remains.setdefault(rest, []).append(word)
    return SpeltWords(frozenset(wanted | set(others)), {rest: tuple(group) for rest, group in remains.items()})


def known_of(schema: Schema, lexicon: Lexicon, questions: Iterable[str] = ()) -> SpeltWords:
    """The words of a domain: those of its values, tables and columns and those that come more than once in answered
    questions may be meant; words of English that are said of any domain are only known."""
    asked = Counter(word for question in questions for word in words_of(question))
    targets = {word for phrase in lexicon.phrases for word in phrase} | set(MONTHS)
    targets |= {word for table, own in schema.tables.items() for name in (table, *own) for word in name.split("_")}
    targets |= {word for many in lexicon.words.values() for phrase in many for word in words_of(phrase)}
    targets |= {word for word, times in asked.items() if times >= _OFTEN}
    others = {*asked, *FUNCTION_WORDS, *SILENT, *LIGHT, *BESIDE, *COMPARING, *CONTRACTED, *said_words()}
    return known_words(targets, others | verbs_for_above(schema))


def nearest(word: str, known: SpeltWords) -> str | None:
    """The one known word at distance 1, or 2 if both have seven letters and more; None if the word is known itself, if
    there is none, or if there are several and the first letter does not decide."""
    if len(word) < _SHORTEST_SAID or not _fits(word) or word in known.words:
        return None
    if any(form in known.words for form in word_forms(word)) or adjective_forms(word):
        return None
    if number_at(split_words(word), 0):
        return None
    found = {other for rest in _remains(word) for other in known.remains.get(rest, ())}
    near = [(distance(word, other), other[0] != word[0], other) for other in found]
    ranked = sorted(one for one in near if one[0] <= min(_allowed(word), _allowed(one[2])))
    if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
        return None
    return ranked[0][2]


def corrected(words: Sequence[Word], known: SpeltWords) -> list[Word]:
    """The words, each misspelled one replaced by what it most likely stands for; the places in the text stay."""
    found = ((word, nearest(word.text, known)) for word in words)
    return [word if right is None else replace(word, text=right) for word, right in found]


def distance(one: str, other: str) -> int:
    """How many letters have to be left out, put in, changed or swapped to make one word of the other; 3 stands for
    three and more."""
    if abs(len(one) - len(other)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(other) + 1))
    for n, letter in enumerate(one, start=1):
        earlier, before, row = before, row, [n]
        for m, there in enumerate(other, start=1):
            cost = min(before[m] + 1, row[m - 1] + 1, before[m - 1] + (letter != there))
            if n > 1 and m > 1 and letter == other[m - 2] and one[n - 2] == there:
                cost = min(cost, earlier[m - 2] + 1)
            row.append(cost)
    return min(row[-1], 3)


def _fits(word: str) -> bool:
    return _SHORTEST <= len(word) <= _LONGEST and word.isalpha()


def _allowed(word: str) -> int:
    return 2 if len(word) >= _LONG else 1


def _remains(word: str) -> Iterator[str]:
    """The word, and what is left of it without one letter, and of a long one without two."""
    once = {word[:n] + word[n + 1 :] for n in range(len(word))}
    yield word
    yield from once
    if len(word) >= _LONG - 1:
        yield from {rest[:n] + rest[n + 1 :] for rest in once for n in range(len(rest))} - once
