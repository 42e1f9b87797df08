"""The answered questions of the air travel pack: each runs, and its stored answer is what the database gives now."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from curtain.cas import compare, parse
from curtain.cas.values import Alternatives
from curtain.domain.maximum.yes_no import is_yes_no
from curtain.domain.pack.pack import load_pack
from curtain.domain.worker.worker import Facts, Result, SqlWorker

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


def test_every_statement_runs(results: dict[str, Result]) -> None:
    assert [(sql, result.error or result.cas_error) for sql, result in results.items() if result.cas_min is None] == []


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
