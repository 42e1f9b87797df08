"""Conditions made of columns and values found in a query, as clauses of a statement. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from curtain.base.sql_names import sql_literal

from ..query.ages import AGED, FLIPPED, years_before
from ..query.column_words import words_in
from ..sql.edits import within
from ..sql.periods import during
from ..sql.statements import Clause, Column, Hole, Part, Statement, Sub, table_of
from .numbers import Amount
from .pack_schema import Schema, Way

__all__ = [
    "Said",
    "amount_clause",
    "extreme_clause",
    "further",
    "most_in_groups",
    "name_clauses",
    "not_among",
]

_NEGATED = {"=": "<>", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "<>": "="}
_YEARS = words_in("birth born year built founded")


@dataclass(frozen=True, slots=True)
class Said:
    """A value of the database and where it stands: found value, words [first, last), node, column, text; whether the
    text is part of the value only, whether it is denied, and whether the column may be empty."""

    found: int
    first: int
    last: int
    node: str
    column: str
    text: str
    like: bool = False
    denied: bool = False
    empty: bool = False


def literal_of(value: str, kind: str) -> str:
    """A value as SQL has it."""
    return value if kind in ("number", "time") else sql_literal(value)


@lru_cache(maxsize=8192)
def further(node: str, way: Way) -> str:
    """The node that a way leads to. One that goes back where the node came from leads to the same row, not to all that
    share it: who has a degree of a school in physics has that degree in physics."""
    for step in way:
        parent, _, last = node.rpartition(">")
        came = last == f"{step.theirs}={table_of(node)}.{step.mine}" and table_of(parent) == step.table
        node = parent if came and step.many else f"{node}>{step.mine}={step.table}.{step.theirs}"
    return node


def name_clauses(said: Sequence[Said], schema: Schema) -> Iterator[Clause]:
    """One clause for each value; of several values of the same column, or names of several people, one for all."""
    alike: dict[object, list[tuple[Said, ...]]] = {}
    for unit in _units(said):
        alike.setdefault((unit[-1].node, unit[-1].column, unit[0].denied), []).append(tuple(unit))
    for group in alike.values():
        if len(group) == 1 and not (group[0][0].denied and len(group[0]) > 1):
            yield from (_single(one, schema) for one in group[0])
        elif all(len(unit) == 1 and not unit[0].like for unit in group):
            yield _listed([unit[0] for unit in group], schema)
        else:
            yield _either(group, schema)


def _units(said: Sequence[Said]) -> Iterator[list[Said]]:
    """Values side by side in the same row belong together: first and last name."""
    unit: list[Said] = []
    for one in sorted(said, key=lambda one: one.first):
        if unit and _goes_on(unit, one):
            unit.append(one)
            continue
        if unit:
            yield unit
        unit = [one]
    if unit:
        yield unit


def _goes_on(unit: Sequence[Said], one: Said) -> bool:
    last = unit[-1]
    beside = (last.last, last.node, last.denied) == (one.first, one.node, one.denied)
    return beside and one.column not in [other.column for other in unit]


def _single(one: Said, schema: Schema) -> Clause:
    place, hole = Column(one.node, one.column), _hole(one, schema)
    if one.like:
        return Clause((place, " NOT LIKE " if one.denied else " LIKE ", hole))
    if one.denied and one.empty:
        return Clause((place, " IS DISTINCT FROM ", hole))
    return Clause((place, " <> " if one.denied else " = ", hole))


def _hole(one: Said, schema: Schema) -> Hole:
    kind = schema.kind(table_of(one.node), one.column)
    return Hole(0, literal_of(one.text, kind if not one.like else "text"))


def _listed(group: Sequence[Said], schema: Schema) -> Clause:
    parts: list[Part] = [Column(group[0].node, group[0].column), " NOT IN (" if group[0].denied else " IN ("]
    for number, one in enumerate(group):
        parts += [", "] * bool(number) + [_hole(one, schema)]
    return Clause((*parts, ")"))


def _either(group: Sequence[Sequence[Said]], schema: Schema) -> Clause:
    parts: list[Part] = ["NOT (" if group[0][0].denied else "("]
    for number, unit in enumerate(group):
        parts.append(" OR " if number else "")
        parts.append("(")
        for place, one in enumerate(unit):
            plain = Said(one.found, one.first, one.last, one.node, one.column, one.text, one.like)
            parts += [" AND "] * bool(place) + list(_single(plain, schema).parts)
        parts.append(")")
    return Clause(tuple(part for part in (*parts, ")") if part != ""))


def amount_clause(amount: Amount, node: str, column: str, schema: Schema, denied: bool) -> Clause | None:
    """The column compared with the number, date, time or period; None if that makes no sense."""
    table = table_of(node)
    kind, place = schema.kind(table, column), Column(node, column)
    if amount.kind == "month":
        return _in_month(amount, place, denied) if kind == "date" else None
    if kind == "date":
        return _on_days(amount, place, schema, table, denied)
    op = _direction(amount, table, column, schema)
    if amount.kind == "period":
        return _period(amount, place, schema.included, denied)
    if amount.kind in ("date", "whole month") or (kind == "text" and (op != "=" or amount.high)):
        return None
    if op == "between" and amount.kind == "time":
        hours = within(place, Hole(0, amount.low), Hole(1, amount.high))
        return Clause(("NOT (", *hours.parts, ")")) if denied else hours
    years = _years_then(amount, column, schema)
    if op == "between":
        low, high = sorted(years) if len(years) == 2 else (amount.low, amount.high)
        return Clause((place, " NOT BETWEEN " if denied else " BETWEEN ", Hole(0, low), " AND ", Hole(0, high)))
    low = years[0] if years else literal_of(amount.low, kind)
    return Clause((place, f" {_NEGATED[op] if denied else op} ", Hole(0, low)))


def _in_month(amount: Amount, place: Column, denied: bool) -> Clause:
    """In, before or after a month of any year."""
    if amount.op == "between" and amount.high:
        between = ") NOT BETWEEN " if denied else ") BETWEEN "
        return Clause(("MONTH(", place, between, Hole(0, amount.low), " AND ", Hole(0, amount.high)))
    op = amount.op if amount.op in _NEGATED else "="
    return Clause(("MONTH(", place, f") {_NEGATED[op] if denied else op} ", Hole(0, amount.low)))


def _period(amount: Amount, place: Column, included: bool, denied: bool) -> Clause:
    """A period of the day, with its ends or without; one that ends before it begins goes over midnight."""
    span = during(place, Hole(0, amount.low), Hole(0, amount.high), included)
    if not denied:
        return Clause(span)
    return Clause(("NOT ", *span) if span[0] == "(" else ("NOT (", *span, ")"))


def _years_then(amount: Amount, column: str, schema: Schema) -> list[str]:
    """The year or two that many years ago, where an age is compared with a column of years; else none."""
    aged = amount.kind == "number" and amount.adjective in AGED and _YEARS & schema.stems[column]
    days = [years_before(schema.as_of, float(text)) for text in (amount.low, amount.high) if text] if aged else []
    return [str(day.year) for day in days if day]


def _direction(amount: Amount, table: str, column: str, schema: Schema) -> str:
    """“Older than” is a smaller year of birth."""
    measured = schema.measured(table, amount.adjective) if amount.adjective else None
    small = measured is not None and measured == (column, -1)
    return FLIPPED.get(amount.op, amount.op) if small and amount.op in FLIPPED else amount.op


def _between(place: Column, first: str, after: str, denied: bool) -> Clause:
    low, high = _day(first), _day(after)
    if denied:
        return Clause(("(", place, " < ", *low, " OR ", place, " >= ", *high, ")"))
    return Clause((place, " >= ", *low, " AND ", place, " < ", *high))


def _day(day: str) -> tuple[Part, ...]:
    return ("DATE ", Hole(0, f"'{day}'"))


def _on_days(amount: Amount, place: Column, schema: Schema, table: str, denied: bool) -> Clause | None:
    """A date, a month of a year or a year compared with a column of dates; a number of years as an age."""
    if amount.kind == "number":
        return _aged(amount, place, schema, denied)
    if amount.kind not in ("year", "whole month", "date"):
        return None
    spans = [_span(amount.kind, text) for text in (amount.low, amount.high) if text]
    if amount.op == "between":
        return _between(place, spans[0][0], spans[1][1], denied)
    op = _direction(amount, table, place.name, schema)
    if op in ("=", "<>"):
        different = (op == "<>") != denied
        if amount.kind == "date":
            return Clause((place, " <> " if different else " = ", *_day(amount.low)))
        return _between(place, *spans[0], different)
    op = _NEGATED[op] if denied else op
    start, after = spans[0][0], spans[-1][1]
    return Clause((place, " >= " if op in (">", ">=") else " < ", *_day(after if op in (">", "<=") else start)))


def _span(kind: str, text: str) -> tuple[str, str]:
    """The first day, and the first day after."""
    if kind == "year":
        return f"{int(text):04d}-01-01", f"{int(text) + 1:04d}-01-01"
    if kind == "whole month":
        first = date.fromisoformat(f"{text}-01")
        return first.isoformat(), (first.replace(day=28) + timedelta(days=4)).replace(day=1).isoformat()
    day = date.fromisoformat(text)
    return text, (day + timedelta(days=1)).isoformat()


def _aged(amount: Amount, place: Column, schema: Schema, denied: bool) -> Clause | None:
    """“Older than 60”, “more than 30 years”: so long before the day of the database."""
    day = years_before(schema.as_of, float(amount.low))
    if day is None:
        return None
    if amount.op in ("=", "between"):
        first = years_before(schema.as_of, float(amount.high or amount.low) + 1)
        return _born_within(place, first, day, denied) if first and amount.adjective in (*AGED, "") else None
    if amount.op not in FLIPPED:
        return None
    younger = amount.adjective in ("young", "new", "recent")
    op = amount.op if younger else FLIPPED[amount.op]
    op = _NEGATED[op] if denied else op
    return Clause((place, f" {op} ", *_day(day.isoformat())))


def _born_within(place: Column, after: date, until: date, denied: bool) -> Clause:
    """Who is 40 was born more than 40 and less than 41 years ago."""
    after_it, up_to = _day(after.isoformat()), _day(until.isoformat())
    if denied:
        return Clause(("(", place, " <= ", *after_it, " OR ", place, " > ", *up_to, ")"))
    return Clause((place, " > ", *after_it, " AND ", place, " <= ", *up_to))


def extreme_clause(node: str, column: str, sign: int, clauses: Iterable[Clause], alone: bool) -> Clause:
    """The rows that have the greatest or least value among all that the other clauses leave; ties stay. If `alone`,
    among all rows of the node's own table that the clauses about it leave."""
    root, own = node.split(">")[0], tuple(clauses)
    at = node
    if alone and node != root:
        inside = [clause for clause in own if all(_under(part, node) for part in clause.parts)]
        own = tuple(Clause(tuple(_moved(part, node, table_of(node)) for part in clause.parts)) for clause in inside)
        root = at = table_of(node)
    inner = Statement(root, ("MAX(" if sign > 0 else "MIN(", Column(at, column), ")"), own)
    return Clause((Column(node, column), " = ", Sub(inner)))


