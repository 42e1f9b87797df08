"""Ages: who is older than 50 was born more than 50 years before the day of the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

__all__ = ["AGED", "AGES", "FLIPPED", "age_words", "years_before"]

AGED = frozenset(["old", "young"])
"""Adjectives that are said of an age."""

FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
"""For each comparison that of a date with a day for that of an age with years."""

AGES = range(15, 100)
"""Years that people who are asked about may have, where nothing else says that it is an age."""

_LONGEST = 150
_AHEAD = (("aged",), ("ages",), ("age",), ("of", "age"), ("the", "age", "of"), ("ages", "of"), ("the", "ages", "of"))
_BEHIND = tuple(
    tuple(phrase.split()) for phrase in ("years old", "year old", "year olds", "years of age", "of age", "in age")
)


def age_words(words: Sequence[str], first: int, last: int) -> tuple[int, int] | None:
    """Where the words begin and end that say of words [first, last), which compare a number, that it is an age (“aged
    45”, “45 years old”), these included; None if none does."""
    start = max((first - len(one) for one in _AHEAD if _ends_with(words[:first], one)), default=None)
    end = max((last + len(one) for one in _BEHIND if tuple(words[last : last + len(one)]) == one), default=None)
    return None if start is None and end is None else (first if start is None else start, last if end is None else end)


def _ends_with(words: Sequence[str], phrase: tuple[str, ...]) -> bool:
    return tuple(words[-len(phrase) :]) == phrase


def years_before(today: date, years: float) -> date | None:
    """The day so many whole years before another one; None if nobody is so old."""
    if not 0 < int(years) < _LONGEST:
        return None
    day = today.replace(day=28) if (today.month, today.day) == (2, 29) else today
    return day.replace(year=day.year - int(years))
