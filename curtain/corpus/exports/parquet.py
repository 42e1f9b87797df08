"""Plain tables: `utterances.jsonl` and `utterances.parquet`, the same rows, without recordings."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np

from curtain.corpus.exports import features
from curtain.corpus.exports.duck import connected, make_room, quoted
from curtain.corpus.exports.table import COLUMNS, as_line, row_of, sql_type
from curtain.corpus.exports.writer import Told
from curtain.corpus.utterance import Corpus

_AT_ONCE = 8 * 1024 * 1024
_ROWS_AT_ONCE = 4096


def write(corpus: Corpus, folder: Path, told: Told) -> None:
    """Rows go to the file of lines and, some thousand at a time, to a table on the disk, which then becomes Parquet."""
    with connected(folder) as duck, (folder / "utterances.jsonl").open("xb") as file:
        rows = _Rows(duck)
        for session in corpus.sessions():
            for utterance in session.utterances:
                line = as_line(row_of(session, utterance))
                file.write(line)
                rows.add(line)
                told.wrote()
        rows.copy(folder / "utterances.parquet")


class _Rows:
    """The table, filled from lines of JSON."""

    def __init__(self, duck: duckdb.DuckDBPyConnection) -> None:
        self._duck = duck
        self._waiting: list[str] = []
        self._size = self._rows = 0
        self._groups: dict[int, int] = {}
        columns = ", ".join(f'"{name}" {sql_type(shape)}' for name, shape in COLUMNS.items())
        duck.execute(f"CREATE TABLE utterances ({columns})")

    def add(self, line: bytes) -> None:
        group = self._rows // _ROWS_AT_ONCE
        self._groups[group] = self._groups.get(group, 0) + len(line)
        self._rows += 1
        self._waiting.append(line.decode())
        self._size += len(line)
        if self._size >= _AT_ONCE or len(self._waiting) >= _ROWS_AT_ONCE:
            self._insert()

    def copy(self, path: Path) -> None:
        """Write what was added as one Parquet file. A group of rows is in memory as a whole."""
        self._insert()
        make_room(self._duck, max(self._groups.values(), default=0))
        options = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROWS_AT_ONCE}"
        self._duck.execute(f"COPY utterances TO {quoted(str(path))} ({options})")

    def _insert(self) -> None:
        if self._waiting:
            make_room(self._duck, self._size)
            self._duck.register("source", {"row": np.array(self._waiting, dtype=object)})
            shape = quoted(features.structure(COLUMNS))
            self._duck.execute(f"INSERT INTO utterances SELECT unnest(from_json(row, {shape})) FROM source")
            self._duck.unregister("source")
        self._waiting, self._size = [], 0
