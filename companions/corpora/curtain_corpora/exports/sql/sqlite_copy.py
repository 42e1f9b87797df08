"""A SQLite copy of a domain's database, made with Python's own sqlite3, and what statements give on it."""

import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from datetime import time as clock_time
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import duckdb

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.sql_names import quoted

_ROWS_AT_ONCE = 5_000
_MOST_ROWS = 100_000
# Some seconds on a machine of today.
_MOST_STEPS, _STEPS = 300_000_000, 20_000

Kind = Literal["number", "text", "time", "boolean", "others"]


class NotOnSqlite(CurtainError):
    """A statement does not run on the SQLite copy, or a database cannot be copied; the sentence says why."""


@dataclass(frozen=True)
class CopyColumn:
    """A column of the copy, with the type that it has in DuckDB."""

    name: str
    type: str

    @property
    def kind(self) -> Kind:
        """The kind of values in Spider's `tables.json`."""
        base = self.type.partition("(")[0].upper()
        if base in ("DATE", "TIME") or base.startswith("TIMESTAMP"):
            return "time"
        if base == "BOOLEAN":
            return "boolean"
        return "number" if base in _NUMBERS else "text" if base in _TEXTS else "others"

    @property
    def declared(self) -> str:
        """The type of the column in SQLite."""
        if self.kind == "number":
            return "REAL" if self.type.partition("(")[0].upper() in _REALS else "INTEGER"
        return "INTEGER" if self.kind == "boolean" else "TEXT"


_REALS = {"FLOAT", "DOUBLE", "DECIMAL"}
_WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"}
_NUMBERS = _REALS | _WHOLE | {f"U{name}" for name in _WHOLE}
_TEXTS = {"VARCHAR", "UUID", "ENUM"}


@dataclass(frozen=True)
class CopyTable:
    """`references` are (own columns, table, its columns)."""

    name: str
    columns: tuple[CopyColumn, ...]
    key: tuple[str, ...] = ()
    references: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = ()


@contextmanager
def sqlite_errors_as_os_errors() -> Iterator[None]:
    """What SQLite says of the disk, in the system's own words."""
    try:
        yield
    except sqlite3.OperationalError as error:
        # The low byte is the error; the rest is its variety.
        kind = error.sqlite_errorcode & 0xFF
        if kind not in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            raise
        number = errno.ENOSPC if kind == sqlite3.SQLITE_FULL else errno.EIO
        raise OSError(number, os.strerror(number)) from error


def tables_of(database: Path) -> list[CopyTable]:
    """The tables of a DuckDB file in the order in which they were made. Raises NotOnSqlite."""
    with closing(opened(database)) as duck:
        names = [name for (name,) in duck.execute(_TABLES).fetchall()]
        columns = _by_table(duck.execute(_COLUMNS).fetchall())
        constraints = _by_table(duck.execute(_CONSTRAINTS).fetchall())
    return [_table(name, columns.get(name, ()), constraints.get(name, ())) for name in names]


_TABLES = "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_oid"
_COLUMNS = (
    "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal "
    "ORDER BY table_oid, column_index"
)
_CONSTRAINTS = (
    "SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names "
    "FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
)


def opened(database: Path) -> duckdb.DuckDBPyConnection:
    """A DuckDB file, to be read. Raises NotOnSqlite."""
    try:
        return duckdb.connect(str(database), read_only=True, config={"threads": 1, "memory_limit": "256MB"})
    except duckdb.Error as error:
        raise NotOnSqlite(f"The database {database} cannot be opened: {error}") from error


