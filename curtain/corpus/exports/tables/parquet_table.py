"""Lines of JSON become a Parquet file whose columns have their types, also where no row has a value."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import numpy as np

from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.scratch import ScratchFolder
from curtain.base.sql_names import quoted, sql_literal
from curtain.corpus.exports.tables.duckdb_writer import connected, make_room
from curtain.corpus.exports.utterance_table import COLUMNS, Shape, session_of, sql_type
from curtain.corpus.model.utterance import Session

_AT_ONCE = 8 * 1024 * 1024
_ROWS_AT_ONCE = 4096
# Sorting a row of some hundred columns fails below 400 MB, however much is put on the disk.
_SORTING_MB = 600
_IN_PIECES = (
    "SELECT count(*) FILTER (session_id IS DISTINCT FROM before) > count(DISTINCT session_id) "
    "FROM (SELECT session_id, lag(session_id) OVER () AS before FROM read_parquet($1))"
)


def sessions_in(path: Path) -> Iterator[Session]:
    """The sessions of an utterance table, one at a time in memory, as far as its rows know them (`session_of`). Raises
    CurtainError."""
    with os_errors_as(f"{path} cannot be read", CurtainError):
        if not path.is_file():
            raise CurtainError(f"There is no file {path}.")
    sql = f"SELECT {', '.join(map(quoted, COLUMNS))} FROM read_parquet($1)"
    try:
        with ScratchFolder("table") as aside, connected(aside) as duck:
            # As we write it, a session is in one piece. Sorting all rows would take more memory than all else.
            (in_pieces,) = duck.execute(_IN_PIECES, (str(path),)).fetchone() or (False,)
            if in_pieces:
                make_room(duck, _SORTING_MB * 100_000)
            duck.execute(f"{sql} ORDER BY session_id" if in_pieces else sql, (str(path),))
            batches = iter(lambda: duck.fetchmany(_ROWS_AT_ONCE), [])
            rows = (dict(zip(COLUMNS, row, strict=True)) for batch in batches for row in batch)
            yield from sessions_of_rows(path, rows)
    except (duckdb.Error, msgspec.ValidationError) as error:
        complaint = str(error).splitlines()[0]
        raise CurtainError(f"{path} is no utterance table of “curtain export --format parquet”: {complaint}") from error


def sessions_of_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Iterator[Session]:
    """The sessions of the rows of a table, each in one piece. Raises CurtainError, msgspec.ValidationError."""
    for _, held in groupby(rows, lambda row: row["session_id"]):
        # The type of a turn that is missing is refused behind this.
        turns = sorted(held, key=lambda row: row["turn"] or 0)
        for before, after in pairwise(turns):
            if before["utterance_id"] == after["utterance_id"]:
                raise CurtainError(f"{path}: the utterance {after['utterance_id']} stands twice; keep one row.")
        yield session_of(turns)


def column_names(path: Path) -> list[str]:
    """The columns of a Parquet file. Raises CurtainError."""
    return [name for (name,) in _read(path, "SELECT column_name FROM (DESCRIBE FROM read_parquet($1))")]


def rows_in(path: Path, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """These columns of a Parquet file, row by row. Raises CurtainError."""
    if not columns:
        raise CurtainError(f"{path} has none of the columns that a file of references or answers has.")
    for row in _read(path, f"SELECT {', '.join(map(quoted, columns))} FROM read_parquet($1)"):
        yield dict(zip(columns, row, strict=True))


def _read(path: Path, sql: str) -> Iterator[tuple[Any, ...]]:
    try:
        with ScratchFolder("table") as aside, connected(aside) as duck:
            duck.execute(sql, (str(path),))
            while rows := duck.fetchmany(_ROWS_AT_ONCE):
                yield from rows
    except duckdb.Error as error:
        raise CurtainError(f"{path} cannot be read as a table: {str(error).splitlines()[0]}") from error


class ParquetTable:
    """Some thousand lines wait in memory; the rest is in a table of the connection, which puts it on the disk. `rows`
    were added."""

    def __init__(self, duck: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, Shape]) -> None:
        self._duck = duck
        self._name = quoted(name)
        self._shape = sql_literal(json.dumps(columns))
        self._waiting: list[str] = []
        self._size = self.rows = 0
        self._groups: dict[int, int] = {}
        typed = ", ".join(f"{quoted(column)} {sql_type(shape)}" for column, shape in columns.items())
        duck.execute(f"CREATE TABLE {self._name} ({typed})")

    def add(self, line: bytes) -> None:
        """Take one JSON object in UTF-8. It reaches the file with the rest of its group of rows."""
        group = self.rows // _ROWS_AT_ONCE
        self._groups[group] = self._groups.get(group, 0) + len(line)
        self.rows += 1
        self._waiting.append(line.decode())
        self._size += len(line)
        if self._size >= _AT_ONCE or len(self._waiting) >= _ROWS_AT_ONCE:
            self.flush()

    @property
    def size(self) -> int:
        """The bytes of all lines."""
        return sum(self._groups.values())

    def copy(self, path: Path) -> None:
        """Write what was added as one Parquet file. A group of rows is in memory as a whole."""
        self.flush()
        make_room(self._duck, max(self._groups.values(), default=0))
        options = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROWS_AT_ONCE}"
        self._duck.execute(f"COPY {self._name} TO {sql_literal(str(path))} ({options})")

    def flush(self) -> None:
        """Put what waits into the table."""
        if self._waiting:
            make_room(self._duck, self._size)
            self._duck.register("source", {"row": np.array(self._waiting, dtype=object)})
            self._duck.execute(f"INSERT INTO {self._name} SELECT unnest(from_json(row, {self._shape})) FROM source")
            self._duck.unregister("source")
        self._waiting, self._size = [], 0
