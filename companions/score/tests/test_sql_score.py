"""A predicted statement, with its ORDER BY, is judged by what it gives on every database; its problems are verdicts."""

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from curtain.base.errors import CurtainError
from curtain.cas import CasError, ColumnRule, Options, RowRule
from curtain_score.sql.sort_keys import has_order, sort_keys, without_limit
from curtain_score.sql.sql_score import GoldError, StatementProcess, score_sql

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


@pytest.mark.parametrize(
    "value",
    [
        "NULL, true, 1.5::DOUBLE, 'NaN'::DOUBLE, 'a', '\\x00\\xFF'::BLOB",
        "9223372036854775807, -9223372036854775807 - 1, 9223372036854775808::HUGEINT, -9223372036854775809::HUGEINT",
        "1.50::DECIMAL(9, 2), -0.000000000000000001::DECIMAL(38, 18)",
        "DATE '1989-07-04', TIME '09:05:00.000001', TIMETZ '09:05:00+02', TIMESTAMP '1989-07-04 09:05:00.5'",
        "INTERVAL '-3 days 1 microsecond', 'infinity'::DATE",
        "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID",
        "[DATE '1989-07-04', NULL], [1, 2]::INTEGER[2], {'a': 1.5, 'b': [TIME '09:05']}, MAP {DATE '1989-07-04': 2}",
    ],
)
def test_each_value_arrives_with_the_type_that_the_database_gave(databases: list[Path], value: str) -> None:
    sql = f"SELECT {value}"
    with duckdb.connect(str(databases[0]), read_only=True) as duck:
        wanted = duck.execute(sql).fetchall()
    with StatementProcess() as process:
        found = process.rows(sql, databases[0], 20)
    assert repr(found) == repr(wanted) or found == wanted
    assert [[type(one) for one in row] for row in found] == [[type(one) for one in row] for row in wanted]


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
    score = score_sql(_GOLD, _ENDLESS, databases[1:], timeout=0.5)
    assert score.outcome == "timed out"
    assert list(score.reasons.values()) == [
        "the predicted statement fails: it was stopped after 0.5 seconds of processor time"
    ]


def test_a_gold_statement_that_fails_is_no_verdict(databases: list[Path], tmp_path: Path) -> None:
    for sql, files in (("SELECT x", databases), (_GOLD, [tmp_path / "none.db"]), (_GOLD, [])):
        with pytest.raises(GoldError):
            score_sql(sql, _GOLD, files)


_ORDERED = Options(RowRule.ORDERED)


@pytest.mark.parametrize("kind", ["a.duckdb", "b.sqlite"])
def test_order_counts_where_the_gold_statement_sorts(tmp_path: Path, kind: str) -> None:
    file = tmp_path / kind
    connection = duckdb.connect(str(file)) if kind == "a.duckdb" else sqlite3.connect(file)
    with closing(connection):
        connection.execute("CREATE TABLE p(name VARCHAR, age INTEGER)")
        connection.execute("INSERT INTO p VALUES ('Ann', 20), ('Bob', 20), ('Cid', 20), ('Dan', 30), ('Eve', 30)")
        connection.commit()
    gold = "SELECT name FROM p ORDER BY age"
    assert score_sql(gold, "SELECT name FROM p ORDER BY age, name DESC", [file], options=_ORDERED)
    wrong = score_sql(gold, "SELECT name FROM p ORDER BY name DESC", [file], options=_ORDERED)
    assert list(wrong.reasons.values()) == ["the same rows, but not in the order of the reference"]
    # Without an ORDER BY, duplicates count and order does not.
    assert score_sql("SELECT age FROM p", "SELECT age FROM p ORDER BY 1 DESC", [file], options=_ORDERED)
    assert not score_sql("SELECT age FROM p", "SELECT DISTINCT age FROM p", [file], options=_ORDERED)


def test_tolerance_case_and_text_are_options(databases: list[Path]) -> None:
    for gold, predicted, options in (
        ("SELECT 1.0", "SELECT 1.4", Options(absolute="0.5")),
        ("SELECT 'Oslo'", "SELECT 'OSLO'", Options(ignore_case=True)),
        ("SELECT '12'", "SELECT 12", Options(text_numbers=True)),
    ):
        assert not score_sql(gold, predicted, databases[1:])
        assert score_sql(gold, predicted, databases[1:], options=options)
    assert score_sql("SELECT 1.0", "SELECT 1.4", databases[1:], epsilon="0.5")


def test_rules_that_cannot_be_are_refused(databases: list[Path]) -> None:
    with pytest.raises(CurtainError):
        score_sql(_GOLD, _GOLD, databases[1:], timeout=0)
    with pytest.raises(CasError):
        score_sql(_GOLD, _GOLD, databases[1:], epsilon="2")


def _ships(path: Path, *ships: tuple[str, int]) -> list[Path]:
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE ship(name TEXT, mast INTEGER)")
        made.executemany("INSERT INTO ship VALUES (?, ?)", ships)
        made.commit()
    return [path]


