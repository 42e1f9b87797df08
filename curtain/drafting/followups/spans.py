"""Spans of time that a follow-up says: “in the morning” of columns of times, “in march” of columns of dates."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence

from ..query.recognise import Found
from ..sql.edits import compared, within
from ..sql.periods import during
from ..sql.same_year import years_told
from ..sql.statements import Clause, Column, Hole, table_of
from .turn import FollowUpTurn, near_columns

__all__ = ["spans"]


def spans(
    turn: FollowUpTurn, ones: Sequence[Found], op: str, known: Mapping[Column, float], unseen: float
) -> Iterator[tuple[Clause, float]]:
    """What a period of the day or a month, compared so, may say, and how likely: by what is `known` of such values for
    each column, and `unseen` for one of which nothing is."""
    if len(ones) == 1:
        yield from _during(turn, ones[0], known, unseen)
        yield from _in_month(turn, ones[0], op, known, unseen)


def _during(
    turn: FollowUpTurn, one: Found, known: Mapping[Column, float], unseen: float
) -> Iterator[tuple[Clause, float]]:
    """A period of the day in each column of times, the first of what is asked about likeliest."""
    begin, end = one.form("#begin"), one.form("#end")
    if begin is None or end is None:
        return
    for column in dict.fromkeys([*known, *near_columns(turn)]):
        if turn.ground.kind(table_of(column.node), column.name) == "time":
            span = during(column, Hole(0, begin), Hole(1, end), turn.included is not False)
            yield Clause(span), 0.5 * known.get(column, 0.0) + unseen
            unseen /= 2


def _in_month(
    turn: FollowUpTurn, one: Found, op: str, known: Mapping[Column, float], unseen: float
) -> Iterator[tuple[Clause, float]]:
    """A month, or before or after it, in each column of dates: of the year that is said, or was before of that column,
    else of any."""
    month = one.form("#month")
    if month is None or one.kind != "month":
        return
    told, own = years_told(turn.before), one.form("#year")
    for column in dict.fromkeys([*known, *near_columns(turn)]):
        if turn.ground.kind(table_of(column.node), column.name) == "date":
            year = int(own) if own else told[column].number if column in told else 0
            of_any = Clause(("MONTH(", column, f") {op or '='} ", Hole(0, month)))
            clause = _days_of(column, op, year, int(month)) if year else of_any
            yield clause, 0.5 * known.get(column, 0.0) + unseen


def _days_of(column: Column, op: str, year: int, month: int) -> Clause:
    first, last = (f"'{year:04d}-{month:02d}-{day:02d}'" for day in (1, monthrange(year, month)[1]))
    if op:
        return compared(column, op, first if op in ("<", ">=") else last)
    return within(column, Hole(0, first), Hole(1, last))
