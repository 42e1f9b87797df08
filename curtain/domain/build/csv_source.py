"""A CSV file, looked through line by line before it is taken for a table.

DuckDB finds out how a file is written. Where a line has a field too few or too many it may take the whole file for one
column, or pass over the lines before it; what it would lose is refused here, with file and line.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import duckdb

from curtain.base.input_file import open_unpacked
from curtain.base.sql_names import sql_literal

from .plain_tables import SourceFault

_DELIMITERS = (",", ";", "\t", "|")
_NOTHING = "(empty)"
NOT_ONE_TABLE = "is not written as one table: its lines cannot be divided into fields. Look at the quotes in it."


@dataclass(frozen=True)
class Writing:
    """How a CSV file is written, as DuckDB found: `skipped` lines before the names, `columns` of a row."""

    delimiter: str
    quote: str
    escape: str
    comment: str
    skipped: int
    named: bool
    columns: int


@dataclass(frozen=True)
class CsvLine:
    """A line that is no remark and not empty: its number in the file, from 1, and how many fields it has."""

    number: int
    fields: int


def select_from_csv(connection: duckdb.DuckDBPyConnection, file: Path, notes: list[str]) -> str:
    """The SELECT of all rows of the file; tells in `notes` what of it is not rows.

    Every line is looked at before a column is called a number; a code such as 0920 stays a text. Raises SourceFault.
    """
    # By default DuckDB looks at 20,480 rows and would call a column numbers if its first letter comes later.
    reader = f"SELECT * FROM read_csv({sql_literal(str(file))}, sample_size=-1)"
    _check_letters(file)
    writing = _writing(connection, file)
    if writing is None:
        return reader
    _check_widths(file, writing)
    if writing.skipped:
        notes.append(f"{file.name}: the text before line {writing.skipped + 1} was taken for comments and left out.")
    if not writing.named:
        notes.append(f"{file.name} has no line with the names of its columns; they are called column0 and so on.")
    return reader


def _check_letters(file: Path) -> None:
    with _opened(file) as raw:
        for number, line in enumerate(raw, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                sentence = f"{file}, line {number} is not UTF-8 text. Save the file as UTF-8 and try again."
                raise SourceFault(sentence) from error


def _writing(connection: duckdb.DuckDBPyConnection, file: Path) -> Writing | None:
    query = f"""SELECT Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, len(Columns)
        FROM sniff_csv({sql_literal(str(file))}, sample_size=-1)"""
    try:
        [row] = connection.execute(query).fetchall()
    except duckdb.Error as error:
        if not _first_line(file):
            return None  # told as a source without a table
        raise SourceFault(f"{file} {NOT_ONE_TABLE}") from error
    delimiter, quote, escape, comment = ("" if mark in (_NOTHING, None) else str(mark) for mark in row[:4])
    return Writing(delimiter, quote, escape, comment, skipped=row[4], named=row[5], columns=row[6])


def _check_widths(file: Path, writing: Writing) -> None:
    """Raises SourceFault for the first line that has another number of fields than the one with the names."""
    likely = _delimiter(file, writing)
    lines = _lines(file, likely, writing)
    head = next((line for line in lines if line.fields > 1 or line.number > writing.skipped), None)
    odd = next((line for line in lines if head and line.fields != head.fields), None)
    if head and odd:
        raise SourceFault(
            f"{file}, line {odd.number} has {_fields(odd.fields)}, and line {head.number} has {head.fields}. "
            f"Correct the line; a text with {_called(likely)} in it needs quotes."
        )


def _delimiter(file: Path, writing: Writing) -> str:
    """DuckDB's, unless it sees one column where the first line plainly has several."""
    if writing.columns > 1:
        return writing.delimiter
    first = _first_line(file)
    return max(_DELIMITERS, key=first.count) if any(one in first for one in _DELIMITERS) else writing.delimiter


def _first_line(file: Path) -> str:
    with _opened(file) as raw:
        return next((text for line in raw if (text := line.decode("utf-8-sig").strip())), "")


def _lines(file: Path, delimiter: str, writing: Writing) -> Iterator[CsvLine]:
    # Where DuckDB saw one column it may have seen the quotes wrong, too.
    quotes = bool(writing.quote) or writing.columns == 1
    escape = writing.escape if writing.escape not in ("", writing.quote) else None
    # Python's csv refuses fields above 128 KiB unless told otherwise, and only for the whole process.
    with _opened(file) as raw, _fields_of_any_size():
        text = io.TextIOWrapper(raw, "utf-8-sig", newline="")
        rows = csv.reader(
            text,
            delimiter=delimiter,
            quotechar=writing.quote or '"',
            escapechar=escape,
            quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        )
        before = 0
        for row in rows:
            if any(row) and not (writing.comment and row[0].startswith(writing.comment)):
                yield CsvLine(before + 1, len(row))
            before = rows.line_num


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    try:
        with open_unpacked(file) as raw:
            yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceFault(f"{file} cannot be unpacked: it is damaged or cut short.") from error
    except csv.Error as error:
        raise SourceFault(f"{file} {NOT_ONE_TABLE}") from error


@contextmanager
def _fields_of_any_size() -> Iterator[None]:
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _fields(number: int) -> str:
    return "1 field" if number == 1 else f"{number} fields"


def _called(delimiter: str) -> str:
    return "a tab" if delimiter == "\t" else f"“{delimiter}”"
