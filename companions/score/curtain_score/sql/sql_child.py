"""The process in which a benchmark's statements run: `python -m curtain_score.sql.sql_child`, ended by its parent.

A SqlOrder comes on standard input, and for each a SqlReply goes out: the length of the message in eight bytes, then
msgpack. What msgpack has no type for is an extension, so that each value arrives with the type that the database gave.
"""

import contextlib
import sqlite3
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import IO, Any, TypeVar
from uuid import UUID

import msgspec

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
_LENGTH = 8
_Message = TypeVar("_Message", bound=msgspec.Struct)


class SqlOrder(msgspec.Struct, frozen=True):
    """A statement to run on a database file."""

    database: str
    sql: str


class SqlReply(msgspec.Struct, frozen=True):
    """The rows of a statement, or the problem for which there are none."""

    rows: list[tuple[Any, ...]] = []
    problem: str = ""


_PLAIN = frozenset((type(None), bool, float, str, bytes))
_MOST_INT = 1 << 63
# Each kind of value with its text and the way back; the place here is the number of the extension.
_EXTENSIONS: tuple[tuple[type, Callable[[Any], str], Callable[[str], Any]], ...] = (
    (int, str, int),
    (Decimal, str, Decimal),
    (date, date.isoformat, date.fromisoformat),
    (time, time.isoformat, time.fromisoformat),
    (datetime, datetime.isoformat, datetime.fromisoformat),
    (timedelta, lambda value: str(value // timedelta(microseconds=1)), lambda text: timedelta(microseconds=int(text))),
    (UUID, str, UUID),
)
_TUPLE, _DICT = len(_EXTENSIONS), len(_EXTENSIONS) + 1
_NUMBERS = {kind: number for number, (kind, _, _) in enumerate(_EXTENSIONS)}


def write_message(stream: IO[bytes], message: msgspec.Struct) -> None:
    """Sends a message. Raises OSError when nobody reads any more."""
    data = msgspec.msgpack.encode(message)
    stream.write(len(data).to_bytes(_LENGTH) + data)
    stream.flush()


def read_message(stream: IO[bytes], kind: type[_Message]) -> _Message:
    """The next message. Raises EOFError at the end, msgspec.MsgspecError or ValueError for what is none."""
    length = int.from_bytes(stream.read(_LENGTH))
    data = stream.read(length) if 0 < length <= _MOST_MEMORY else b""
    if not data or len(data) < length:
        raise EOFError
    return msgspec.msgpack.decode(data, type=kind, ext_hook=_arrived)


def _sent(value: Any) -> Any:
    """A value as msgpack can send it. Raises ValueError for one of an unknown type."""
    kind = type(value)
    if kind in _PLAIN or (kind is int and -_MOST_INT <= value < _MOST_INT):
        return value
    if kind is list:
        return [_sent(one) for one in value]
    if kind is dict:
        # The names of a MAP may be values of any type.
        pairs = [_sent(part) for pair in value.items() for part in pair]
        return msgspec.msgpack.Ext(_DICT, msgspec.msgpack.encode(pairs))
    if kind is tuple:
        return msgspec.msgpack.Ext(_TUPLE, msgspec.msgpack.encode([_sent(one) for one in value]))
    if kind not in _NUMBERS:
        raise ValueError(f"it gives a value of the type {kind.__name__}, which cannot be compared")
    number = _NUMBERS[kind]
    return msgspec.msgpack.Ext(number, _EXTENSIONS[number][1](value).encode())


def _arrived(number: int, data: memoryview) -> Any:
    if number in (_TUPLE, _DICT):
        parts = msgspec.msgpack.decode(data, type=list[Any], ext_hook=_arrived)
        return tuple(parts) if number == _TUPLE else dict(zip(parts[::2], parts[1::2], strict=True))
    if not 0 <= number < _TUPLE:
        raise ValueError("This is no value of a database.")
    return _EXTENSIONS[number][2](bytes(data).decode())


def main() -> None:
    """Runs statements and replies, until the parent closes its end."""
    orders, replies = own_pipes()
    _limit_memory()
    with contextlib.suppress(EOFError):
        while True:
            order = read_message(orders, SqlOrder)
            write_message(replies, _run(Path(order.database), order.sql))


def _run(database: Path, sql: str) -> SqlReply:
    try:
        rows = _sqlite_rows(database, sql) if is_sqlite(database) else _duckdb_rows(database, sql)
        rows = [row if _PLAIN.issuperset(map(type, row)) else tuple(map(_sent, row)) for row in rows]
    except (sqlite3.Error, sqlite3.Warning, OSError, ValueError, MemoryError) as error:
        # The first line: DuckDB goes on with the statement and a pointer into it.
        return SqlReply(problem=(str(error).splitlines() or [type(error).__name__])[0])
    return SqlReply(rows) if len(rows) <= MOST_ROWS else SqlReply(problem=f"it gives more than {MOST_ROWS:,} rows")


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