def _by_table(rows: Sequence[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    rows_of: dict[str, list[tuple[Any, ...]]] = {}
    for name, *rest in rows:
        rows_of.setdefault(name, []).append(tuple(rest))
    return rows_of


def _table(name: str, columns: Sequence[tuple[Any, ...]], constraints: Sequence[tuple[Any, ...]]) -> CopyTable:
    keys = [tuple(own) for kind, own, *_ in constraints if kind == "PRIMARY KEY"]
    references = [(tuple(own), to, tuple(its)) for kind, own, to, its in constraints if kind == "FOREIGN KEY"]
    return CopyTable(name, tuple(CopyColumn(*column) for column in columns), keys[0] if keys else (), tuple(references))


def copy_database(database: Path, target: Path) -> list[CopyTable]:
    """Copy all tables into a new SQLite file, with keys, references, and indices on both. Raises NotOnSqlite."""
    tables = tables_of(database)
    with sqlite_errors_as_os_errors(), closing(opened(database)) as duck, closing(sqlite3.connect(target)) as lite:
        # Safe for a file that nobody reads before it is whole: a broken copy goes with the whole export.
        lite.execute("PRAGMA journal_mode = OFF")
        lite.execute("PRAGMA synchronous = OFF")
        for table in tables:
            lite.execute(_create(table))
            _fill(duck, lite, table)
        for table in tables:
            for number, (columns, _, _) in enumerate(table.references, 1):
                lite.execute(
                    f"CREATE INDEX {quoted(f'{table.name}_{number}')} ON {quoted(table.name)} ({_list(columns)})"
                )
        lite.commit()
    return tables


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(quoted, names))


def _create(table: CopyTable) -> str:
    parts = [f"{quoted(column.name)} {column.declared}" for column in table.columns]
    if table.key:
        parts.append(f"PRIMARY KEY ({_list(table.key)})")
    for columns, to, its in table.references:
        parts.append(f"FOREIGN KEY ({_list(columns)}) REFERENCES {quoted(to)} ({_list(its)})")
    return f"CREATE TABLE {quoted(table.name)} ({', '.join(parts)})"


def _fill(duck: duckdb.DuckDBPyConnection, lite: sqlite3.Connection, table: CopyTable) -> None:
    result = duck.execute(f"SELECT {_list([column.name for column in table.columns])} FROM {quoted(table.name)}")
    insert = f"INSERT INTO {quoted(table.name)} VALUES ({', '.join('?' * len(table.columns))})"
    try:
        while rows := result.fetchmany(_ROWS_AT_ONCE):
            lite.executemany(insert, [[_stored(value) for value in row] for row in rows])
    except (sqlite3.DataError, sqlite3.IntegrityError, sqlite3.InterfaceError, OverflowError) as error:
        raise NotOnSqlite(f"The table {table.name} cannot be copied to SQLite: {error}.") from error


def _stored(value: object) -> object:
    match value:
        case None | bool() | int() | float() | str() | bytes():
            return value
        case Decimal():
            return float(value)
        case datetime():
            return value.isoformat(" ")
        case date() | clock_time():
            return value.isoformat()
    return str(value)


@dataclass
class CopyReader:
    """Runs statements on a copy, read-only, for a bounded number of SQLite's own steps and of rows: what is too much
    does not depend on the machine."""

    path: Path
    most_steps: int = _MOST_STEPS
    _left: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._lite = sqlite3.connect(f"{real_path(self.path).as_uri()}?mode=ro", uri=True)
        self._lite.execute("PRAGMA query_only = ON")
        self._lite.set_progress_handler(self._has_done_enough, _STEPS)

    def _has_done_enough(self) -> bool:
        """SQLite asks it every so many of its steps, and ends the statement at True."""
        self._left -= _STEPS
        return self._left < 0

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a statement. Raises NotOnSqlite."""
        self._left = self.most_steps
        try:
            with closing(self._lite.execute(sql)) as cursor:
                rows = cursor.fetchmany(_MOST_ROWS + 1)
        except sqlite3.Error as error:
            why = "it takes too long on SQLite" if self._left < 0 else "it does not run on SQLite"
            raise NotOnSqlite(why) from error
        if len(rows) > _MOST_ROWS:
            raise NotOnSqlite("its answer is too large")
        return rows

    def close(self) -> None:
        """Close the connection; the file stays."""
        self._lite.close()


def with_days(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rows with dates for texts such as 1989-08-19, since SQLite has no type for them."""
    return [tuple(_day(value) for value in row) for row in rows]


def _day(value: object) -> object:
    if isinstance(value, str) and len(value) == 10 and value[4] == value[7] == "-":
        try:
            return date.fromisoformat(value)
        except ValueError:
            return value
    return value
