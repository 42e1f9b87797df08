"""“From Boston” is not to Boston, “leaving before noon” is no arrival: what a preposition or a verb says of the column
that leads to a value, by words in its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..query.column_words import lemma, words_in
from ..query.recognise import Reading
from ..sql.align import unquoted
from ..sql.statements import Statement, literals_of
from .pack_schema import Schema

__all__ = ["Directions", "directions_in", "role_of", "roles_at"]

_BEGIN = words_in("from departure origin source start leave depart")
_END = words_in("to arrival destination end arrive target")
_ROLES = {word: _BEGIN for word in ("from", "leaving", "departing")}
_ROLES |= {word: _END for word in ("to", "into", "toward", "arriving")}
_ROLED = _BEGIN | _END
_VERBS = {lemma(verb): _BEGIN for verb in ("leave", "left", "depart", "start")}
_VERBS |= {lemma(verb): _END for verb in ("arrive", "land", "reach", "end")}
_TIMES = words_in("time period")
_COLUMNS = re.compile(r">(\w*)=|\.(\w+)")


def roles_at(words: Sequence[str], at: int) -> frozenset[str] | None:
    """What a preposition before this place says of the column that leads to it, by words in its name."""
    return next((_ROLES[word] for word in reversed(words[max(0, at - 2) : at]) if word in _ROLES), None)


def role_of(schema: Schema, columns: Iterable[str], wanted: frozenset[str] | None) -> float:
    """How well the columns that lead somewhere go with the preposition before it."""
    if wanted is None:
        return 1.0
    stems = [schema.stems[column] for column in columns]
    if not all(map(wanted.isdisjoint, stems)):
        return 2.0
    return 0.8 if all(map(_ROLED.isdisjoint, stems)) else 0.05


@dataclass(frozen=True)
class Directions:
    """For each name of a query that is everywhere said with a preposition, and each time behind a verb, by its number,
    what all of these say; and how each name is spelled in SQL."""

    said: Mapping[int, Sequence[frozenset[str]]]
    spelled: Mapping[int, frozenset[str]]

    def turned_about(self, doing: Mapping[int, str]) -> bool:
        """Whether a value stands in a condition of the other direction. `doing` are the conditions by the number of the
        value."""
        leads = ((number, _ways_in(done)) for number, done in doing.items() if number in self.said)
        return any(ways and all(ways.isdisjoint(own) for own in self.said[number]) for number, ways in leads)

    def strayed(self, doing: Mapping[int, str], best: Mapping[int, str]) -> bool:
        """Whether a name goes nowhere, or is left out, where the `best` has it go where it is said to."""
        leads = ((number, _ways_in(done)) for number, done in best.items() if number in self.said)
        heeded = (n for n, ways in leads if all(not ways.isdisjoint(own) for own in self.said[n]))
        return any(not _ways_in(doing.get(number, "")) for number in heeded)

    def doing_in(self, statement: Statement) -> dict[int, str]:
        """The conditions of a statement in which names of the query stand, by the number of the name."""
        doing: dict[int, str] = {}
        for clause in statement.clauses:
            texts = {unquoted(hole.text).upper() for hole in literals_of(clause.parts)}
            for number, spelled in self.spelled.items():
                if texts & spelled:
                    doing[number] = f"{doing.get(number, '')} {clause.key}"
        return doing


def directions_in(reading: Reading) -> Directions:
    """What the prepositions of a query say of its names."""
    words = [word.text for word in reading.words]
    said: dict[str, list[frozenset[str]]] = {}
    for one in reading.found:
        own = _ROLES.get(words[one.first - 1], _ROLED) if one.first else _ROLED
        said.setdefault(one.meanings[0].label, []).append(own)
    names = {number: one for number, one in enumerate(reading.found) if not one.is_measure}
    prepositions = {number: said[one.meanings[0].label] for number, one in names.items()}
    times = {n: [_verb_before(words, one.first)] for n, one in enumerate(reading.found) if one.kind in _TIMES}
    return Directions(
        {number: own for number, own in (prepositions | times).items() if _ROLED not in own},
        {n: frozenset(text.upper() for it in one.meanings for text in it.forms.values()) for n, one in names.items()},
    )


def _verb_before(words: Sequence[str], at: int) -> frozenset[str]:
    """What the nearest verb before this place says of the column of a time."""
    return next((_VERBS[lemma(word)] for word in reversed(words[:at]) if lemma(word) in _VERBS), _ROLED)


def _ways_in(conditions: str) -> frozenset[str]:
    """The words for a direction in the names of the columns of some conditions."""
    names = ("".join(found) for found in _COLUMNS.findall(conditions))
    return frozenset(part for name in names for part in name.split("_")) & _ROLED
