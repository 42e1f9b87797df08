"""Whether a draft denies what the query denies: “not on United” must not become those on United."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from .column_words import words_in
from .comparisons import CONTRACTED, DISLIKES, negated_at
from .recognise import Reading
from .series import leaders

__all__ = ["denied_beyond", "denied_by_verb", "denied_in", "misses_denial", "reaches", "units_of"]

_BEFORE = 3
_FILLING = words_in("a an any the ones those that which who")
_VERB_REACHES = 5
_PREPOSITIONS = words_in("from to in at on of for with by into between out")
_NEW_CLAUSE = words_in("but and or that which who what where when")
_AUXILIARIES = words_in("do does did has have is are was were can will would")
_OF_VERBS = CONTRACTED | words_in("cannot never")
_DENIES = re.compile(r"\bNOT\b|<>|!=|\bEXCEPT\b|\bDISTINCT FROM\b", re.IGNORECASE)


def misses_denial(sql: str, used: Iterable[int], denied: frozenset[int]) -> bool:
    """True if a draft uses a value that the query denies and nothing in the draft is denied."""
    return not denied.isdisjoint(used) and not _DENIES.search(sql)


def denied_in(reading: Reading) -> frozenset[int]:
    """The values that a query denies."""
    return frozenset(number for number, nots in enumerate(_nots(reading)) if nots)


def units_of(reading: Reading, denied: Collection[int]) -> list[tuple[int, ...]]:
    """The denied values, each with those that stand right behind it: first and last name."""
    units: list[tuple[int, ...]] = []
    for number, one in enumerate(reading.found):
        last = reading.found[units[-1][-1]] if units else None
        if number not in denied and last is not None and units[-1][-1] == number - 1 and last.last == one.first:
            units[-1] = (*units[-1], number)
        elif number in denied:
            units.append((number,))
    return units


def denied_by_verb(reading: Reading) -> frozenset[int]:
    """The values that a query denies of whoever it asks for, and not of something that it names besides: “airlines
    that do not fly to Boston”, but not “airlines with flights not on Sunday”."""
    words = [word.text for word in reading.words]
    return frozenset(n for n, nots in enumerate(_nots(reading)) if any(_is_verb(words, at) for at in nots))


def denied_beyond(reading: Reading) -> frozenset[int]:
    """The denied values with something else between them and the “not”, and a preposition of their own: “without a meal
    from Boston”, “not before noon to Boston”."""
    words = [word.text for word in reading.words]
    found = set()
    for number, nots in enumerate(_nots(reading)):
        between = words[max(nots) + 1 : reading.found[number].first] if nots else []
        own = [word for word in between if word not in _FILLING]
        if len(own) > 1 and own[-1] in _PREPOSITIONS and not set(own[:-1]) <= _PREPOSITIONS:
            found.add(number)
    return frozenset(found)


def _nots(reading: Reading) -> list[list[int]]:
    """For each value the places of the words that deny it: each “not” before it with no other value between them; of
    values in one breath, before the first."""
    words = [word.text for word in reading.words]
    denying = [at for at in range(len(words)) if negated_at(words, at) is not None]
    if not denying:
        return [[] for _ in reading.found]
    led = leaders(reading)
    firsts = [reading.found[led.get(number, number)].first for number in range(len(reading.found))]
    starts = [max([0, *(one.last for one in reading.found if one.last <= first)]) for first in firsts]
    return [
        [at for at in denying if start <= at < first and reaches(words, at, first)]
        for start, first in zip(starts, firsts, strict=True)
    ]


def reaches(words: Sequence[str], at: int, first: int) -> bool:
    """Whether a “not” at one place can be said of what stands at another: that of a verb reaches to its end, others
    past “those that”."""
    if words[at] in DISLIKES:
        return all(word in _FILLING for word in words[at + 1 : first])
    if first - at <= _BEFORE:
        return True
    if _is_verb(words, at):
        return first - at <= _VERB_REACHES and _NEW_CLAUSE.isdisjoint(words[at:first])
    return sum(word not in _FILLING for word in words[at:first]) <= _BEFORE


def _is_verb(words: Sequence[str], at: int) -> bool:
    """Whether a “not” belongs to a verb."""
    return words[at] in _OF_VERBS or (words[at] == "not" and at > 0 and words[at - 1] in _AUXILIARIES)
