"""How a pack writes money, numbers, dates, times and yes or no: each format is an example of its own kind.

A format is what stands for 1234.5, for 6 October 1952, or for five past nine in the morning: `$1,234.50`, `06.10.1952`,
`9:05 am`. Whoever writes a pack needs to learn no signs for it. A time of day may be a number in the database, as in
`905` (papers/001, rule 2.4.4).
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal

import msgspec

from curtain.base.sql_names import folded

DATE, TIME, BOOLEAN = "DATE", "TIME", "BOOLEAN"

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
_NUMBER = re.compile(r"(?P<before>\D*)1(?P<group>\D?)234((?P<point>[.,])(?P<places>50*))?(?P<after>\D*)")
_CLOCK = re.compile(r"(?P<before>\D*)(?P<hour>0?9)(?P<between>\D)05(?P<after>\D*)")
_MORNING = re.compile(r"\ba(\.?)m\b", re.IGNORECASE)
_DAY = re.compile(r"1952|October|Oct|10|06|52|6")


class Formats(msgspec.Struct, frozen=True):
    """`columns` maps `table.column` or `column` to an example; `date` and `time` hold for columns of these types.
    `truth` are the words for yes, no, and a missing value."""

    columns: dict[str, str] = {}
    date: str = ""
    time: str = ""
    truth: tuple[str, str, str] = ("Yes", "No", "Unknown")

    def of_column(self, origin: str) -> str:
        """The format of `table.column`; an empty text if it has none."""
        return self.columns.get(origin) or self.columns.get(origin.partition(".")[2], "")


def read_formats(written: Mapping[str, str | list[str]]) -> Formats:
    """The [formats] of a pack. Raises ValueError with a sentence that has no full stop."""
    columns: dict[str, str] = {}
    types = {DATE: "", TIME: ""}
    truth = Formats().truth
    for name, example in written.items():
        if name == BOOLEAN:
            truth = _truth_words(example)
        elif not isinstance(example, str) or kind_of(example) is None:
            raise ValueError(f"“{name}” must be an example such as “1,234.50”, “6 Oct 1952” or “9:05”")
        elif name in types:
            types[name] = example
        else:
            columns[folded(name)] = example
    return Formats(columns, types[DATE], types[TIME], truth)


def _truth_words(words: object) -> tuple[str, str, str]:
    if isinstance(words, list) and len(words) == 3:
        yes, no, unknown = (str(word).strip() for word in words)
        if yes and no and unknown:
            return yes, no, unknown
    raise ValueError(f'“{BOOLEAN}” must be three words such as ["Yes", "No", "Unknown"]')


def kind_of(example: str) -> str | None:
    """`number`, `date` or `time`; None if the example is none of these."""
    if _NUMBER.fullmatch(example):
        return "number"
    if _CLOCK.fullmatch(example):
        return "time"
    return "date" if {"6", "06"} & set(parts := _DAY.findall(example)) and {"1952", "52"} & set(parts) else None


def formatted(value: object, example: str) -> str | None:
    """A value as its column's example is written; None if it is of another kind than the example."""
    match value:
        case bool():
            return None
        case datetime():
            return _date(value.date(), example) if kind_of(example) == "date" else None
        case date():
            return _date(value, example) if kind_of(example) == "date" else None
        case time():
            return _clock(value.hour, value.minute, example)
        case int() if kind_of(example) == "time":
            hour, minute = divmod(value, 100)
            return _clock(hour, minute, example) if 0 <= hour <= 24 and 0 <= minute < 60 else None
        case int() | float() | Decimal():
            return _number(Decimal(str(value)), example)
    return None


def _number(value: Decimal, example: str) -> str | None:
    shape = _NUMBER.fullmatch(example)
    if shape is None or not value.is_finite():
        return None
    group, places = shape["group"], shape["places"]
    # Without places in the example nothing is rounded away: what is shown is the value of the answer.
    plain = f"{abs(value):,.{len(places)}f}" if places else f"{abs(value):,f}"
    whole, _, rest = plain.partition(".")
    point = shape["point"] or ("," if group == "." else ".")
    sign = "-" if value < 0 else ""
    digits = whole.replace(",", group) + (f"{point}{rest}" if rest.strip("0") or places else "")
    return f"{sign}{shape['before']}{digits}{shape['after']}"


def _date(value: date, example: str) -> str:
    month = _MONTHS[value.month - 1]
    parts = {
        "1952": f"{value.year:04}", "52": f"{value.year % 100:02}", "October": month, "Oct": month[:3],
        "10": f"{value.month:02}", "06": f"{value.day:02}", "6": str(value.day),
    }  # fmt: skip
    return _DAY.sub(lambda part: parts[part[0]], example)


def _clock(hour: int, minute: int, example: str) -> str | None:
    shape = _CLOCK.fullmatch(example)
    if shape is None:
        return None
    before, after = shape["before"], shape["after"]
    if halves := _MORNING.search(before + after):
        late = 12 <= hour < 24
        hour = hour % 12 or 12
        half = ("P" if halves[0][0] == "A" else "p") + halves[0][1:] if late else halves[0]
        before, after = before.replace(halves[0], half), after.replace(halves[0], half)
    padded = f"{hour:02}" if shape["hour"] == "09" else str(hour)
    return f"{before}{padded}{shape['between']}{minute:02}{after}"
