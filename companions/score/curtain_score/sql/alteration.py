"""Altered copies of a database, made from its own rows, so that they fit every schema and look like the original.

Within a column that is no key, a third of the values change places. Rows that nothing refers to are dropped, one in
four. Numbers outside keys change by one in one row of ten, which breaks ties. Keys stay, so every join stays possible.
papers/001, section 4, asks for test data on which a wrong statement cannot be right; a copy gives it a second chance
to be wrong. The same seed gives the same copies.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.scratch import whole_folder
from curtain.base.sql_names import folded, quoted, sql_literal
from curtain.domain.pack.pack import Pack
from curtain_score.sql.sql_child import is_sqlite

_SWAPPED, _DROPPED, _SHIFTED = 3, 4, 10
"""One row of so many."""

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DOUBLE", "FLOAT", "REAL", "DECIMAL")


@dataclass(frozen=True)
class TableShape:
    """A table with its columns and their types, which of them belong to keys, and who refers to it.

    `references` are (table, pairs of its column and ours) of each reference to this table.
    """

    name: str
    columns: Mapping[str, str]
    keys: frozenset[str]
    references: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


def make_copies(database: Path, tables: list[TableShape] | None, folder: Path, count: int, seed: int) -> list[Path]:
    """`copy-1.duckdb` (or `.sqlite`) and so on in a folder that is made; nothing is written over.

    Without `tables`, those that a SQLite file declares. Raises CurtainError.
    """
    if count < 1 or count > 100:
        raise CurtainError(f"There cannot be {count} copies; give a number from 1 to 100.")
    ending = "sqlite" if is_sqlite(database) else "duckdb"
    names = [f"copy-{number}.{ending}" for number in range(1, count + 1)]
    try:
        tables = _sqlite_shapes(database) if tables is None else tables
        # All of them or none: a copy that was not altered would show nothing.
        with whole_folder(folder) as made:
            for number, name in enumerate(names, 1):
                shutil.copyfile(database, made / name)
                alter(made / name, tables, f"{seed} {number}")
    except sqlite3.Error as error:
        raise CurtainError(f"{database} cannot be altered: {error}.") from error
    return [folder / name for name in names]


def alter(database: Path, tables: list[TableShape], seed: str) -> None:
    """Changes a DuckDB or SQLite file in place."""
    statements = (statement for table in tables for statement in statements_of(table, seed))
    # A constraint of the schema may forbid one change, as UNIQUE or CHECK do; the others still count.
    if is_sqlite(database):
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as lite:
            lite.create_function("hash", 2, _hash, deterministic=True)
            lite.execute("PRAGMA synchronous = OFF")
            for statement in statements:
                with contextlib.suppress(sqlite3.IntegrityError):
                    lite.execute(statement)
        return
    # Here alone: whoever only scores with copies that are there needs no DuckDB in this process.
    import duckdb

    with duckdb.connect(str(database)) as connection:
        for statement in statements:
            with contextlib.suppress(duckdb.ConstraintException):
                connection.execute(statement)
        connection.execute("CHECKPOINT")


def _hash(row: object, salt: str) -> int:
    """What DuckDB's own `hash` is to the statements, for SQLite, which has none."""
    return int.from_bytes(hashlib.blake2b(f"{row} {salt}".encode(), digest_size=7).digest())


