"""Times, dates and periods of the day as people say them, read from the words of a query. Pure."""

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache

from .english import english, word_at
from .tokens import Word, number_at, ordinal_at

EARLIEST_YEAR, LATEST_YEAR = 1800, 2100
"""A number between these may be a year."""

_DOTTED = re.compile(r"\d{1,2}\.\d\d")
_MOST_UNITS = 100


@cache
def _months() -> Mapping[str, int]:
    months = {month: number for number, month in enumerate(english().listed("clock.months"), start=1)}
    return months | {month[:3]: number for month, number in months.items() if len(month) > 4} | {"sept": 9}


@cache
def weekdays() -> Mapping[str, int]:
    """Their names by number, from 0 for monday; “mondays” are one, too."""
    names = english().listed("clock.weekdays")
    return {f"{name}{ending}": number for number, name in enumerate(names) for ending in ("", "s")}


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day as hours and minutes in one number. `open` says that twelve hours more may be meant."""

    hhmm: int
    open: bool
    size: int


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
    named = english().get("clock.named").get(words[at])
    if named is not None:
        ends = named == 0 and word_at(words, at - 1) in english().words("clock.up_to_here")
        return Time(2400 if ends else named, False, 1)
    read = _fraction(words, at) or _clock(words, at)
    if read is None:
        return None
    hour, minute, size, sure = read
    half, more = _half(words, at + size)
    halves = half, _later_half(words, at + size, hour), _half_before(words, at, hour)
    shared = next((one for one in halves if one is not None), None)
    if not sure and shared is None and not _introduced(words, at):
        return None
    if hour > 12 or shared is None:
        return Time(hour * 100 + minute, 0 < hour <= 12, size + more)
    return Time((hour % 12 + shared) * 100 + minute, False, size + more)


def _clock(words: Sequence[Word], at: int) -> tuple[int, int, int, bool] | None:
    """Hour, minute, number of words, and whether it can be nothing but a time."""
    text = word_at(words, at)
    if ":" in text or (_DOTTED.fullmatch(text) and _half(words, at + 1)[1]):
        hour, minute = map(int, text.replace(".", ":").split(":"))
        return (hour, minute, 1, True) if _valid(hour, minute) else None
    number = number_at(words, at)
    if number is None or number[0] != int(number[0]):
        return None
    value, size = int(number[0]), number[1]
    hour, minute = (value, 0) if value <= 24 else divmod(value, 100)
    minutes, more = number_at(words, at + size) or (0, 0)
    if value <= 12 and text.isdigit() and 10 <= minutes < 60 and _half(words, at + size + more)[1]:
        return hour, int(minutes), size + more, True
    if not _valid(hour, minute) or (hour == 0 and value < 100):
        return None
    more = english().phrase_at("clock.oclock", words, at + size)
    return hour, minute, size + more, more > 0


def _fraction(words: Sequence[Word], at: int) -> tuple[int, int, int, bool] | None:
    """“Half past five”, “a quarter to six”, “ten past two”, “twenty to nine”; but “from ten to two” is a range."""
    minutes, size = english().value_at("clock.fractions", words, at)
    if not minutes:
        minutes, size = number_at(words, at) or (0, 0)
        measured = word_at(words, at + size) in ("minute", "minutes")
        size += measured
        side = word_at(words, at + size)
        if not 0 < minutes < 60 or not (measured or side == "past" or (minutes >= 20 and side == "to")):
            return None
    side = english().get("clock.sides").get(word_at(words, at + size))
    hours, more = number_at(words, at + size + 1) or (0, 0)
    if not side or not 0 < hours <= 12:
        return None
    hhmm = shifted(int(hours) * 100, side * int(minutes))
    return hhmm // 100 or 12, hhmm % 100, size + 1 + more, True


def _half(words: Sequence[Word], at: int) -> tuple[int | None, int]:
    """Hours to add for the half of the day that is said next, and how many words say it: “pm”, “am in the morning”."""
    half, size = english().value_at("clock.halves_behind", words, at)
    return half, size + english().value_at("clock.halves_behind", words, at + size)[1] if size else 0


def _later_half(words: Sequence[Word], at: int, hour: int) -> int | None:
    """In “between 4 and 5 pm” the first number takes its half of the day from the second, in “between 10 and 2 pm” the
    other half."""
    linked = word_at(words, at) in ("and", "to", "or")
    other = _clock(words, at + 1) if linked else None
    half = _half(words, at + 1 + other[2])[0] if other else None
    return 12 - half if other and half is not None and hour % 12 > other[0] % 12 else half


def _half_before(words: Sequence[Word], at: int, hour: int) -> int | None:
    """In “thursday evening after 6” and “between noon and 5” a number takes its half of the day from the words before
    it, in “from 10 am to 2” the other half."""
    before, earlier = word_at(words, at - 1), word_at(words, at - 3)
    linked = before in english().words("clock.before_a_time")
    linked = linked and (before not in ("and", "to", "or") or _introduced(words, at))
    half = english().get("clock.halves").get(word_at(words, at - 2)) if linked else None
    return 12 - half if half is not None and earlier.isdigit() and hour % 12 < int(earlier) % 12 else half


def _introduced(words: Sequence[Word], at: int) -> bool:
    """Whether the word before a number says that it is a time."""
    before, first = word_at(words, at - 1), words[at]
    if before not in english().words("clock.before_a_time"):
        return False
    if before in ("and", "to", "or"):
        return not {"between", "from"}.isdisjoint(words[max(0, at - 4) : at])
    return len(first) >= 3 or not first.isdigit() or before in english().words("clock.sure_before_a_time")


def _valid(hour: int, minute: int) -> bool:
    return (0 <= hour < 24 and 0 <= minute < 60) or (hour == 24 and minute == 0)


def date_at(words: Sequence[Word], at: int) -> Day | None:
    """A date that begins at this word: “april 25th”, “the fourth of july”, “4 july”, “july ninth 1992”, “july of 1992”,
    “the fourth”, “1992-07-09”."""
    if words[at].count("-") == 2:
        year, month, day = map(int, words[at].split("-"))
        written = Day(month, day, year, 1)
        return written if dated(written, 0) else None
    month = _months().get(words[at], 0)
    return _month_first(words, at, month) if month else _day_first(words, at)


def _month_first(words: Sequence[Word], at: int, month: int) -> Day | None:
    whole = _with_year(words, at, Day(month, 0, 0, 1))
    day, size = (0, 0) if whole.year else _day_at(words, at + 1)
    if day:
        return _with_year(words, at, Day(month, day, 0, 1 + size))
    return None if _doubtful(words, at, at, whole) else whole


def _day_first(words: Sequence[Word], at: int) -> Day | None:
    day, size = _day_at(words, at)
    the, before = words[at] == "the", word_at(words, at - 1)
    ranked = ordinal_at(words, at + the) is not None
    link = at + size + (word_at(words, at + size) == "of")
    month = _months().get(word_at(words, link)) if day else None
    if month:
        whole = _with_year(words, at, Day(month, day, 0, link + 1 - at))
        return None if not ranked and _doubtful(words, link, at, whole) else whole
    alone = the and (before in ("on", "of") or before.endswith("day")) and at + size >= len(words)
    return Day(0, day, 0, size) if day and ranked and alone else None


def _doubtful(words: Sequence[Word], month: int, at: int, day: Day) -> bool:
    """Whether “may” or “march”, in a date that begins at `at`, may be no month."""
    sure = day.year or word_at(words, at - 1) in english().words("clock.in_a_month")
    return words[month] in ("may", "march") and not sure


def decade_at(words: Sequence[Word], at: int) -> tuple[int, int] | None:
    """The first year of the decade that begins at this word, and how many words it has: “the 1950s”, “the fifties”; but
    “in her fifties” is an age."""
    text, names = words[at], english().listed("numbers.decades")
    if text in names and word_at(words, at - 1) not in ("his", "her", "their"):
        return 1920 + 10 * names.index(text), 1
    return (int(text), 2) if is_year(text) and text.endswith("0") and word_at(words, at + 1) == "s" else None


def relative_at(words: Sequence[Word], at: int, today: date) -> tuple[date, int] | None:
    """A day that is said from today, and how many words say it: “tomorrow”, “friday”. “This friday” is the first from
    today on, “next friday” that of the following week, “last friday” the one before today."""
    days, size = english().value_at("clock.relative", words, at)
    if size:
        return today + timedelta(days=days), size
    weekday = weekdays().get(word_at(words, at))
    if weekday is None:
        return None
    ahead, lead = (weekday - today.weekday()) % 7, english().get("clock.leads").get(word_at(words, at - 1), 0)
    if lead:
        # The days since monday count where the following week is meant.
        ahead = 7 + weekday - today.weekday() if lead > 0 else ahead - 7
    return today + timedelta(days=ahead), 1


def span_at(words: Sequence[Word], at: int, today: date) -> tuple[date, date, int] | None:
    """The first and the last day of “this week”, “next month”, “last year”, “the last two years” up to today, and how
    many words say it."""
    lead = english().get("clock.leads").get(word_at(words, at))
    number, more = (number_at(words, at + 1) if lead else None) or (0, 0)
    many, size = (int(number), more + 2) if number <= _MOST_UNITS else (0, 2)
    unit = word_at(words, at + size - 1).removesuffix("s" if many else "")
    if lead is None or unit not in ("week", "month", "year"):
        return None
    months = lead * max(many, 1) * (12 if unit == "year" else 1)
    if many:
        other = today + timedelta(days=7 * lead * many) if unit == "week" else months_on(today, months)
        return min(today, other), max(today, other), size
    if unit == "week":
        first = today + timedelta(days=7 * lead - today.weekday())
        return first, first + timedelta(days=6), size
    first = months_on(today.replace(month=1 if unit == "year" else today.month, day=1), months)
    return first, months_on(first, 12 if unit == "year" else 1) - timedelta(days=1), size


def months_on(day: date, months: int) -> date:
    """The same day so many months later, or the last of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _day_at(words: Sequence[Word], at: int) -> tuple[int, int]:
    """A day of a month, with or without “the” and “th”, and how many words it has, 0 without one; the year may follow
    it in words."""
    start = at + (word_at(words, at) == "the")
    read = (ordinal_at(words, start), *(number_at(words[start : start + size], 0) for size in (2, 1)))
    days = ((int(one[0]), start - at + one[1]) for one in read if one and one[0] in range(1, 32))
    return next(days, (0, 0))


def _with_year(words: Sequence[Word], at: int, day: Day) -> Day:
    """The date with the year behind it: “1992”, “of 1992”, “nineteen ninety two”; behind a day also “92”."""
    after = at + day.size + (word_at(words, at + day.size) == "of")
    number, size = number_at(words, after) or (0, 0)
    short = day.day and word_at(words, after).isdigit() and 31 < number < 100
    year = f"{number + 1900 * bool(short):.0f}"
    return replace(day, year=int(year), size=after + size - at) if is_year(year) else day


def dated(day: Day, year: int) -> date | None:
    """The date, if it is whole; `year` where none is said."""
    try:
        return date(day.year or year, day.month, day.day)
    except ValueError:
        return None
