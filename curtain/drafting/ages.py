"""Ages: who is older than 50 was born more than 50 years before the day of the database."""

from __future__ import annotations

from datetime import date

__all__ = ["AGED", "FLIPPED", "years_before"]

AGED = frozenset(["old", "young"])
"""Adjectives that are said of an age."""

FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
"""For each comparison that of a date with a day for that of an age with years."""

_LONGEST = 150


def years_before(today: date, years: float) -> date | None:
    """The day so many whole years before another one; None if nobody is so old."""
    if not 0 < int(years) < _LONGEST:
        return None
    day = today.replace(day=28) if (today.month, today.day) == (2, 29) else today
    return day.replace(year=day.year - int(years))
