"""The tables of a SQLite file, read with Python's own sqlite3."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import duckdb

from curtain.base.scratch import ScratchFolder
from curtain.base.sql_names import folded, quoted, sql_literal

from ..pack.keys import ForeignKey
from .plain_tables import Brought, Tell, copy_table, plain_name, plain_names, views_left_out

_ROWS_AT_ONCE = 20_000
_SHOWN = 30
_AS_READ = "curtain_as_read"
_MOMENTS = {"DATE": "DATE", "TIME": "TIME", "DATETIME": "TIMESTAMP", "TIMESTAMP": "TIMESTAMP"}
_NUMBERS = ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC")


def from_sqlite(source: Path, into: duckdb.DuckDBPyConnection, tell: Tell) -> Brought:
    """Makes a table in `into` of every table of the file."""
    brought = Brought()
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as lite,
        ScratchFolder("sqlite") as at,
    ):
        tables = _tables(lite, brought)
        names = plain_names(tables)
        for number, (table, name) in enumerate(zip(tables, names, strict=True)):
            tell(f"reading {table}", number / len(tables))
            _table(lite, table, into, name, at / "rows.csv", brought)
        for table, name in zip(tables, names, strict=True):
            _keys(lite, table, name, dict(zip(map(str.lower, tables), names, strict=True)), brought)
    return brought


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
    lite: sqlite3.Connection, table: str, into: duckdb.DuckDBPyConnection, name: str, csv: Path, brought: Brought
) -> None:
    rows = lite.execute(f"SELECT * FROM {quoted(table)}")
    columns = [str(column[0]) for column in rows.description]
    kinds = _written(rows, columns, csv)
    declared = {str(row[1]): str(row[2]).upper() for row in lite.execute(f"PRAGMA table_info({quoted(table)})")}
    brought.notes += [
        f"{name}.{plain_name(one)} holds bytes and was left out." for one in columns if bytes in kinds[one]
    ]
    kept = [column for column in columns if bytes not in kinds[column]]
    # Read into a table first: a cast in the same statement would be made while the file is read, and fail there.
    into.execute(f"CREATE OR REPLACE TEMP TABLE {_AS_READ} AS {_select_from(csv, columns, kinds)}")
    shown = ", ".join(_column(into, name, one, declared.get(one, ""), _type(kinds[one]), brought) for one in kept)
    copy_table(into, name, f"SELECT {shown or 'NULL'} FROM temp.{_AS_READ}", brought)
    into.execute(f"DROP TABLE temp.{_AS_READ}")


def _written(rows: sqlite3.Cursor, columns: Sequence[str], csv: Path) -> dict[str, set[type]]:
    """Writes the rows as CSV; what kinds of values each column holds."""
    kinds: list[set[type]] = [set() for _ in columns]
    with csv.open("w", encoding="utf-8", newline="\n") as file:
        while batch := rows.fetchmany(_ROWS_AT_ONCE):
            for row in batch:
                for kind, value in zip(kinds, row, strict=True):
                    kind.add(type(value))
                # Something before the first cell: a line of nothing but NULL would be no line.
                file.write(",".join(["0", *map(_cell, row)]) + "\n")
    return dict(zip(columns, kinds, strict=True))


def _cell(value: object) -> str:
    if value is None or isinstance(value, bytes):
        return ""
    return '"' + str(value).replace('"', '""').replace("\0", "") + '"'


def _select_from(csv: Path, columns: Sequence[str], kinds: dict[str, set[type]]) -> str:
    written = {"".join(columns) + "_": "INTEGER", **{column: _type(kinds[column]) for column in columns}}
    listed = ", ".join(f"{sql_literal(column)}: {sql_literal(kind)}" for column, kind in written.items())
    options = "header=false, auto_detect=false, delim=',', quote='\"', escape='\"', allow_quoted_nulls=false"
    return f"SELECT * FROM read_csv({sql_literal(str(csv))}, columns={{{listed}}}, {options})"


def _type(kinds: set[type]) -> str:
    kinds_given = kinds - {type(None), bytes}
    if kinds_given <= {int} and kinds_given:
        return "BIGINT"
    return "DOUBLE" if kinds_given <= {int, float} and kinds_given else "VARCHAR"


def _column(
    into: duckdb.DuckDBPyConnection, table: str, column: str, declared: str, kind: str, brought: Brought
) -> str:
    """SQLite has no dates and no booleans; what is declared as one becomes one if every value reads as one."""
    name = quoted(column)
    wanted = _wanted(declared, kind)
    odd = next(_unfit(into, name, wanted), None) if wanted else None
    if odd is not None:
        kept = "text" if kind == "VARCHAR" else "a number"
        about = f"{table}.{plain_name(column)} is declared {declared} and holds {_such_as(odd)}"
        brought.notes.append(f"{about}; it is kept as {kept}.")
    return f"CAST({name} AS {wanted}) AS {name}" if wanted and odd is None else name


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
    query = f"SELECT CAST({name} AS VARCHAR) FROM temp.{_AS_READ} WHERE {name} IS NOT NULL AND NOT ({fits}) LIMIT 1"
    yield from (str(value) for (value,) in into.execute(query).fetchall())


def _keys(lite: sqlite3.Connection, table: str, name: str, names: dict[str, str], brought: Brought) -> None:
    columns = list(lite.execute(f"PRAGMA table_info({quoted(table)})"))
    key = tuple(plain_name(str(row[1])) for row in sorted(columns, key=lambda row: row[5]) if row[5])
    if key:
        brought.keys[name] = key
    # SQLite gives a reference of several columns in several rows, with one number.
    references: dict[int, list[tuple[str, str | None, str]]] = {}
    for number, _, there, column, their, *_ in lite.execute(f"PRAGMA foreign_key_list({quoted(table)})"):
        references.setdefault(number, []).append((str(column), their, folded(str(there))))
    for pairs in references.values():
        there = names.get(pairs[0][2])
        if there is not None:
            theirs = tuple(plain_name(their or "") for _, their, _ in pairs)
            column = tuple(plain_name(one) for one, _, _ in pairs)
            brought.references.append(ForeignKey(name, column, there, theirs if pairs[0][1] else ()))
