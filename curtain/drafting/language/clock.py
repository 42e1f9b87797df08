"""Times, dates and periods of the day as people say them, read from the words of a query. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

from .english import english
from .tokens import Word, number_at, ordinal_at

__all__ = [
    "EARLIEST_YEAR",
    "LATEST_YEAR",
    "Day",
    "Time",
    "ages_at",
    "date_at",
    "decade_at",
    "is_year",
    "month_name",
    "shifted",
    "time_at",
]

EARLIEST_YEAR, LATEST_YEAR = 1800, 2100
"""A number between these may be a year."""

_PARTS = {"early": (0, 3), "mid": (4, 6), "middle": (4, 6), "late": (7, 9)}


@dataclass(frozen=True)
class _Words:
    """What english.toml says of times."""

    months: Mapping[str, int]
    decades: Mapping[str, int]
    named: Mapping[str, int]
    halves: Mapping[str, int]


@cache
def _words() -> _Words:
    listed = english().listed("clock.months")
    months = {month: number for number, month in enumerate(listed, start=1)}
    months |= {month[:3]: number for month, number in months.items() if len(month) > 4} | {"sept": 9}
    decades = {word: 1920 + 10 * place for place, word in enumerate(english().listed("numbers.decades"))}
    return _Words(months, decades, english().get("clock.named"), english().get("clock.halves"))


def month_name(number: int) -> str:
    """The name of a month, from 1."""
    return english().listed("clock.months")[number - 1]


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day as hours and minutes in one number. `open` says that twelve hours more may be meant."""

    hhmm: int
    open: bool
    size: int
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Day:
    """A date; what was not said is 0."""

    month: int
    day: int
    year: int
    size: int


def is_year(text: str) -> bool:
    """Whether a text is a number that may be a year."""
    return text.isdigit() and EARLIEST_YEAR <= int(text) <= LATEST_YEAR


def shifted(hhmm: int, minutes: int) -> int:
    """The time so many minutes later."""
    total = hhmm // 100 * 60 + hhmm % 100 + minutes
    return total // 60 % 24 * 100 + total % 60 if total != 24 * 60 else 2400


def time_at(words: Sequence[Word], at: int) -> Time | None:
    """The time of day that begins at this word, if there is one."""
    texts = [word.text for word in words[at : at + 8]]
    if texts[0] in _words().named:
        ends = texts[0] == "midnight" and at > 0 and words[at - 1].text in english().words("clock.up_to_here")
        return Time(2400 if ends else _words().named[texts[0]], False, 1)
    read = _clock(words, at) or _fraction(words, at)
    if read is None:
        return None
    hour, minute, size, sure = read
    half, more = _half(words, at + size)
    if not sure and half is None and not _introduced(words, at) and not _shared(words, at + size):
        return None
    if half is None:
        half = _later_half(words, at + size)
    if hour > 12 or half is None:
        return Time(hour * 100 + minute, 0 < hour <= 12, size + more, sure or bool(more))
    return Time((hour % 12 + half) * 100 + minute, False, size + more)


def _clock(words: Sequence[Word], at: int) -> tuple[int, int, int, bool] | None:
    """Hour, minute, number of words, and whether it can be nothing but a time."""
    text = words[at].text
    if ":" in text:
        hour, minute = map(int, text.split(":"))
        return (hour, minute, 1, True) if _valid(hour, minute) else None
    number = number_at(words, at)
    if number is None or number[0] != int(number[0]):
        return None
    value, size = int(number[0]), number[1]
    hour, minute = (value, 0) if value <= 24 else divmod(value, 100)
    minutes = number_at(words, at + size) if value <= 12 and at + size < len(words) else None
    if minutes and words[at].text.isdigit() and 10 <= minutes[0] < 60 and _half(words, at + size + minutes[1])[1]:
        return hour, int(minutes[0]), size + minutes[1], True
    if not _valid(hour, minute) or (hour == 0 and value < 100):
        return None
    if _text(words, at + size) == "oclock" or (
        _text(words, at + size) == "o" and _text(words, at + size + 1) == "clock"
    ):
        return hour, minute, size + (1 if _text(words, at + size) == "oclock" else 2), True
    if _text(words, at + size) == "noon" and hour == 12:
        return 12, 0, size, False
    return hour, minute, size, False


