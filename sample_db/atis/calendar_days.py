"""Days of the week as sets, clock times as minutes, and how the database writes both."""

from __future__ import annotations

from datetime import date, timedelta

ABBREVIATIONS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
NAMES = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")
MONTHS = (
    "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE",
    "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
)  # fmt: skip
DAILY = 0b1111111
MINUTES_A_DAY = 1440


def days_of(code: str) -> int:
    """`MO WE` or `DAILY` as a set of bits, Monday being the lowest."""
    return DAILY if code == "DAILY" else sum(1 << ABBREVIATIONS.index(day) for day in code.split())


def days_code(days: int) -> str:
    if days == DAILY:
        return "DAILY"
    return " ".join(name for place, name in enumerate(ABBREVIATIONS) if days >> place & 1)


def days_rows(codes: set[str]) -> list[tuple[str, str]]:
    """Rows of `days`: each code with the names of its days."""
    return [(code, name) for code in sorted(codes) for place, name in enumerate(NAMES) if days_of(code) >> place & 1]


def minutes_of(clock: str) -> int:
    """`0915` as minutes after midnight."""
    return int(clock[:-2] or 0) * 60 + int(clock[-2:])


def clock_of(minutes: int) -> int:
    """Minutes after midnight as the database writes a time: 915 is a quarter past nine; a later day is not shown."""
    hour, minute = divmod(minutes % MINUTES_A_DAY, 60)
    return hour * 100 + minute


def date_rows(first: date, last: date) -> list[tuple[int, int, int, str]]:
    """Rows of `date_day`, both ends included."""
    span = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return [(day.month, day.day, day.year, NAMES[day.weekday()]) for day in span]
