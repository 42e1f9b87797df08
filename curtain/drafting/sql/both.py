"""“Both a PhD and an MS”: where a row of the answer may have several of what is named in one breath, it must have
each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ..query.column_words import words_in
from ..query.recognise import Reading
from .none_of import Keys, many_step, rows_with, shows
from .statements import Clause, Column, Hole, Statement, Sub, map_clause

__all__ = ["asks_for_both", "each_of", "gives_either"]

_LITERAL = re.compile(r"'(?:[^']|'')*'|[^\s,()']+")
_BETWEEN = words_in("a an the in on from to of with by for")
_ONE = words_in("a an")
_HAVING = words_in(
    "with has have having had hold holds holding got supervise supervises manage manages lead leads under"
)


def asks_for_both(reading: Reading) -> bool:
    """Whether two values of one kind, with an “and” between them, have “both” before them, or each its own article:
    “with an MBA and a PhD”."""
    words = [word.text for word in reading.words]
    for one, other in pairwise(reading.found):
        between = [word for word in words[one.last : other.first] if word not in _BETWEEN]
        if one.kind == other.kind and between == ["and"]:
            counted = _has_one(words, one.first) and words[other.first - 1] in _ONE
            if counted or _last_said(words[: one.first]) == "both":
                return True
    return False


def _has_one(words: Sequence[str], at: int) -> bool:
    """Whether words say here that somebody has one of something."""
    return at > 1 and words[at - 1] in _ONE and words[at - 2] in _HAVING


def _last_said(words: Sequence[str]) -> str:
    return next((word for word in reversed(words) if word not in _BETWEEN), "")


def each_of(statement: Statement, keys: Keys, before: Sequence[Clause] = ()) -> Statement:
    """The statement with a condition for each of the values of a list, where a row of the root may have several; what
    was said `before` stays as it is."""
    clauses: list[Clause] = []
    for clause in statement.clauses:
        own = [] if clause in before else _nested_apart(clause) or _apart(clause, statement, keys)
        clauses += own or [clause]
    once = {map_clause(clause, lambda hole: replace(hole, index=0)): clause for clause in clauses}
    return replace(statement, clauses=tuple(once.values()))


def _nested_apart(clause: Clause) -> list[Clause]:
    """A nested SELECT for each value of the one list in it; nothing if it has none."""
    match clause.parts:
        case (Column() as mine, " IN ", Sub(inner)):
            lists = [(place, *_list(one)) for place, one in enumerate(inner.clauses) if _list(one)[0]]
            if len(lists) == 1:
                place, column, holes = lists[0]
                kept = (inner.clauses[:place], inner.clauses[place + 1 :])
                one_each = [(*kept[0], Clause((column, " = ", hole)), *kept[1]) for hole in holes if column]
                return [Clause((mine, " IN ", Sub(replace(inner, clauses=own)))) for own in one_each]
    return []


def gives_either(statement: Statement, keys: Keys, before: Sequence[Clause]) -> bool:
    """Whether one of several such things is enough by a condition that was not there before."""
    columns = [column for one in statement.clauses if one not in before and (column := _list(one)[0]) is not None]
    return any(many_step(column.node, keys) is not None for column in columns)


def _apart(clause: Clause, statement: Statement, keys: Keys) -> list[Clause]:
    """A condition for each value of a list; nothing if this is no such list, or if more is said or shown of its row."""
    column, holes = _list(clause)
    start = many_step(column.node, keys) if column else None
    if column is None or start is None or shows(statement, start):
        return []
    if any(_is_at(one, start) for one in statement.clauses if one is not clause and not one.bare):
        return []
    rows = [rows_with([Clause((column, " = ", hole))], start) for hole in holes]
    return [Clause((mine, " IN ", Sub(inner))) for mine, inner in filter(None, rows)]


def _list(clause: Clause) -> tuple[Column | None, list[Hole]]:
    """The column that is in a list, and the values of the list, each by itself."""
    match clause.parts:
        case (Column() as column, " IN (", *parts, ")"):
            return column, [part for part in parts if isinstance(part, Hole)]
        case (Column() as column, " IN ", Hole() as hole):
            return column, [replace(hole, text=text) for text in _LITERAL.findall(hole.text)]
    return None, []


def _is_at(clause: Clause, start: str) -> bool:
    nodes = (part.node for part in clause.parts if isinstance(part, Column))
    return any(node == start or node.startswith(f"{start}>") for node in nodes)
