"""How a person reads the values of a table. Texts only; what a column may hold at all is decided here too."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal

EMPTY = "-"
_CUT = "…"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "BIGNUM"}
_NUMBERS = _WHOLE | {f"U{name}" for name in _WHOLE} | {"FLOAT", "DOUBLE", "DECIMAL"}
_TIMES = {"DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"}
_OTHERS = {"VARCHAR", "BOOLEAN", "ENUM", "UUID", "NULL", '"NULL"'}


def base_type(type_name: str) -> str:
    """`DECIMAL(9,2)` is DECIMAL; a list or a struct keeps its whole name."""
    return type_name if type_name.endswith("]") else type_name.partition("(")[0]


def is_numeric(type_name: str) -> bool:
    """Whether a column of this DuckDB type holds numbers; precision and scale in brackets are ignored."""
    return base_type(type_name) in _NUMBERS


def refusal(type_name: str) -> str | None:
    """Why a column of this type is no part of a table for people, as the end of a sentence; None if it is one."""
    base = base_type(type_name)
    if base in _NUMBERS | _TIMES | _OTHERS:
        return None
    if base == "INTERVAL":
        return "is a length of time; write it as a number, as in date_diff('day', start, end)"
    if base.endswith("WITH TIME ZONE"):
        return "has a time zone; cast it to TIMESTAMP or DATE"
    return "holds lists, rows or bytes; select the columns one by one"


def unsayable(column: str, type_name: str) -> tuple[str, str]:
    """What of a type no answer can hold, in words, and the condition in SQL on a column; empty if there is nothing."""
    match base_type(type_name):
        case "VARCHAR":
            return "Texts with a double quote or the sign NUL", f"{column} LIKE '%\"%' OR contains({column}, chr(0))"
        case "FLOAT" | "DOUBLE":
            return "Numbers that are infinite or undefined", f"NOT isfinite({column})"
    return "", ""


def display_rows(rows: Iterable[Sequence[object]], limit_bytes: int) -> list[list[str]]:
    """The rows as texts, as many as fit into the limit; a first row that is too long by itself is cut."""
    shown: list[list[str]] = []
    left = limit_bytes
    for row in rows:
        texts = [text_of(value) for value in row]
        left -= sum(len(text.encode("utf-8", "replace")) for text in texts)
        if left < 0:
            return shown or [_cut(texts, limit_bytes)]
        shown.append(texts)
    return shown


def _cut(texts: list[str], limit_bytes: int) -> list[str]:
    # A character is at most four bytes in UTF-8.
    room = limit_bytes // (4 * len(texts))
    return [text if len(text) <= room else text[: room - 1] + _CUT for text in texts]


def text_of(value: object) -> str:
    """One value as a person reads it: `yes`, `6 Oct 1952`, `9:05`, `36.87`, `-` for nothing."""
    match value:
        case None:
            return EMPTY
        case bool():
            return "yes" if value else "no"
        case float() | Decimal():
            return _number(value)
        # Before the date: a datetime is one, too.
        case datetime():
            return f"{_date(value)}, {_time(value.time())}"
        case date():
            return _date(value)
        case time():
            return _time(value)
    # Spreadsheets and Windows put a carriage return there.
    return str(value).replace("\r\n", "\n").replace("\r", "\n")


def _number(value: float | Decimal) -> str:
    """Four decimals, or four digits if it is smaller than one; no exponent, no trailing zeros."""
    exact = Decimal(str(value))
    if not exact.is_finite():
        return "not a number" if exact.is_nan() else "infinite"
    # Four digits from the first that is not 0: a small share would read as 0.0000.
    places = 4 if abs(exact) >= 1 or not exact else 3 - exact.adjusted()
    rounded = f"{exact:.{min(places, 30)}f}"
    text = rounded.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _date(value: date) -> str:
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"


def _time(value: time) -> str:
    seconds = f":{value.second:02}" if value.second or value.microsecond else ""
    return f"{value.hour}:{value.minute:02}{seconds}"
