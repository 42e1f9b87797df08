"""Periods of the day in a statement: whether their ends belong to them, as the pack's principles say and published SQL
does not; those that go over midnight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .statements import Clause, Column, Hole, Part, Statement, Sub

__all__ = ["past_midnight", "with_ends"]

_LOOSE = {" > ": " >= ", " < ": " <= "}
_STRICT = {loose: strict for strict, loose in _LOOSE.items()}


def with_ends(statement: Statement, included: bool) -> Statement:
    """The statement with the ends of its periods in or out."""
    return replace(statement, clauses=tuple(Clause(_parts(clause.parts, included)) for clause in statement.clauses))


def past_midnight(statement: Statement, number_of: Callable[[Hole], float | None]) -> Statement:
    """The statement with each period that ends before it begins, by the number that each of its holes will have, as
    what lies on either side of midnight: no time is both after 1800 and before 600."""
    return replace(statement, clauses=tuple(Clause(_over(one.parts, number_of)) for one in statement.clauses))


def _over(parts: tuple[Part, ...], number_of: Callable[[Hole], float | None]) -> tuple[Part, ...]:
    columns = {part for part in parts if isinstance(part, Column)}
    if not _has_both_ends(parts) or len(columns) != 1:
        nested = (Sub(past_midnight(one.statement, number_of)) if isinstance(one, Sub) else one for one in parts)
        return tuple(nested)
    column = columns.pop()
    begin, end = (part for part in parts if isinstance(part, Hole))
    first, last = number_of(begin), number_of(end)
    if first is None or last is None or first <= last:
        return parts
    least, most = (" >= ", " <= ") if " BETWEEN " in parts else (" > ", " < ")
    return ("(", column, least, begin, " OR ", column, most, end, ")")


def _parts(parts: tuple[Part, ...], included: bool) -> tuple[Part, ...]:
    if _is_period(parts):
        return _between(parts, included)
    return tuple(_part(parts, place, included) for place in range(len(parts)))


def _part(parts: tuple[Part, ...], place: int, included: bool) -> Part:
    part = parts[place]
    if isinstance(part, Sub):
        return Sub(with_ends(part.statement, included))
    after = parts[place + 1] if place + 1 < len(parts) else None
    if isinstance(part, str) and isinstance(after, Hole) and after.name in ("<#begin>", "<#end>"):
        return (_LOOSE if included else _STRICT).get(part, part)
    return part


def _is_period(parts: tuple[Part, ...]) -> bool:
    return len(parts) <= 6 and _has_both_ends(parts)


def _has_both_ends(parts: tuple[Part, ...]) -> bool:
    names = [part.name for part in parts if isinstance(part, Hole)]
    texts = [part for part in parts if isinstance(part, str)]
    return names == ["<#begin>", "<#end>"] and not any("(" in text or " OR " in text for text in texts)


def _between(parts: tuple[Part, ...], included: bool) -> tuple[Part, ...]:
    column = next(part for part in parts if isinstance(part, Column))
    begin, end = (part for part in parts if isinstance(part, Hole))
    if included:
        return (column, " BETWEEN ", begin, " AND ", end)
    return (column, " > ", begin, " AND ", column, " < ", end)
