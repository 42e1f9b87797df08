"""Brings somebody's tables into one DuckDB file: from DuckDB, SQLite, or a folder of CSV or Parquet files.

SQLite is read with Python's own sqlite3. Nothing is written to the source, and no extension is loaded.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from curtain.errors import CurtainError

from .cells import base_type, refusal
from .keys import Reference

Tell = Callable[[str, float], None]

_CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
_PARQUET = (".parquet",)
_ROWS_AT_ONCE = 20_000


class SourceFault(CurtainError):
    """A database that cannot be read; names the file and what to do."""


@dataclass
class Brought:
    """What came over: the keys that the source declares, and what was left out or changed, in plain sentences."""

    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def bring(source: Path, into: duckdb.DuckDBPyConnection, tell: Tell) -> Brought:
    """Makes a table in `into` of every table of the source; `tell(what, share)` hears how far it is.

    Names become lower case letters, digits and underscores. Raises SourceFault.
    """
    try:
        brought = _reader(source)(source, into, tell)
    except (duckdb.Error, sqlite3.Error, OSError) as error:
        raise SourceFault(f"{source} cannot be read: {_first_sentence(error)}") from error
    if not list(tables_of(into)):
        raise SourceFault(f"{source} holds no table with rows and columns that can be shown to people.")
    return brought


def newest_day(source: Path) -> date:
    """The day on which the source was last changed."""
    files = _data_files(source) if source.is_dir() else [source]
    return date.fromtimestamp(max(file.stat().st_mtime for file in files))


def plain_name(name: str, taken: Iterable[str] = ()) -> str:
    """A name that needs no quotes and is not taken yet."""
    base = re.sub(r"\W+", "_", name.strip().lower(), flags=re.ASCII).strip("_") or "column"
    base = f"c_{base}" if base[0].isdigit() else base
    used = set(taken)
    numbered = (f"{base}_{number}" for number in range(2, len(used) + 3))
    return next(found for found in (base, *numbered) if found not in used)


def _reader(source: Path) -> Callable[[Path, duckdb.DuckDBPyConnection, Tell], Brought]:
    if not source.exists():
        raise SourceFault(f"There is nothing at {source}; name a DuckDB or SQLite file or a folder of CSV or Parquet.")
    if source.is_dir() or _is_data(source):
        return _from_files
    with source.open("rb") as file:
        head = file.read(16)
    if head.startswith(b"SQLite format 3"):
        return _from_sqlite
    if head[8:12] == b"DUCK":
        return _from_duckdb
    raise SourceFault(f"{source} is neither a DuckDB nor a SQLite file, nor CSV or Parquet.")


def _first_sentence(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return re.split(r"(?<=\w)\. |\n", text)[0].rstrip(".") + "."


# -- DuckDB --------------------------------------------------------------------------------------------------------


def _from_duckdb(source: Path, into: duckdb.DuckDBPyConnection, tell: Tell) -> Brought:
    into.execute(f"ATTACH {_text(str(source))} AS source (READ_ONLY)")
    brought = Brought()
    try:
        query = "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' AND NOT internal"
        found = into.execute(f"{query} ORDER BY table_oid").fetchall()
        names = _named([table for _, table in found])
        for number, (schema, table) in enumerate(found):
            tell(f"reading {table}", number / len(found))
            origin = f"source.{_quoted(schema)}.{_quoted(table)}"
            _copy(into, names[number], f"SELECT * FROM {origin}", brought)
        _duckdb_keys(into, [table for _, table in found], names, brought)
    finally:
        into.execute("DETACH source")
    return brought


def _duckdb_keys(into: duckdb.DuckDBPyConnection, tables: list[str], names: list[str], brought: Brought) -> None:
    known = dict(zip(tables, names, strict=True))
    query = """SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
        FROM duckdb_constraints() WHERE database_name = 'source'"""
    for table, kind, columns, there, theirs in into.execute(query).fetchall():
        own = tuple(plain_name(column) for column in columns)
        if kind == "PRIMARY KEY":
            brought.keys[known[table]] = own
        elif kind == "FOREIGN KEY" and there in known:
            brought.references.append(Reference(known[table], own, known[there], tuple(map(plain_name, theirs))))


# -- files ---------------------------------------------------------------------------------------------------------


def _from_files(source: Path, into: duckdb.DuckDBPyConnection, tell: Tell) -> Brought:
    files = _data_files(source) if source.is_dir() else [source]
    if not files:
        raise SourceFault(f"There is no CSV or Parquet file in {source}.")
    brought = Brought()
    for number, (file, name) in enumerate(zip(files, _named([_stem(file) for file in files]), strict=True)):
        tell(f"reading {file.name}", number / len(files))
        # Every line is looked at before a column is called a number; a code such as 0920 stays a text.
        reader = "read_parquet({})" if _is_parquet(file) else "read_csv({}, sample_size=-1)"
        _copy(into, name, f"SELECT * FROM {reader.format(_text(str(file)))}", brought)
    return brought


def _data_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file() and _is_data(file))


def _is_data(file: Path) -> bool:
    return file.name.lower().endswith((*_CSV, *_PARQUET))


def _is_parquet(file: Path) -> bool:
    return file.name.lower().endswith(_PARQUET)


def _stem(file: Path) -> str:
    return re.sub(r"(\.csv|\.tsv|\.parquet)(\.gz)?$", "", file.name, flags=re.IGNORECASE)


# -- SQLite --------------------------------------------------------------------------------------------------------


def _from_sqlite(source: Path, into: duckdb.DuckDBPyConnection, tell: Tell) -> Brought:
    brought = Brought()
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as lite,
        TemporaryDirectory() as at,
    ):
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid"
        tables = [name for (name,) in lite.execute(query)]
        names = _named(tables)
        for number, (table, name) in enumerate(zip(tables, names, strict=True)):
            tell(f"reading {table}", number / len(tables))
            _sqlite_table(lite, table, into, name, Path(at) / "rows.csv", brought)
        for table, name in zip(tables, names, strict=True):
            _sqlite_keys(lite, table, name, dict(zip(map(str.lower, tables), names, strict=True)), brought)
    return brought


def _sqlite_table(
    lite: sqlite3.Connection, table: str, into: duckdb.DuckDBPyConnection, name: str, csv: Path, brought: Brought
) -> None:
    rows = lite.execute(f"SELECT * FROM {_quoted(table)}")
    columns = [str(column[0]) for column in rows.description]
    kinds: list[set[type]] = [set() for _ in columns]
    with csv.open("w", encoding="utf-8", newline="\n") as file:
        while batch := rows.fetchmany(_ROWS_AT_ONCE):
            for row in batch:
                for kind, value in zip(kinds, row, strict=True):
                    kind.add(type(value))
                # Something before the first cell: a line of nothing but NULL would be no line.
                file.write(",".join(["0", *map(_csv_cell, row)]) + "\n")
    declared = {str(row[1]): str(row[2]).upper() for row in lite.execute(f"PRAGMA table_info({_quoted(table)})")}
    types = {column: _duckdb_type(kind) for column, kind in zip(columns, kinds, strict=True)}
    written = {"".join(columns) + "_": "INTEGER", **types}
    listed = ", ".join(f"{_text(column)}: {_text(kind)}" for column, kind in written.items())
    options = "header=false, auto_detect=false, delim=',', quote='\"', escape='\"', allow_quoted_nulls=false"
    bytes_in = [column for column, kind in zip(columns, kinds, strict=True) if bytes in kind]
    brought.notes += [f"{name}.{plain_name(column)} holds bytes and was left out." for column in bytes_in]
    kept = [column for column in columns if column not in bytes_in]
    shown = ", ".join(_sqlite_column(column, declared.get(column, ""), types[column]) for column in kept) or "NULL"
    _copy(into, name, f"SELECT {shown} FROM read_csv({_text(str(csv))}, columns={{{listed}}}, {options})", brought)


def _csv_cell(value: object) -> str:
    if value is None or isinstance(value, bytes):
        return ""
    return '"' + str(value).replace('"', '""').replace("\0", "") + '"'


def _duckdb_type(kinds: set[type]) -> str:
    known = kinds - {type(None), bytes}
    if known <= {int} and known:
        return "BIGINT"
    return "DOUBLE" if known <= {int, float} and known else "VARCHAR"


def _sqlite_column(column: str, declared: str, kind: str) -> str:
    """SQLite has no dates and no booleans; what is declared as one and reads as one becomes one."""
    name = _quoted(column)
    if kind == "VARCHAR" and declared in ("DATE", "TIME", "DATETIME", "TIMESTAMP"):
        return f"TRY_CAST({name} AS {'TIMESTAMP' if declared == 'DATETIME' else declared}) AS {name}"
    if kind == "BIGINT" and declared.startswith("BOOL"):
        return f"CAST({name} AS BOOLEAN) AS {name}"
    return name


def _sqlite_keys(lite: sqlite3.Connection, table: str, name: str, names: dict[str, str], brought: Brought) -> None:
    columns = list(lite.execute(f"PRAGMA table_info({_quoted(table)})"))
    key = tuple(plain_name(str(row[1])) for row in sorted(columns, key=lambda row: row[5]) if row[5])
    if key:
        brought.keys[name] = key
    found: dict[int, list[tuple[str, str | None, str]]] = {}
    for number, _, there, own, their, *_ in lite.execute(f"PRAGMA foreign_key_list({_quoted(table)})"):
        found.setdefault(number, []).append((str(own), their, str(there).lower()))
    for pairs in found.values():
        there = names.get(pairs[0][2])
        if there is not None:
            theirs = tuple(plain_name(their or "") for _, their, _ in pairs)
            own = tuple(plain_name(one) for one, _, _ in pairs)
            brought.references.append(Reference(name, own, there, theirs if pairs[0][1] else ()))


# -- for all -------------------------------------------------------------------------------------------------------


def _copy(into: duckdb.DuckDBPyConnection, name: str, query: str, brought: Brought) -> None:
    """One table with plain names and with types that people can be shown."""
    described = into.execute(f"DESCRIBE {query}").fetchall()
    shown: list[str] = []
    taken: list[str] = []
    for column, kind, *_ in described:
        as_shown, note = _shown(str(column), str(kind))
        if note:
            brought.notes.append(f"{name}.{column} {note}.")
        if as_shown:
            taken.append(plain_name(str(column), taken))
            shown.append(f"{as_shown} AS {_quoted(taken[-1])}")
    if not shown:
        brought.notes.append(f"The table {name} has no column that can be shown and was left out.")
        return
    into.execute(f"CREATE TABLE {_quoted(name)} AS SELECT {', '.join(shown)} FROM ({query}) AS rows")
    if not into.execute(f"SELECT 1 FROM {_quoted(name)} LIMIT 1").fetchall():
        into.execute(f"DROP TABLE {_quoted(name)}")
        brought.notes.append(f"The table {name} has no rows and was left out.")


def _shown(column: str, kind: str) -> tuple[str, str]:
    """How a column is read, and what that changes, as the end of a sentence; nothing if it cannot be shown."""
    name = f"rows.{_quoted(column)}"
    base = base_type(kind)
    if base == "BLOB":
        return "", "holds bytes and was left out"
    if base.endswith("WITH TIME ZONE"):
        return f"CAST({name} AS TIMESTAMP)", "had a time zone; it is kept as UTC"
    if base in ("ENUM", "UUID") or '"NULL"' in base or base == "NULL":
        return f"CAST({name} AS VARCHAR)", ""
    if base == "FLOAT":
        return f"CAST({name} AS DOUBLE)", ""
    if refusal(kind):
        return f"CAST({name} AS VARCHAR)", "holds lists, rows or lengths of time; it is kept as text"
    return name, ""


def _named(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        found.append(plain_name(name, found))
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def tables_of(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, dict[str, str]]]:
    """Each table with its columns and their types."""
    query = "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_oid"
    for (table,) in connection.execute(query).fetchall():
        columns = connection.execute(f"DESCRIBE {_quoted(table)}").fetchall()
        yield table, {str(column[0]): str(column[1]) for column in columns}
