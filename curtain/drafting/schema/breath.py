"""Columns that are asked for in one breath: “names, ages and job titles”, “the clerks and their departments”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..query.column_words import lemmas, words_in
from ..query.small_words import POINTERS, POSSESSIVE
from ..sql.statements import Column, Statement
from .marks import FUNCTION_WORDS, Question
from .pack_schema import Schema
from .words import Mark

__all__ = [
    "ABOVE",
    "Breath",
    "in_one_breath",
    "names_columns_alone",
    "shown_after",
    "without_pointers",
]

ABOVE = "^"
"""Stands for those above the rows of a table, as a table of theirs: “the clerks and their bosses' names”."""

_LINKS = words_in("and the their his her its all with also plus as well along together")
_AND = words_in("and plus with as")
_BESIDE = POSSESSIVE | words_in("and plus also well")
_ADDING = words_in("add adding include including with plus")
_ASKING = words_in("who where when how which many much do does did")
_LIKELY = 0.6


@dataclass(frozen=True, slots=True)
class Breath:
    """The columns of the same table, those of others as (table, column), and which words say so."""

    columns: tuple[str, ...]
    beside: tuple[tuple[str, str], ...]
    covers: frozenset[int]


def names_columns_alone(question: Question) -> bool:
    """Whether a query that goes on from a turn names several columns and nothing else: “names and ages please”."""
    plain = without_pointers(question)
    columns = [mark for mark in plain.marks if any(one.column for one in mark.senses[:2])]
    alone = len(columns) == 1 and (_goes_on_with(question.words, columns[0]) or "full" in question.words)
    several = len(columns) > 1 or alone
    if question.asks != "rows" or not several or len(columns) < len(plain.marks):
        return False
    if question.names or question.amounts or question.superlatives or question.nots or question.per:
        return False
    told = {at for mark in columns for at in range(mark.first, mark.last)}
    rest = {word for at, word in enumerate(question.words) if at not in told}
    return rest <= FUNCTION_WORDS | _ADDING | POINTERS and rest.isdisjoint(_ASKING)


def _goes_on_with(words: Sequence[str], mark: Mark) -> bool:
    """“And their ages”, “with their bosses”."""
    return words[0] in _AND and mark.first > 0 and words[mark.first - 1] in POSSESSIVE


def without_pointers(question: Question) -> Question:
    """The question without words such as “their” as things that are spoken of."""
    return replace(question, marks=tuple(one for one in question.marks if question.words[one.first] not in POINTERS))


def shown_after(statement: Statement, before: Statement, words: Sequence[str], key: Sequence[str]) -> Statement:
    """The statement with the columns that a turn asks for: beside what was shown if it adds them (“add the salary and
    the city”) or says whose they are of rows that were told by their key (“and their ages”); each row as often as
    before."""
    shown = [part for part in before.head if isinstance(part, Column)]
    own = [part for part in statement.head if isinstance(part, Column)]
    if any(isinstance(part, str) and part not in ("DISTINCT ", ", ") for part in (*before.head, *statement.head)):
        return statement
    theirs = tuple(words[:1]) == ("and",) and not POSSESSIVE.isdisjoint(words[1:3])
    told = bool(shown) and all(one.node == before.root and one.name in key for one in shown)
    if not _ADDING.isdisjoint(words[:1]) or "also" in words[:2] or (theirs and told):
        own = list(dict.fromkeys((*shown, *own)))
    near = all(column.node == before.root for column in own)
    start = () if near and before.head[:1] != ("DISTINCT ",) else ("DISTINCT ",)
    return replace(statement, head=(*start, *[part for column in own for part in (", ", column)][1:]))


def in_one_breath(
    question: Question, schema: Schema, marks: Sequence[Mark], mark: Mark, table: str, things: bool
) -> Breath | None:
    """What is asked for along with what a mark says, of this table or beside it; None if nothing is. `things`: the
    mark stands for the rows of the table, and not for a column of theirs."""
    found: list[tuple[str, str]] = []
    covers: set[int] = set()
    last = mark.last
    for other in marks:
        theirs = _theirs(question, other)
        after_things = things and not found and not _begins_list(marks, other)
        if other.first < last or not (theirs or _follows(question, last, other, after_things)):
            continue
        whose = _whose(question, marks, other)
        above, end = _of_those_above(question, schema, marks, other, whose, table)
        own = above or _own(schema, whose or other, table)
        linked = bool(found or not things) and other.first == last
        own = own or _of_another(question, schema, other, whose, table, things and not found, linked)
        if not own:
            break
        found += own
        start, last = other.first if theirs else last, end
        covers |= set(range(start, last))
    columns = dict.fromkeys(column for owner, column in found if owner == table)
    beside = dict.fromkeys((owner, column) for owner, column in found if owner != table)
    return Breath(tuple(columns), tuple(beside), frozenset(covers)) if found else None