def _fraction(words: Sequence[Word], at: int) -> tuple[int, int, int, bool] | None:
    """“half past five”, “a quarter to six”, “ten past two”."""
    start = at + (_text(words, at) == "a" and _text(words, at + 1) == "quarter")
    minutes, size = {"half": 30, "quarter": 15}.get(_text(words, start)), 1
    if minutes is None:
        number = number_at(words, start) if start < len(words) else None
        if number is None or not 0 < number[0] < 60:
            return None
        minutes, size = int(number[0]), number[1]
    link = _text(words, start + size)
    hours = number_at(words, start + size + 1) if start + size + 1 < len(words) else None
    sign = {"past": 1, "after": 1, "to": -1, "before": -1, "of": -1}.get(link)
    if (
        sign is None
        or hours is None
        or not 0 < hours[0] <= 12
        or (link in ("after", "before", "of") and minutes not in (15, 30))
    ):
        return None
    if link == "to" and minutes not in (15, 20, 10, 5, 25):
        return None
    hhmm = shifted(int(hours[0]) * 100, sign * minutes)
    return hhmm // 100 or 12, hhmm % 100, start - at + size + 1 + hours[1], link == "past" or minutes in (15, 30)


def _half(words: Sequence[Word], at: int) -> tuple[int | None, int]:
    """Hours to add for the half of the day that is said next, and how many words say it."""
    text, after = _text(words, at), _text(words, at + 1)
    if text in ("am", "pm") or (text in ("a", "p") and after == "m"):
        size = 1 if len(text) == 2 else 2
        half = 12 if text[0] == "p" else 0
        return half, size + _half_words(words, at + size)
    if text == "noon":
        return 12, 1
    said = _half_words(words, at)
    return (_words().halves[_text(words, at + said - 1)], said) if said else (None, 0)


def _half_words(words: Sequence[Word], at: int) -> int:
    texts = [_text(words, at + step) for step in range(3)]
    if texts[:2] == ["in", "the"] and texts[2] in _words().halves:
        return 3
    if texts[0] == "at" and texts[1] == "night":
        return 2
    return 0


def _later_half(words: Sequence[Word], at: int) -> int | None:
    """In “between 4 and 5 pm” the first number takes its half of the day from the second."""
    if _text(words, at) not in ("and", "to", "or"):
        return None
    other = _clock(words, at + 1) if at + 1 < len(words) else None
    return _half(words, at + 1 + other[2])[0] if other else None


def _shared(words: Sequence[Word], at: int) -> bool:
    return _later_half(words, at) is not None


def _introduced(words: Sequence[Word], at: int) -> bool:
    before = _text(words, at - 1) if at else ""
    first = words[at].text
    if before not in english().words("clock.before_a_time"):
        return False
    if before in ("and", "to", "or"):
        return at >= 2 and any(word.text == "between" or word.text == "from" for word in words[max(0, at - 4) : at])
    return len(first) >= 3 or not first.isdigit() or before in english().words("clock.sure_before_a_time")


def _valid(hour: int, minute: int) -> bool:
    return (0 <= hour < 24 and 0 <= minute < 60) or (hour == 24 and minute == 0)