@pytest.mark.parametrize(
    ("predicted", "right"),
    [
        ("SELECT mast, name FROM ship", True),
        ("SELECT name, mast, 7 FROM ship", True),
        ("SELECT name, mast FROM ship UNION ALL SELECT 'Fram', 3", True),
        ("SELECT a.name, b.mast FROM ship a, ship b WHERE a.name <> b.name", False),
        ("SELECT name, mast + 0.009 FROM ship", False),
        ("SELECT name, mast + 0.0001 FROM ship", True),
        ("SELECT name, mast FROM ship ORDER BY mast DESC", True),
    ],
)
def test_our_rule_judges_as_the_page_on_the_metric_says(tmp_path: Path, predicted: str, right: bool) -> None:
    files = _ships(tmp_path / "sea.sqlite", ("Fram", 3), ("Maud", 2))
    assert bool(score_sql("SELECT name, mast FROM ship", predicted, files)) == right


def test_any_of_the_rows_that_a_limit_cuts_from_a_tie_is_right_and_noted(tmp_path: Path) -> None:
    files = _ships(tmp_path / "sea.sqlite", ("Fram", 3), ("Maud", 2), ("Vega", 2), ("Gjoa", 1))
    gold = "SELECT name FROM ship ORDER BY mast DESC LIMIT 2"
    score = score_sql(gold, "SELECT name FROM ship WHERE name IN ('Fram', 'Vega')", files)
    first = score_sql(gold, "SELECT name FROM ship WHERE name IN ('Fram', 'Maud')", files)
    assert score and first and bool(score.note) != bool(first.note)
    assert not score_sql(gold, "SELECT name FROM ship WHERE name IN ('Fram', 'Gjoa')", files)
    assert not score_sql(gold, "SELECT name FROM ship WHERE mast = 2", files)


def test_more_columns_are_wrong_where_columns_are_exact(tmp_path: Path) -> None:
    wide, files = "SELECT name, mast FROM ship", _ships(tmp_path / "sea.sqlite", ("Fram", 3))
    exact = score_sql("SELECT name FROM ship", wide, files, options=Options(columns=ColumnRule.EXACT))
    assert list(exact.reasons.values()) == ["2 columns, the reference has 1"]
    assert score_sql("SELECT name FROM ship", wide, files)


@pytest.mark.parametrize(
    ("sql", "keys"),
    [
        ("SELECT name FROM p ORDER BY age", [(20,), (20,), (30,)]),
        ("SELECT name, age FROM p ORDER BY 2", [(20,), (20,), (30,)]),
        ("SELECT name, age AS years FROM p ORDER BY YEARS DESC", [(30,), (20,), (20,)]),
        ("SELECT * FROM p ORDER BY age, name", [(20, "Ann"), (20, "Bob"), (30, "Dan")]),
        ("SELECT age, count(*) FROM p GROUP BY age ORDER BY count(*)", [(1,), (2,)]),
        ("SELECT age FROM p GROUP BY age ORDER BY max(name) DESC LIMIT 1", [("Dan",)]),
        ("SELECT DISTINCT age FROM p ORDER BY age", [(20,), (30,)]),
        ("SELECT age FROM p UNION SELECT 5 ORDER BY age", [(5,), (20,), (30,)]),
        ("WITH q AS (SELECT * FROM p) SELECT name FROM q ORDER BY q.age DESC", [(30,), (20,), (20,)]),
    ],
)
def test_each_row_has_its_keys(sql: str, keys: list[tuple[object, ...]]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE p(name TEXT, age INTEGER)")
    connection.execute("INSERT INTO p VALUES ('Ann', 20), ('Dan', 30), ('Bob', 20)")
    sorting = sort_keys(sql, "sqlite")
    assert [sorting.of(row) for row in connection.execute(sorting.sql)] == keys


@pytest.mark.parametrize("sql", ["SELECT a FROM p", "SELECT a FROM (SELECT a FROM p ORDER BY 1)", "no SQL at all ("])
def test_what_is_not_sorted_at_its_top_has_no_order(sql: str) -> None:
    assert not has_order(sql, "sqlite")
    assert sort_keys(sql, "sqlite") is None


def test_keys_that_another_column_would_change_are_not_given() -> None:
    assert has_order("SELECT DISTINCT lower(a) FROM p ORDER BY b", "duckdb")
    assert sort_keys("SELECT DISTINCT lower(a) FROM p ORDER BY b", "duckdb") is None


def test_a_statement_that_is_nested_too_deeply_has_no_keys() -> None:
    deep = f"SELECT {'(' * 20_000}1{')' * 20_000} ORDER BY 1 LIMIT 2"
    for dialect in ("sqlite", "duckdb"):
        assert not has_order(deep, dialect)
        assert sort_keys(deep, dialect) is None and without_limit(deep, dialect) is None
