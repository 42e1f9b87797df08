"""What the personnel pack says about words: domain.toml, principles, scenarios and their solutions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from curtain.cas import compare, from_rows
from curtain.domain.pack.pack import Scenario, load_pack

Ask = Callable[[str], list[tuple[Any, ...]]]

PACK = load_pack("personnel")
PRINCIPLES = PACK.principles()["principle"]
SCENARIOS = PACK.scenarios
CLOSED = [scenario for scenario in SCENARIOS if scenario.kind == "closed"]

# papers/000 table 1
TABLE_1 = {
    "employee": ["employee.employee_id"],
    "country": ["country.country_code"],
    "degree": ["degree.degree", "degree.employee_id", "degree.school_code"],
    "department": ["department.department"],
    "division": ["division.division"],
    "major": ["major.major_code"],
    "school": ["school.school_code"],
    "state": ["state.state_code"],
}
# papers/000 table 2
TABLE_2 = {"telephone": "employee.work_phone", "name": "employee.last_name", "address": "employee.street"}

# Variants of a solution: a reader may take the text this way, and must come to the same.
OTHER_READINGS = {
    "anniversary": "SELECT last_name FROM employee WHERE employee_id = (SELECT MIN(employee_id) FROM employee)",
    "visitor": "SELECT last_name FROM employee WHERE employee_id IN (SELECT employee_id FROM degree JOIN school USING "
    "(school_code) WHERE country_code = 'JPN')",
    "wallet": "SELECT home_phone FROM employee WHERE street = '74 GODEN ST'",
    "pay-list": "SELECT last_name FROM employee WHERE salary = 52000",
    "neighbour": "SELECT last_name FROM employee WHERE department = 21 AND state_code = 'OK' AND city = 'DURANT'",
    "message": "SELECT work_phone FROM employee WHERE last_name = 'WALTERS' AND city = 'TORONTO'",
    "successor": "SELECT last_name FROM employee WHERE department = 44 AND job_title <> 'DIRECTOR' AND salary = "
    "(SELECT MAX(salary) FROM employee WHERE department = 44 AND last_name <> 'BURRUSS')",
    "span": "SELECT last_name FROM employee WHERE employee_id = (SELECT MODE(supervisor_id) FROM employee)",
}
# Something close that is wrong: the scenario cannot be solved by looking at half of it.
NEAR_MISSES = {
    "complaint": "SELECT boss.last_name FROM employee JOIN employee AS boss "
    "ON boss.employee_id = employee.supervisor_id WHERE employee.last_name = 'HAYES'",
    "wallet": "SELECT work_phone FROM employee WHERE street = '74 GODEN ST'",
    "successor": "SELECT last_name FROM employee WHERE department = 44 AND salary = (SELECT MAX(salary) FROM employee "
    "WHERE department = 44)",
    "neighbour": "SELECT last_name FROM employee WHERE city = 'DURANT'",
    "message": "SELECT work_phone FROM employee WHERE last_name = 'WALTERS'",
    "pay-list": "SELECT last_name FROM employee WHERE salary BETWEEN 51000 AND 53000",
    "fair": "SELECT school_name FROM degree JOIN school USING (school_code) GROUP BY ALL HAVING COUNT(*) >= ALL "
    "(SELECT COUNT(*) FROM degree GROUP BY school_code)",
    "freeze": "SELECT division_name FROM employee JOIN department USING (department) JOIN division USING (division) "
    "GROUP BY ALL HAVING SUM(salary) > 5500000",
}


def name_of(scenario: Scenario) -> str:
    return scenario.id


# --- domain.toml ---


def test_the_canonical_identifiers_are_those_of_table_1() -> None:
    assert PACK.canonical == TABLE_1


def test_vague_expressions_are_read_as_in_table_2() -> None:
    assert TABLE_2.items() <= PACK.vague.items()


def test_every_column_has_a_heading_for_the_subject() -> None:
    for table, columns in PACK.tables.items():
        for column in columns:
            assert f"{table}.{column}" in PACK.headings or column in PACK.headings


def test_everything_domain_toml_names_is_in_the_schema() -> None:
    named = [column for columns in [*PACK.canonical.values(), *PACK.maximum.values()] for column in columns]
    named += [*PACK.vague.values(), *PACK.codes, *(value for value in PACK.codes.values() if isinstance(value, str))]
    for name in named:
        table, column = name.split(".")
        assert column in PACK.tables[table], name


def test_the_reasonable_columns_of_an_entity_include_its_key() -> None:
    assert all(set(key) <= set(PACK.maximum[entity]) for entity, key in PACK.canonical.items())


def test_every_degree_and_sex_in_the_database_is_decoded(ask: Ask) -> None:
    for column in ("degree.degree", "employee.sex"):
        table, name = column.split(".")
        assert {value for (value,) in ask(f"SELECT DISTINCT {name} FROM {table}")} <= set(PACK.codes[column])


def test_the_description_for_the_subject_names_no_table_and_holds_no_question() -> None:
    assert "_" not in PACK.description
    assert "?" not in PACK.description
    assert not re.search(r"\b(SELECT|SQL|table|column|database)\b", PACK.description, re.IGNORECASE)


# --- principles.toml ---


def test_the_rules_s3_to_s6_and_both_tables_are_there() -> None:
    ids = [rule["id"] for rule in PRINCIPLES]
    assert len(set(ids)) == len(ids)
    assert {"S-3", "S-6", "S-8", "T1", "T2"} <= {rule_id.split(".")[0] for rule_id in ids}
    entities = ["employees", "countries", "degrees", "departments", "divisions", "majors", "schools", "states"]
    professions = ["scientist", "engineer", "programmer", "clerk", "accountant", "manager"]
    expected = [f"T1.{entity}" for entity in entities] + [f"T2.{word}" for word in TABLE_2]
    assert {*expected, *(f"S-6.{word}" for word in professions)} <= set(ids)


@pytest.mark.parametrize("rule", PRINCIPLES, ids=lambda rule: rule["id"])
def test_a_rule_has_its_source_its_reading_and_a_form_or_the_reason_why_there_is_none(rule: dict[str, Any]) -> None:
    assert rule["source"].startswith("papers/000 section")
    assert rule["reading"].endswith(".")
    assert ("sql" in rule and "example" in rule) != ("outside" in rule)


@pytest.mark.parametrize("rule", PRINCIPLES, ids=lambda rule: rule["id"])
def test_the_columns_a_rule_looks_for_are_in_the_schema(rule: dict[str, Any]) -> None:
    for name in rule["columns"]:
        table, column = name.split(".")
        assert column in PACK.tables[table]


@pytest.mark.parametrize("rule", [rule for rule in PRINCIPLES if "example" in rule], ids=lambda rule: rule["id"])
def test_the_example_of_a_rule_is_among_the_answered_ones_and_has_one_of_its_words(rule: dict[str, Any]) -> None:
    answered = {example.question: example.sql for example in PACK.examples()}
    question, sql = rule["example"]["question"], rule["example"]["sql"]
    assert answered[question] == sql
    assert any(re.search(rf"\b{word}\b", question, re.IGNORECASE) for word in rule["words"])


# --- scenarios ---


def test_there_is_a_practice_scenario_and_a_dozen_of_each_kind() -> None:
    assert [scenario.practice for scenario in SCENARIOS].count(True) == 1
    kinds = [scenario.kind for scenario in SCENARIOS if not scenario.practice]
    assert min(kinds.count("closed"), kinds.count("open")) >= 12


@pytest.mark.parametrize("scenario", SCENARIOS, ids=name_of)
def test_a_scenario_cannot_be_read_aloud_as_a_query(scenario: Scenario) -> None:
    """Papers/000 section 6.1: details, but no examples of queries."""
    sentences = re.split(r"(?<=[.?!:])\s+", scenario.text)
    opening = r"(?i)(show|list|give|which|who|what|when|where|how|count|is|are|does|do|did|display|tell me)\b"
    assert "?" not in scenario.text
    assert not [sentence for sentence in sentences if re.match(opening, sentence)]
    assert not re.search(r"\b(table|column|record|SELECT)\b", scenario.text)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=name_of)
def test_a_scenario_does_not_hold_its_own_solution(scenario: Scenario) -> None:
    solution = PACK.solution(scenario.id)
    told = solution.accepted if solution else []
    assert not [wording for wording in told if re.search(rf"\b{re.escape(wording)}\b", scenario.text)]


def test_closed_scenarios_ask_an_answer_and_have_a_solution_and_open_ones_neither() -> None:
    for scenario in SCENARIOS:
        assert scenario.asks_answer == (scenario.kind == "closed") == (PACK.solution(scenario.id) is not None)


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_the_solution_is_one_value_and_the_stated_answer(scenario: Scenario, ask: Ask) -> None:
    solution = PACK.solution(scenario.id)
    rows = ask(solution.sql)
    assert len(rows) == len(rows[0]) == 1
    assert compare(from_rows(rows, "1989"), solution.answer, dialect="1989").is_correct
    assert solution.accepted


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_no_solution_is_made_unique_by_cutting_off(scenario: Scenario) -> None:
    solution = PACK.solution(scenario.id)
    assert not re.search(r"\b(LIMIT|FIRST|ANY_VALUE)\b", solution.sql)


@pytest.mark.parametrize(("scenario_id", "sql"), OTHER_READINGS.items(), ids=OTHER_READINGS)
def test_another_reading_comes_to_the_same(scenario_id: str, sql: str, ask: Ask) -> None:
    solution = PACK.solution(scenario_id)
    assert compare(from_rows(ask(sql), "1989"), solution.answer, dialect="1989").is_correct


@pytest.mark.parametrize(("scenario_id", "sql"), NEAR_MISSES.items(), ids=NEAR_MISSES)
def test_a_near_miss_exists_and_is_wrong(scenario_id: str, sql: str, ask: Ask) -> None:
    solution = PACK.solution(scenario_id)
    rows = ask(sql)
    assert rows
    assert not compare(from_rows(rows, "1989"), solution.answer, dialect="1989").is_correct
