"""Statements in the Spider evaluator's language: what is written can be read by it, the rest says why not."""

import json
import sqlite3
from contextlib import closing
from importlib import resources

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curtain.corpus.exports.sql.spider_sql import in_spiders_words
from curtain.corpus.exports.sql.spider_words import BeyondSpider
from curtain.domain.pack.schema import read_schema
from tests.corpus.exports.spider_grammar import NotSpider, check

TABLES = {"emp": ["id", "name", "dep", "pay", "boss"], "dep": ["dep", "title"], "t1": ["x"]}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select NAME from emp", "SELECT name FROM emp"),
        ("SELECT name AS n FROM emp ORDER BY n DESC NULLS LAST LIMIT 3",
         "SELECT name FROM emp ORDER BY name DESC LIMIT 3"),
        ("SELECT name FROM emp ORDER BY 1", "SELECT name FROM emp ORDER BY name"),
        ("SELECT name FROM emp WHERE NOT (pay <> 5)", "SELECT name FROM emp WHERE pay = 5"),
        ("SELECT name FROM emp WHERE 5 < pay", "SELECT name FROM emp WHERE pay > 5"),
        ("SELECT name FROM emp WHERE NOT 5 < pay", "SELECT name FROM emp WHERE pay <= 5"),
        ("SELECT name FROM emp WHERE NOT name ILIKE 'a%'", "SELECT name FROM emp WHERE name NOT LIKE 'a%'"),
        ("SELECT name FROM emp WHERE dep IN (1, 2)", "SELECT name FROM emp WHERE dep = 1 OR dep = 2"),
        ("SELECT name FROM emp WHERE dep NOT IN (1, 2)", "SELECT name FROM emp WHERE dep != 1 AND dep != 2"),
        ("SELECT name FROM emp WHERE pay > 1 AND (dep = 1 OR dep = 2)",
         "SELECT name FROM emp WHERE pay > 1 AND dep = 1 OR pay > 1 AND dep = 2"),
        ("SELECT e.name FROM emp e, emp b WHERE e.boss = b.id",
         "SELECT t2.name FROM emp AS t2 JOIN emp AS t3 WHERE t2.boss = t3.id"),
        ("SELECT name FROM emp INNER JOIN dep USING (dep) WHERE dep = 1",
         "SELECT name FROM emp JOIN dep ON emp.dep = dep.dep WHERE emp.dep = 1"),
        ("SELECT dep, count(*) FROM emp GROUP BY 1 HAVING count(*) > 2",
         "SELECT dep, COUNT(*) FROM emp GROUP BY dep HAVING COUNT(*) > 2"),
        ("SELECT name FROM emp UNION SELECT title FROM dep", "SELECT name FROM emp UNION SELECT title FROM dep"),
        ("SELECT name FROM emp WHERE pay = (SELECT max(pay) FROM emp)",
         "SELECT name FROM emp WHERE pay = (SELECT MAX(pay) FROM emp)"),
        ("SELECT name FROM emp WHERE pay > DATE '1989-01-02'", "SELECT name FROM emp WHERE pay > '1989-01-02'"),
        ("SELECT count(DISTINCT name), pay - boss FROM emp WHERE pay BETWEEN -1 AND 2.5",
         "SELECT COUNT(DISTINCT name), pay - boss FROM emp WHERE pay BETWEEN -1 AND 2.5"),
        ("SELECT name FROM emp WHERE dep = 2 OR pay = boss", "SELECT name FROM emp WHERE dep = 2 OR pay = boss"),
        ("SELECT name FROM emp WHERE pay = boss OR dep = 2", "SELECT name FROM emp WHERE dep = 2 OR pay = boss"),
    ],
)  # fmt: skip
def test_a_statement_is_said_in_the_evaluators_words(sql, expected):
    assert in_spiders_words(sql, TABLES) == expected
    check(expected, TABLES)


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT name FROM emp WHERE boss IS NULL", "a condition on NULL"),
        ("SELECT upper(name) FROM emp", "a function"),
        ("SELECT list(name) FROM emp", "a function"),
        ("SELECT name FROM emp LEFT JOIN dep USING (dep)", "a join that is not JOIN ... ON"),
        ("SELECT name FROM (SELECT name FROM emp) AS x", "a query in place of a table"),
        ("WITH x AS (SELECT name FROM emp) SELECT name FROM x", "WITH in a SELECT"),
        ("SELECT name FROM emp UNION ALL SELECT title FROM dep", "UNION ALL, or something behind a UNION"),
        ("SELECT name FROM emp WHERE name = 'O''Hare'", "a text with quotes in it"),
        ("SELECT name FROM emp LIMIT 2 OFFSET 1", "OFFSET in a SELECT"),
        ("SELECT pay * 2 FROM emp", "a value where the language wants a column"),
        ("SELECT count(*) > 2 FROM emp", "arithmetic with more than two columns"),
        ("SELECT name FROM emp WHERE EXISTS (SELECT 1 FROM dep)", "EXISTS"),
        ("SELECT 1", "a SELECT without a table"),
        ("SELECT name FROM emp WHERE pay = boss OR dep = boss", "two columns compared beside an OR"),
        ('SELECT "my name" FROM emp', "a name that needs quotes"),
        ("SELECT nothing FROM emp", "a column of an outer query without its table"),
        ("SELECT e.nothing FROM emp e", "a column that the database does not have"),
        ("SELECT name FROM nowhere", "a table that the database does not have"),
        ("SELECT name FROM emp; SELECT name FROM emp", "it is not one SELECT that can be read"),
        ("DROP TABLE emp", "it is not one SELECT that can be read"),
        ("SELECT FROM WHERE", "it is not one SELECT that can be read"),
        ("SELECT DISTINCT ON (dep) name FROM emp", "DISTINCT ON"),
        ("SELECT row_number() OVER () FROM emp", "a window"),
        ("SELECT count(*) FROM emp HAVING count(*) > 2", "HAVING without GROUP BY"),
        ("SELECT name FROM emp WHERE pay > 1e5", "a number in another notation"),
        ("SELECT name FROM emp ORDER BY 1.5", "a value where the language wants a column"),
        ("SELECT name FROM emp QUALIFY true", "QUALIFY in a SELECT"),
        ("SELECT name FROM emp WHERE " + "(" * 3000 + "pay = 1" + ")" * 3000, "it is not one SELECT that can be read"),
        ("SELECT name FROM emp WHERE " + " AND ".join(["(pay = 1 OR pay = 2)"] * 9),
         "too many conditions without parentheses"),
    ],
)  # fmt: skip
def test_what_the_evaluator_cannot_read_is_refused_with_the_reason(sql, why):
    with pytest.raises(BeyondSpider, match=f"^{why.replace('.', '[.]')}$"):
        in_spiders_words(sql, TABLES)


