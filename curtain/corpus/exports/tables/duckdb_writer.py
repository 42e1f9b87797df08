"""DuckDB as the writer of Parquet files, within bounds."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

_MEMORY_MB = 256
_TIMES_A_BATCH = 10


@contextmanager
def connected(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to an empty database; tables that need much memory are put below `folder` meanwhile."""
    aside = folder / ".aside"
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{_MEMORY_MB}MB",
        "threads": 1,
        "temp_directory": str(aside),
        # Rows stay in the order of sessions and turns.
        "preserve_insertion_order": True,
        "autoinstall_known_extensions": False,
    }
    try:
        with duckdb.connect(":memory:", config=config) as duck:
            yield duck
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def make_room(duck: duckdb.DuckDBPyConnection, size: int) -> None:
    """More memory for a batch of so many bytes, should it be a large one: a single answer may have 16 MiB."""
    megabytes = max(_MEMORY_MB, _TIMES_A_BATCH * size // 1_000_000)
    duck.execute(f"SET memory_limit = '{megabytes}MB'")