def _begins_list(marks: Sequence[Mark], mark: Mark) -> bool:
    """Whether another column comes right behind this one: “attorneys name salary”."""
    following = next((one for one in marks if one.first == mark.last), None)
    return bool(mark.senses[0].column) and following is not None and bool(following.senses[0].column)


def _of_those_above(
    question: Question, schema: Schema, marks: Sequence[Mark], mark: Mark, whose: Mark | None, table: str
) -> tuple[list[tuple[str, str]], int]:
    """“Their bosses' names”, “the names of their bosses”, and where these words end."""
    boss = schema.bosses.get(table)
    if whose is not None and _is_boss(whose, table, boss):
        return [(ABOVE, column) for _, column in _own(schema, mark, table)], whose.last
    theirs = _is_boss(mark, table, boss) and mark.last - 1 not in question.commas
    following = next((one for one in marks if one.first == mark.last), None) if theirs else None
    if following is not None and (own := _own(schema, following, table)):
        return [(ABOVE, column) for _, column in own], following.last
    return [], (whose or mark).last


def _is_boss(mark: Mark, table: str, boss: str | None) -> bool:
    return boss is not None and any((one.table, one.column) == (table, boss) for one in mark.senses[:1])


def _follows(question: Question, last: int, other: Mark, after_things: bool) -> bool:
    """Whether only words stand between that link what is asked for; nothing may stand between two columns, but between
    things and a column of theirs."""
    between = question.words[last : other.first]
    if not between:
        # “The capital city” is one thing, “names majors” are two.
        many = all(word.endswith("s") for word in question.words[last - 1 : last + 1])
        return not after_things and (last - 1 in question.commas or many or bool(other.senses[0].column))
    return set(between) <= _LINKS


def _theirs(question: Question, other: Mark) -> bool:
    """“And their bosses”, “and the names of their bosses”."""
    words, at = question.words, other.first
    own = at >= 2 and words[at - 1] in POSSESSIVE and words[at - 2] in _AND
    after = words[other.last : other.last + 1] == ("of",) and set(words[other.last + 1 : other.last + 2]) <= POSSESSIVE
    before = words[at - 1 : at] == ("and",) or words[max(0, at - 2) : at] == ("and", "the")
    return own or (after and before)


def _whose(question: Question, marks: Sequence[Mark], other: Mark) -> Mark | None:
    """Whose column it is: “the names of their departments”."""
    at = other.last + 2
    if question.words[other.last : other.last + 1] != ("of",) or not set(question.words[at - 1 : at]) & POSSESSIVE:
        return None
    return next((one for one in marks if one.first == at), None)


def _own(schema: Schema, mark: Mark, table: str) -> list[tuple[str, str]]:
    sense = next((one for one in mark.senses if one.table == table and one.column), None)
    return [(table, sense.column)] if sense else []


def _of_another(
    question: Question, schema: Schema, mark: Mark, whose: Mark | None, table: str, things: bool, next_to: bool
) -> list[tuple[str, str]]:
    """“The names of their departments”, “their schools”, “name and school”: columns of a table that rows lead to."""
    owners = {one.table for one in whose.senses if not one.column} if whose else None
    before = question.words[max(0, mark.first - 2) : mark.first]
    linked = next_to or not _BESIDE.isdisjoint(before) or mark.first - 1 in question.commas
    for sense in mark.senses if linked else ():
        away = sense.table != table and (table, sense.table) in schema.ways and sense.table not in schema.people
        if not away or (sense.weight < _LIKELY and not owners) or (owners is not None and sense.table not in owners):
            continue
        if sense.column:
            return [(sense.table, sense.column)]
        if not things or _theirs(question, mark):
            return [(sense.table, column) for column in _shown_of(schema, sense.table)]
        return []
    return []


def _shown_of(schema: Schema, table: str) -> tuple[str, ...]:
    """What tells a row of a table beside another's: the column called as the table is, or what else stands for it."""
    own = tuple(column for column in schema.tables[table] if lemmas(column.split("_")) == lemmas(table.split("_")))
    return own or schema.heads[table]
