"""What every kind of source has in common: plain names, columns that people can be shown, and what to say about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import numpy as np

from curtain.base.errors import CurtainError
from curtain.base.sql_names import folded, keywords, quoted
from curtain.base.words import MARKS, without_accents
from curtain.domain.pack.cells import base_type, refusal
from curtain.domain.pack.keys import ForeignKey
from curtain_packs.guessed_types import AS_READ
from curtain_packs.number_notations import number_reading

_ROWS_AT_ONCE = 20_000
_LETTERS_AT_ONCE = 32 << 20
# A window shows about ten columns of an answer at once, and a wizard has to know them all. Ten rows of 1,000
# columns take 15 s, of 2,000 half a minute.
_MOST_COLUMNS = 1000
_DECIMAL = {"point": ".", "comma": ","}


class SourceError(CurtainError):
    """A database that cannot be read; names the file and what to do."""


@dataclass(frozen=True)
class Wishes:
    """What a person says about the files: for each file by its name, for all others by "". `headings` are what stands
    above a column, by table.column."""

    header: Mapping[str, str] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    encoding: Mapping[str, str] = field(default_factory=dict)
    decimal: Mapping[str, str] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)

    def of(self, file: Path) -> FileWishes:
        """What holds for one file. Raises SourceError for a value that makes no sense."""
        header, dates, encoding, decimal = (
            wishes.get(file.name, wishes.get("", ""))
            for wishes in (self.header, self.dates, self.encoding, self.decimal)
        )
        if header and not header.isdecimal():
            raise SourceError(f"--header {header}: give the number of the line with the names, or 0 for none.")
        if dates not in ("", "dmy", "mdy", "text"):
            raise SourceError(f"--dates {dates}: give dmy, mdy or text.")
        if decimal not in ("", *_DECIMAL):
            raise SourceError(f"--decimal {decimal}: give point or comma.")
        try:
            # Some codecs are for bytes alone.
            "a".encode(encoding or "utf-8")
        except (LookupError, ValueError):
            raise SourceError(f"--encoding {encoding}: there is no such encoding; cp1252 is one.") from None
        return FileWishes(int(header) if header else None, dates, encoding, _DECIMAL.get(decimal, ""))


@dataclass(frozen=True)
class FileWishes:
    """What a person says about one file; None and "" where nothing is said. `decimal` is “,” or “.”."""

    header: int | None = None
    dates: str = ""
    encoding: str = ""
    decimal: str = ""


@dataclass(frozen=True)
class FileReading:
    """How a CSV file was read: the line with the names (0 for none), what parts the fields, the encoding, and the order
    of its dates (dmy, mdy or "")."""

    file: str
    header: int
    separator: str
    encoding: str
    dates: str


@dataclass
class Brought:
    """What came over: the keys that the source declares, what was left out or changed, in plain sentences, how the
    source writes the names, by `table` and by `table.column`, how each table was read from its file, and how 1234 is
    written, by `table.column`."""

    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    references: list[ForeignKey] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    readings: dict[str, FileReading] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)

    def plain_columns(self, table: str, columns: Sequence[str]) -> tuple[str, ...]:
        """What columns of a table are called here, by the names that the source gives them."""
        known = {folded(written): place for place, written in self.written.items() if place.startswith(f"{table}.")}
        places = (known.get(folded(column), "") for column in columns)
        return tuple(place.removeprefix(f"{table}.") for place in places)


@dataclass(frozen=True)
class SourceColumn:
    """A column to be copied: its name in the source, the SQL that reads it, its type if known, how it was read, and how
    a pack writes 1234 of it."""

    written: str
    sql: str
    kind: str
    note: str = ""
    format: str = ""


def plain_name(name: str, taken: Iterable[str] = ()) -> str:
    """A name that needs no quotes and is not taken yet: lower case letters, digits and underscores.

    Latin and Greek letters lose their accents; letters of other scripts stay.
    """
    # No accent in Unicode, so it does not come apart.
    letters = without_accents(name.lower().replace("ß", "ss"))
    base = re.sub(rf"[^\w{MARKS}]+", "_", letters).strip("_") or "column"
    # SQL names do not begin with a digit.
    base = f"c_{base}" if base[0].isdigit() else base
    base = f"{base}_" if base in keywords("reserved", "type_function") else base
    used = set(taken)
    numbered = (f"{base}_{number}" for number in range(2, len(used) + 3))
    return next(found for found in (base, *numbered) if found not in used)


def plain_names(names: Sequence[str]) -> list[str]:
    """A plain name for each, all different."""
    plain: list[str] = []
    for name in names:
        plain.append(plain_name(name, plain))
    return plain


def load_rows(into: duckdb.DuckDBPyConnection, kinds: Sequence[str], rows: Iterable[Sequence[str | None]]) -> None:
    """Makes the temporary table `AS_READ` of rows of texts, with columns c0, c1 and so on of these types.

    A text comes over as it is, whatever lies in it and however long it is; through CSV it would not.
    """
    columns = ", ".join(f"c{number} {kind}" for number, kind in enumerate(kinds))
    into.execute(f"CREATE OR REPLACE TEMP TABLE {AS_READ} ({columns})")
    for batch in _batches(rows):
        # DuckDB reads it by the name of this variable.
        cells = {f"c{at}": np.array(one, dtype=object) for at, one in enumerate(zip(*batch, strict=True))}  # noqa: F841
        into.execute(f"INSERT INTO {AS_READ} SELECT * FROM cells")


def _batches(rows: Iterable[Sequence[str | None]]) -> Iterator[list[Sequence[str | None]]]:
    batch: list[Sequence[str | None]] = []
    letters = 0
    for row in rows:
        batch.append(row)
        letters += sum(map(len, filter(None, row)))
        if len(batch) == _ROWS_AT_ONCE or letters > _LETTERS_AT_ONCE:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def ensure_few_columns(place: object, count: int) -> None:
    """Raises SourceError for more columns than a table of a pack can have; `place` is the file or the table."""
    if count > _MOST_COLUMNS:
        most = f"a table of a pack can have {_MOST_COLUMNS:,}. Keep those that questions are about."
        raise SourceError(f"{place} has {count:,} columns, and {most}")


def columns_of(into: duckdb.DuckDBPyConnection, query: str, place: object) -> list[SourceColumn]:
    """The columns of a SELECT from `place`, to be copied by their own names. Raises SourceError."""
    described = into.execute(f"DESCRIBE {query}").fetchall()
    ensure_few_columns(place, len(described))
    columns = (SourceColumn(str(name), f"rows.{quoted(str(name))}", str(kind)) for name, kind, *_ in described)
    return [with_numbers(into, one, query) for one in columns]


def with_numbers(into: duckdb.DuckDBPyConnection, column: SourceColumn, query: str) -> SourceColumn:
    """A column of texts as numbers if all of them are written as people write numbers: “12,50”, “$100”.

    Where a source has types, digits alone that it calls a text are one.
    """
    number = number_reading(into, column.sql, query) if column.kind == "VARCHAR" else None
    return replace(column, **vars(number)) if number and number.sql and number.note else column


def copy_table(
    into: duckdb.DuckDBPyConnection,
    table: str,
    written: str,
    query: str,
    columns: Sequence[SourceColumn],
    brought: Brought,
) -> None:
    """One table with plain names and with types that people can be shown; `written` is its name in the source."""
    shown: list[str] = []
    taken: list[str] = []
    for column in columns:
        as_shown, note = _shown(column.sql, column.kind)
        # Columns whose headings are alike have different names, and a note is about one of them.
        plain = plain_name(column.written, taken)
        brought.notes += [f"{table}.{plain} {one}." for one in (column.note, note) if one]
        if as_shown:
            taken.append(plain)
            brought.written[f"{table}.{taken[-1]}"] = column.written if column.written.strip() else "column"
            shown.append(f"{as_shown} AS {quoted(taken[-1])}")
            if column.format:
                brought.formats[f"{table}.{plain}"] = column.format
    if not shown:
        brought.notes.append(f"The table {table} has no column that can be shown and was left out.")
        return
    into.execute(f"CREATE TABLE {quoted(table)} AS SELECT {', '.join(shown)} FROM ({query}) AS rows")
    brought.written[table] = written
    if not into.execute(f"SELECT 1 FROM {quoted(table)} LIMIT 1").fetchall():
        into.execute(f"DROP TABLE {quoted(table)}")
        brought.notes.append(f"The table {table} has no rows and was left out.")


def views_left_out(views: Sequence[str]) -> Iterator[str]:
    """One sentence about each view."""
    yield from (f"The view {view} was left out: a pack holds tables." for view in views)


def first_sentence(error: Exception) -> str:
    """What somebody else's error says first, without the statement that it shows."""
    text = " ".join(str(error).split("\nLINE 1:")[0].split()) or type(error).__name__
    return re.split(r"(?<=\w)\. |\n", text)[0].rstrip(".") + "."


def _shown(sql: str, kind: str) -> tuple[str, str]:
    """How a column is read, and what that changes, as the end of a sentence; nothing if it cannot be shown."""
    base = base_type(kind)
    if base == "BLOB":
        return "", "holds bytes and was left out"
    if base == "TIME WITH TIME ZONE":
        return f"CAST({sql} AT TIME ZONE 'UTC' AS TIME)", "had a time zone; it is kept as UTC"
    if base.endswith("WITH TIME ZONE"):
        return f"CAST({sql} AS TIMESTAMP)", "had a time zone; it is kept as UTC"
    if base in ("ENUM", "UUID") or '"NULL"' in base or base == "NULL":
        return f"CAST({sql} AS VARCHAR)", ""
    if base == "FLOAT":
        return f"CAST({sql} AS DOUBLE)", ""
    if refusal(kind):
        return f"CAST({sql} AS VARCHAR)", "holds lists, rows or lengths of time; it is kept as text"
    return sql, ""
