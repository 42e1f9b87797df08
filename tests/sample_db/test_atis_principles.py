"""The principles of interpretation of the air travel pack: complete, each with an example that runs and keeps it."""

import json
from typing import Any

import pytest

from curtain.domain.pack.pack import load_pack
from curtain.domain.rules.principles import RuleBook, load_rules, touching, warnings
from curtain.domain.worker.worker import Facts, SqlWorker

PACK = load_pack("atis")
DOCUMENT = PACK.principles()
PRINCIPLES: list[dict[str, Any]] = DOCUMENT["principle"]
BY_ID = {rule["id"]: rule for rule in PRINCIPLES}
BOOKS = (1990, 1991, 1992, 1993)
EXAMPLES = [json.loads(line) for line in (PACK.folder / "examples.jsonl").read_text("utf-8").splitlines()]
ANSWERED = {example["question"]: example for example in EXAMPLES}


def numbers(prefix: str, words: str) -> set[str]:
    return {prefix + word for word in words.split()}


# papers/003 appendix B; tables by their names of 1990
OF_1990 = (
    numbers(
        "B.1.",
        "aircraft airline airport city compound_class day fare flight food_service ground_service month restriction "
        "state time_zone transport",
    )
    | numbers("B.2.1.", "between flight-number flight-code flight-n-small flight-n-large one-way-flight fare-attribute")
    | numbers("B.2.2.", "one-way cheapest coach first-class business-class thrift-class rank discounted excursion")
    | numbers("B.2.2.", "family special")
    | numbers("B.2.", "3.when 3.days 4 5.snacks 5.types 6 7 8 9.classes 9.class-x 11 12 13.city-airport 13.cities 14")
    | numbers("B.2.", "15.table 15.value")
    | numbers(
        "B.2.10.",
        "aircraft airline airport city code_description column_table day food_service interval month state time_zone "
        "transport",
    )
)
# papers/001 appendix B
OF_1991 = (
    numbers("1.", "1 2 3 4")
    | numbers("2.1.", "aircraft airline airport flight_stop dual_carrier")
    | numbers("2.", "2.1 2.3 3.1 3.2 3.3 3.8 4.1 4.2 4.3 4.4 11 15 16")
    | numbers("2.4.4.", "morning afternoon evening day night early-morning")
    | numbers("2.9.", "1 1.aircraft 1.airline 1.airport 1.city 1.booking_class 1.code 1.not-a-key")
)
OF_SQL = numbers(
    "SQL.",
    "early-morning morning afternoon evening early-afternoon late-afternoon late-evening night around near-time early "
    "before-noon after-noon between-times nonstop direct cheapest-round-trip economy earliest latest largest smallest "
    "how-far how-long flight-time weekdays overnight day date via attribute",
)


@pytest.fixture(scope="module")
def facts(worker: SqlWorker) -> dict[str, Facts | None]:
    looked = {example["sql"]: worker.look(example["sql"]) for example in EXAMPLES}
    return {sql: future.result(timeout=60) for sql, future in looked.items()}


@pytest.fixture(scope="module")
def books() -> dict[int, RuleBook]:
    return {year: load_rules(PACK, year) for year in BOOKS}


# --- complete and well formed ---


def test_every_rule_of_both_appendices_and_of_the_published_sql_is_there_under_its_number() -> None:
    assert len(BY_ID) == len(PRINCIPLES)
    numbers = set(BY_ID) | {number for rule in PRINCIPLES for number in rule.get("also", [])}
    assert numbers >= OF_1990 | OF_1991 | OF_SQL


def test_the_pack_names_its_rule_book_and_its_convention_for_a_minimum() -> None:
    assert DOCUMENT["rule_book"] in BOOKS
    assert DOCUMENT["minimum"] == "key and attribute"


# --- examples ---


