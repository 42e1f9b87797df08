"""Names that SQL would take for something else."""

from __future__ import annotations

import duckdb
import pytest

from curtain.base.sql_names import sql_name
from curtain.drafting.algebra.reading import SqlReader
from curtain.drafting.algebra.writing import write

TABLES = {"order": {"order": "INTEGER", "group": "VARCHAR"}, "group": {"group": "VARCHAR", "unit price": "INTEGER"}}


@pytest.mark.parametrize("name", ["order", "Group", "unit price", "2nd", 'a"b', "größe"])
def test_odd_names_are_quoted_so_that_duckdb_takes_them(name: str) -> None:
    with duckdb.connect() as database:
        database.execute(f"CREATE TABLE {sql_name(name)} ({sql_name(name)} INTEGER)")
        assert database.execute(f"SELECT {sql_name(name)} FROM {sql_name(name)}").fetchall() == []


@pytest.mark.parametrize("name", ["flight", "from_airport", "T2"])
def test_plain_names_stay_as_they_are(name: str) -> None:
    assert sql_name(name) == name


def test_every_reserved_word_of_duckdb_is_quoted() -> None:
    words = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    with duckdb.connect() as database:
        assert all(sql_name(word) != word for (word,) in database.execute(words).fetchall())


def test_a_statement_over_reserved_names_can_be_written_again() -> None:
    where = '"order"."group" = "group"."group" AND "group"."unit price" > 5'
    sql = f'SELECT "order"."order" FROM "order", "group" WHERE {where}'
    statement = SqlReader(TABLES).read(sql)
    assert statement is not None
    with duckdb.connect() as database:
        database.execute('CREATE TABLE "order" ("order" INTEGER, "group" VARCHAR)')
        database.execute('CREATE TABLE "group" ("group" VARCHAR, "unit price" INTEGER)')
        assert database.execute(write(statement)).fetchall() == []
