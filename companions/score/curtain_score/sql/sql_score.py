"""Is a predicted SQL statement right? It is run beside the gold statement on several databases."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from math import comb
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import psutil  # type: ignore[import-untyped]

from curtain.base.clock import steady_s
from curtain.base.errors import CurtainError
from curtain.base.python_process import processor_seconds, start_module
from curtain.cas import Alternatives, Options, RowRule, compare, from_rows
from curtain_score.sql import sql_child
from curtain_score.sql.sql_child import SqlOrder, SqlReply, is_sqlite, read_message, write_message

FAILED, TIMED_OUT = "failed", "timed out"
_FIRST_WAIT_S, _WAIT_S = 0.02, 0.1
# A busy machine gives a process a part of a processor; one that waits for something for so long will not answer.
_MOST_WAITING = 20


class StatementError(Exception):
    """Why a statement gave no rows, in words that follow its name; `outcome` says of which kind that is."""

    def __init__(self, why: str, outcome: str = FAILED) -> None:
        super().__init__(why)
        self.outcome = outcome


class StatementProcess:
    """One child process at a time; used by one thread, and closed by leaving its `with`."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._reader = ThreadPoolExecutor(1)

    def __enter__(self) -> StatementProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._stop()
        self._reader.shutdown()

    def rows(self, sql: str, database: Path, timeout: float) -> list[Any]:
        """What a statement gives. Raises StatementError, also after `timeout` seconds of processor time."""
        child = self._child = self._child or start_module(
            sql_child.__name__, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert child.stdin is not None and child.stdout is not None
        try:
            used = processor_seconds(child.pid)
            write_message(child.stdin, SqlOrder(str(database.resolve()), sql))
            reply = self._reader.submit(read_message, child.stdout, SqlReply)
            result = self._reply(reply, child.pid, used, timeout)
        except (EOFError, OSError, ValueError, msgspec.MsgspecError, psutil.Error):
            self._stop()
            raise StatementError("its process ended before it gave its rows") from None
        if result.problem:
            raise StatementError(result.problem.rstrip("."))
        return result.rows

    def _reply(self, reply: Future[SqlReply], process: int, used: float, timeout: float) -> SqlReply:
        end, wait = steady_s() + _MOST_WAITING * timeout, _FIRST_WAIT_S
        while True:
            try:
                return reply.result(wait)
            except TimeoutError:
                wait = _WAIT_S
            if processor_seconds(process) - used > timeout or steady_s() > end:
                self._stop()
                raise StatementError(f"it was stopped after {timeout:g} seconds of processor time", TIMED_OUT)

    def _stop(self) -> None:
        if self._child is not None:
            with self._child as child:
                child.kill()
            self._child = None


DEFAULT_TIMEOUT_S = 30.0
RIGHT, BOTH_EMPTY, WRONG, EMPTY = "right", "both empty", "wrong", "empty"
NO_STATEMENT, UNDECIDED = "no statement", "undecided"
OUTCOMES = (RIGHT, BOTH_EMPTY, WRONG, EMPTY, "failed", "timed out", NO_STATEMENT, UNDECIDED)
"""What a predicted statement can be; of those that are not right, which kind of wrong."""

CAS_RULES = Options()
FAILS = "the predicted statement fails: "
# So many choices of the rows that tie at a LIMIT are tried.
_MOST_CHOICES = 1_000


class GoldError(CurtainError):
    """A gold statement or a database that nothing can be compared with."""


@dataclass(frozen=True)
class SqlScore:
    """On how many databases a statement is right, and of each other one why it is not, by its path.

    `outcome` is one of OUTCOMES, that of the first database on which it is not right; `note` says what was let pass.
    """

    right: int
    databases: int
    reasons: dict[str, str]
    outcome: str = RIGHT
    note: str = ""

    def __bool__(self) -> bool:
        return self.right == self.databases


def score_sql(
    gold_sql: str,
    predicted_sql: str,
    databases: Sequence[Path | str],
    timeout: float = DEFAULT_TIMEOUT_S,
    *,
    epsilon: Decimal | str | float = "0.0001",
    options: Options = CAS_RULES,
    runner: StatementProcess | None = None,
) -> SqlScore:
    """Compares what both statements give on each DuckDB or SQLite file, as values and by the rules of `compare`.

    Each statement runs read-only in a process that is killed after `timeout` seconds of processor time. A predicted
    statement that fails, hangs or writes is wrong, with a reason. With `RowRule.ORDERED` the order counts where the
    gold statement has an ORDER BY, apart from rows that it leaves tied; other gold statements give a multiset. Where a
    LIMIT cuts through tied rows, any of them are right. A `runner` keeps its process for the next call.
    Raises GoldError if the gold statement gives no rows to compare with, a database cannot be read or there is none;
    CurtainError and CasError for rules that cannot be.
    """
    if not databases:
        raise GoldError("There is no database to run the statements on; give at least one file.")
    if not timeout > 0:
        raise CurtainError(f"A time-out of {timeout} seconds cannot be; give more than 0.")
    with nullcontext(runner) if runner is not None else StatementProcess() as running:
        judged = {
            str(path): _on_one(gold_sql, predicted_sql, _Database(path, timeout, running), epsilon, options)
            for path in map(Path, databases)
        }
    wrong = {path: one.reason for path, one in judged.items() if one.outcome not in (RIGHT, BOTH_EMPTY)}
    worst = [one.outcome for path, one in judged.items() if path in wrong]
    kinds = {one.outcome for one in judged.values()}
    outcome = worst[0] if worst else BOTH_EMPTY if kinds == {BOTH_EMPTY} else RIGHT
    notes = "; ".join(dict.fromkeys(one.note for one in judged.values() if one.note))
    return SqlScore(len(judged) - len(wrong), len(judged), wrong, outcome, notes)


@dataclass(frozen=True)
class _Judgement:
    outcome: str
    reason: str = ""
    note: str = ""


@dataclass(frozen=True)
class _Database:
    """A file to run statements on."""

    path: Path
    timeout: float
    runner: StatementProcess

    @property
    def dialect(self) -> str:
        return "sqlite" if is_sqlite(self.path) else "duckdb"

    def rows(self, sql: str) -> list[Any]:
        return self.runner.rows(sql, self.path, self.timeout)


def _on_one(
    gold_sql: str, predicted_sql: str, database: _Database, epsilon: Decimal | str | float, options: Options
) -> _Judgement:
    try:
        gold = database.rows(gold_sql)
    except StatementError as error:
        raise GoldError(f"The gold statement cannot run on {database.path}: {error}.") from None
    if not predicted_sql.strip():
        return _Judgement(NO_STATEMENT, "there is no predicted statement")
    try:
        predicted = database.rows(predicted_sql)
    except StatementError as error:
        return _Judgement(error.outcome, f"{FAILS}{error}")
    judgement = _judged(predicted, gold, gold_sql, database, epsilon, options)
    if not predicted and judgement.outcome in (RIGHT, WRONG):
        return replace(judgement, outcome=BOTH_EMPTY if judgement.outcome == RIGHT else EMPTY)
    return judgement


def _judged(
    predicted: list[Any],
    gold: list[Any],
    gold_sql: str,
    database: _Database,
    epsilon: Decimal | str | float,
    options: Options,
) -> _Judgement:
    shown = from_rows(predicted)
    rules = _with_order(options, gold_sql, database, len(gold))
    verdict = compare(shown, from_rows(gold), epsilon=epsilon, options=rules)
    if verdict:
        return _Judgement(RIGHT)
    choices = _tied_choices(gold_sql, database, len(gold)) if len(predicted) >= len(gold) else None
    if choices and compare(shown, choices, epsilon=epsilon, options=rules):
        return _Judgement(RIGHT, note="other rows of a tie that the LIMIT of the gold statement cuts")
    return _Judgement(UNDECIDED if verdict.outcome == "undecided" else WRONG, verdict.reason or verdict.outcome)


def _tied_choices(gold_sql: str, database: _Database, height: int) -> Alternatives | None:
    """The results that a gold statement may have where its LIMIT cuts through rows that its ORDER BY leaves tied."""
    # The parser of SQL loads slowly, and few statements come here.
    from curtain_score.sql.sort_keys import sort_keys, without_limit

    cut = without_limit(gold_sql, database.dialect)
    keys = sort_keys(cut[0], database.dialect) if cut else None
    if cut is None or keys is None or height != cut[1]:
        return None
    try:
        rows = database.rows(keys.sql)
        tied = [keys.of(row) for row in rows]
    except (StatementError, IndexError):
        return None
    if len(rows) <= height or tied[height] != tied[height - 1]:
        return None
    first, end = tied.index(tied[height - 1]), len(tied)
    end = next((place for place in range(height, end) if tied[place] != tied[height]), end)
    plain = [row[: len(row) - keys.added] for row in rows]
    if comb(end - first, height - first) > _MOST_CHOICES:
        return None
    tables = [from_rows([*plain[:first], *some]) for some in combinations(plain[first:end], height - first)]
    return Alternatives(tuple(tables))


def _with_order(options: Options, gold_sql: str, database: _Database, height: int) -> Options:
    """The options for one gold statement: a multiset if it does not sort, else the ties that its ORDER BY leaves."""
    if options.rows is not RowRule.ORDERED or options.ties is not None:
        return options
    from curtain_score.sql.sort_keys import has_order, sort_keys

    if not has_order(gold_sql, database.dialect):
        return replace(options, rows=RowRule.MULTISET)
    keys = sort_keys(gold_sql, database.dialect)
    if keys is None:
        return options
    try:
        ties = [keys.of(row) for row in database.rows(keys.sql)]
    except (StatementError, IndexError):
        return options
    # Sorted by the same keys, both runs have the same key in the same place, however they put tied rows.
    return replace(options, ties=ties) if len(ties) == height else options
