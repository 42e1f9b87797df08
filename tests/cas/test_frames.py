"""The same values are the same answer, whichever library hands them over: sources times types, each pair compared."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import duckdb
import numpy
import pytest

from curtain.cas import Relation, compare, from_rows, from_table

Connection = duckdb.DuckDBPyConnection

DUCKDB_SOURCES: dict[str, Callable[[Connection, str], Any]] = {
    "cursor": lambda connection, sql: connection.execute(sql),
    "relation": lambda connection, sql: connection.sql(sql),
    "fetchall": lambda connection, sql: connection.execute(sql).fetchall(),
    "df": lambda connection, sql: connection.sql(sql).df(),
    "arrow": lambda connection, sql: connection.sql(sql).to_arrow_table(),
    "arrow reader": lambda connection, sql: connection.sql(sql).to_arrow_reader(),
    "numpy": lambda connection, sql: connection.sql(sql).fetchnumpy(),
    "structured array": lambda connection, sql: _structured(connection.execute(sql).fetchall()),
    "polars": lambda connection, sql: _polars(connection, sql),
}
TYPES = [
    "1", "100001::HUGEINT", "sum(100001) OVER ()", "18446744073709551615::UBIGINT", "7::UTINYINT", "2.5::DOUBLE",
    "3.0::FLOAT", "1.25::DECIMAL(9, 2)", "'a'", "'BOS '", "true", "DATE '1989-07-04'",
    "TIMESTAMP '1989-07-04 09:20:00'",
    "TIMESTAMP_NS '1989-07-04 09:20:00'", "TIME '09:20:00'", "INTERVAL '1 day 5 seconds'", "INTERVAL '400 days'",
    "'ab'::BLOB", "[5]", "[1, 2]", "{'a': 1}", "uuid '00000000-0000-0000-0000-000000000007'", "'x'::ENUM ('x', 'y')",
    "'infinity'::DOUBLE", "[DATE '1989-07-04', NULL]", "[[DATE '1989-07-04']]", "[TIMESTAMP '1989-07-04 09:20:00']",
]  # fmt: skip


def _structured(rows: list[Any]) -> Any:
    columns = [f"c{number}" for number in range(len(rows[0]))]
    return numpy.array([tuple(row) for row in rows], dtype=[(name, object) for name in columns])


def _polars(connection: Connection, sql: str) -> Any:
    polars = pytest.importorskip("polars")
    try:
        return connection.sql(sql).pl()
    except polars.exceptions.ComputeError as refused:
        pytest.skip(f"polars has no such type: {refused}")


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with duckdb.connect() as opened:
        yield opened


@pytest.mark.parametrize("source", list(DUCKDB_SOURCES))
def test_a_value_of_duckdb_is_the_same_from_each_source(connection: Connection, source: str):
    for sql in TYPES:
        query = f"SELECT {sql} AS a, 1 AS b UNION ALL SELECT NULL, 2"
        wanted = from_table(connection.execute(query))
        given = from_table(DUCKDB_SOURCES[source](connection, query))
        assert compare(given, wanted) and compare(wanted, given), (sql, given, wanted)


@pytest.mark.parametrize("source", list(DUCKDB_SOURCES))
def test_large_sums_are_told_apart_from_each_source(connection: Connection, source: str):
    given, other = (
        from_table(DUCKDB_SOURCES[source](connection, f"SELECT sum(i) AS a FROM (SELECT {number} AS i)"))
        for number in (100001, 100002)
    )
    assert not compare(given, other)


def test_plain_values_are_the_same_from_sqlite_and_json_too():
    import pandas

    rows: list[tuple[object, ...]] = [(1, 2.5, "a", None), (None, 1000.25, "BOS", "x")]
    with closing(sqlite3.connect(":memory:")) as lite, duckdb.connect() as duck:
        cells = "SELECT 1 a, 2.5 b, 'a' c, NULL d UNION ALL SELECT NULL, 1000.25, 'BOS', 'x'"
        sources: list[Any] = [
            rows, json.loads(json.dumps(rows)), [dict(zip("abcd", row, strict=True)) for row in rows],
            {name: [row[place] for row in rows] for place, name in enumerate("abcd")}, pandas.DataFrame(rows),
            lite.execute(cells), duck.execute(cells),
        ]  # fmt: skip
        answers = list(map(from_table, sources))
    for one, other in product(answers, repeat=2):
        assert compare(one, other), (one, other)


SAME = [
    (numpy.datetime64("1989-07-04T09:20:00", "ns"), datetime(1989, 7, 4, 9, 20)),
    (numpy.timedelta64(5, "s"), timedelta(seconds=5)),
    (numpy.datetime64("NaT"), None),
    (numpy.longdouble("2.5"), 2.5),
    (Decimal("Infinity"), float("inf")),
    (Decimal("NaN"), float("nan")),
    (numpy.float64("inf"), float("inf")),
    (numpy.int64(3), 3),
    (numpy.bool_(True), True),
    (numpy.str_("a"), "a"),
    (numpy.array(5), 5),
    ((1, 2), [1, 2]),
    (bytearray(b"x"), b"x"),
]


@pytest.mark.parametrize(("value", "same"), SAME, ids=lambda value: f"{type(value).__name__} {value}")
def test_a_value_of_a_library_is_the_python_value_it_stands_for(value: object, same: object):
    assert from_rows([(value, 1)]) == from_rows([(same, 1)])


def test_a_value_of_pandas_is_the_python_value_it_stands_for():
    import pandas

    for value, same in ((pandas.Timedelta(5, "s"), timedelta(seconds=5)), (pandas.NaT, None), (pandas.NA, None)):
        assert from_rows([(value, 1)]) == from_rows([(same, 1)]), value


def test_a_list_of_one_value_is_not_the_value():
    assert not compare(from_rows([([5],)]), from_rows([(5,)]))
    assert not compare(from_rows([(numpy.array([5]),)]), from_rows([(5,)]))


def test_what_a_mask_hides_is_nil_and_not_its_number():
    hidden = {"a": numpy.ma.array([1, 7], mask=[False, True])}
    assert from_table(hidden) == from_rows([(1,), (None,)])
    assert not compare(from_table(hidden), from_rows([(1,), (0,)]))


@pytest.mark.parametrize("odd", [float("inf"), float("-inf"), float("nan"), None])
def test_a_value_that_is_no_number_leaves_the_tolerance_to_the_others(odd: float | None):
    wanted = from_rows([(odd,), (53200.0,)])
    assert compare(from_rows([(53198.8,), (odd,)]), wanted)
    assert not compare(from_rows([(53190.9,), (odd,)]), wanted)
    assert not compare(from_rows([(53198.8,), (5.0,)]), wanted)


def test_no_rows_are_the_empty_relation_from_each_source(connection: Connection):
    for name in ("cursor", "df", "arrow", "arrow reader", "numpy"):
        assert from_table(DUCKDB_SOURCES[name](connection, "SELECT 1 AS a WHERE false")) == Relation()
