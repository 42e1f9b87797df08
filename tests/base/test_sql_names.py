"""Names that SQL would take for something else."""

import sys

import duckdb
import pytest

from curtain.base.sql_names import folded, sql_name
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.algebra.writing import write

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


def test_names_are_compared_as_duckdb_compares_them() -> None:
    letters = [chr(code) for code in range(sys.maxunicode) if not 0xD800 <= code < 0xE000]
    # Every letter that some way of folding turns into one of ASCII, and some that it turns into others.
    odd = {one for one in letters for two in (one.lower(), one.casefold()) if one != two and two.isascii()}
    odd |= set("AkKsSiI\u0130\u0131\u017f\u212a\uff21\uff41ÄäßẞΣσςЖж")
    with duckdb.connect() as database:
        for one in odd:
            for other in {one.lower(), one.upper(), one.casefold(), one.swapcase()}:
                try:
                    database.execute(f'WITH "a{one}" AS (SELECT 1) SELECT * FROM "A{other}"')
                    same = True
                except duckdb.CatalogException:
                    same = False
                assert (folded(f"a{one}") == folded(f"A{other}")) is same, (one, other)
