"""What a statement answers."""

from functools import cache
from pathlib import Path

import duckdb

from curtain.domain.pack.pack import Pack, database, load_pack

Rows = set[tuple[object, ...]]


def opened(pack: Path | str) -> duckdb.DuckDBPyConnection:
    """The database of a pack, by its folder or its name; a context manager, as `opened_file`."""
    return opened_file(_file_of(pack))


def opened_file(path: Path) -> duckdb.DuckDBPyConnection:
    """A database file, to be read; close it after use, as a context manager."""
    connection = _attached(path).cursor()
    connection.execute("USE attached")
    return connection


def rows(pack: Path | str, sql: str) -> Rows:
    """The rows that a statement gives."""
    return rows_of(_file_of(pack), sql)


def rows_of(path: Path, sql: str) -> Rows:
    """The rows that a statement gives in this database file."""
    with opened_file(path) as connection:
        return set(connection.execute(sql).fetchall())


def answer(pack: Pack, sql: str) -> set[int]:
    """The first column of its rows."""
    with opened(pack.folder) as connection:
        return {row[0] for row in connection.execute(sql).fetchall()}


@cache
def _file_of(pack: Path | str) -> Path:
    return database(load_pack(pack))


@cache
def _attached(path: Path) -> duckdb.DuckDBPyConnection:
    # To open a file takes longer than most statements. Attached, it may be opened with other settings elsewhere.
    connection = duckdb.connect()
    quoted = str(path).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS attached (READ_ONLY)")
    return connection
