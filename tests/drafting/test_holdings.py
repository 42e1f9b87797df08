"""What a column can be compared with."""

from __future__ import annotations

import pytest

from curtain.domain.pack import Pack, database
from curtain.drafting.holdings import Holdings, holdings_of
from curtain.drafting.lexicon import load_lexicon
from curtain.drafting.local import LocalDrafter
from curtain.drafting.pack_schema import kind_of, schema_of
from curtain.drafting.parsing import Parser


@pytest.fixture(scope="module")
def holdings(pack: Pack) -> Holdings:
    return holdings_of(schema_of(pack, load_lexicon(pack, database(pack))), database(pack))


def test_times_of_day_and_keys_have_no_ends_and_are_no_money(holdings: Holdings) -> None:
    assert holdings.ends["ferry.price"] == (9.0, 30.0)
    assert "ferry.departure_time" not in holdings.ends
    assert holdings.money == {"ferry.price"}


def test_a_length_of_time_is_no_number() -> None:
    assert kind_of("lasts", "INTERVAL") == "other"
    assert kind_of("lasts", "INTEGER") == "number"


@pytest.mark.parametrize(
    ("condition", "misread"),
    [
        ("ferry.day_name = 'RL'", True),
        ("ferry.day_name IN ('FRIDAY', 'SKYE')", True),
        ("ferry.company_code = 'red line'", True),
        ("ferry.company_code = 'KS'", False),
        # No ferry leaves North Rona or goes on a Tuesday: both are answers.
        ("ferry.from_island = 'NR'", False),
        ("ferry.day_name = 'TUESDAY'", False),
        ("ferry.day_name LIKE '%RL%'", False),
        ("ferry.ferry_id IN (SELECT ferry.ferry_id FROM ferry WHERE ferry.day_name = 'RL')", True),
    ],
)
def test_a_name_is_compared_with_columns_that_hold_its_kind(
    holdings: Holdings, pack: Pack, condition: str, misread: bool
) -> None:
    statement = Parser(pack.tables).parse(f"SELECT ferry.ferry_id FROM ferry WHERE {condition}")
    assert statement is not None
    assert holdings.misread(statement) is misread


@pytest.mark.parametrize(
    ("name", "suits"),
    [
        ("ferry.company_code = <company.company_code>", True),
        ("ferry.day_name = <company.company_code>", False),
        ("ferry.day_name = <company.company_name>", False),
        ("ferry.departure_time < <#time>", True),
        ("company.company_name = <company.company_name>", True),
    ],
)
def test_a_value_does_only_what_it_can(holdings: Holdings, drafter: LocalDrafter, name: str, suits: bool) -> None:
    red_line = drafter._recogniser.read("red line").found[0]
    assert holdings.suits(frozenset([name]), red_line) is suits