def _under(part: Part, node: str) -> bool:
    return not isinstance(part, Column) or part.node == node or part.node.startswith(f"{node}>")


def most_in_groups(
    root: str, group: Column, value: tuple[Part, ...], sign: int, clauses: tuple[Clause, ...]
) -> tuple[Part, ...]:
    """What follows WHERE for the groups with the most or the least: ties stay."""
    inner = Statement(root, value, clauses, ("GROUP BY ", group))
    return ("GROUP BY ", group, " HAVING ", *value, " >= ALL " if sign > 0 else " <= ALL ", Sub(inner))


def not_among(root: str, key: str, way: Way, clauses: Iterable[Clause]) -> Clause:
    """The rows of the root to which no row at the end of the way belongs; `clauses` are said of that end's tables."""
    step = way[0]
    start = f"{root}>{step.mine}={step.table}.{step.theirs}"
    moved = tuple(Clause(tuple(_moved(part, start, step.table) for part in clause.parts)) for clause in clauses)
    there = Column(step.table, step.theirs)
    inner = Statement(step.table, (there,), (*moved, Clause((there, " IS NOT NULL"))))
    return Clause((Column(root, step.mine), " NOT IN ", Sub(inner)))


def _moved(part: Part, start: str, table: str) -> Part:
    if isinstance(part, Column) and part.node.startswith(start):
        return Column(table + part.node.removeprefix(start), part.name, part.up)
    return part
