"""What a column can be compared with."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.holdings import Holdings, holdings_of
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.query.lexicon import load_lexicon
from curtain.drafting.query.recognise import lasting_in, units_in
from curtain.drafting.schema.pack_schema import kind_of, schema_of
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.statements import write


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


@pytest.mark.parametrize(
    ("condition", "minutes"),
    [
        ("ferry.price < 3", "ferry.price < 180"),
        ("ferry.price BETWEEN 2 AND 3", "ferry.price BETWEEN 120 AND 180"),
        ("ferry.price < 2.5", "ferry.price < 150"),
        # Minutes already, too few to be any, a column of small numbers, and none that is compared as it is.
        ("ferry.price < 90", "ferry.price < 90"),
        ("ferry.price < 0.5", "ferry.price < 0.5"),
        ("ferry.stops < 3", "ferry.stops < 3"),
        ("ferry.price / 60 < 3", "ferry.price / 60 < 3"),
    ],
)
def test_hours_are_minutes_where_a_column_holds_these(pack: Pack, condition: str, minutes: str) -> None:
    lasting = Holdings({"ferry.price": (36.0, 794.0), "ferry.stops": (0.0, 3.0)}, frozenset(), {}, {}, {})
    parser = Parser(pack.tables)
    statement = parser.parse(f"SELECT ferry.ferry_id FROM ferry WHERE {condition}")
    assert statement is not None
    changed = lasting.in_its_unit(statement, dict.fromkeys(["2", "3", "2.5", "0.5"], 60))
    assert write(changed) == f"SELECT ferry.ferry_id FROM ferry WHERE {minutes}"


@pytest.mark.parametrize(
    ("question", "minutes", "kind"),
    [
        ("ferries under 3 hours", {"3": 60}, "number"),
        ("ferries of two to four hours", {"2": 60, "4": 60}, "number"),
        ("ferries over 90 minutes", {"90": 1}, "number"),
        ("ferries longer than four minutes", {"4": 1}, "number"),
        ("ferries at 1700 hours", {"1700": 60}, "time"),
        ("ferries after 3", {}, "time"),
    ],
)
def test_what_is_said_in_hours_and_minutes(
    drafter: LocalDrafter, question: str, minutes: dict[str, int], kind: str
) -> None:
    reading = drafter._recogniser.read(question)
    assert lasting_in(reading) == minutes
    assert reading.found[0].kind == kind


@pytest.mark.parametrize(
    ("question", "units"),
    [
        ("ferries with two or more stops", {"2": "stops"}),
        ("ferries under 90 minutes", {"90": "minutes"}),
        ("ferries with 2 to 3 stops", {"2": "stops", "3": "stops"}),
        ("ferries after 3", {}),
    ],
)
def test_the_units_of_numbers(drafter: LocalDrafter, question: str, units: dict[str, str]) -> None:
    assert units_in(drafter._recogniser.read(question)) == units


@pytest.mark.parametrize(
    ("condition", "misread"),
    [("stops >= 2", False), ("price >= 2", True), ("ferry_id >= 2", True), ("price >= 3", False)],
)
def test_a_number_with_a_unit_is_compared_with_a_column_that_holds_it(
    holdings: Holdings, pack: Pack, condition: str, misread: bool
) -> None:
    statement = Parser(pack.tables).parse(f"SELECT ferry.ferry_id FROM ferry WHERE ferry.{condition}")
    assert statement is not None
    assert holdings.misread(statement, units={"2": "stops"}) is misread
    assert not holdings.misread(statement, units={"2": "engines"})


@pytest.mark.parametrize(
    ("condition", "named", "outside"),
    [
        ("price > 500", (), True),
        ("price < 5", (), True),
        ("price > 20", (), False),
        ("price BETWEEN 10 AND 500", (), True),
        # Who names the column may ask for what is not there.
        ("price > 500", ("price",), False),
        ("departure_time > 2500", (), False),
        ("day_name = 'FRIDAY'", (), False),
    ],
)
def test_a_number_may_be_out_of_all_bounds(
    holdings: Holdings, pack: Pack, condition: str, named: tuple[str, ...], outside: bool
) -> None:
    statement = Parser(pack.tables).parse(f"SELECT ferry.ferry_id FROM ferry WHERE ferry.{condition}")
    assert statement is not None
    assert holdings.outside(statement.clauses, named) is outside
