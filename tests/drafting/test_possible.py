"""Statements that nothing can answer."""

from __future__ import annotations

import pytest

from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.possible import possible

TABLES = {"trip": {"town": "VARCHAR", "leaves": "INTEGER", "day": "DATE", "stops": "INTEGER"}}


def judged(where: str) -> bool:
    statement = Parser(TABLES).parse(f"SELECT town FROM trip WHERE {where}")
    assert statement is not None
    return possible(statement)


@pytest.mark.parametrize(
    "where",
    [
        "town = 'IONA' AND town = 'MULL'",
        "leaves BETWEEN 2200 AND 1800",
        "leaves > 1600 AND leaves < 900",
        "leaves >= 1600 AND stops = 0 AND leaves <= 900",
        "leaves = 800 AND leaves > 900",
        "day > DATE '1990-01-01' AND town = 'IONA' AND town = 'EIGG'",
        "day >= DATE '1990-01-01' AND day < DATE '1989-01-01'",
        "day > CAST('1990-01-01' AS DATE) AND stops = 0 AND day < DATE '1989-01-01'",
        "day = DATE '1990-01-01' AND day = DATE '1990-01-02'",
        "town LIKE '%IONA%' AND town = 'MULL'",
    ],
)
def test_contradictions_are_impossible(where: str) -> None:
    assert not judged(where)


@pytest.mark.parametrize(
    "where",
    [
        "town = 'IONA' AND leaves = 800",
        "town = 'IONA' AND town = 'IONA'",
        "town LIKE '%IONA%' AND town = 'NEW IONA'",
        "town LIKE 'I_NA%' AND town = 'IONA'",
        "town LIKE '%IONA%' AND town LIKE '%NEW%'",
        "leaves BETWEEN 800 AND 800",
        "leaves BETWEEN 800 AND 1200 AND leaves > 900",
        "NOT leaves BETWEEN 2200 AND 1800",
        "(town = 'IONA' OR town = 'MULL')",
        "leaves > 900 AND leaves < 1600",
        "day >= DATE '1989-01-01' AND day < DATE '1990-01-01'",
        "(day < DATE '1989-01-01' OR day >= DATE '1990-01-01')",
        "leaves > 1600 AND leaves < (SELECT MAX(leaves) FROM trip)",
        "town > 'A' AND stops = 1",
    ],
)
def test_everything_else_is_possible(where: str) -> None:
    assert judged(where)
