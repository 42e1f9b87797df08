"""What a condition says, whatever the way to its table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curtain.drafting.sql.kernels import kernel, skeleton
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.statements import Clause, Column
from tests.drafting import ferry_pack as ferries

TABLES = {
    "ferry": {"ferry_id": "INTEGER", "from_island": "VARCHAR", "to_island": "VARCHAR", "stops": "INTEGER"},
    "island": {"island_code": "VARCHAR", "island_name": "VARCHAR"},
}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ferry.stops = 0", "ferry.stops = 0"),
        ("ferry>ticket_id=ticket.ticket_id.price < <#number>", "ticket.price < <#number>"),
        (
            "ferry>ticket_id=ticket.ticket_id>from_island=island.island_code#2.island_name = 'A.B'",
            "from_island=island_code>island.island_name = 'A.B'",
        ),
        ("^ferry.price = 3.5", "^ferry.price = 3.5"),
    ],
)
def test_joins_of_one_name_are_left_out_and_named_ones_stay(name: str, said: str) -> None:
    assert kernel(name) == said


def test_to_and_from_are_not_the_same() -> None:
    parser = Parser(TABLES, "ferry")
    there, back, again = (
        parser.parse(sql)
        for sql in (
            ferries.between("IONA", "SKYE"),
            ferries.between("SKYE", "IONA"),
            ferries.between("IONA", "SKYE").replace("island_1", "x").replace("island_2", "y"),
        )
    )
    assert there
    assert back
    assert again
    assert skeleton(there) != skeleton(back)
    assert skeleton(there) == skeleton(again)


def test_that_a_table_is_there_counts_only_if_rows_are_joined_to_it_for_nothing_else() -> None:
    parser = Parser(TABLES, "ferry")
    plain = parser.parse(ferries.between("IONA", "SKYE"))
    assert plain
    to, stop, beside = (
        replace(plain, clauses=(*plain.clauses, Clause((Column(node, ""),))))
        for node in ("ferry>to_island=island.island_code", "ferry>ferry_id=stop.ferry_id", "ferry>=island.")
    )
    assert skeleton(to) == skeleton(beside) == skeleton(plain)
    assert skeleton(stop) != skeleton(plain)
