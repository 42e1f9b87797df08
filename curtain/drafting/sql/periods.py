"""Periods of the day in a statement: whether their ends belong to them, as the pack's principles say and published SQL
does not; those that go over midnight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .statements import Clause, Column, Hole, Part, Statement, Sub

__all__ = ["over_midnight", "past_midnight", "with_ends"]

_LOOSE = {" > ": " >= ", " < ": " <= "}
_STRICT = {loose: strict for strict, loose in _LOOSE.items()}


def with_ends(statement: Statement, included: bool) -> Statement:
    """The statement with the ends of its periods in or out."""
    return replace(statement, clauses=tuple(Clause(_parts(clause.parts, included)) for clause in statement.clauses))


def over_midnight(column: Column, begin: Hole, end: Hole, included: bool) -> tuple[Part, ...]:
    """A condition for what lies on either side of midnight, with its ends or without."""
    least, most = (" >= ", " <= ") if included else (" > ", " < ")
    return ("(", column, least, begin, " OR ", column, most, end, ")")


def during(column: Column, begin: Hole, end: Hole, included: bool) -> tuple[Part, ...]:
    """A condition for a period of the day, with its ends or without; one that ends before it begins goes over
    midnight."""
    if float(begin.text) > float(end.text):
        return over_midnight(column, begin, end, included)
    least, most = (" >= ", " <= ") if included else (" > ", " < ")
    return (column, least, begin, " AND ", column, most, end)


def past_midnight(statement: Statement, text_of: Callable[[Hole], str | None]) -> Statement:
    """The statement with each period that ends before it begins, by the literal that each of its holes will have, as
    what lies on either side of midnight: no time is both after 1800 and before 600."""
    return replace(statement, clauses=tuple(Clause(_over(one.parts, text_of)) for one in statement.clauses))


def _over(parts: tuple[Part, ...], text_of: Callable[[Hole], str | None]) -> tuple[Part, ...]:
    columns = {part for part in parts if isinstance(part, Column)}
    if not _has_both_ends(parts) or len(columns) != 1:
        nested = (Sub(past_midnight(one.statement, text_of)) if isinstance(one, Sub) else one for one in parts)
        return tuple(nested)
    column = columns.pop()
    begin, end = (part for part in parts if isinstance(part, Hole))
    first, last = text_of(begin), text_of(end)
    times = [float(text) for text in (first, last) if text and text.isdigit()]
    if len(times) < 2 or times[0] <= times[1]:
        return parts
    return over_midnight(column, begin, end, " BETWEEN " in parts)


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
