"""Parquet in pieces, each as large as fits into memory with ease."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import numpy as np

from curtain.base.sql_names import sql_literal
from curtain.corpus.exports import features
from curtain.corpus.exports.flat import FLAT
from curtain.corpus.exports.tables.duckdb_writer import make_room

_AT_ONCE = 48 * 1024 * 1024


@dataclass
class _Waiting:
    """Rows of one split that are not yet in a file."""

    rows: list[str] = field(default_factory=list)
    sounds: list[bytes] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    size: int = 0


@dataclass
class Written:
    """What was written of one split. `size` is in bytes of the rows."""

    shards: list[Path] = field(default_factory=list)
    rows: int = 0
    size: int = 0


class Shards:
    """Parquet files `data/<split>-NNNNN-of-NNNNN.parquet`: a column `audio` {bytes, path} and the columns of FLAT."""

    def __init__(self, folder: Path, duck: duckdb.DuckDBPyConnection) -> None:
        self._folder = folder / "data"
        self._folder.mkdir()
        self._duck = duck
        self._waiting: dict[str, _Waiting] = {}
        self.written: dict[str, Written] = {}

    def add(self, split: str, row: str, sound: bytes, file: str) -> None:
        """One row as JSON, its recording and the recording's file name."""
        waiting = self._waiting.setdefault(split, _Waiting())
        waiting.rows.append(row)
        waiting.sounds.append(sound)
        waiting.files.append(file)
        waiting.size += len(row) + len(sound)
        if sum(one.size for one in self._waiting.values()) >= _AT_ONCE:
            self._write(max(self._waiting, key=lambda name: self._waiting[name].size))

    def close(self) -> None:
        """Write what is left and give all files their last names."""
        for split in list(self._waiting):
            self._write(split)
        for split, written in self.written.items():
            written.shards = [
                path.rename(self._folder / f"{split}-{at:05}-of-{len(written.shards):05}.parquet")
                for at, path in enumerate(written.shards)
            ]

    def _write(self, split: str) -> None:
        waiting = self._waiting.pop(split)
        written = self.written.setdefault(split, Written())
        # The last names say how many there are, which is known at the end only.
        path = self._folder / f"{split}-{len(written.shards):05}.part"
        make_room(self._duck, waiting.size)
        self._copy(waiting, path)
        written.shards.append(path)
        written.rows += len(waiting.rows)
        written.size += waiting.size

    def _copy(self, waiting: _Waiting, path: Path) -> None:
        source = {
            "row": np.array(waiting.rows, dtype=object),
            "sound": np.array(waiting.sounds, dtype=object),
            "file": np.array(waiting.files, dtype=object),
        }
        self._duck.register("source", source)
        # As an expression that could be null: a column that DuckDB proves to be never null is not nullable in the
        # file, and then the field's loader takes it for another type than the one declared.
        audio = "CASE WHEN sound IS NOT NULL THEN {'bytes': sound, 'path': file} END"
        shape = sql_literal(features.structure(FLAT))
        self._duck.execute(
            f"COPY (SELECT {audio} AS audio, unnest(from_json(row, {shape})) FROM source) "
            f"TO {sql_literal(str(path))} (FORMAT parquet, COMPRESSION zstd, "
            f"KV_METADATA {{huggingface: {sql_literal(features.as_json(FLAT))}}})"
        )
        self._duck.unregister("source")