def test_the_example_of_a_rule_touches_it_in_its_rule_book(
    facts: dict[str, Facts | None], books: dict[int, RuleBook]
) -> None:
    for rule in (rule for rule in PRINCIPLES if "example" in rule):
        example = ANSWERED[rule["example"]["question"]]
        book = books[example.get("rule_book", DOCUMENT["rule_book"])]
        assert rule["id"] in [touch.rule.id for touch in touching(book, example["question"], facts[example["sql"]])]


def test_no_example_breaks_a_rule_of_its_rule_book(facts: dict[str, Facts | None], books: dict[int, RuleBook]) -> None:
    broken = [
        (example["question"], warned)
        for example in EXAMPLES
        for warned in warnings(
            PACK, books[example.get("rule_book", DOCUMENT["rule_book"])], example["question"], facts[example["sql"]]
        )
    ]
    assert broken == []


# --- what changed between the years ---

CHANGED = {
    "stops": ["B.2.11", "2.2.3", "2.2.3", "2.2.3"],
    "one way": ["B.2.2.one-way", "2.3.1", "2.3.1", "2.3.1"],
    "one way flights": ["B.2.1.one-way-flight", "2.3.1.one-way-flight", "2.3.1.one-way-flight", "2.3.1.one-way-flight"],
    "mid-day": ["2.4.4.mid-day"] * 4,
    "cheapest": ["B.2.2.cheapest", "2.3.3", "2.3.3", "2.3.3"],
    "days of the week": ["", "2.4.2", "2.4.2", "2.4.2"],
    "which days": ["B.2.3.days", "2.4.2", "2.4.2", "2.4.2"],
    "are there": ["B.2.12", "2.11", "2.11", "2.11"],
    "morning": ["", "2.4.4.morning", "2.4.4.morning", "SQL.morning"],
    "evening": ["", "2.4.4.evening", "2.4.4.evening", "SQL.evening"],
    "night": ["", "2.4.4.night", "2.4.4.night", "SQL.night"],
    "late afternoon": ["", "2.4.4.rest", "2.4.4.rest", "SQL.late-afternoon"],
    "arrival time": ["minimum.key-and-attribute"] * 3 + ["SQL.attribute"],
    "boeing": ["", "2.15", "2.15", "2.15"],
}


@pytest.mark.parametrize(("words", "expected"), CHANGED.items(), ids=CHANGED)
def test_the_rule_for_a_word_is_that_of_the_year(words: str, expected: list[str], books: dict[int, RuleBook]) -> None:
    changing = {rule for rules in CHANGED.values() for rule in rules}
    for year, rule in zip(BOOKS, expected, strict=True):
        touched = {touch.rule.id for touch in touching(books[year], words, None)}
        assert touched & changing == {rule} - {""}


def test_the_periods_of_the_pack_are_those_of_the_rules() -> None:
    """papers/001, 2.4.4; the readings tell the times that [periods] has."""
    for name in ("morning", "afternoon", "evening", "day", "night", "early morning"):
        period, rule = PACK.periods[name], BY_ID[f"2.4.4.{name.replace(' ', '-')}"]
        assert f"{period['begin']:04}" in rule["reading"] and f"{period['end']:04}" in rule["reading"]
        assert period["ends_included"] is False
    for name in ("late morning", "early afternoon", "late afternoon", "late evening"):
        period = PACK.periods[name]
        assert f"{name} {period['begin']:04}-{period['end']:04}" in BY_ID["2.4.4.rest"]["reading"]


# --- warnings ---

