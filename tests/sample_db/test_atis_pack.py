"""The air travel pack as Curtain uses it: closed scenarios have one answer, examples the one that is stored."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curtain.cas import compare, from_rows, parse
from curtain.cas.values import Alternatives
from curtain.domain.maximum.yes_no import is_yes_no
from curtain.domain.pack.pack import Pack, Scenario, load_pack
from curtain.domain.worker.worker import Facts, Result, SqlWorker
from tests.sample_db.atis_readings import READINGS

Ask = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("atis")


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


# Statements as published question sets have them; those with joins, nested MIN and days by date stand in the examples.
PUBLISHED_FORMS = [
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


PACK = load_pack("atis")
LINES = (PACK.folder / "examples.jsonl").read_text("utf-8").splitlines()
EXAMPLES: list[dict[str, Any]] = [json.loads(line) for line in LINES]
OWN_BOOK = PACK.principles()["rule_book"]
KEYS = {"question", "sql", "answer", "other", "yes_no", "context", "rule_book", "note"}
EMPTY = {"()", "(FALSE OR ())"}


def statements(example: dict[str, Any]) -> list[str]:
    return [example["sql"], *example.get("other", [])]


@pytest.fixture(scope="module")
def results(worker: SqlWorker) -> dict[str, Result]:
    """What each statement gives now, through the guarded worker."""
    asked = {sql: worker.run(sql, with_maximum=False) for example in EXAMPLES for sql in statements(example)}
    return {sql: future.result(timeout=60) for sql, future in asked.items()}


@pytest.fixture(scope="module")
def facts(worker: SqlWorker) -> dict[str, Facts]:
    looked = {example["sql"]: worker.look(example["sql"]) for example in EXAMPLES}
    return {sql: found for sql, future in looked.items() if (found := future.result(timeout=60)) is not None}


# --- answers ---


def test_every_stored_answer_is_what_every_reading_of_the_question_gives_now(results: dict[str, Result]) -> None:
    """`tools/fill_answers.py atis` writes them anew after a change of the database."""
    wrong = [
        (example["question"], verdict.reason)
        for example in EXAMPLES
        for sql in statements(example)
        if not (verdict := compare(results[sql].cas_min or "", example["answer"], dialect=PACK.dialect)).is_correct
    ]
    assert wrong == []


def test_an_answer_has_an_alternative_for_each_reading_that_differs_and_no_more(results: dict[str, Result]) -> None:
    for example in EXAMPLES:
        answer = parse(example["answer"], PACK.dialect)
        readings = len({results[sql].cas_min for sql in statements(example)})
        alternatives = len(answer.answers) if isinstance(answer, Alternatives) else 1
        assert alternatives == readings + bool(example.get("yes_no")), example["question"]


def test_a_yes_no_question_is_answered_with_a_table_or_with_whether_it_has_a_row(results: dict[str, Result]) -> None:
    """papers/001, 2.11."""
    for example in EXAMPLES:
        if example.get("yes_no"):
            right = results[example["sql"]].total > 0
            assert compare(str(right).upper(), example["answer"], dialect=PACK.dialect).is_correct, example["question"]
            assert not compare(str(not right).upper(), example["answer"], dialect=PACK.dialect).is_correct


def test_exactly_the_literal_yes_no_questions_are_marked() -> None:
    differing = [
        example["question"] for example in EXAMPLES if is_yes_no(example["question"]) != example.get("yes_no", False)
    ]
    assert differing == []


def test_answers_are_small_and_hardly_any_is_empty() -> None:
    assert max(len(example["answer"]) for example in EXAMPLES) < 20_000
    empty = [example["question"] for example in EXAMPLES if example["answer"] in EMPTY]
    assert len(empty) <= len(EXAMPLES) // 50


# --- what is covered ---


def test_there_are_more_than_two_hundred_and_none_twice() -> None:
    questions = [re.sub(r"\W+", " ", example["question"]).lower() for example in EXAMPLES if "context" not in example]
    assert len(questions) > 200
    assert [question for question, count in Counter(questions).items() if count > 1] == []


def test_an_example_has_only_keys_that_are_explained() -> None:
    explained = (Path(__file__).parents[2] / "tools" / "fill_answers.py").read_text("utf-8")
    for example in EXAMPLES:
        assert example.keys() <= KEYS
        assert all(isinstance(example[key], str) and example[key] for key in ("question", "sql", "answer"))
    assert all(re.search(rf"^    {key} ", explained, re.MULTILINE) for key in KEYS - {"question", "sql"})


def test_every_table_is_asked_about(facts: dict[str, Facts]) -> None:
    used = {table for found in facts.values() for table in found.tables}
    assert used == set(PACK.tables)


# Constructs of the real questions (what is asked) and how often at least they are here.
CONSTRUCTS = [
    (r"^SELECT DISTINCT flight\.flight_id FROM", 100),
    (r"^SELECT DISTINCT fare\.fare_id FROM", 20),
    (r"^SELECT DISTINCT airline\.airline_code FROM", 10),
    (r"^SELECT DISTINCT aircraft\.aircraft_code FROM", 10),
    (r"ground_service\.transport_type", 10),
    (r"COUNT\(", 10),
    (r"airport_service AS airport_service_2, city AS city_2", 100),
    (r"city AS city_3", 5),
    (r"= \(SELECT MIN\(flight_1\.departure_time\)", 5),
    (r"= \(SELECT MAX\(flight_1\.departure_time\)", 3),
    (r"= \(SELECT MIN\(fare_1\.one_direction_cost\)", 5),
    (r"= \(SELECT MIN\(fare_1\.round_trip_cost\)", 2),
    (r"\bBETWEEN\b", 10),
    (r"\bOR\b", 8),
    (r"\bNOT IN\b", 2),
    (r"IS NOT NULL", 4),
    (r"IS NULL", 3),
    (r"\bLIKE\b", 3),
    (r"\bIN \(", 5),
    (r"days\.day_name = '", 15),
    (r"date_day\.month_number = ", 8),
    (r"days_5\.day_name = 'FRIDAY'", 2),
    (r"flight\.stops = 0", 25),
    (r"flight\.connections = 0", 5),
    (r"flight_stop\.stop_airport", 8),
    (r"flight_leg\.", 3),
    (r"round_trip_required = 'NO'", 3),
    (r"class_type = 'FIRST'", 5),
    (r"economy = 'YES'", 3),
    (r"GROUP BY", 2),
    (r"HAVING", 1),
    (r"\bUNION\b", 1),
    (r"LEFT JOIN", 1),
    (r"meal_description = ", 6),
    (r"departure_time > flight\.arrival_time", 2),
]


def test_the_constructs_of_real_questions_occur() -> None:
    found = {construct: sum(bool(re.search(construct, one["sql"])) for one in EXAMPLES) for construct, _ in CONSTRUCTS}
    assert [construct for construct, times in CONSTRUCTS if found[construct] < times] == []


def test_nearly_every_city_and_airline_is_named_and_questions_begin_in_many_ways() -> None:
    values = Counter(value for example in EXAMPLES for value in re.findall(r"'([^']+)'", example["sql"]))
    cities = [city for city in re.findall(r"[A-Z][\w. ]+", PACK.description) if city.strip().upper() in values]
    assert len(set(cities)) >= 30
    assert len({code for code in values if re.fullmatch(r"[A-Z]{2}", code)}) >= 18
    assert len({" ".join(example["question"].split()[:2]) for example in EXAMPLES}) >= 150


def test_what_needs_the_turns_before_says_which_they_were() -> None:
    following = [example for example in EXAMPLES if "context" in example]
    assert len(following) >= 12
    answered = {example["question"] for example in EXAMPLES if "context" not in example}
    assert all(example["context"] and set(example["context"]) <= answered for example in following)


# --- the pack's convention for a minimum ---


# Columns that stand for themselves: what is asked for is nothing else.
ALONE = {
    "code_description.code", "days.day_name", "fare.fare_airline", "flight.airline_code",
    "food_service.meal_description", "ground_service.transport_type",
}  # fmt: skip


def test_an_attribute_comes_with_the_key_of_its_entity(facts: dict[str, Facts]) -> None:
    """papers/001 section 2.2.2: the id of the flight and its arrival time."""
    for example in EXAMPLES:
        found = facts[example["sql"]]
        shown = {one.column for one in found.shown if one.column}
        if found.counted or example.get("rule_book", OWN_BOOK) != OWN_BOOK:
            continue
        for table in {column.split(".")[0] for column in shown - ALONE}:
            assert set(PACK.canonical[table]) <= shown, example["question"]
