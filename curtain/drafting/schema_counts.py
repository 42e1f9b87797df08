"""Numbers that count: “departments with over 30 women”, “managers with over 20 people”, “are there over 50 clerks”."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .column_words import is_participle
from .comparisons import CONTRARY
from .pack_schema import Schema, Step, Way
from .schema_above import stands_for_above
from .schema_clauses import Said, further, name_clauses
from .schema_numbers import Amount
from .schema_plan import Plan
from .schema_words import Mark
from .statements import Clause, Column, Hole, Part, Statement, Sub, table_of

__all__ = ["counted"]

_UNSAYABLE = 0.2
# “List 5 clerks”: all of them are more than was asked for.
_SOME = 0.6
_STEP = 0.95
_WHO = ("who", "whos")
_OPENINGS = (("are", "there"), ("is", "there"), ("were", "there"), ("do", "we", "have"), ("have", "we"))


@dataclass(frozen=True, slots=True)
class _Things:
    """Rows of a table that a number counts, and the values that say which (“30 female clerks”); words up to `last` name
    them."""

    table: str
    values: tuple[Said, ...]
    last: int


def counted(plan: Plan, amount: Amount) -> bool:
    """Whether a number says how many things there are, so that no column is compared with it. Where no draft can say
    that (“more than 50 women” of all of them), the reading becomes unlikely."""
    if amount.kind != "number" or amount.high or amount.aged:
        return False
    if any(amount.first == one.last or amount.last == one.first for one in plan.question.superlatives):
        # “The top 5”, “the 3 cheapest”.
        plan.doubt *= _UNSAYABLE
        return amount.op == "="
    things = _things(plan, amount)
    below = _is_of_those_below(plan, amount, things)
    if things is None and not below:
        return False
    if _asks_for_so_many(plan, amount, things):
        plan.at_issue = amount
        return _told(plan, amount, None)
    clause = _of_those_below(plan, amount) if below else _belonging(plan, amount, things) if things else None
    if clause is None:
        plan.doubt *= _UNSAYABLE if amount.op != "=" else _SOME
        return True
    plan.clauses.append(clause)
    return _told(plan, amount, things)


def _told(plan: Plan, amount: Amount, things: _Things | None) -> bool:
    plan.used |= {*amount.found, *(one.found for one in (things.values if things else ()))}
    plan.explained |= set(range(amount.first, max(amount.last, things.last if things else 0)))
    return True


def _things(plan: Plan, amount: Amount) -> _Things | None:
    """What is named right behind a number, unless that is compared with what is named before it: “level 20 women”."""
    if any(mark.last == amount.first and mark.senses[0].column for mark in plan.question.marks):
        return None
    at = amount.last - bool(amount.units)
    values = tuple(_values(plan, at))
    mark = _mark_at(plan, values[-1].last if values else at)
    tables = [one.table for one in mark.senses if not one.column and one.weight >= 0.6] if mark else []
    if values:
        table = values[0].node
        if mark is None or table not in tables:
            return _Things(table, values, values[-1].last) if table in plan.schema.people else None
        return _Things(table, values, mark.last)
    reached = (table for table in tables if table == plan.focus.root or _way(plan, table))
    return _Things(next(reached, tables[0]), (), mark.last) if mark and tables else None


def _values(plan: Plan, at: int) -> Iterator[Said]:
    """What is named from here on to say of which kind the things are, one right behind the other."""
    for n in plan.question.names:
        found = plan.question.found[n]
        one = next((one for one in plan.candidates[n] if one.own), None) if found.first == at else None
        if one is not None:
            yield Said(n, found.first, found.last, one.table, one.column, one.text, one.like)
            at = found.last


def _mark_at(plan: Plan, at: int) -> Mark | None:
    marks = (one for one in plan.question.marks if one.first == at)
    word = plan.question.words[at] if at < len(plan.question.words) else ""
    return None if word in _WHO or is_participle(word) else next(marks, None)


def _is_of_those_below(plan: Plan, amount: Amount, things: _Things | None) -> bool:
    """Whether so many stand below those asked for: “supervise more than 10”, “managers with over 20 people”."""
    above, words = plan.focus.above, plan.question.words
    if above is None or above.way not in ("count", "are") or above.table != plan.focus.root:
        return False
    people = things is not None and things.table == above.table and not things.values and amount.first >= above.last
    return above.way == "count" or people or stands_for_above(words[max(0, amount.first - 1)], plan.schema)


def _asks_for_so_many(plan: Plan, amount: Amount, things: _Things | None) -> bool:
    """Whether it is asked if there are so many: “are there more than 50 women”."""
    opens = plan.focus.asks == "yes" and plan.question.words[: amount.first] in _OPENINGS
    return opens and things is not None and things.table == plan.focus.root and plan.schema.boolean


def _of_those_below(plan: Plan, amount: Amount) -> Clause:
    root, schema = plan.focus.root, plan.schema
    return _by_key(root, (Step(schema.keys[root][0], root, schema.bosses[root], True),), (), amount, schema)


def _belonging(plan: Plan, amount: Amount, things: _Things) -> Clause | None:
    """That so many of these things belong to a row of the root, or, where a column is asked for, to all rows with the
    same: “job titles with more than 20 women”."""
    root, asked = plan.focus.root, plan.focus.columns[:1]
    way = () if things.table == root else _way(plan, things.table)
    if way is None:
        return None
    plan.doubt *= _STEP ** max(0, len(way) - 1)
    if asked and asked[0] not in (*plan.schema.keys.get(root, ()), *plan.schema.heads[root]):
        return _by_column(Column(root, asked[0]), further(root, way), things.values, amount, plan.schema)
    return _by_key(root, way, things.values, amount, plan.schema) if way else None


def _way(plan: Plan, table: str) -> Way | None:
    """The way to what each row of the root may have several of."""
    ways = plan.schema.ways.get((plan.focus.root, table), ())
    return next((way for way in ways if way[0].many), None)


def _by_key(root: str, way: Way, values: Sequence[Said], amount: Amount, schema: Schema) -> Clause:
    there = Column(way[0].table, way[0].theirs)
    return _so_many(Column(root, way[0].mine), there, further(there.node, way[1:]), values, amount, schema)


def _by_column(column: Column, node: str, values: Sequence[Said], amount: Amount, schema: Schema) -> Clause:
    return _so_many(column, column, node, values, amount, schema)


def _so_many(
    column: Column, group: Column, node: str, values: Sequence[Said], amount: Amount, schema: Schema
) -> Clause:
    """That a column is one of those for which so many rows are at a node, or, for “fewer than”, none of the others:
    these may have none at all."""
    fewer = amount.op in ("<", "<=")
    op = CONTRARY[amount.op] if fewer else amount.op
    clauses = list(name_clauses([replace(one, node=node) for one in values], schema))
    if node != group.node and not clauses:
        clauses.append(Clause((Column(node, schema.tables[table_of(node)][0]),)))
    if fewer:
        clauses.append(Clause((group, " IS NOT NULL")))
    many = _number_of(group.node, node, schema)
    tail = ("GROUP BY ", group, " HAVING ", *many, f" {op} ", Hole(0, amount.low))
    inner = Statement(group.node, (group,), tuple(clauses), tail)
    return Clause((column, " NOT IN " if fewer else " IN ", Sub(inner)))


def _number_of(start: str, node: str, schema: Schema) -> tuple[Part, ...]:
    """The number of rows at a node, each once, also where several rows lead to the same."""
    key = schema.keys.get(table_of(node), ())
    once = all(schema.keys.get(table) == (mine,) for mine, table in _left(start, node))
    return ("COUNT(*)",) if once or len(key) != 1 else ("COUNT(DISTINCT ", Column(node, key[0]), ")")


def _left(start: str, node: str) -> Iterator[tuple[str, str]]:
    """The column by which each table is left on the way from one node to another, and the table."""
    table = table_of(start)
    for step in node.removeprefix(start).split(">")[1:]:
        mine, goal = step.split("=")
        yield mine, table
        table = goal.split(".")[0]
