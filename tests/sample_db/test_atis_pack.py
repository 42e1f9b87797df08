"""The air travel pack as Curtain uses it, and its scenarios: the closed ones have one answer under every reading."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curtain.cas import compare, from_rows
from curtain.domain.pack.pack import Pack, Scenario, database, load_pack
from curtain.domain.worker.worker import SqlWorker
from tests.sample_db.atis_readings import READINGS

Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("atis")


def test_the_pack_speaks_the_dialect_of_1992_and_answers_yes_or_no_in_alternates(pack: Pack) -> None:
    assert (pack.dialect, pack.yes_no, len(pack.tables)) == ("1992", "alternates", 25)


def test_an_entity_is_identified_by_the_key_of_its_table(pack: Pack, ask_atis: Ask) -> None:
    """papers/001, 2.1."""
    keys = ask_atis(
        "SELECT table_name, constraint_column_names FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'"
    )
    assert {table: [f"{table}.{column}" for column in columns] for table, columns in keys} == pack.canonical


def test_the_description_names_every_city(pack: Pack, ask_atis: Ask) -> None:
    cities = [name for (name,) in ask_atis("SELECT city_name FROM city")]
    assert not [city for city in cities if city not in pack.description.upper()]


def test_the_description_names_every_airline_that_sells_flights(pack: Pack, ask_atis: Ask) -> None:
    names = ask_atis("SELECT airline_name FROM airline WHERE airline_code IN (SELECT airline_code FROM flight)")
    known = pack.description.upper().replace("TWA", "TRANS WORLD")
    first_words = [re.split(r" (AIR|LINES|CANADA|GERMAN|INTER)", name)[0] for (name,) in names]
    assert [word for word in first_words if word not in known] == []


def test_the_periods_are_those_of_the_database(pack: Pack, ask_atis: Ask) -> None:
    rows = ask_atis("SELECT lower(period), begin_time, end_time FROM time_interval")
    # "Mid-day" is the papers' example of a word to agree on; it stands in no table, and its hours are ours.
    agreed = {"midday": (1000, 1400), "mid day": (1000, 1400)}
    assert {name: (period["begin"], period["end"]) for name, period in pack.periods.items()} == agreed | {
        name: (begin, end) for name, begin, end in rows
    }


def test_the_worker_answers_every_solution_as_the_pack_says(pack: Pack, worker: SqlWorker) -> None:
    solutions = [solution for scenario in pack.scenarios if (solution := pack.solution(scenario.id))]
    asked = {solution.sql: solution.answer for solution in solutions}
    results = [worker.run(sql).result(timeout=30) for sql in asked]
    assert [result.error for result in results if result.error] == []
    for result in results:
        assert compare(result.cas_min or "", asked[result.sql], dialect=pack.dialect).is_correct, result.sql


# Statements as published question sets have them: old-style joins, many aliases, nested MIN, days by date.
PUBLISHED_FORMS = [
    "SELECT DISTINCT FLIGHTalias0.FLIGHT_ID FROM AIRPORT_SERVICE AS AIRPORT_SERVICEalias0, AIRPORT_SERVICE AS "
    "AIRPORT_SERVICEalias1, CITY AS CITYalias0, CITY AS CITYalias1, DATE_DAY AS DATE_DAYalias0, DAYS AS "
    "DAYSalias0, FLIGHT "
    "AS FLIGHTalias0 WHERE (CITYalias1.CITY_CODE = AIRPORT_SERVICEalias1.CITY_CODE AND CITYalias1.CITY_NAME = "
    "'MEMPHIS' AND "
    "DATE_DAYalias0.DAY_NUMBER = 12 AND DATE_DAYalias0.MONTH_NUMBER = 5 AND DATE_DAYalias0.YEAR = 1992 AND "
    "DAYSalias0.DAY_NAME = DATE_DAYalias0.DAY_NAME AND FLIGHTalias0.FLIGHT_DAYS = DAYSalias0.DAYS_CODE AND "
    "FLIGHTalias0.TO_AIRPORT = AIRPORT_SERVICEalias1.AIRPORT_CODE AND FLIGHTalias0.DEPARTURE_TIME BETWEEN 1200 "
    "AND 1800) "
    "AND CITYalias0.CITY_CODE = AIRPORT_SERVICEalias0.CITY_CODE AND CITYalias0.CITY_NAME = 'MINNEAPOLIS' AND "
    "FLIGHTalias0.FROM_AIRPORT = AIRPORT_SERVICEalias0.AIRPORT_CODE",
    "SELECT DISTINCT FAREalias0.FARE_ID FROM FARE AS FAREalias0 WHERE FAREalias0.FROM_AIRPORT = 'SLC' AND "
    "FAREalias0.TO_AIRPORT = 'TPA' AND FAREalias0.ONE_DIRECTION_COST = (SELECT "
    "MIN(FAREalias1.ONE_DIRECTION_COST) FROM FARE "
    "AS FAREalias1 WHERE FAREalias1.FROM_AIRPORT = 'SLC' AND FAREalias1.TO_AIRPORT = 'TPA' AND "
    "FAREalias1.ROUND_TRIP_REQUIRED = 'NO')",
    "SELECT DISTINCT AIRCRAFTalias0.AIRCRAFT_CODE FROM AIRCRAFT AS AIRCRAFTalias0, EQUIPMENT_SEQUENCE AS "
    "EQUIPMENT_SEQUENCEalias0, FLIGHT AS FLIGHTalias0, FLIGHT_STOP AS FLIGHT_STOPalias0 WHERE "
    "AIRCRAFTalias0.AIRCRAFT_CODE = EQUIPMENT_SEQUENCEalias0.AIRCRAFT_CODE AND FLIGHTalias0.AIRCRAFT_CODE_SEQUENCE = "
    "EQUIPMENT_SEQUENCEalias0.AIRCRAFT_CODE_SEQUENCE AND FLIGHT_STOPalias0.FLIGHT_ID = FLIGHTalias0.FLIGHT_ID AND NOT "
    "FLIGHT_STOPalias0.STOP_AIRPORT = 'ORD' AND FLIGHTalias0.FROM_AIRPORT = 'BUR'",
    # Tables that hang together through an OR only: as typed DuckDB would try every pair of their rows for minutes.
    "SELECT DISTINCT FLIGHTalias0.FLIGHT_ID FROM AIRPORT_SERVICE AS AIRPORT_SERVICEalias0, AIRPORT_SERVICE AS "
    "AIRPORT_SERVICEalias1, CITY AS CITYalias0, CITY AS CITYalias1, FLIGHT AS FLIGHTalias0 WHERE "
    "((CITYalias0.CITY_CODE = AIRPORT_SERVICEalias0.CITY_CODE AND CITYalias0.CITY_NAME = 'CLEVELAND' AND "
    "FLIGHTalias0.FROM_AIRPORT = AIRPORT_SERVICEalias0.AIRPORT_CODE) OR (CITYalias1.CITY_CODE = "
    "AIRPORT_SERVICEalias1.CITY_CODE AND CITYalias1.CITY_NAME = 'MIAMI' AND FLIGHTalias0.TO_AIRPORT = "
    "AIRPORT_SERVICEalias1.AIRPORT_CODE)) AND FLIGHTalias0.STOPS = 0",
    "SELECT COUNT(DISTINCT FLIGHTalias0.FLIGHT_ID) FROM AIRPORT_SERVICE AS AIRPORT_SERVICEalias0, AIRPORT_SERVICE AS "
    "AIRPORT_SERVICEalias1, CITY AS CITYalias0, CITY AS CITYalias1, FLIGHT AS FLIGHTalias0 WHERE "
    "(FLIGHTalias0.FROM_AIRPORT = AIRPORT_SERVICEalias0.AIRPORT_CODE AND CITYalias0.CITY_CODE = "
    "AIRPORT_SERVICEalias0.CITY_CODE AND CITYalias0.CITY_NAME = 'CLEVELAND') OR (FLIGHTalias0.TO_AIRPORT = "
    "AIRPORT_SERVICEalias1.AIRPORT_CODE AND CITYalias1.CITY_CODE = AIRPORT_SERVICEalias1.CITY_CODE AND "
    "CITYalias1.CITY_NAME = 'MIAMI')",
]


@pytest.mark.parametrize("sql", PUBLISHED_FORMS)
def test_a_statement_in_the_form_of_published_ones_runs_as_it_is(sql: str, worker: SqlWorker) -> None:
    result = worker.run(sql).result(timeout=30)
    assert (result.error, result.max_error) == (None, None)
    assert result.total > 0


@pytest.mark.parametrize(
    ("table", "column", "values"),
    [
        ("fare_basis", "class_type", "FIRST COACH BUSINESS THRIFT"),
        ("restriction", "restriction_code", "AP/57 AP/80"),
        ("fare_basis", "fare_basis_code", "F FN Y YN QX QO QW B C H M Q"),
        ("food_service", "meal_description", "BREAKFAST LUNCH DINNER SNACK"),
        ("food_service", "meal_code", "S S/ D/S SD/D LS"),
        ("flight", "airline_code", "AA AC AS CO CP DL EA FF HP LH ML NW NX TW UA US WN YX"),
        ("aircraft", "aircraft_code", "100 72S 733 734 73S D10 D9S F28 J31 M80"),
        ("aircraft", "basic_type", "727 737 747 757 767 DC10 F28"),
    ],
)
def test_the_values_that_published_questions_name_exist(table: str, column: str, values: str, ask_atis: Ask) -> None:
    assert set(values.split()) <= {value for (value,) in ask_atis(f"SELECT DISTINCT {column} FROM {table}")}


def test_the_ways_of_getting_to_town_are_the_published_ones(ask_atis: Ask) -> None:
    kinds = {kind for (kind,) in ask_atis("SELECT DISTINCT transport_type FROM ground_service")}
    assert kinds == {"RENTAL CAR", "LIMOUSINE", "TAXI", "RAPID TRANSIT", "AIR TAXI OPERATION"}


def test_a_pack_that_lacks_a_data_file_says_which(pack: Pack, atis_copy: Path, tmp_path: Path) -> None:
    broken = tmp_path / "atis"
    shutil.copytree(atis_copy, broken)
    (broken / "data" / "airport.csv").unlink()
    with pytest.raises(Exception, match=r"airport\.csv"):
        database(load_pack(broken), cache=tmp_path / "cache")


def test_the_numbers_of_rows_in_the_documentation_are_those_of_the_database(pack: Pack, ask_atis: Ask) -> None:
    shown = (Path(__file__).parents[2] / "docs" / "atis.md").read_text("utf-8")
    numbers = re.findall(r"\| (\w+) \| ([\d,]+) (?=\|)", shown)
    assert {table for table, _ in numbers} >= {"city", "flight", "fare", "flight_fare", "flight_leg", "flight_stop"}
    for table, number in numbers:
        assert ask_atis(f"SELECT COUNT(*) FROM {table}") == [(int(number.replace(",", "")),)], table


PACK = load_pack("atis")
CLOSED = [scenario for scenario in PACK.scenarios if scenario.kind == "closed"]
PUBLISHED = {"pilot", "philadelphia-dallas", "boston-san-francisco", "atlanta-baltimore", "pittsburgh-atlanta"}


def name_of(scenario: Scenario) -> str:
    return scenario.id


def test_the_five_published_scenarios_are_there_a_dozen_of_ours_of_each_kind_and_readings_of_every_closed_one() -> None:
    """papers/004, “Pilot” and table 3."""
    kinds = [one.kind for one in PACK.scenarios if one.id not in PUBLISHED and not one.practice]
    assert {one.id for one in PACK.scenarios} >= PUBLISHED
    assert min(kinds.count("closed"), kinds.count("open")) >= 12
    assert set(READINGS) == {scenario.id for scenario in CLOSED}


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_every_reading_comes_to_the_one_answer_and_a_near_miss_to_something_else(
    scenario: Scenario, atis_world: Ask
) -> None:
    readings, solution = READINGS[scenario.id], PACK.solution(scenario.id)
    assert compare(from_rows(atis_world(solution.sql), "1992"), solution.answer, dialect="1992").is_correct
    for sql, answer in readings.one:
        assert set(atis_world(sql)) == answer, sql
    # What the traveller would like best does not exist.
    for sql in readings.none:
        assert atis_world(sql) == [], sql
    answers = [answer for _, answer in readings.one]
    assert readings.other
    for sql in readings.other:
        found = set(atis_world(sql))
        assert found and found not in answers, sql


def test_no_first_class_fare_from_pittsburgh_to_atlanta_is_twice_a_coach_fare(atis_world: Ask) -> None:
    """A coach fare at half the regular one would make the scenario trivial; a nearer one is barred."""
    rows = atis_world(
        "SELECT DISTINCT one_direction_cost, class_type, advance_purchase FROM fare JOIN fare_basis USING "
        "(fare_basis_code) "
        "LEFT JOIN restriction USING (restriction_code) WHERE from_airport = 'PIT' AND to_airport = 'ATL'"
    )
    [first] = {cost for cost, kind, _ in rows if kind == "FIRST"}
    coach = {cost: ahead for cost, kind, ahead in rows if kind == "COACH"}
    assert first not in {2 * cost for cost in coach}
    assert [ahead for cost, ahead in coach.items() if 0 < abs(first - 2 * cost) < first - 2 * 186] == [14, 14]
