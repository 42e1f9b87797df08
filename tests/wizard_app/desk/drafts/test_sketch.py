"""Of drafts that stand together no two read alike."""

import re

import pytest

from curtain.domain.pack.pack import load_pack
from curtain.drafting.algebra.description import sketched
from curtain.drafting.algebra.reading import SqlReader
from curtain.drafting.values import Draft
from wizard_app.desk.drafts.control import sketches

TABLES = {"t": ["a", "b", "c", "d", "e", "f", "g", "h", "x", "column_b"], "school": ["x"]}
SMALL = SqlReader({table: dict.fromkeys(columns, "VARCHAR") for table, columns in TABLES.items()})


def drafts(*statements: str, reader: SqlReader = SMALL) -> list[Draft]:
    return [Draft(sql, 0.5, sketch=sketched(sql, reader)) for sql in statements]


def nearly(sql: str) -> list[str]:
    changes = [
        (r"'(\w)", r"'X\1"), (r" = '", " <> '"), (r"\bAND\b", "OR"), (r"SELECT DISTINCT", "SELECT"),
        (r"COUNT\(\*\)", "COUNT(*) > 0"), (r"MIN\(", "MAX("), (r"$", " LIMIT 1"), (r"WHERE (.*)", r"WHERE NOT (\1)"),
        (r" > ", " >= "), (r"SELECT (DISTINCT )?(\w+)", r"SELECT \1 COUNT(\2)"), (r" NOT IN ", " IN "),
        (r"DATE '", "TIMESTAMP '"), (r" FROM (\w+)", r" FROM \1 NATURAL JOIN more_of_it"),
    ]  # fmt: skip
    changed = (re.sub(pattern, to, sql, count=1) for pattern, to in changes)
    return [one for one in dict.fromkeys(changed) if one != sql]


@pytest.mark.parametrize(
    ("name", "every"), [("personnel", 1), ("atis", 15), pytest.param("atis", 1, marks=pytest.mark.soak)]
)
def test_no_two_drafts_that_stand_together_read_alike(name: str, every: int) -> None:
    pack = load_pack(name)
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    statements = [example.sql for example in pack.examples()]
    rows = [list(dict.fromkeys(statements[at : at + 5])) for at in range(0, len(statements), 5)]
    changed = [[sql, *nearly(sql)] for sql in sorted(set(statements))]
    for together in [*rows[::every], *changed[::every]]:
        lines = sketches(drafts(*together, reader=reader))
        assert len(set(lines)) == len(together), together[0]


def test_drafts_that_would_read_alike_show_what_only_they_have() -> None:
    lines = sketches(drafts("SELECT a FROM t WHERE a = 1", "SELECT DISTINCT a FROM t WHERE a = 1", "SELECT b FROM t"))
    assert lines == ["[plain]  a of ts with a 1", "[DISTINCT]  a of ts with a 1", "b of all ts"]


def test_a_draft_without_a_sketch_shows_its_statement() -> None:
    assert sketches([Draft("SELECT  1", 0.5)]) == ["SELECT 1"]