def _text(words: Sequence[Word], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""


def date_at(words: Sequence[Word], at: int) -> Day | None:
    """A date that begins at this word: “april 25th”, “the fourth of july”, “july ninth 1992”, “july 1992”,
    “the fourth”, “1992-07-09”."""
    if at + 2 < len(words) and words[at].text.isdigit() and len(words[at].text) == 4:
        return _written(words[at : at + 3])
    month = _words().months.get(words[at].text)
    whole = _with_year(words, at, Day(month or 0, 0, 0, 1))
    if month and whole.year:
        return whole
    day = _day_at(words, at + 1) if month else None
    if month and day:
        return _with_year(words, at, Day(month, day[0], 0, 1 + day[1]))
    if month and (
        words[at].text not in ("may", "march") or (at and words[at - 1].text in english().words("clock.in_a_month"))
    ):
        return Day(month, 0, 0, 1)
    start = at + (words[at].text == "the")
    rank = ordinal_at(words, start) if start < len(words) else None
    if rank is None:
        rank = _plain_day(words, start)
    if rank is None or rank[0] > 31:
        return None
    after = start + rank[1]
    link = after + (_text(words, after) == "of")
    month = _words().months.get(_text(words, link))
    if month:
        return _with_year(words, at, Day(month, rank[0], 0, link + 1 - at))
    before = _text(words, at - 1) if at else ""
    alone = start > at and (before in ("on", "of") or before.endswith("day")) and after >= len(words)
    return Day(0, rank[0], 0, after - at) if alone else None


def decade_at(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    """The first year of the decade that begins at this word, and how many words it has: “the 1950s”, “the fifties”,
    “the 50's”. “In their fifties” is an age."""
    text = words[at].text
    if text in _words().decades:
        return None if ages_at(words, at) else (_words().decades[text], 1)
    if text in ("nineteen", "eighteen") and _text(words, at + 1) in _words().decades:
        return _words().decades[_text(words, at + 1)] - (100 if text == "eighteen" else 0), 2
    if _text(words, at + 1) != "s" or not text.isdigit() or not text.endswith("0"):
        return None
    the = at > 0 and words[at - 1].text == "the"
    return (int(text), 2) if len(text) == 4 else (1900 + int(text), 2) if len(text) == 2 and the else None


def ages_at(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    """The least and the greatest age that this word means: “in their fifties”, “in his early forties”."""
    if words[at].text not in _words().decades:
        return None
    part = _text(words, at - 1) if at else ""
    before = at - 1 if part in _PARTS else at
    if not before or words[before - 1].text not in english().words("clock.whose"):
        return None
    low, high = _PARTS.get(part, (0, 9))
    tens = _words().decades[words[at].text] - 1900
    return tens + low, tens + high


def _written(words: Sequence[Word]) -> Day | None:
    """A date written as year, month and day with a sign between them."""
    close = all(two.start - one.end == 1 for one, two in pairwise(words))
    if not close or not all(word.text.isdigit() and len(word.text) == 2 for word in words[1:]):
        return None
    year, month, day = (int(word.text) for word in words)
    return Day(month, day, year, 3) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _plain_day(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    """A day as a number before its month, as in “4 june” or “4 may 1950”: before “may” and “march” with a year only."""
    number = number_at(words, at) if at < len(words) else None
    month = _text(words, at + number[1]) if number else ""
    if number is None or month not in _words().months or number[0] != int(number[0]):
        return None
    year = _text(words, at + number[1] + 1)
    return (int(number[0]), number[1]) if month not in ("may", "march") or (len(year) == 4 and year.isdigit()) else None


def _day_at(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    at, skipped = (at + 1, 1) if _text(words, at) == "the" else (at, 0)
    if at >= len(words):
        return None
    rank = ordinal_at(words, at)
    if rank is None:
        number = number_at(words, at)
        if number is None or not 1 <= number[0] <= 31 or number[0] != int(number[0]):
            return None
        rank = int(number[0]), number[1]
    return (rank[0], rank[1] + skipped) if 1 <= rank[0] <= 31 else None


def _with_year(words: Sequence[Word], at: int, day: Day) -> Day:
    text = _text(words, at + day.size)
    if len(text) == 4 and is_year(text):
        return Day(day.month, day.day, int(text), day.size + 1)
    return day


def day_before(day: Day, year: int) -> Day | None:
    """The day before, if the date is whole."""
    try:
        earlier = date(day.year or year, day.month, day.day) - timedelta(days=1)
    except ValueError:
        return None
    return Day(earlier.month, earlier.day, earlier.year, day.size)
