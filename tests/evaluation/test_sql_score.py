"""A predicted statement is judged by what it gives on every database; its faults are verdicts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from curtain.evaluation.sql_score import GoldFailed, score_sql

_GOLD = "SELECT name FROM city WHERE size > 5"
_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def databases(tmp_path: Path) -> list[Path]:
    """A DuckDB and a SQLite file with one table; only in the second is a city of size 6."""
    first, second = tmp_path / "a.duckdb", tmp_path / "b.sqlite"
    table = "CREATE TABLE city(name VARCHAR, size INTEGER)"
    with duckdb.connect(str(first)) as duck:
        duck.execute(table)
        duck.execute("INSERT INTO city VALUES ('Oslo', 9), ('Bonn', 2)")
    with closing(sqlite3.connect(second)) as lite:
        lite.execute(table)
        lite.execute("INSERT INTO city VALUES ('Oslo', 9), ('Bergen', 6)")
        lite.commit()
    return [first, second]


def test_right_on_one_database_is_not_right_on_all(databases: list[Path]) -> None:
    score = score_sql(_GOLD, "SELECT name FROM city WHERE size > 8", databases)
    assert (score.right, score.databases, bool(score)) == (1, 2, False)
    assert score.reasons == {str(databases[1]): 'row missing: ("Bergen")'}
    assert score_sql(_GOLD, "SELECT size, name FROM city WHERE size >= 6", databases)


@pytest.mark.parametrize("sql", ["DELETE FROM city", "SELECT nothing FROM city", "not SQL", "", "SELECT 1; SELECT 2"])
def test_a_prediction_that_fails_or_writes_is_wrong_with_a_reason(databases: list[Path], sql: str) -> None:
    before = [path.read_bytes() for path in databases]
    score = score_sql(_GOLD, sql, databases)
    assert score.right == 0
    assert all(reason for reason in score.reasons.values())
    assert [path.read_bytes() for path in databases] == before


def test_no_statement_is_no_empty_table(databases: list[Path]) -> None:
    assert score_sql("SELECT name FROM city WHERE size > 99", "-- nothing", databases).right == 0


def test_a_prediction_that_hangs_is_killed_and_wrong(databases: list[Path]) -> None:
    score = score_sql(_GOLD, _ENDLESS, databases[1:], timeout=3)
    assert score.reasons == {str(databases[1]): "the predicted statement fails: it was stopped after 3 seconds"}


def test_a_gold_statement_that_fails_is_no_verdict(databases: list[Path], tmp_path: Path) -> None:
    for sql, files in (("SELECT x", databases), (_GOLD, [tmp_path / "none.db"]), (_GOLD, [])):
        with pytest.raises(GoldFailed):
            score_sql(sql, _GOLD, files)
