"""A statement that is run in another form has the same rows as in its own."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import duckdb
import msgspec
import pytest

from curtain.domain.worker.branches import branched

TABLES = {"a": ("x", "y"), "b": ("x", "z"), "c": ("y", "z"), "none": ("x",)}
SAMPLE, ALL = 60, 250


@pytest.fixture(scope="module")
def db() -> Iterator[duckdb.DuckDBPyConnection]:
    draw = random.Random(1)
    with duckdb.connect(config={"threads": "1"}) as db:
        for table, columns in TABLES.items():
            db.execute(f"CREATE TABLE {table} ({', '.join(f'{one} INTEGER' for one in columns)})")
        for table in ("a", "b", "c"):
            rows = [[draw.choice([None, 1, 2, 3, 4]) for _ in TABLES[table]] for _ in range(6)]
            db.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)
        yield db


def taken_apart(db: duckdb.DuckDBPyConnection, sql: str) -> str | None:
    """The text of the other form, or None if the statement keeps its own."""
    [serialized] = db.execute("SELECT json_serialize_sql(?)", [sql]).fetchone() or [""]
    apart = branched(msgspec.json.decode(serialized)["statements"][0], TABLES)
    if apart is None:
        return None
    tree = msgspec.json.encode({"error": False, "statements": [apart]}).decode()
    [text] = db.execute("SELECT json_deserialize_sql(?)", [tree]).fetchone() or [""]
    return str(text)


def rows(db: duckdb.DuckDBPyConnection, sql: str) -> Counter[tuple[Any, ...]]:
    return Counter(db.execute(sql).fetchall())


def test_two_sides_of_an_or_become_two_selects_and_what_is_not_tied_need_only_exist(
    db: duckdb.DuckDBPyConnection,
) -> None:
    sql = "SELECT DISTINCT a.x FROM a, b, c WHERE (a.x = b.x AND b.z = 1 OR a.y = c.y) AND a.x > 1"
    assert taken_apart(db, sql) == (
        "(SELECT DISTINCT a.x FROM a , b WHERE ((a.x = b.x) AND (b.z = 1) AND (a.x > 1) AND EXISTS(SELECT 1 FROM c))) "
        "UNION (SELECT DISTINCT a.x FROM a , c WHERE ((a.y = c.y) AND (a.x > 1) AND EXISTS(SELECT 1 FROM b)))"
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT DISTINCT a.x FROM a, b, c WHERE a.x = b.x AND b.z = c.z AND (a.y = 1 OR c.y = 2)",
        "SELECT a.x FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT DISTINCT a.x FROM a, b WHERE a.x = b.x OR a.y = 1 LIMIT 2",
        "SELECT DISTINCT a.x + 1 FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT DISTINCT ON (a.x) a.x, a.y FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT DISTINCT * FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT DISTINCT a.x FROM a LEFT JOIN b ON true WHERE a.x = b.x OR a.y = 1",
        "SELECT DISTINCT a.x FROM a, (SELECT x FROM b) b WHERE a.x = b.x OR a.y = 1",
        "WITH b AS (SELECT 7 AS x) SELECT DISTINCT a.x FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT DISTINCT y AS w FROM a, b WHERE w = 1 OR b.z = 2",
        "SELECT COUNT(a.x) FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT SUM(DISTINCT a.x) FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT MIN(a.x), MAX(b.z) FROM a, b WHERE a.x = b.x OR a.y = 1",
        "SELECT a.x, MIN(a.y) FROM a, b WHERE a.x = b.x OR a.y = 1 GROUP BY a.x",
        "SELECT DISTINCT x FROM a, b WHERE a.x = b.x OR a.y = 1",
        # Nested too deeply, and with too many sides.
        f"SELECT DISTINCT a.y FROM a, b WHERE {' + '.join(['a.x'] * 250)} > 250 OR b.z > 0",
        f"SELECT DISTINCT a.x FROM a, b WHERE {' AND '.join(f'(a.x = {n} OR b.z = {n})' for n in range(7))}",
    ],
)
def test_a_statement_of_another_form_runs_as_it_was_typed(db: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert taken_apart(db, sql) is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT DISTINCT a.x FROM a, none WHERE a.x = 1 OR a.y = 2",
        "SELECT DISTINCT a.x FROM a, none WHERE a.x = none.x OR a.y = 2",
        "SELECT DISTINCT a.x FROM a, b, c WHERE 1 = 0 AND (a.x = b.x OR a.y = c.y)",
        "SELECT MIN(a.x), MAX(a.y) FROM a, b, none WHERE a.x = b.x OR a.y = 1",
        "SELECT COUNT(DISTINCT a.x) FROM a, b, c WHERE a.x = b.x OR a.y = c.y",
        "SELECT DISTINCT A.X FROM a AS A, b AS B1, b AS b2 WHERE A.X = b1.x OR a.Y = B2.Z",
        "SELECT DISTINCT w.z, w.y FROM (SELECT DISTINCT c.y, c.z FROM a, b, c WHERE a.x = c.z OR b.z = c.y) w",
        "WITH w AS (SELECT DISTINCT c.y FROM a, b, c WHERE a.x = c.z OR b.z = c.y) SELECT COUNT(*) FROM w",
        "SELECT y FROM a WHERE x = (SELECT MIN(c.y) FROM b, c WHERE b.x = 1 OR b.z = c.z)",
        "SELECT DISTINCT a.y FROM a, b, c WHERE a.x = b.x AND EXISTS (SELECT 1 FROM none) OR c.z = 2",
        "SELECT DISTINCT y FROM a, b WHERE EXISTS (SELECT 1 FROM none WHERE z = 1) OR b.x = 2",
    ],
)
def test_forms_that_might_mislead_have_the_rows_of_the_typed_statement(db: duckdb.DuckDBPyConnection, sql: str) -> None:
    apart = taken_apart(db, sql)
    assert apart is not None
    assert rows(db, apart) == rows(db, sql)


@pytest.mark.parametrize("generating", [SAMPLE, pytest.param(ALL, marks=pytest.mark.soak)])
def test_generated_statements_have_the_rows_of_the_typed_ones(db: duckdb.DuckDBPyConnection, generating: int) -> None:
    apart = nonempty = 0
    for sql in islice(generated(1992), generating):
        text = taken_apart(db, sql)
        if text is not None:
            wanted = rows(db, sql)
            assert rows(db, text) == wanted, f"{sql}\n{text}"
            apart += 1
            nonempty += bool(wanted)
    assert apart > generating / 3
    assert nonempty > generating / 6


# -- statements without end: an OR, AND and NOT of conditions on one to three tables ------------------------


def generated(seed: int) -> Iterator[str]:
    draw = random.Random(seed)
    while True:
        sources = [f"{table} AS {table}{n}" for n, table in enumerate(draw.choices("aabbcc", k=draw.choice([2, 3, 3])))]
        sources += ["none"] if draw.random() < 0.05 else []
        places = [f"{one.split()[-1]}.{column}" for one in sources for column in TABLES[one.split()[0]]]
        yield f"SELECT {_shown(draw, places)} FROM {', '.join(sources)} WHERE {_condition(draw, places, 3)}"


def _shown(draw: random.Random, places: list[str]) -> str:
    one = draw.choice(places)
    return draw.choice(
        [f"DISTINCT {one}", f"DISTINCT {one}, {draw.choice(places)}", f"MIN({one})", f"COUNT(DISTINCT {one})"]
    )


def _condition(draw: random.Random, places: list[str], depth: int) -> str:
    if depth and draw.random() < 0.75:
        word = draw.choice([" AND ", " OR "])
        return f"({word.join(_condition(draw, places, depth - 1) for _ in range(draw.choice([2, 2, 3])))})"
    one, other = draw.choice(places), draw.choice(places)
    forms = [
        f"{one} = {other}", f"{one} = {draw.randrange(1, 5)}", f"{one} < {other}", f"{one} IS NULL",
        f"NOT ({one} = {other} OR {other} = 1)", f"{one} BETWEEN 2 AND 3", f"{one} IN (SELECT x FROM b WHERE z = 2)",
        f"EXISTS (SELECT 1 FROM c WHERE c.y = {one} AND z > 1)", f"{one} = (SELECT MAX(z) FROM b WHERE b.x = {other})",
    ]  # fmt: skip
    return draw.choice(forms)