@pytest.mark.parametrize(
    "sql", ["SELECT a AS b FROM emp", "SELECT name FROM emp WHERE (pay = 1)", "SELECT list(name) FROM emp"]
)
def test_the_recogniser_of_these_tests_can_say_no(sql):
    with pytest.raises(NotSpider):
        check(sql, TABLES)


def examples(domain):
    pack = resources.files("sample_db") / domain
    tables = {name: list(columns) for name, columns in read_schema((pack / "schema.sql").read_text("utf-8")).items()}
    rows = map(json.loads, (pack / "examples.jsonl").read_text("utf-8").splitlines())
    return tables, [row["sql"] for row in rows if row.get("sql")]


@pytest.mark.parametrize(("domain", "share"), [("personnel", 0.75), ("atis", 0.9)])
def test_most_queries_of_the_bundled_domains_can_be_said_and_read(domain, share):
    tables, statements = examples(domain)
    said = 0
    for sql in statements:
        try:
            words = in_spiders_words(sql, tables)
        except BeyondSpider:
            continue
        check(words, tables)
        said += 1
    assert said >= share * len(statements)


ROWS = [(1, 5, "x", None), (2, None, "y", "p"), (3, 7, None, "p"), (4, 5, "y", "q"), (5, 9, "x", "x")]
SMALL = {"t": ["id", "a", "b", "c"]}
ATOMS = st.sampled_from(
    ["a = 5", "7 <= a", "a BETWEEN 5 AND 7", "b LIKE 'x%'", "b IN ('x', 'y')", "a NOT IN (5, 9)", "b <> c", "c = b",
     "a IN (SELECT a FROM t WHERE b = 'x')", "a > (SELECT min(a) FROM t)", "b NOT LIKE 'y'", "a <> -1"]
)  # fmt: skip
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(lambda parts: f"({' '.join(parts)})"),
        inner.map(lambda one: f"NOT ({one})"),
    ),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def both():
    with duckdb.connect() as duck, closing(sqlite3.connect(":memory:")) as lite:
        for one in (duck, lite):
            one.execute("CREATE TABLE t (id INTEGER, a INTEGER, b VARCHAR, c VARCHAR)")
            one.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", ROWS)
        yield duck, lite


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(condition=CONDITIONS)
def test_conditions_without_parentheses_mean_the_same(both, condition):
    duck, lite = both
    sql = f"SELECT id FROM t WHERE {condition}"
    try:
        words = in_spiders_words(sql, SMALL)
    except BeyondSpider as beyond:
        assert str(beyond) in ("two columns compared beside an OR", "too many conditions without parentheses")
        return
    check(words, SMALL)
    assert sorted(lite.execute(words).fetchall()) == sorted(duck.execute(sql).fetchall())
