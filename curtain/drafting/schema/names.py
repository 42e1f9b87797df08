"""“The names of the schools” are what schools are called, and not what people are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from ..query.column_words import words_in
from ..query.worked_out import AGGREGATES
from .pack_schema import Schema
from .words import Mark, Sense

__all__ = ["with_names_of_things"]

_SURE = 0.8
_NAMES = words_in("name names")
_ASKING = words_in("what whats how")
_CALLED = words_in("called named")
_EACH = words_in("each every")
_ITS = words_in("the its")
_NUMBER = ["number", "of"]
_SOON = 3
_OF = words_in("of for")
_ARTICLES = words_in("the a an all each every any these those our")


def with_names_of_things(named: Mapping[int, Mark], words: Sequence[str], schema: Schema) -> dict[int, Mark]:
    """The words for tables and columns, by their places; a “name” of what has a name of its own means that one."""
    found = dict(named)
    for at, mark in named.items():
        if mark.last == at + 1 and words[at] in _NAMES and words[mark.last : mark.last + 1] and words[mark.last] in _OF:
            articles = len(list(takewhile(_ARTICLES.__contains__, words[mark.last + 1 :])))
            things = named.get(mark.last + 1 + articles)
            own = _own_name(things, schema) if things else None
            if things and own:
                found |= {at: Mark(at, mark.last, (own,)), things.first: _table_of(things, own)}
    for at, mark in named.items():
        beside = _name_beside(words, mark) if words[at - 1] in _EACH else -1
        own = _own_name(mark, schema) if beside >= 0 else None
        if own:
            found[at] = Mark(at, mark.last, (own,))
            found.pop(beside, None)
    things = _asked_how_called(named, words)
    own = _own_name(things, schema) if things else None
    if things and own:
        found |= {0: Mark(0, 1, (own,)), things.first: _table_of(things, own)}
    return found


def _name_beside(words: Sequence[str], mark: Mark) -> int:
    """Where the name of each of these things is asked for beside something else: “for every department the name and
    the average salary”; -1 if it is not."""
    named = (at for at in range(mark.last, len(words)) if words[at] == "name" and words[at - 1] in _ITS)
    at = next(named, len(words))
    behind = [word for word in words[at + 1 : at + 5] if word not in _ITS]
    works_out = behind[1:3] == _NUMBER or not AGGREGATES.keys().isdisjoint(behind[1:2])
    return at if behind[:1] == ["and"] and works_out else -1


def _asked_how_called(named: Mapping[int, Mark], words: Sequence[str]) -> Mark | None:
    """“What are the departments called”: the word for the things."""
    asks = words[:1] and words[0] in _ASKING and words[-1] in _CALLED
    return next((named[at] for at in sorted(named) if 0 < at <= _SOON), None) if asks else None


def _table_of(things: Mark, own: Sense) -> Mark:
    return Mark(things.first, things.last, (Sense(own.table, "", 1.0),))


def _own_name(mark: Mark, schema: Schema) -> Sense | None:
    """The column with the name of the things that are named here, if these are no people and have one."""
    table = next((one.table for one in mark.senses if not one.column and one.weight >= _SURE), "")
    if not table or table in schema.people:
        return None
    called = [column for column in schema.tables[table] if column.split("_")[-1] == "name"]
    usual = (column for column in (f"{table}_name", "name", *called) if column in called)
    column = next(usual, None)
    return Sense(table, column, 0.95) if column else None
