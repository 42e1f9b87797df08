import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import pytest

from curtain.domain.guard.error_texts import refusal_of_error
from curtain.domain.guard.functions import SAFE_FUNCTIONS
from curtain.domain.guard.guard import Fence, check, read_statement
from curtain.domain.guard.refusal import StatementRefused

from ..hostile import REFUSED

LONGEST = 20_000


@pytest.fixture(scope="module")
def connection(db: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(db), read_only=True, config={"errors_as_json": "true"}) as connection:
        yield connection


@pytest.fixture(scope="module")
def fence() -> Fence:
    person = ("id", "name", "born", "starts", "salary", "share", "active", "dept")
    return Fence({"person": person, "dept": ("dept", "name")}, SAFE_FUNCTIONS, date(1989, 8, 19))


ALLOWED = (
    "SELECT * FROM person",
    "select name from main.person where id = 3;",
    "SELECT p.name, d.name FROM person p JOIN dept d USING (dept) WHERE p.salary > 5 ORDER BY 1 DESC LIMIT 3 OFFSET 1",
    "SELECT dept, count(*), avg(salary), min(born) FROM person GROUP BY ALL HAVING count(*) > 2",
    "SELECT name FROM person WHERE id IN (SELECT dept FROM dept) AND name LIKE 'NAME%' AND born IS NOT NULL",
    "SELECT name FROM person p WHERE EXISTS (SELECT 1 FROM dept d WHERE d.dept = p.dept) AND id NOT IN (1, 2)",
    "SELECT name FROM person WHERE salary >= ALL (SELECT salary FROM person) OR id = ANY (SELECT dept FROM dept)",
    "WITH a AS (SELECT dept FROM dept), b AS (SELECT * FROM a) SELECT count(*) FROM b",
    "WITH person AS (SELECT 1 AS one) SELECT one FROM person",
    "SELECT id FROM person UNION SELECT dept FROM dept EXCEPT SELECT 4 INTERSECT SELECT 1",
    "SELECT CASE WHEN id > 3 THEN 'many' ELSE 'few' END, CAST(salary AS INTEGER), share::VARCHAR FROM person",
    "SELECT year(born), extract(month FROM born), date_diff('year', born, DATE '1989-08-19') FROM person",
    "SELECT (DATE '1989-08-19' - born) / 365.25, born + INTERVAL 1 YEAR > DATE '1950-01-01' FROM person",
    "SELECT row_number() OVER (PARTITION BY dept ORDER BY salary), lag(id) OVER (ORDER BY id) FROM person",
    "SELECT DISTINCT ON (dept) dept, name FROM person ORDER BY dept, id",
    "SELECT name FROM person p, LATERAL (SELECT max(dept) AS top FROM dept) t WHERE p.dept = t.top",
    "SELECT count(*) FILTER (WHERE active), sum(CASE WHEN active THEN 1 ELSE 0 END) * 1.0 / count(*) FROM person",
    "SELECT upper(substr(name, 1, 4)) || '-' || id, position('0' IN name), name[1], name ILIKE 'n%' FROM person",
    "FROM person SELECT name",
    "VALUES (1, 'a'), (2, 'b')",
    "SELECT * FROM (VALUES (1, 2)) AS v (a, b)",
    "TABLE dept",
    "SELECT dept, id, sum(salary) FROM person GROUP BY ROLLUP (dept, id)",
    "SELECT * EXCLUDE (salary) REPLACE (id * 2 AS id) FROM person",
    "(SELECT 1)",
    "SELECT /* a ; comment */ 'a;b' -- ; another\n, \"name\" FROM person",
    "SELECT nullif(id, 1), coalesce(born, DATE '1950-01-01'), ifnull(born, NULL), greatest(id, 3) FROM person",
    "SELECT id FROM person WHERE (name, dept) IN (('NAME 1', 1), ('NAME 2', 2)) OR (id, dept) = (3, 4)",
    "SELECT count(*) > 0 FROM person WHERE active AND NOT (salary BETWEEN 3 AND 9 OR share IS DISTINCT FROM 2)",
)


