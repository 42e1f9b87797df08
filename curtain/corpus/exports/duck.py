"""DuckDB as the writer of Parquet files, within bounds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

__all__ = ["connected", "quoted"]

_MEMORY = "256MB"


@contextmanager
def connected(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that holds little in memory; what it must put aside is below `folder` for a time."""
    aside = folder / ".aside"
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": _MEMORY,
        "threads": 1,
        "temp_directory": str(aside),
        "preserve_insertion_order": True,
        "autoinstall_known_extensions": False,
    }
    try:
        with duckdb.connect(":memory:", config=config) as duck:
            yield duck
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def quoted(text: str) -> str:
    """A text as a literal in a statement."""
    return "'" + text.replace("'", "''") + "'"
