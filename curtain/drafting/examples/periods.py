"""Periods of the day in the statement of an answered question: with their ends or without, and over midnight."""

from __future__ import annotations

from dataclasses import replace

from ..algebra.query import Arg, Call, Constant, Predicate, Statement

__all__ = ["with_ends"]

_ENDS = (("gt", "gte"), ("lt", "lte"))


def with_ends(query: Statement, included: bool | None) -> Statement:
    """The query with the ends of periods belonging to them or not; None leaves them as they were answered."""
    if included is None:
        return query
    return replace(query, where=tuple(_changed(one, included) for one in query.where))


def _changed(one: Predicate, included: bool) -> Predicate:
    """A condition on a period with its ends or without; any other as it is."""
    found = _range(one.expr)
    if found is None or "#begin" not in (found[1].form, found[2].form):
        return one
    column, low, high = found
    if included:
        return Predicate(Call("between", (("this", column), ("low", low), ("high", high))))
    ends = (Call(kind, (("this", column), ("expression", end))) for kind, end in (("gt", low), ("lt", high)))
    return Predicate(Call("and", tuple(zip(("this", "expression"), ends, strict=True))))


def _range(expr: Arg) -> tuple[Arg, Constant, Constant] | None:
    """The column and the ends of a range."""
    if not isinstance(expr, Call):
        return None
    column, low, high = expr.get("this"), expr.get("low"), expr.get("high")
    if expr.kind == "and":
        sides = column, expr.get("expression")
        low, high = (
            side.get("expression") if isinstance(side, Call) and side.kind in kinds else None
            for side, kinds in zip(sides, _ENDS, strict=True)
        )
        column = column.get("this") if isinstance(column, Call) else None
    return (column, low, high) if isinstance(low, Constant) and isinstance(high, Constant) else None
