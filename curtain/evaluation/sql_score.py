"""Is a predicted SQL statement right? It is run beside the gold statement on several databases."""

from __future__ import annotations

import json
import pickle
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.python_process import start_module
from curtain.cas import Options, RowRule, compare, from_rows
from curtain.evaluation.sort_keys import has_order, sort_keys
from curtain.evaluation.sql_child import is_sqlite

DEFAULT_TIMEOUT_S = 30.0
_CAS_RULES = Options()
_FAILS = "the predicted statement fails: "


class GoldFailed(CurtainError):
    """A gold statement or a database that nothing can be compared with."""


class TimeoutFault(CurtainError):
    """A time-out that cannot be."""


class _StatementFailed(Exception):
    """Why a statement gave no rows, in words that follow its name."""


@dataclass(frozen=True)
class SqlScore:
    """On how many databases a statement is right, and of each other one why it is not, by its path."""

    right: int
    databases: int
    reasons: dict[str, str]

    def __bool__(self) -> bool:
        return self.right == self.databases

    @property
    def failure(self) -> str:
        """Why the statement could not run on some database; empty if it ran on all."""
        return next((why.removeprefix(_FAILS) for why in self.reasons.values() if why.startswith(_FAILS)), "")


def score_sql(
    gold_sql: str,
    predicted_sql: str,
    databases: Sequence[Path | str],
    timeout: float = DEFAULT_TIMEOUT_S,
    *,
    epsilon: Decimal | str | float = "0.0001",
    options: Options = _CAS_RULES,
) -> SqlScore:
    """Compares what both statements give on each DuckDB or SQLite file, as values and by the rules of `compare`.

    Each statement runs read-only in a process that is killed after `timeout` seconds. A predicted statement that
    fails, hangs or writes is wrong, with a reason. With `RowRule.ORDERED` the order counts where the gold statement has
    an ORDER BY, apart from rows that it leaves tied; other gold statements give a multiset.
    Raises GoldFailed if the gold statement gives no rows to compare with, a database cannot be read or there is none;
    TimeoutFault and CasError for rules that cannot be.
    """
    if not databases:
        raise GoldFailed("There is no database to run the statements on; give at least one file.")
    if not timeout > 0:
        raise TimeoutFault(f"A time-out of {timeout} seconds cannot be; give more than 0.")
    reasons: dict[str, str] = {}
    for path in map(Path, databases):
        try:
            gold = _rows(gold_sql, path, timeout)
        except _StatementFailed as error:
            raise GoldFailed(f"The gold statement cannot run on {path}: {error}.") from None
        rules = _with_order(options, gold_sql, path, timeout, len(gold))
        reasons[str(path)] = _fault(gold, predicted_sql, path, timeout, epsilon, rules)
    wrong = {path: reason for path, reason in reasons.items() if reason}
    return SqlScore(len(reasons) - len(wrong), len(reasons), wrong)


def _with_order(options: Options, gold_sql: str, database: Path, timeout: float, height: int) -> Options:
    """The options for one gold statement: a multiset if it does not sort, else the ties that its ORDER BY leaves."""
    if options.rows is not RowRule.ORDERED or options.ties is not None:
        return options
    dialect = "sqlite" if is_sqlite(database) else "duckdb"
    if not has_order(gold_sql, dialect):
        return replace(options, rows=RowRule.MULTISET)
    keys = sort_keys(gold_sql, dialect)
    if keys is None:
        return options
    try:
        ties = [keys.of(row) for row in _rows(keys.sql, database, timeout)]
    except (_StatementFailed, IndexError):
        return options
    # Sorted by the same keys, both runs have the same key in the same place, however they put tied rows.
    return replace(options, ties=ties) if len(ties) == height else options


def _fault(
    gold: list[Any],
    predicted_sql: str,
    database: Path,
    timeout: float,
    epsilon: Decimal | str | float,
    options: Options,
) -> str:
    """Why the prediction is wrong on one database; empty if it is right."""
    try:
        predicted = _rows(predicted_sql, database, timeout)
    except _StatementFailed as error:
        return f"{_FAILS}{error}"
    verdict = compare(from_rows(predicted), from_rows(gold), epsilon=epsilon, options=options)
    return "" if verdict else verdict.reason or verdict.outcome


def _rows(sql: str, database: Path, timeout: float) -> list[Any]:
    order = json.dumps({"database": str(database.resolve()), "sql": sql}).encode()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with start_module("curtain.evaluation.sql_child", **pipes) as child:
        try:
            reply, _ = child.communicate(order, timeout)
        except subprocess.TimeoutExpired:
            raise _StatementFailed(f"it was stopped after {timeout:g} seconds") from None
        finally:
            child.kill()
    if child.returncode:
        raise _StatementFailed("its process ended before it gave its rows")
    # From our own child, which writes what a database library gave it.
    result = pickle.loads(reply)
    if "fault" in result:
        raise _StatementFailed(result["fault"].rstrip("."))
    rows: list[Any] = result["rows"]
    return rows
