"""“From Boston” is not to Boston: what a preposition says of the column that leads to a value, by words in its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .align import unquoted
from .column_words import words_in
from .pack_schema import Schema
from .recognise import Reading
from .statements import Statement, literals_of

__all__ = ["conditions_of", "role_of", "roles_at", "strays", "turned_about"]

_BEGIN = words_in("from departure origin source start leave depart")
_END = words_in("to arrival destination end arrive target")
_ROLES = {word: _BEGIN for word in ("from", "leaving", "departing")}
_ROLES |= {word: _END for word in ("to", "into", "toward", "arriving")}
_ROLED = _BEGIN | _END
_NOWHERE: frozenset[str] = frozenset()
_COLUMNS = re.compile(r">(\w*)=|\.(\w+)")


def roles_at(words: Sequence[str], at: int) -> frozenset[str] | None:
    """What a preposition before this place says of the column that leads to it, by words in its name."""
    return next((_ROLES[word] for word in reversed(words[max(0, at - 2) : at]) if word in _ROLES), None)


def role_of(schema: Schema, columns: Iterable[str], wanted: frozenset[str] | None) -> float:
    """How well the columns that lead somewhere go with the preposition before it."""
    if wanted is None:
        return 1.0
    stems = frozenset().union(*(schema.stems[column] for column in columns))
    return 2.0 if stems & wanted else 0.05 if stems & _ROLED else 0.8


def turned_about(reading: Reading, doing: Mapping[int, str]) -> bool:
    """Whether a name that is everywhere said with one direction stands in a condition of the other. `doing` are the
    conditions by the number of the value."""
    said = _said(reading)
    for number, done in doing.items():
        leads = _ways_in(done)
        if leads and number in said and all(leads.isdisjoint(own) for own in said[number]):
            return True
    return False


def conditions_of(statement: Statement, reading: Reading) -> dict[int, str]:
    """The conditions of a statement in which names of the query stand, by the number of the name."""
    doing: dict[int, str] = {}
    for clause in statement.clauses:
        texts = {unquoted(hole.text).upper() for hole in literals_of(clause.parts)}
        for number, one in enumerate(reading.found):
            spelled = {value.upper() for meaning in one.meanings for value in meaning.forms.values()}
            if not one.is_measure and texts & spelled:
                doing[number] = f"{doing.get(number, '')} {clause.key}"
    return doing


def strays(reading: Reading, doing: Mapping[int, str], best: Mapping[int, str]) -> bool:
    """Whether a name that is said with a direction goes nowhere, or is left out, where the `best` has it go there."""
    said = _said(reading)
    heeded = (
        n for n, done in best.items() if all(not _ways_in(done).isdisjoint(own) for own in said.get(n, [_NOWHERE]))
    )
    return any(not _ways_in(doing.get(number, "")) for number in heeded)


def _said(reading: Reading) -> dict[int, list[frozenset[str]]]:
    """For each name with a preposition, what all prepositions say that stand before it, wherever it is named."""
    words = [word.text for word in reading.words]
    said: dict[str, list[frozenset[str]]] = {}
    for one in reading.found:
        own = _ROLES.get(words[one.first - 1], _ROLED) if one.first else _ROLED
        said.setdefault(one.meanings[0].label, []).append(own)
    names = ((n, said[one.meanings[0].label]) for n, one in enumerate(reading.found) if not one.is_measure)
    return {number: own for number, own in names if _ROLED not in own}


def _ways_in(conditions: str) -> frozenset[str]:
    """The words for a direction in the names of the columns of some conditions."""
    names = ("".join(found) for found in _COLUMNS.findall(conditions))
    return frozenset(part for name in names for part in name.split("_")) & _ROLED
