"""What the texts of a column are: numbers, dates, times, or texts. Every value has a say, so that none is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import duckdb

from curtain_packs.number_notations import looks_like_number, number_reading

AS_READ = "curtain_as_read"
"""The temporary table that holds the rows of the source while their types are looked for."""

_SAMPLE = 1000
_CLOCK = r"\d{1,2}:\d{2}(:\d{2})?( ?[AaPp][Mm])?"
_ISO = r"\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
_OFFSET = r" ?(Z|UTC|[+-]\d{2}(:?\d{2})?)"
_NUMERIC_DATE = r"\d{1,2}[./-]\d{1,2}[./-]\d{4}"
_CLOCKS = ("%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p", "%I:%M:%S%p", "%I:%M%p")
_ORDERS = {"dmy": ("%d/%m/%Y", "day, month, year"), "mdy": ("%m/%d/%Y", "month, day, year")}

# A code such as 0920 stays a text, and so does a whole number that a DOUBLE would round.
_WHOLE = r"[+-]?(0|[1-9]\d{0,18})"
_REAL = r"[+-]?((0|[1-9]\d{0,17})(\.\d*)?|\.\d+)([eE][+-]?\d+)?"
_LOOKS = {
    "number": rf"{_REAL}|[+-]?[\d.,]*\d",
    "date": rf"({_ISO}|{_NUMERIC_DATE}|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}).*",
    "time": _CLOCK,
}


@dataclass(frozen=True)
class GuessedType:
    """How a column of texts is read: the SQL, its type, what to say about it as the end of a sentence, the order of
    day and month (dmy or mdy) if the texts alone do not show it, and how a pack writes its numbers."""

    sql: str
    kind: str
    note: str = ""
    order: str = ""
    format: str = ""


def guessed_type(into: duckdb.DuckDBPyConnection, column: str, dates: str, decimal: str = "") -> GuessedType:
    """What all texts of a column are. `dates` is dmy, mdy, text or "", `decimal` as for `number_reading`."""
    texts = _Texts(into, column)
    if plain := texts.first(_plain_forms(column)):
        return plain
    number = number_reading(into, column, f"SELECT * FROM {AS_READ}", decimal)
    if number.sql:
        return GuessedType(number.sql, number.kind, number.note, format=number.format)
    real = texts.first(iter([(_REAL, _cast(column, "DOUBLE"))]))
    return real or _moment(texts, dates) or GuessedType(column, "VARCHAR", number.note)


def guessed_moment(into: duckdb.DuckDBPyConnection, column: str, dates: str) -> GuessedType | None:
    """The date or time that all texts of a column are; None if they are something else.

    Dates such as 01/02/2020 are read only where some value, or `dates`, says which part is the month.
    """
    return _moment(_Texts(into, column), dates)


def _moment(texts: _Texts, dates: str) -> GuessedType | None:
    return texts.first(_moments(texts.column)) or _numeric_dates(texts, dates)


def looks_like(text: str) -> str:
    """What one text looks like: "number", "date", "time" or "text"; "" for nothing."""
    text = text.strip()
    if looks_like_number(text):
        return "number"
    return next((kind for kind, form in _LOOKS.items() if re.fullmatch(form, text)), "text") if text else ""


Forms = Iterator[tuple[str, GuessedType]]
"""Patterns, and how texts are read that look like one."""


def _plain_forms(column: str) -> Forms:
    for pattern, kind in (("(?i)true|false", "BOOLEAN"), (_WHOLE, "BIGINT")):
        yield pattern, _cast(column, kind)


def _moments(column: str) -> Forms:
    yield r"\d{4}[-/]\d{1,2}[-/]\d{1,2}", _cast(column, "DATE")
    yield rf"{_ISO}|\d{{4}}-\d{{1,2}}-\d{{1,2}}", _cast(column, "TIMESTAMP")
    yield r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?", _cast(column, "TIME")
    # The connection counts in UTC, so the cast to a time without a zone is one to UTC.
    utc = f"CAST(TRY_CAST({column} AS TIMESTAMPTZ) AS TIMESTAMP)"
    yield f"{_ISO}{_OFFSET}", GuessedType(utc, "TIMESTAMP", "had a time zone; it is kept as UTC")
    note = "holds times with and without an offset from UTC; it is kept as text"
    yield rf"{_ISO}({_OFFSET})?", GuessedType(column, "VARCHAR", note)


def _cast(column: str, kind: str) -> GuessedType:
    return GuessedType(f"TRY_CAST({column} AS {kind})", kind)


def _numeric_dates(texts: _Texts, wanted: str) -> GuessedType | None:
    column = texts.column
    if not texts.fit(f"{_NUMERIC_DATE}([T ]{_CLOCK})?", column):
        return None
    day = texts.fit(_NUMERIC_DATE, column)
    fitting = [order for order in _ORDERS if texts.fit(".*", _read_as(column, order))]
    # Who writes points writes the day first.
    dotted = texts.fit(r"\d+\..*", column)
    order = wanted or (fitting[0] if len(fitting) == 1 or (dotted and fitting) else "")
    example = texts.example(r"(1[3-9]|[23]\d)[./-].*|\d+[./-](1[3-9]|[23]\d)[./-].*")
    if order in fitting:
        sql = f"CAST({_read_as(column, order)} AS {'DATE' if day else 'TIMESTAMP'})"
        note = "" if wanted else f"holds dates such as {example}; they were read as {_ORDERS[order][1]}"
        return GuessedType(sql, "DATE" if day else "TIMESTAMP", note, order)
    if wanted == "text":
        return GuessedType(column, "VARCHAR")
    if wanted or not fitting:
        return GuessedType(column, "VARCHAR", f"holds dates such as {example} in no one order; it is kept as text")
    why = "where day and month cannot be distinguished; it is kept as text. Add --dates dmy or --dates mdy to read them"
    return GuessedType(column, "VARCHAR", f"holds dates such as {example}, {why}")


def _read_as(column: str, order: str) -> str:
    day = _ORDERS[order][0]
    formats = ", ".join(f"'{one}'" for one in (day, *(f"{day} {clock}" for clock in _CLOCKS)))
    return f"try_strptime(translate(trim({column}), '.-T', '// '), [{formats}])"


class _Texts:
    """The texts of one column; a few of them are looked at here first, since most forms fail at once."""

    def __init__(self, into: duckdb.DuckDBPyConnection, column: str) -> None:
        self.column = column
        self._into = into
        query = f"SELECT trim({column}) FROM {AS_READ} WHERE {column} IS NOT NULL LIMIT {_SAMPLE}"
        self._some: list[str] = [text for (text,) in into.execute(query).fetchall()]

    def first(self, forms: Forms) -> GuessedType | None:
        """The first of the forms that every text has."""
        return next((guess for pattern, guess in forms if self.fit(pattern, guess.sql)), None)

    def fit(self, pattern: str, sql: str) -> bool:
        """Whether every text, and there is one, looks like `pattern` and is read by `sql`."""
        looks = re.compile(pattern, re.ASCII | re.DOTALL)
        if not self._some or not all(map(looks.fullmatch, self._some)):
            return False
        fits = f"regexp_full_match(trim({self.column}), '{pattern}') AND {sql} IS NOT NULL"
        odd = f"SELECT 1 FROM {AS_READ} WHERE {self.column} IS NOT NULL AND NOT coalesce({fits}, false) LIMIT 1"
        return not self._into.execute(odd).fetchall()

    def example(self, unambiguous: str) -> str:
        """A text, one of the form `unambiguous` if there is one."""
        order = f"NOT regexp_full_match(trim({self.column}), '{unambiguous}')"
        query = f"SELECT trim({self.column}) FROM {AS_READ} WHERE {self.column} IS NOT NULL ORDER BY {order} LIMIT 1"
        return str(self._into.execute(query).fetchall()[0][0])
