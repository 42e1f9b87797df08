"""Statements and files that are nested beyond reason end in one sentence, soon, wherever they are read."""

from collections.abc import Callable
from contextlib import suppress

import duckdb
import pytest

from curtain.base.sql_tokens import sql_words
from curtain.domain.guard.guard import StatementRefused, read_statement
from curtain.domain.maximum.lineage import Catalog, reads_tables
from curtain.domain.rules.statement_reader import facts_of
from curtain_drafts.tool.algebra.description import sketched
from curtain_drafts.tool.algebra.reading import SqlReader

TABLES = {"t": {"a": "INTEGER"}}
SHAPES: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "SELECT " + "(" * n + "1" + ")" * n,
    "brackets that stay open": lambda n: "SELECT " + "(" * n,
    "SELECT in SELECT": lambda n: "SELECT * FROM " + "(SELECT * FROM " * n + "t" + ")" * n,
    "functions": lambda n: "SELECT " + "abs(" * n + "a" + ")" * n + " FROM t",
    "lists": lambda n: "SELECT " + "[" * n + "1" + "]" * n,
    "CASE": lambda n: "SELECT " + "CASE WHEN a THEN " * n + "1" + " END" * n + " FROM t",
    "NOT": lambda n: "SELECT " + "NOT " * n + "a FROM t",
    "signs": lambda n: "SELECT " + "- " * n + "a FROM t",
    "casts": lambda n: "SELECT a" + "::INTEGER" * n + " FROM t",
    "dots": lambda n: "SELECT t.a" + ".b" * n + " FROM t",
    "AND": lambda n: "SELECT a FROM t WHERE " + " AND ".join(["a = 1"] * n),
    "sums": lambda n: "SELECT " + " + ".join(["a"] * n) + " FROM t",
    "UNION": lambda n: " UNION ".join(["SELECT a FROM t"] * n),
}
DEPTHS = (45, 180, 400, pytest.param(200_000, marks=pytest.mark.soak))


def every_reader(sql: str, connection: duckdb.DuckDBPyConnection) -> None:
    """Each may read it or refuse it, and raises nothing but what it says."""
    reader, catalog = SqlReader(TABLES), Catalog(TABLES)
    with suppress(StatementRefused):
        read_statement(connection, sql, 20_000)
    facts_of(sql, catalog)
    reads_tables(sql)
    reader.read(sql)
    assert len(sketched(sql, reader)) <= 1000
    sql_words(sql)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("depth", DEPTHS)
def test_a_deep_statement_is_read_or_refused_by_every_reader(depth: int, shape: str) -> None:
    with duckdb.connect() as connection:
        every_reader(SHAPES[shape](depth), connection)
