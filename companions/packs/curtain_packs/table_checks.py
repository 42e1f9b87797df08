"""Whether schema.sql says of the tables what is so: their columns, types, keys and references."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb

from curtain.base.sql_names import folded, quoted
from curtain.base.text_file import read_text
from curtain.domain.pack.keys import ForeignKey
from curtain.domain.pack.pack import Pack
from curtain.domain.pack.schema import passed_over
from curtain_packs.findings import PackFinding, fault, lack, some
from curtain_packs.orphans import orphans

_SCHEMA = "schema.sql"


def findings_of_tables(pack: Pack, path: Path) -> Iterator[PackFinding]:
    """What schema.sql and the database at `path` say differently."""
    yield from _passed_over(pack)
    try:
        yield from _compared(pack, path)
    except duckdb.Error:
        yield fault("database", f"{path} cannot be read; it is damaged or no DuckDB file.")


def _compared(pack: Pack, path: Path) -> Iterator[PackFinding]:
    with duckdb.connect(str(path), read_only=True) as connection:
        there = _columns(connection)
        yield from _lost(pack, there)
        yield from _types(pack, there, connection)
        whole = {table for table, columns in pack.tables.items() if columns.keys() <= there.get(table, {}).keys()}
        yield from _keys(pack, whole, connection)
        yield from _references(pack, whole, there, connection)


def _passed_over(pack: Pack) -> Iterator[PackFinding]:
    for beginning in passed_over(read_text(pack.folder / _SCHEMA)):
        yield lack(_SCHEMA, f"“{beginning} ...” was passed over: only CREATE TABLE is read.")


def _columns(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """Table -> column -> type as they are in the database."""
    columns_of: dict[str, dict[str, str]] = {}
    query = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
    for table, column, kind in connection.execute(query).fetchall():
        columns_of.setdefault(folded(table), {})[folded(column)] = str(kind)
    return columns_of


def _lost(pack: Pack, there: dict[str, dict[str, str]]) -> Iterator[PackFinding]:
    for table, columns in pack.tables.items():
        lost = [f"{table}.{column}" for column in columns if table in there and column not in there[table]]
        if lost:
            yield fault(_SCHEMA, f"The database has no column {some(lost)}.")


def _types(
    pack: Pack, there: dict[str, dict[str, str]], connection: duckdb.DuckDBPyConnection
) -> Iterator[PackFinding]:
    for table, columns in pack.tables.items():
        for column, declared in columns.items():
            kind = there.get(table, {}).get(column)
            if kind and _meant(declared, connection) != kind:
                yield lack(_SCHEMA, f"{table}.{column} is {declared} here and {kind} in the database.")


def _meant(declared: str, connection: duckdb.DuckDBPyConnection) -> str:
    """What DuckDB calls a type: INT is INTEGER, TEXT is VARCHAR; what it does not know stays as it is."""
    try:
        described = connection.execute(f"DESCRIBE SELECT CAST(NULL AS {declared})").fetchall()
    except duckdb.Error:
        return declared
    return str(described[0][1])


def _keys(pack: Pack, whole: set[str], connection: duckdb.DuckDBPyConnection) -> Iterator[PackFinding]:
    for table, key in pack.keys.primary.items():
        lost = [column for column in key if column not in pack.tables.get(table, {})]
        if lost:
            yield fault(_SCHEMA, f"The key of {table} names {some(lost)}, and there is no such column.")
        elif table in whole and _double(connection, table, key):
            yield fault(_SCHEMA, f"{', '.join(key)} is no key of {table}: rows share it, or it is empty in some.")


def _double(connection: duckdb.DuckDBPyConnection, table: str, key: tuple[str, ...]) -> bool:
    listed = ", ".join(map(quoted, key))
    full = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in key)
    different = f"(SELECT count(*) FROM (SELECT DISTINCT {listed} FROM {quoted(table)} WHERE {full}))"
    return connection.execute(f"SELECT count(*) <> {different} FROM {quoted(table)}").fetchall() == [(True,)]


def _references(
    pack: Pack, whole: set[str], there: dict[str, dict[str, str]], connection: duckdb.DuckDBPyConnection
) -> Iterator[PackFinding]:
    for reference in pack.keys.references:
        if (
            {reference.table, reference.to_table} <= whole
            and _columns_exist(pack, reference)
            and (lost := orphans(connection, reference, there))
        ):
            left = f"{reference.table}.{', '.join(reference.columns)}"
            right = f"{reference.to_table}.{', '.join(reference.to_columns)}"
            yield lack(
                _SCHEMA,
                f"Not every row has its other side in the reference between {left} and {right}: {lost:,} have none.",
            )


def _columns_exist(pack: Pack, reference: ForeignKey) -> bool:
    ours, theirs = pack.tables[reference.table], pack.tables[reference.to_table]
    return set(reference.columns) <= ours.keys() and set(reference.to_columns) <= theirs.keys()
