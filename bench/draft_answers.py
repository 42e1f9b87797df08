"""Whether a draft is right: it answers as the reference on every database, or is the same SQL where those are empty."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

import duckdb
import msgspec
import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.simplify import simplify

from curtain.domain.pack.pack import Pack
from curtain.drafting.algebra.reading import SqlReader

_LIMIT_S = 5.0
_MOST_ROWS = 200_000


@dataclass(frozen=True)
class Answer:
    """How many rows, and a hash of them as a set in which the order of columns does not count; -1 rows: none came."""

    rows: int
    digest: str


@dataclass
class Judge:
    """Runs statements on the databases, remembering answers on disk in `kept`."""

    pack: Pack
    databases: Sequence[Path]
    kept: Path
    _answers: dict[tuple[str, str], Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._connections = [duckdb.connect(str(path), read_only=True) for path in self.databases]
        self._reader = SqlReader(self.pack.tables)
        if self.kept.exists():
            self._answers = msgspec.msgpack.decode(self.kept.read_bytes(), type=dict[tuple[str, str], Answer])

    def close(self) -> None:
        """Keeps the answers for the next run."""
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        self.kept.write_bytes(msgspec.msgpack.encode(self._answers))
        for connection in self._connections:
            connection.close()

    def right(self, sql: str, reference: str) -> bool:
        """Whether this statement answers as the reference does."""
        wanted = [self._answer(number, reference) for number in range(len(self.databases))]
        found = [self._answer(number, sql) for number in range(len(self.databases))]
        if any(answer.rows < 0 for answer in (*wanted, *found)):
            return self.same(sql, reference)
        if all(answer.rows == 0 for answer in wanted):
            return self.same(sql, reference)
        return wanted == found

    def holds(self, sql: str, reference: str) -> bool:
        """Whether the answer has the columns of the reference's and the same rows in them, on every database: what
        the minimum answer asks for (papers/001, section 2.2.2). An empty answer does not count."""
        pairs = [(_rows(one, reference), _rows(one, sql)) for one in self._connections]
        return all(wanted and found and _holds(wanted, found) for wanted, found in pairs)

    def same(self, sql: str, other: str) -> bool:
        """Whether both are the same statement once normalised, aliases renamed, conjuncts sorted."""
        return sql == other or self._name(sql) == self._name(other)

    def _name(self, sql: str) -> str:
        try:
            plain = simplify(sqlglot.parse_one(sql, read="duckdb")).sql("duckdb")
        except SqlglotError:
            return sql
        query = self._reader.read(plain)
        return query.sense if query else plain

    def _answer(self, number: int, sql: str) -> Answer:
        key = (str(self.databases[number]), sql)
        if key not in self._answers:
            self._answers[key] = _run(self._connections[number], sql)
        return self._answers[key]


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    timer = threading.Timer(_LIMIT_S, connection.interrupt)
    timer.start()
    try:
        return connection.execute(sql).fetchmany(_MOST_ROWS)
    except duckdb.Error:
        return []
    finally:
        timer.cancel()


def _holds(wanted: list[tuple[object, ...]], found: list[tuple[object, ...]]) -> bool:
    places = permutations(range(min(len(found[0]), 9)), len(wanted[0]))
    rows = set(wanted)
    return any({tuple(row[at] for at in chosen) for row in found} == rows for chosen in places)


def _run(connection: duckdb.DuckDBPyConnection, sql: str) -> Answer:
    timer = threading.Timer(_LIMIT_S, connection.interrupt)
    timer.start()
    try:
        rows = connection.execute(sql).fetchmany(_MOST_ROWS)
    except duckdb.Error as fault:
        return Answer(-1, type(fault).__name__)
    finally:
        timer.cancel()
    lines = sorted({"\x1f".join(sorted(map(str, row))) for row in rows})
    return Answer(len(rows), hashlib.sha256("\x1e".join(lines).encode()).hexdigest()[:16])