@pytest.mark.parametrize("sql", ALLOWED)
def test_what_a_wizard_writes_is_allowed_and_runs(
    connection: duckdb.DuckDBPyConnection, fence: Fence, sql: str
) -> None:
    check(read_statement(connection, sql, LONGEST), sql, fence)

    connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    ("sql", "sentence", "at"),
    [
        ("SELECT * FROM persn", "There is no table “persn” in this database; did you mean “person”?", (1, 15)),
        (
            "SELECT 1\nFROM other.person",
            "There is no table “other.person” in this database; did you mean “person”?",
            (2, 6),
        ),
        ("SELECT avrg(id) FROM person", "The function “avrg” is not allowed here; did you mean “avg”?", (1, 8)),
        ("SELECT 'é', zzz('x')", "The function “zzz” is not allowed here.", (1, 13)),
        ("SELECT [1, 2]", "Lists and rows in one cell are not allowed here: select the values one by one.", (1, 8)),
        ("SELECT random()", "“random” may give another answer another time; MIN or MAX always gives the same.", (1, 8)),
        ("SELECT any_value(id) FROM person", "“any_value” may give another answer another time", (1, 8)),
        ("SELECT first(id) FROM person", "“first” may give another answer another time", (1, 8)),
        ("SELECT getenv('x')", "The function “getenv” is not allowed here.", (1, 8)),
        ("SELECT version()", "The function “version” is not allowed here.", (1, 8)),
        ("SELECT 1; SELECT 2", "Only a single SELECT is allowed here: this text has 2 statements.", None),
        (
            "SELECT 1; DROP TABLE person",
            "Only a single SELECT is allowed here: this text has more than one statement.",
            None,
        ),
        ("-- so\n drop table person", "Only a single SELECT is allowed here: DROP is not.", None),
        ("", "There is no statement to run.", None),
        ("SELECT name,\n  CURRENT_DATE FROM person", "“current_date” is today", (2, 3)),
        # A name of WITH is seen only below it.
        (
            "SELECT * FROM hidden WHERE EXISTS (WITH hidden AS (SELECT 1) SELECT * FROM hidden)",
            "There is no table “hidden” in this database",
            (1, 15),
        ),
        ("SELECT ?", "A placeholder has no value here: write the value itself.", (1, 8)),
        ("SELECT (1", "This statement cannot be read; the problem is at or just before “1”.", (1, 9)),
        ("SELEC 1", "This statement cannot be read; the problem is at or just before “SELEC”.", (1, 1)),
        ("SELECT 'x", "A text begins with a single quote and does not end", (1, 8)),
        ("SELECT 1 -- \0", "There is a character in this statement that cannot be read.", None),
        ("SELECT \udcff", "There is a character in this statement that cannot be read.", None),
    ],
)
def test_a_refusal_is_one_sentence_with_its_place(
    connection: duckdb.DuckDBPyConnection, fence: Fence, sql: str, sentence: str, at: tuple[int, int] | None
) -> None:
    with pytest.raises(StatementRefused) as refused:
        check(read_statement(connection, sql, LONGEST), sql, fence)

    assert str(refused.value).startswith(sentence)
    assert refused.value.at == at


def test_a_column_named_like_the_clock_is_a_column(connection: duckdb.DuckDBPyConnection) -> None:
    fence = Fence({"person": ("id", "now", "user")}, SAFE_FUNCTIONS, date(1989, 8, 19))
    sql = "SELECT now, user FROM person"

    check(read_statement(connection, sql, LONGEST), sql, fence)


@pytest.mark.parametrize("hidden", ["duckdb_databases", "duckdb_settings", "duckdb_logs", "sqlite_master"])
@pytest.mark.parametrize("letter", ["k\u212a", "s\u017f", "i\u0130", "i\u0131", "d\uff44", "t\u0442"])
def test_a_name_of_with_opens_no_other_name(
    connection: duckdb.DuckDBPyConnection, fence: Fence, hidden: str, letter: str
) -> None:
    alike = hidden.replace(letter[0], letter[1])
    for spelling in (alike, alike.upper(), alike.swapcase(), alike + "\u0307"):
        if spelling.isascii():  # as of itself then, whatever the letter was
            continue
        for name in (hidden, hidden.upper(), f'"{hidden}"'):
            sql = f'WITH "{spelling}" AS (SELECT 1) SELECT * FROM {name}'
            with pytest.raises(StatementRefused, match="no table"):
                check(read_statement(connection, sql, LONGEST), sql, fence)


@pytest.mark.parametrize(("seed", "texts"), [(0, 2_000), pytest.param("soak", 50_000, marks=pytest.mark.soak)])
def test_no_mutated_text_gets_anything_but_a_sentence(
    connection: duckdb.DuckDBPyConnection, fence: Fence, seed: int | str, texts: int
) -> None:
    chance = random.Random(seed)
    seeds = [sql for sql in (*ALLOWED, *REFUSED) if len(sql) < 400]
    for _ in range(texts):
        sql = mutated(chance.choice(seeds), chance.choice(seeds), chance)
        sentence = refusal_of(connection, fence, sql)
        assert sentence is None or (sentence.endswith((".", "?", "…")) and "\n" not in sentence), (sql, sentence)


def refusal_of(connection: duckdb.DuckDBPyConnection, fence: Fence, sql: str) -> str | None:
    """None if the text may run; anything but a refusal or an error of DuckDB's own goes through."""
    try:
        check(read_statement(connection, sql, LONGEST), sql, fence)
    except StatementRefused as refused:
        assert refused.at is None or (refused.at[0] >= 1 and refused.at[1] >= 1)
        return str(refused)
    except duckdb.Error as error:
        return str(refusal_of_error(str(error), sql, fence.tables))
    return None


def mutated(sql: str, other: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(sql))
        end = min(len(sql), start + chance.choice((0, 1, 1, 5, 20)))
        piece = chance.choice(("", chance.choice(PIECES), other[start : start + 15], chr(chance.randint(1, 0x2FFF))))
        sql = sql[:start] + piece + sql[end:]
    return sql


PIECES = (
    "'", '"', "(", ")", "((((((((", ";", "--", "/*", "*/", "$$", "$a$", "{:~a}", "[", "]", ",", ".", "::", "->", "%",
    "\\",
    " SELECT ", " FROM ", " WHERE ", " UNION ", " WITH RECURSIVE ", " OVER (", " AS ", " NULL ", " INTERVAL ",
    "person", "\n",
    "0x", "1e999", "9" * 44, "\u200b", "\ud800", "é", "E'\\x'", "U&'\\0041'", "b'1'",
)  # fmt: skip


@pytest.mark.parametrize("call", ["random()", "uuid()", "first(id)", "list_value(id)", "now()"])
def test_no_pack_can_allow_what_is_refused_everywhere(
    connection: duckdb.DuckDBPyConnection, fence: Fence, call: str
) -> None:
    sql = f"SELECT {call} FROM person"
    lax = replace(fence, functions=fence.functions | {call.partition("(")[0]})
    with pytest.raises(StatementRefused):
        check(read_statement(connection, sql, LONGEST), sql, lax)
