"""Brings somebody's tables into one DuckDB file: from DuckDB, SQLite, or a folder of CSV or Parquet files.

SQLite is read with Python's own sqlite3. Nothing is written to the source, and no extension is loaded.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path

import duckdb

from curtain.base.input_file import open_input
from curtain.base.progress_bar import Report
from curtain.base.sql_names import quoted, sql_literal
from curtain.domain.pack.keys import ForeignKey
from curtain_packs.csv_source import bring_csv
from curtain_packs.plain_tables import (
    Brought,
    SourceError,
    Wishes,
    columns_of,
    copy_table,
    first_sentence,
    plain_name,
    plain_names,
    views_left_out,
)
from curtain_packs.sqlite_source import from_sqlite

__all__ = ["Brought", "SourceError", "Wishes", "bring", "newest_day", "plain_name", "tables_of"]

_CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
_PARQUET = (".parquet",)


def bring(source: Path, into: duckdb.DuckDBPyConnection, report: Report, wishes: Wishes) -> Brought:
    """Makes a table in `into` of every table of the source; `report(what, share)` hears how far it is.

    Names become lower case letters, digits and underscores. Raises SourceError.
    """
    brought = Brought()
    # Otherwise a moment with a time zone would be kept in that of this machine.
    into.execute("SET TimeZone = 'UTC'")
    try:
        _reader(source, wishes)(source, into, report, brought)
    except (duckdb.Error, sqlite3.Error, OSError) as error:
        raise SourceError(f"{source} cannot be read: {first_sentence(error)}") from error
    if not list(tables_of(into)):
        why = f" {brought.notes[-1]}" if brought.notes else ""
        raise SourceError(f"{source} holds no table with rows and columns that can be shown to people.{why}")
    return brought


def newest_day(source: Path) -> date:
    """The day on which the source was last changed."""
    files = _data_files(source) if source.is_dir() else [source]
    return date.fromtimestamp(max(file.stat().st_mtime for file in files))


def tables_of(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, dict[str, str]]]:
    """Each table with its columns and their types."""
    query = "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary ORDER BY table_oid"
    for (table,) in connection.execute(query).fetchall():
        columns = connection.execute(f"DESCRIBE {quoted(table)}").fetchall()
        yield table, {str(column[0]): str(column[1]) for column in columns}


def _reader(source: Path, wishes: Wishes) -> Callable[[Path, duckdb.DuckDBPyConnection, Report, Brought], None]:
    if not source.exists():
        raise SourceError(f"There is nothing at {source}; name a DuckDB or SQLite file or a folder of CSV or Parquet.")
    if source.is_dir() or _is_data(source):
        return partial(_from_files, wishes=wishes)
    with open_input(source) as file:
        head = file.read(16)
    if head.startswith(b"SQLite format 3"):
        return partial(from_sqlite, wishes=wishes.of(source))
    if head[8:12] == b"DUCK":
        return _from_duckdb
    raise SourceError(f"{source} is neither a DuckDB nor a SQLite file, nor CSV or Parquet.")


def _from_duckdb(source: Path, into: duckdb.DuckDBPyConnection, report: Report, brought: Brought) -> None:
    into.execute(f"ATTACH {sql_literal(str(source))} AS source (READ_ONLY)")
    try:
        query = "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' AND NOT internal"
        rows = into.execute(f"{query} ORDER BY table_oid").fetchall()
        names = plain_names([table for _, table in rows])
        for number, (schema, table) in enumerate(rows):
            report(f"reading {table}", number / len(rows))
            query = f"SELECT * FROM source.{quoted(schema)}.{quoted(table)}"
            try:
                columns = columns_of(into, query, f"The table {table} of {source}")
                copy_table(into, names[number], table, query, columns, brought)
            except duckdb.Error as error:
                brought.notes.append(f"The table {table} was left out: {first_sentence(error)}")
        _duckdb_keys(into, [table for _, table in rows], names, brought)
        views = "SELECT view_name FROM duckdb_views() WHERE database_name = 'source' AND NOT internal ORDER BY view_oid"
        brought.notes += views_left_out([name for (name,) in into.execute(views).fetchall()])
    finally:
        into.execute("DETACH source")


def _duckdb_keys(into: duckdb.DuckDBPyConnection, tables: list[str], names: list[str], brought: Brought) -> None:
    plain_of = dict(zip(tables, names, strict=True))
    query = """SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
        FROM duckdb_constraints() WHERE database_name = 'source'"""
    for table, kind, columns, there, theirs in into.execute(query).fetchall():
        plain_columns = brought.plain_columns(plain_of[table], columns)
        if kind == "PRIMARY KEY":
            brought.keys[plain_of[table]] = plain_columns
        elif kind == "FOREIGN KEY" and there in plain_of:
            their_columns = brought.plain_columns(plain_of[there], theirs)
            brought.references.append(ForeignKey(plain_of[table], plain_columns, plain_of[there], their_columns))


def _from_files(
    source: Path, into: duckdb.DuckDBPyConnection, report: Report, brought: Brought, wishes: Wishes
) -> None:
    files = _data_files(source) if source.is_dir() else [source]
    if not files:
        raise SourceError(f"There is no CSV or Parquet file in {source}.")
    written = [re.sub(r"(\.csv|\.tsv|\.parquet)(\.gz)?$", "", file.name, flags=re.IGNORECASE) for file in files]
    for number, (file, stem, name) in enumerate(zip(files, written, plain_names(written), strict=True)):
        report(f"reading {file.name}", number / len(files))
        if not file.name.lower().endswith(_PARQUET):
            bring_csv(into, file, name, stem, wishes.of(file), brought)
            continue
        query = f"SELECT * FROM read_parquet({sql_literal(str(file))})"
        try:
            copy_table(into, name, stem, query, columns_of(into, query, file), brought)
        except duckdb.Error as error:
            raise SourceError(f"{file} cannot be read as Parquet: it is damaged or cut short.") from error


def _data_files(folder: Path) -> list[Path]:
    """Not what other programs leave beside a file: `._x.csv` of macOS, `~$x.csv` of an open spreadsheet."""
    return sorted(
        file for file in folder.iterdir() if file.is_file() and _is_data(file) and not file.name.startswith((".", "~$"))
    )


def _is_data(file: Path) -> bool:
    return file.name.lower().endswith((*_CSV, *_PARQUET))
