"""Whether a draft is right: it answers as the reference on every database, or is the same SQL where those are empty."""

from __future__ import annotations

import gc
import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations
from pathlib import Path

import duckdb
import msgspec
import numpy as np
import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.simplify import simplify

from curtain.cas.scoring.intervals import wilson
from curtain.domain.pack.pack import Pack
from curtain_drafts.drafting.values import Draft, Example, Reading, Request
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.drafter.local import LocalDrafter

Wanted = tuple[Request, Sequence[str]]
"""What is asked, and the statements of which each counts as right."""

_LIMIT_S = 5.0
_MOST_ROWS = 200_000
SURE = 0.8
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

    def answers(self, sql: str) -> bool:
        """Whether a statement answers something on every database."""
        return all(self._answer(number, sql).rows > 0 for number in range(len(self.databases)))

    def right(self, sql: str, reference: str) -> bool:
        """Whether this statement answers as the reference does."""
        wanted = [self._answer(number, reference) for number in range(len(self.databases))]
        found = [self._answer(number, sql) for number in range(len(self.databases))]
        if any(answer.rows < 0 for answer in (*wanted, *found)):
            return self.same(sql, reference)
        if all(answer.rows == 0 for answer in wanted):
            return self.same(sql, reference)
        return wanted == found

    def ordered(self, sql: str, reference: str) -> bool:
        """Whether it is right, and in the reference's order if that has one."""
        return self.right(sql, reference) and _order(sql) == _order(reference)

    def holds(self, sql: str, reference: str) -> bool:
        """Whether it is right, or its answer has the columns of the reference's and the same rows in them, on every
        database: what the minimum answer asks for (papers/001, section 2.2.2). An empty answer does not count. Rows
        have to be in the reference's order if that has one and is not cut off."""
        if self.ordered(sql, reference):
            return True
        pairs = [(_rows(one, reference), _rows(one, sql)) for one in self._connections]
        ordered = "ORDER BY" in reference and "LIMIT" not in reference
        return all(wanted and found and _holds(wanted, found, ordered) for wanted, found in pairs)

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


def _order(sql: str) -> str:
    found = re.search(r"ORDER BY (.*)$", sql, re.IGNORECASE)
    return re.sub(r"\b\w+\.| ASC\b| NULLS \w+", "", found[1]).lower() if found else ""


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


def _holds(wanted: list[tuple[object, ...]], found: list[tuple[object, ...]], ordered: bool) -> bool:
    places = permutations(range(min(len(found[0]), 9)), len(wanted[0]))
    chosen = ([tuple(row[at] for at in some) for row in found] for some in places)
    rows = set(wanted)
    return any(one == wanted if ordered else set(one) == rows for one in chosen)


def _run(connection: duckdb.DuckDBPyConnection, sql: str) -> Answer:
    rows = _rows(connection, sql)
    if rows is None:
        return Answer(-1, "")
    lines = sorted({"\x1f".join(sorted(map(str, row))) for row in rows})
    return Answer(len(rows), hashlib.sha256("\x1e".join(lines).encode()).hexdigest()[:16])


@dataclass(frozen=True)
class Hit:
    """What was asked with its drafts, and which of them are right; milliseconds of clock and of processor time."""

    asked: Wanted
    drafts: Sequence[Draft]
    right: tuple[bool, ...] = ()
    ms: float = 0.0
    cpu_ms: float = 0.0

    @property
    def first(self) -> bool:
        """Right at the first draft."""
        return self.right[:1] == (True,)

    @property
    def confidence(self) -> float:
        """How sure the first draft is."""
        return self.drafts[0].confidence if self.drafts else 0.0

    def judged(self, right: Callable[[str, str], bool]) -> Hit:
        """The same with its drafts judged, each by a statement and one that counts as right."""
        return replace(self, right=tuple(any(right(one.sql, sql) for sql in self.asked[1]) for one in self.drafts))


def wanted(one: Example, reading: Reading = "published") -> Wanted:
    """An answered question as what is asked, with the one statement that counts as right."""
    return Request(one.question, one.previous, reading=reading), (one.sql,)


def tried(drafter: LocalDrafter, asked: Iterable[Wanted], right: Callable[[str, str], bool]) -> list[Hit]:
    """Everything drafted, and then judged: the process in which a drafter runs does nothing else either."""
    # As it is done there.
    gc.freeze()
    timed = [_timed(drafter, one) for one in asked]
    gc.unfreeze()
    return [hit.judged(right) for hit in timed]


def _timed(drafter: LocalDrafter, asked: Wanted) -> Hit:
    began, cpu = time.perf_counter(), time.process_time()
    drafts = drafter.drafts(asked[0])
    ms, cpu_ms = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - cpu)
    return Hit(asked, drafts, ms=ms, cpu_ms=cpu_ms)


def share_text(hits: int, many: int) -> str:
    """A share in per cent with its interval."""
    bounds = wilson(hits, many)
    span = f" ({bounds.low:.1f} to {bounds.high:.1f})" if bounds else ""
    return f"{100 * hits / max(1, many):5.1f} %{span}"


def show_figures(what: str, hits: Sequence[Hit]) -> None:
    """One line: right at the first draft and within five, and how often it is wrong where it is sure."""
    first, five = sum(hit.first for hit in hits), sum(any(hit.right[:5]) for hit in hits)
    sure = [not hit.first for hit in hits if hit.confidence >= SURE]
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


def show_times(hits: Sequence[Hit]) -> None:
    """How long the drafts took."""
    clock, cpu = (np.percentile(ms, [50, 95]) for ms in ([hit.ms for hit in hits], [hit.cpu_ms for hit in hits]))
    print(f"  ranked SQL in {clock[0]:.0f} ms, at the 95th percentile {clock[1]:.0f} ms, to reach 50", end="")
    print(f" (processor time {cpu[0]:.0f} and {cpu[1]:.0f} ms)", flush=True)


def show_missed(hits: Sequence[Hit]) -> None:
    """What was not right at once."""
    for hit in hits:
        if not hit.first:
            request, wanted = hit.asked
            print(f"\n{request.question}", *(f"   after  {turn.sql}" for turn in request.previous[-1:]), sep="\n")
            print(f"   wanted {wanted[0]}")
            for draft, right in zip(hit.drafts, hit.right, strict=True):
                print(f"   {'+' if right else '-'} {draft.confidence:.2f} {draft.because[:20]:20} {draft.sql}")
