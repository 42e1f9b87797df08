"""Days of a follow-up without their year: “on or after June 1” of people hired in 1970 is in 1970."""

from __future__ import annotations

from calendar import isleap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ..query.recognise import Found, Reading
from .align import unquoted
from .edits import Bounded, bounded, columns_of
from .statements import Clause, Column, Statement, literals_of

__all__ = ["Year", "assumed_days", "in_the_same", "without_year", "year_before", "years_told"]

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Year:
    """A year that a statement tells of a column; `whole` if it speaks of all of it, and of nothing else."""

    number: int
    whole: bool


def years_told(statement: Statement) -> Mapping[Column, Year]:
    """The columns of which a statement says in which one year they are."""
    spans: dict[Column, list[tuple[date | None, date | None]]] = {}
    for one in map(bounded, statement.clauses):
        span = _span(one) if one else None
        if one and span:
            spans.setdefault(one.column, []).append(span)
    found = ((column, _year(own)) for column, own in spans.items())
    return {column: year for column, year in found if year}


def _span(one: Bounded) -> tuple[date | None, date | None] | None:
    """The first and the last day that a condition leaves, None for an open end."""
    try:
        days = [date.fromisoformat(value) for value in one.values]
    except ValueError:
        year = one.values[0] if one.op == "=" else ""
        return (date(int(year), 1, 1), date(int(year), 12, 31)) if len(year) == 4 and year.isdigit() else None
    match one.op:
        case "=" | "between":
            return days[0], days[-1]
        case ">" | ">=":
            return days[0] + _DAY * (one.op == ">"), None
        case "<" | "<=":
            return None, days[0] - _DAY * (one.op == "<")
    return None


def _year(spans: list[tuple[date | None, date | None]]) -> Year | None:
    """The one year of these spans together; an open end leaves it open if the other one is that of a year."""
    first = max((low for low, _ in spans if low), default=None)
    last = min((high for _, high in spans if high), default=None)
    begins = first is not None and (first.month, first.day) == (1, 1)
    ends = last is not None and (last.month, last.day) == (12, 31)
    if first and last:
        return Year(first.year, begins and ends) if first.year == last.year else None
    only = first or last
    return Year(only.year, False) if only and not begins and not ends else None


def year_before(reading: Reading, statement: Statement) -> Year | None:
    """The year of the statement before, if days of a query lack theirs and that has only one."""
    told = {*years_told(statement).values()} if assumed_days(reading) else set()
    return told.pop() if len(told) == 1 else None


def in_the_same(reading: Reading, year: Year) -> Reading:
    """The query with days that lack their year in this one."""
    return replace(reading, found=tuple(_dated(one, year.number) for one in reading.found))


def assumed_days(reading: Reading) -> frozenset[str]:
    """The days of a query of which it says no year."""
    days = (it.forms["#date"] for one in reading.found for it in one.meanings if _lacks_year(it.forms))
    return frozenset(days)


def without_year(clause: Clause, days: frozenset[str], told: Mapping[Column, Year]) -> bool:
    """Whether a condition compares a column, of which no year is told, with such a day."""
    compared = any(unquoted(hole.text) in days for hole in literals_of(clause.parts))
    return compared and not told.keys() >= {*columns_of(clause.parts)}


def _lacks_year(forms: Mapping[str, str]) -> bool:
    return "#date" in forms and "#year" not in forms


def _dated(one: Found, year: int) -> Found:
    return replace(
        one,
        meanings=tuple(
            replace(it, forms={**it.forms, "#date": f"{year:04d}{it.forms['#date'][4:]}"})
            if _lacks_year(it.forms) and (it.forms["#date"][5:] != "02-29" or isleap(year))
            else it
            for it in one.meanings
        ),
    )
