"""Whether the ends of a period of the day belong to it: the pack's principles say, published SQL has them in."""

from __future__ import annotations

from dataclasses import replace

from .statements import Clause, Column, Hole, Part, Statement, Sub

__all__ = ["with_ends"]

_LOOSE = {" > ": " >= ", " < ": " <= "}
_STRICT = {loose: strict for strict, loose in _LOOSE.items()}


def with_ends(statement: Statement, included: bool) -> Statement:
    """The statement with the ends of its periods in or out."""
    return replace(statement, clauses=tuple(Clause(_parts(clause.parts, included)) for clause in statement.clauses))


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
    names = [part.name for part in parts if isinstance(part, Hole)]
    texts = [part for part in parts if isinstance(part, str)]
    return (
        names == ["<#begin>", "<#end>"] and len(parts) <= 6 and not any("(" in text or " OR " in text for text in texts)
    )


def _between(parts: tuple[Part, ...], included: bool) -> tuple[Part, ...]:
    column = next(part for part in parts if isinstance(part, Column))
    begin, end = (part for part in parts if isinstance(part, Hole))
    if included:
        return (column, " BETWEEN ", begin, " AND ", end)
    return (column, " > ", begin, " AND ", column, " < ", end)
