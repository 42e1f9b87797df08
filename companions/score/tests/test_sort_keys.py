"""The keys of an ORDER BY, wherever they come from, say which rows of the result are tied."""

import sqlite3

import pytest

from curtain_score.sql.sort_keys import has_order, sort_keys, without_limit


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
