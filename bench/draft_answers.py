"""Whether a draft is right: it answers as the reference on every database, or is the same SQL where those are empty."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from pathlib import Path

import duckdb
import msgspec
import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.simplify import simplify

from curtain.cas.scoring.intervals import wilson
from curtain.domain.pack.pack import Pack
from curtain.drafting.algebra.reading import SqlReader

_LIMIT_S = 5.0
_MOST_ROWS = 200_000
_SURE = 0.8
_BANDS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)


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
        """Whether it is right, or its answer has the columns of the reference's and the same rows in them, on every
        database: what the minimum answer asks for (papers/001, section 2.2.2). An empty answer does not count."""
        if self.right(sql, reference):
            return True
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


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]] | None:
    """None where it fails, or takes too long."""
    timer = threading.Timer(_LIMIT_S, connection.interrupt)
    timer.start()
    try:
        return connection.execute(sql).fetchmany(_MOST_ROWS)
    except duckdb.Error:
        return None
    finally:
        timer.cancel()


def _holds(wanted: list[tuple[object, ...]], found: list[tuple[object, ...]]) -> bool:
    places = permutations(range(min(len(found[0]), 9)), len(wanted[0]))
    rows = set(wanted)
    return any({tuple(row[at] for at in chosen) for row in found} == rows for chosen in places)


def _run(connection: duckdb.DuckDBPyConnection, sql: str) -> Answer:
    rows = _rows(connection, sql)
    if rows is None:
        return Answer(-1, "")
    lines = sorted({"\x1f".join(sorted(map(str, row))) for row in rows})
    return Answer(len(rows), hashlib.sha256("\x1e".join(lines).encode()).hexdigest()[:16])


@dataclass(frozen=True)
class Hit:
    """A question: which of its drafts are right, and how sure the first is."""

    right: tuple[bool, ...]
    confidence: float

    @property
    def first(self) -> bool:
        """Right at the first draft."""
        return self.right[:1] == (True,)


def share_text(hits: int, many: int) -> str:
    """A share in per cent with its interval."""
    bounds = wilson(hits, many)
    span = f" ({bounds.low:.1f} to {bounds.high:.1f})" if bounds else ""
    return f"{100 * hits / max(1, many):5.1f} %{span}"


def show_figures(what: str, hits: Sequence[Hit]) -> None:
    """One line: right at the first draft and within five, and how often it is wrong where it is sure."""
    first, five = sum(hit.first for hit in hits), sum(any(hit.right[:5]) for hit in hits)
    sure = [not hit.first for hit in hits if hit.confidence >= _SURE]
    print(f"{what:52} {len(hits):4}   first {share_text(first, len(hits))}", end="")
    print(f"   within five {share_text(five, len(hits))}   sure {len(sure)}, wrong {sum(sure)}", flush=True)


def show_bands(hits: Sequence[Hit]) -> None:
    """What the first drafts said of themselves, and how many were right."""
    for low, high in pairwise(_BANDS):
        group = [hit for hit in hits if hit.right and low <= hit.confidence < high]
        if group:
            said = 100 * sum(hit.confidence for hit in group) / len(group)
            right = share_text(sum(hit.first for hit in group), len(group))
            print(f"    confidence {low:.1f} to {min(high, 1.0):.1f}: {len(group):3}, said {said:.0f} %, right {right}")
