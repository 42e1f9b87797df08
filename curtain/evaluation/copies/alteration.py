"""Altered copies of a database, made from its own rows, so that they fit every schema and look like the original.

Within a column that is no key, a third of the values change places. Rows that nothing refers to are dropped, one in
four. Numbers outside keys change by one in one row of ten, which breaks ties. Keys stay, so every join stays possible.
papers/001, section 4, asks for test data on which a wrong statement cannot be right; a copy gives it a second chance
to be wrong. The same seed gives the same copies.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.sql_names import sql_literal, sql_name

_SWAPPED, _DROPPED, _SHIFTED = 3, 4, 10
"""One row of so many."""

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DOUBLE", "FLOAT", "REAL")


class CopiesUnwritable(CurtainError):
    """The copies cannot be made where they were wanted."""


@dataclass(frozen=True)
class TableShape:
    """A table with its columns and their types, which of them belong to keys, and who refers to it.

    `references` are (table, pairs of its column and ours) of each reference to this table.
    """

    name: str
    columns: Mapping[str, str]
    keys: frozenset[str]
    references: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


def make_copies(database: Path, tables: list[TableShape], folder: Path, count: int, seed: int) -> list[Path]:
    """`copy-1.duckdb` and so on in a folder that is made. Raises CopiesUnwritable; nothing is written over."""
    if count < 1 or count > 100:
        raise CopiesUnwritable(f"--count {count} cannot be; give a number from 1 to 100.")
    paths = [folder / f"copy-{number}.duckdb" for number in range(1, count + 1)]
    there = next((path for path in paths if path.exists()), None)
    if there is not None:
        raise CopiesUnwritable(f"{there} is there already; choose another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, path in enumerate(paths, 1):
            part = path.with_suffix(".part")
            shutil.copyfile(database, part)
            alter(part, tables, f"{seed} {number}")
            # Renamed when it is whole: a copy that was not altered would show nothing.
            part.replace(path)
    except OSError as error:
        raise CopiesUnwritable(f"{folder} cannot be written: {error.strerror or error}.") from error
    return paths


def alter(database: Path, tables: list[TableShape], seed: str) -> None:
    """Changes a DuckDB file in place."""
    # Here alone: whoever only scores with copies that are there needs no DuckDB in this process.
    import duckdb

    connection = duckdb.connect(str(database))
    try:
        for table in tables:
            for statement in statements_of(table, seed):
                _run(connection, statement)
        connection.execute("CHECKPOINT")
    finally:
        connection.close()


def _run(connection: Any, statement: str) -> None:
    import contextlib

    import duckdb

    # A constraint of the schema may forbid one change, as UNIQUE or CHECK do; the others still count.
    with contextlib.suppress(duckdb.ConstraintException):
        connection.execute(statement)


def statements_of(table: TableShape, seed: str) -> Iterator[str]:
    """The statements that alter one table; draws are hashes of row numbers, so that nothing else decides them."""
    name = sql_name(table.name)
    unused = "".join(f" AND NOT EXISTS ({_referring(table.name, *one)})" for one in table.references)
    yield f"DELETE FROM {name} WHERE {_drawn(table.name, 'drop', seed, _DROPPED)}{unused}"
    for column, kind in table.columns.items():
        if column in table.keys:
            continue
        quoted = sql_name(column)
        chosen = _drawn(table.name, f"swap {column}", seed, _SWAPPED)
        shuffled = f"hash(rowid, {sql_literal(_salt(table.name, f'order {column}', seed))})"
        # The k-th of the chosen rows gets the value of the k-th in another order of the same rows.
        yield (
            f"UPDATE {name} SET {quoted} = swapped.value FROM (SELECT giver.value, taker.row FROM "
            f"(SELECT {quoted} AS value, row_number() OVER (ORDER BY {shuffled}) AS k FROM {name} WHERE {chosen}) "
            f"AS giver JOIN (SELECT rowid AS row, row_number() OVER (ORDER BY rowid) AS k FROM {name} WHERE {chosen}) "
            f"AS taker USING (k)) AS swapped WHERE {name}.rowid = swapped.row"
        )
        if kind.upper().split("(")[0] in _NUMBERS:
            shifted = _drawn(table.name, f"shift {column}", seed, _SHIFTED)
            yield f"UPDATE {name} SET {quoted} = {quoted} + 1 WHERE {shifted} AND {quoted} IS NOT NULL"


def _referring(name: str, other: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """The rows of another table that refer to a row of this one; a table may refer to itself."""
    joined = " AND ".join(f"other.{sql_name(theirs)} = {sql_name(name)}.{sql_name(ours)}" for theirs, ours in pairs)
    return f"SELECT 1 FROM {sql_name(other)} AS other WHERE {joined}"


def _drawn(table: str, what: str, seed: str, one_of: int) -> str:
    return f"hash(rowid, {sql_literal(_salt(table, what, seed))}) % {one_of} = 0"


def _salt(table: str, what: str, seed: str) -> str:
    return hashlib.sha256(f"{seed} {table} {what}".encode()).hexdigest()[:16]