def _sqlite_shapes(database: Path) -> list[TableShape]:
    """The tables of a SQLite file whose rows have numbers, with the keys that its schema declares."""
    with contextlib.closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as lite:
        listed = "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        unnumbered = {name: bool(wr) for name, wr in lite.execute(listed) if not name.startswith("sqlite_")}
        names = {folded(name): name for name in unnumbered}
        described = {name: list(lite.execute(f"PRAGMA table_info({quoted(name)})")) for name in names.values()}
        keys = {name: {column for _, column, *_, place in described[name] if place} for name in described}
        primary = {name: sorted((row[5], row[1]) for row in described[name] if row[5]) for name in described}
        pairs: dict[tuple[str, str, int], list[tuple[str, str]]] = {}
        for name in described:
            for number, place, to, ours, theirs, *_ in lite.execute(f"PRAGMA foreign_key_list({quoted(name)})"):
                there = names.get(folded(to))
                if there is None or (theirs is None and place >= len(primary[there])):
                    continue
                keys[name].add(ours)
                # A reference that names no column is to the primary key.
                target = theirs or primary[there][place][1]
                keys[there].add(target)
                pairs.setdefault((there, name, number), []).append((ours, target))
    shapes = []
    for name, rows in described.items():
        if unnumbered[name]:
            continue
        in_keys = set(map(folded, keys[name]))
        columns = {column: _plain_kind(kind) for _, column, kind, *_ in rows}
        references = tuple((other, tuple(joined)) for (there, other, _), joined in pairs.items() if there == name)
        shapes.append(
            TableShape(name, columns, frozenset(one for one in columns if folded(one) in in_keys), references)
        )
    return sorted(shapes, key=lambda shape: len(shape.references))


def _plain_kind(declared: str) -> str:
    """Whether a column holds numbers by what SQLite makes of its type: INT anywhere, or a name of reals."""
    return "DOUBLE" if any(part in declared.upper() for part in ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC")) else ""


def statements_of(table: TableShape, seed: str) -> Iterator[str]:
    """The statements that alter one table; draws are hashes of row numbers, so that nothing else decides them."""
    name = quoted(table.name)
    unused = "".join(f" AND NOT EXISTS ({_referring(table.name, *one)})" for one in table.references)
    yield f"DELETE FROM {name} WHERE {_drawn(table.name, 'drop', seed, _DROPPED)}{unused}"
    for column, kind in table.columns.items():
        if column in table.keys:
            continue
        its = quoted(column)
        chosen = _drawn(table.name, f"swap {column}", seed, _SWAPPED)
        shuffled = f"hash(rowid, {sql_literal(_salt(table.name, f'order {column}', seed))})"
        # The k-th of the chosen rows gets the value of the k-th in another order of the same rows.
        yield (
            f"UPDATE {name} SET {its} = swapped.value FROM (SELECT giver.value, taker.row FROM "
            f"(SELECT {its} AS value, row_number() OVER (ORDER BY {shuffled}) AS k FROM {name} WHERE {chosen}) "
            f"AS giver JOIN (SELECT rowid AS row, row_number() OVER (ORDER BY rowid) AS k FROM {name} WHERE {chosen}) "
            f"AS taker USING (k)) AS swapped WHERE {name}.rowid = swapped.row"
        )
        if kind.upper().split("(")[0] in _NUMBERS:
            shifted = _drawn(table.name, f"shift {column}", seed, _SHIFTED)
            yield f"UPDATE {name} SET {its} = {its} + 1 WHERE {shifted} AND {its} IS NOT NULL"


def _referring(name: str, other: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """The rows of another table that refer to a row of this one; a table may refer to itself."""
    joined = " AND ".join(f"other.{quoted(theirs)} = {quoted(name)}.{quoted(ours)}" for theirs, ours in pairs)
    return f"SELECT 1 FROM {quoted(other)} AS other WHERE {joined}"


def _drawn(table: str, what: str, seed: str, one_of: int) -> str:
    return f"hash(rowid, {sql_literal(_salt(table, what, seed))}) % {one_of} = 0"


def _salt(table: str, what: str, seed: str) -> str:
    return hashlib.sha256(f"{seed} {table} {what}".encode()).hexdigest()[:16]


def shapes_of(pack: Pack) -> list[TableShape]:
    """Every table, with the columns that belong to keys: its own, and those that refer to another table."""
    keys = pack.keys
    shapes = []
    for table, columns in pack.tables.items():
        outgoing = {column for one in keys.references if one.table == table for column in one.columns}
        incoming = [one for one in keys.references if one.to_table == table]
        pointed_at = {column for one in incoming for column in one.to_columns}
        own_keys = frozenset(keys.primary.get(table, ())) | outgoing | pointed_at
        shapes.append(TableShape(table, columns, own_keys, tuple((one.table, one.pairs) for one in incoming)))
    # Those that nothing refers to come first: what they lose frees rows of the others.
    return sorted(shapes, key=lambda shape: len(shape.references))
