"""The tables of a SQLite file, read with Python's own sqlite3."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from curtain.base.progress_bar import Report
from curtain.base.sql_names import folded, quoted
from curtain.domain.pack.keys import ForeignKey
from curtain_packs.guessed_encoding import advice_on_encoding
from curtain_packs.guessed_types import AS_READ, guessed_moment
from curtain_packs.number_notations import number_reading
from curtain_packs.plain_tables import (
    Brought,
    FileWishes,
    SourceColumn,
    SourceError,
    copy_table,
    ensure_few_columns,
    first_sentence,
    load_rows,
    plain_name,
    plain_names,
    views_left_out,
    with_numbers,
)

_SHOWN = 30
_HELD = ("blob", "text", "real", "integer")
# SQLite gives at most 2,000 values a row.
_COLUMNS_AT_ONCE = 400
_LOOKED_AT = 5000
_MOMENTS = {"DATE": "DATE", "TIME": "TIME", "DATETIME": "TIMESTAMP", "TIMESTAMP": "TIMESTAMP"}
_EXACT = ("DEC", "NUM", "MONEY")
_NUMBERS = ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC")


@dataclass(frozen=True)
class _Column:
    """A column of a table: its name, its declaration in capitals, and the type that holds all its values."""

    name: str
    declared: str
    kind: str


def from_sqlite(
    source: Path, into: duckdb.DuckDBPyConnection, report: Report, brought: Brought, wishes: FileWishes
) -> None:
    """Makes a table in `into` of every table of the file. Raises SourceError."""
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as lite:
        lite.text_factory = partial(_name, source)
        # Reading goes on past a definition that SQLite does not understand; the file is open for reading alone.
        lite.execute("PRAGMA writable_schema = ON")
        tables = _tables(lite, brought)
        names = plain_names(tables)
        for number, (table, name) in enumerate(zip(tables, names, strict=True)):
            report(f"reading {table}", number / len(tables))
            try:
                _table(source, lite, table, into, name, wishes, brought)
                _keys(lite, table, name, dict(zip(map(folded, tables), names, strict=True)), brought)
            except sqlite3.DatabaseError as error:
                # A virtual table whose module is not here, or a damaged one; the others are whole.
                brought.notes.append(f"The table {table} was left out: {first_sentence(error)}")


def _name(source: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        shown = data.decode("ascii", "backslashreplace")
        raise SourceError(f"{source} has a name that is not UTF-8 text: “{shown}”. Rename it.") from error


def _tables(lite: sqlite3.Connection, brought: Brought) -> list[str]:
    """The tables in the order in which they were made, without those that SQLite keeps behind a virtual one."""
    listed = "SELECT name FROM sqlite_master WHERE type = {} AND name NOT LIKE 'sqlite%' ORDER BY rowid"
    brought.notes += views_left_out([name for (name,) in lite.execute(listed.format("'view'"))])
    # A full-text index keeps its data in ordinary tables that mean nothing to people.
    shadows = {name for _, name, kind, *_ in lite.execute("PRAGMA table_list") if kind == "shadow"}
    if shadows:
        brought.notes.append(f"Tables that SQLite keeps for a search were left out: {', '.join(sorted(shadows))}.")
    return [name for (name,) in lite.execute(listed.format("'table'")) if name not in shadows]


def _table(
    source: Path,
    lite: sqlite3.Connection,
    table: str,
    into: duckdb.DuckDBPyConnection,
    name: str,
    wishes: FileWishes,
    brought: Brought,
) -> None:
    count = len(lite.execute(f"PRAGMA table_xinfo({quoted(table)})").fetchall())
    ensure_few_columns(f"The table {table} of {source}", count)
    columns = list(_columns(lite, table, name, brought.notes))
    brought.notes += [f"{name}.{plain_name(one.name)} holds bytes and was left out." for one in columns if not one.kind]
    kept = [one for one in columns if one.kind]
    changed: Counter[tuple[str, str]] = Counter()
    load_rows(into, [one.kind for one in kept], _rows(source, lite, table, kept, wishes.encoding, changed))
    for (column, what), texts in changed.items():
        brought.notes.append(f"{name}.{plain_name(column)} {what} (rows: {texts:,}).")
    shown = [_shown(into, name, f"c{at}", one, wishes.dates, brought) for at, one in enumerate(kept)]
    copy_table(into, name, table, f"SELECT * FROM {AS_READ}", shown, brought)


def _columns(lite: sqlite3.Connection, table: str, name: str, notes: list[str]) -> Iterator[_Column]:
    """SQLite holds a type for each value; a column takes the narrowest that holds them all, and "" is for bytes."""
    lite.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()
    # Behind the sixth value a 1 stands for a hidden column of a virtual table.
    info = [row for row in lite.execute(f"PRAGMA table_xinfo({quoted(table)})") if row[6] != 1]
    computed = [row for row in info if row[6]]
    stored = [row for row in info if not row[6]]
    for begin in range(0, len(stored), _COLUMNS_AT_ONCE):
        yield from _described(lite, table, stored[begin : begin + _COLUMNS_AT_ONCE])
    for row in computed:
        try:
            yield from _described(lite, table, [row])
        except sqlite3.DatabaseError as error:
            # It is computed by a function of the program that made the file.
            notes.append(f"{name}.{plain_name(row[1])} was left out: {first_sentence(error)}")


def _described(lite: sqlite3.Connection, table: str, some: Sequence[Sequence[Any]]) -> Iterator[_Column]:
    asked = ", ".join(f"max(typeof({quoted(row[1])}) = '{kind}')" for row in some for kind in _HELD)
    [kinds_held] = lite.execute(f"SELECT {asked} FROM {quoted(table)}")
    for at, row in enumerate(some):
        blob, text, real, whole = kinds_held[at * len(_HELD) : (at + 1) * len(_HELD)]
        number = "DOUBLE" if real else "BIGINT" if whole else "VARCHAR"
        yield _Column(row[1], row[2].upper(), "" if blob else "VARCHAR" if text else number)


def _rows(
    source: Path,
    lite: sqlite3.Connection,
    table: str,
    columns: Sequence[_Column],
    encoding: str,
    changed: Counter[tuple[str, str]],
) -> Iterator[list[str | None]]:
    """The rows as texts, which hold each number exactly. Raises SourceError for a text that is not UTF-8."""
    lite.text_factory = bytes
    listed = ", ".join(quoted(one.name) for one in columns) or "NULL"
    try:
        for number, row in enumerate(lite.execute(f"SELECT {listed} FROM {quoted(table)}"), start=1):
            cells = []
            for column, value in zip(columns, row, strict=False):
                text = None if value is None else str(value)
                if isinstance(value, bytes):
                    try:
                        text = value.decode("utf-8")
                    except UnicodeDecodeError as error:
                        if not encoding:
                            raise _not_utf8(source, lite, table, column.name, number, value) from error
                        changed[column.name, f"has texts that are not UTF-8; they were read as {encoding}"] += 1
                        text = value.decode(encoding, "replace")
                    if "\0" in text:
                        changed[column.name, "held the sign NUL, which was taken out"] += 1
                        text = text.replace("\0", "")
                cells.append(text)
            yield cells
    finally:
        lite.text_factory = partial(_name, source)


def _not_utf8(source: Path, lite: sqlite3.Connection, table: str, column: str, number: int, text: bytes) -> SourceError:
    others = lite.execute(f"SELECT {quoted(column)} FROM {quoted(table)} LIMIT {_LOOKED_AT}")
    odd = [value for (value,) in others if isinstance(value, bytes) and not _is_utf8(value)]
    return SourceError(
        f"{source}: row {number} of the table {table} has a text in the column {column} that is not UTF-8. "
        f"Add {advice_on_encoding([text, *odd])}, or correct the text."
    )


def _is_utf8(text: bytes) -> bool:
    try:
        return text.decode("utf-8") is not None
    except UnicodeDecodeError:
        return False


def _shown(
    into: duckdb.DuckDBPyConnection, table: str, sql: str, column: _Column, dates: str, brought: Brought
) -> SourceColumn:
    """SQLite has no dates and no booleans; what is declared as one becomes one if every value reads as one."""
    numbers = with_numbers(into, SourceColumn(column.name, sql, column.kind), f"SELECT * FROM {AS_READ}")
    if numbers.note:
        return numbers
    if column.kind == "DOUBLE" and column.declared.startswith(_EXACT):
        exact = number_reading(into, f"CAST({sql} AS VARCHAR)", f"SELECT * FROM {AS_READ}", ".")
        return SourceColumn(column.name, exact.sql or sql, exact.kind if exact.sql else column.kind)
    wanted = _wanted(column.declared, column.kind)
    if wanted in _MOMENTS.values() and (moment := guessed_moment(into, sql, dates)):
        return SourceColumn(column.name, moment.sql, moment.kind, moment.note)
    odd = next(_unfit(into, sql, wanted), None) if wanted else None
    if odd is not None:
        kept = "text" if column.kind == "VARCHAR" else "a number"
        about = f"{table}.{plain_name(column.name)} is declared {column.declared} and holds {_such_as(odd)}"
        brought.notes.append(f"{about}; it is kept as {kept}.")
    fits = wanted and odd is None
    return SourceColumn(column.name, f"CAST({sql} AS {wanted})" if fits else sql, wanted if fits else column.kind)


def _such_as(value: str) -> str:
    shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
    return f"values such as “{shown}”" if shown.strip() else "empty texts"


def _wanted(declared: str, kind: str) -> str:
    """What the declaration makes of a column that was read as `kind`; nothing if it says no more."""
    if kind == "VARCHAR" and declared.startswith(_NUMBERS):
        return "DOUBLE"
    if kind == "BIGINT" and declared.startswith("BOOL"):
        return "BOOLEAN"
    return _MOMENTS.get(declared, "") if kind == "VARCHAR" else ""


def _unfit(into: duckdb.DuckDBPyConnection, name: str, wanted: str) -> Iterator[str]:
    """A value that does not read as what is wanted, if there is one."""
    fits = f"{name} IN (0, 1)" if wanted == "BOOLEAN" else f"TRY_CAST({name} AS {wanted}) IS NOT NULL"
    query = f"SELECT CAST({name} AS VARCHAR) FROM {AS_READ} WHERE {name} IS NOT NULL AND NOT ({fits}) LIMIT 1"
    yield from (str(value) for (value,) in into.execute(query).fetchall())


def _keys(lite: sqlite3.Connection, table: str, name: str, names: dict[str, str], brought: Brought) -> None:
    columns = list(lite.execute(f"PRAGMA table_info({quoted(table)})"))
    key = [row[1] for row in sorted(columns, key=lambda row: row[5]) if row[5]]
    if key:
        brought.keys[name] = brought.plain_columns(name, key)
    # SQLite gives a reference of several columns in several rows, with one number.
    references: dict[int, list[tuple[str, str | None, str]]] = {}
    for number, _, there, column, their, *_ in lite.execute(f"PRAGMA foreign_key_list({quoted(table)})"):
        references.setdefault(number, []).append((str(column), their, folded(str(there))))
    for pairs in references.values():
        there = names.get(pairs[0][2])
        if there is not None:
            theirs = brought.plain_columns(there, [their for _, their, _ in pairs if their])
            column = brought.plain_columns(name, [one for one, _, _ in pairs])
            brought.references.append(ForeignKey(name, column, there, theirs))
