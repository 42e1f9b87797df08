"""The process in which a benchmark's statements run: `python -m curtain.evaluation.sql_child`, ended by its parent.

Pickled orders `{database, sql}` come on standard input; for each a pickled `{rows}` or `{fault}` goes out.
"""

from __future__ import annotations

import contextlib
import pickle
import sqlite3
from pathlib import Path
from typing import Any

from curtain.base.python_process import own_pipes

MOST_ROWS = 1_000_000
_MOST_MEMORY = 4 << 30
_SQLITE_MAGIC = b"SQLite format 3\0"
_READING = frozenset(
    (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
)  # fmt: skip
_LOCKED = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
    "memory_limit": "2GB",
    "threads": "1",
    "lock_configuration": "true",
}


def main() -> None:
    """Runs statements and replies, until the parent closes its end."""
    orders, replies = own_pipes()
    _limit_memory()
    with contextlib.suppress(EOFError):
        while True:
            order = pickle.load(orders)
            pickle.dump(_run(Path(order["database"]), order["sql"]), replies)
            replies.flush()


def _run(database: Path, sql: str) -> dict[str, Any]:
    try:
        rows = _sqlite_rows(database, sql) if is_sqlite(database) else _duckdb_rows(database, sql)
    except (sqlite3.Error, sqlite3.Warning, OSError, ValueError, MemoryError) as error:
        # The first line: DuckDB goes on with the statement and a pointer into it.
        return {"fault": (str(error).splitlines() or [type(error).__name__])[0]}
    return {"rows": rows} if len(rows) <= MOST_ROWS else {"fault": f"it gives more than {MOST_ROWS:,} rows"}


def is_sqlite(database: Path) -> bool:
    """Whether a file is one of SQLite's, by its first bytes. Raises OSError."""
    with database.open("rb") as file:
        return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC


def _sqlite_rows(database: Path, sql: str) -> list[Any]:
    with contextlib.closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        # Some benchmarks hold text that is not UTF-8; no two such values may become one.
        connection.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
        connection.set_authorizer(_may_read)
        cursor = connection.execute(sql)
        # An empty text would pass for an empty table.
        if cursor.description is None:
            raise ValueError("only a single SELECT may run")
        return cursor.fetchmany(MOST_ROWS + 1)


def _may_read(action: int, *names: str | None) -> int:
    allowed = action in _READING and "load_extension" not in names
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _duckdb_rows(database: Path, sql: str) -> list[Any]:
    # Here alone: a benchmark of SQLite files starts thousands of these processes, and half of each start is DuckDB.
    import duckdb

    try:
        with duckdb.connect(str(database), read_only=True, config=dict(_LOCKED)) as connection:
            statements = connection.extract_statements(sql)
            if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                raise ValueError("only a single SELECT may run")
            return connection.execute(statements[0]).fetchmany(MOST_ROWS + 1)
    except duckdb.Error as error:
        raise ValueError(str(error)) from error


def _limit_memory() -> None:
    # Windows has no such limit.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    main()