FROM_BOSTON = "FROM flight WHERE from_airport = 'BOS'"
BREAKING = [
    ("2.16", "what is the total cost", "SELECT SUM(one_direction_cost) FROM fare, flight_fare, flight"),
    ("S-8.sorting", "flights from Boston sorted", f"SELECT flight_id {FROM_BOSTON} ORDER BY departure_time"),
    ("2.4.4", "morning flights", f"SELECT flight_id {FROM_BOSTON} AND departure_time BETWEEN 0 AND 1200"),
    ("2.4.4", "evening flights", f"SELECT flight_id {FROM_BOSTON} AND departure_time >= 1800"),
    ("2.3.8", "fares from Boston", "SELECT fare_id FROM fare WHERE from_airport = 'BOS'"),
    ("2.1.airline", "which airlines are there", "SELECT airline_name FROM airline"),
    ("B.1.city", "list the cities", "SELECT city_name FROM city"),
    ("2.1.flight_stop", "its stops", "SELECT flight_id FROM flight_stop"),
    ("SQL.nonstop", "nonstop flights", f"SELECT flight_id {FROM_BOSTON} AND connections = 0"),
    ("SQL.direct", "direct flights", f"SELECT flight_id {FROM_BOSTON} AND stops = 0"),
    ("2.3.2", "round trip fares", "SELECT fare_id FROM fare, flight WHERE round_trip_required = 'YES'"),
    ("SQL.economy", "economy fares", "SELECT fare_id FROM fare, flight, fare_basis WHERE class_type = 'COACH'"),
    ("SQL.day", "flights on Sunday", f"SELECT flight_id {FROM_BOSTON} AND flight_days LIKE '%SU%'"),
    ("SQL.largest", "the largest plane", "SELECT aircraft_code FROM aircraft WHERE weight = 833000"),
]


def test_a_statement_that_breaks_a_rule_is_warned_of(worker: SqlWorker) -> None:
    book = load_rules(PACK)
    warned = {
        query: [one.rule for one in warnings(PACK, book, query, worker.look(sql).result(timeout=30))]
        for _, query, sql in BREAKING
    }
    assert [(rule, query) for rule, query, _ in BREAKING if rule not in warned[query]] == []


WITH_OR_WITHOUT_KEY = [
    ("which flights go from boston over to denver", "SELECT flight_number FROM flight WHERE from_airport = 'BOS'",
     ["flight.flight_id is missing: it is the key."]),
    ("which flights go from boston over to denver", "SELECT airline_code, departure_time FROM flight",
     ["flight.flight_id is missing: it is the key."]),
    ("the flight numbers from boston to denver", "SELECT flight_number FROM flight", []),
    ("which airlines have flights to denver", "SELECT DISTINCT airline_code FROM flight", []),
    ("what fares are there on such flights", "SELECT one_direction_cost FROM flight JOIN flight_fare "
     "USING (flight_id) JOIN fare USING (fare_id)", ["fare.fare_id is missing: it is the key."]),
    ("how much is the fare of this flight", "SELECT one_direction_cost FROM flight JOIN flight_fare "
     "USING (flight_id) JOIN fare USING (fare_id)", []),
    ("morning flights under 1200 dollars", "SELECT flight_id FROM flight JOIN flight_fare "
     "USING (flight_id) JOIN fare USING (fare_id) WHERE one_direction_cost <= 1200", []),
    ("morning flights", "SELECT flight_id FROM flight WHERE departure_time <= 1200",
     ["The end points do not belong to the morning; flight.departure_time <= 1200 takes one in."]),
]  # fmt: skip


def test_an_entity_without_its_key_is_reported_unless_its_attribute_is_asked_for(worker: SqlWorker) -> None:
    book = load_rules(PACK)
    for query, sql, sentences in WITH_OR_WITHOUT_KEY:
        found = warnings(PACK, book, query, worker.look(sql).result(timeout=30))
        assert [one.sentence for one in found] == sentences, sql


def test_end_points_of_periods_are_nothing_to_warn_of_by_the_published_sql(worker: SqlWorker) -> None:
    facts = worker.look(f"SELECT flight_id {FROM_BOSTON} AND departure_time BETWEEN 0 AND 1200").result(timeout=30)
    assert warnings(PACK, load_rules(PACK, 1993), "morning flights", facts) == []
