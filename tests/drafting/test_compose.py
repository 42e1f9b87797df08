"""Clauses of one statement put into another."""

from __future__ import annotations

import pytest

from curtain.drafting.learned.compose import way_from

COMPANY = "ferry>company_code=company.company_code"
TO = "ferry>to_island=island.island_code"


@pytest.mark.parametrize(
    ("node", "table", "way"),
    [
        (COMPANY, "company", "company"),
        (f"{COMPANY}>home=island.island_code", "company", "company>home=island.island_code"),
        (f"{COMPANY}#2", "company", "company"),
        # The island that a ferry goes to is not just any island.
        (TO, "island", ""),
        (COMPANY, "island", ""),
        ("company", "company", "company"),
    ],
)
def test_what_is_said_of_a_row_on_the_way_can_be_said_of_it_alone(node: str, table: str, way: str) -> None:
    assert way_from(node, table) == way
