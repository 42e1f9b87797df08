"""What the personnel pack alone says about words; test_packs.py has what every pack says."""

from collections.abc import Callable
from typing import Any

from curtain.cas import compare, from_rows
from curtain.domain.pack.pack import load_pack

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


def test_identifiers_and_vague_expressions_are_those_of_the_paper_s_tables() -> None:
    assert PACK.canonical == TABLE_1
    assert TABLE_2.items() <= PACK.vague.items()


def test_every_degree_and_sex_in_the_database_is_decoded(ask: Ask) -> None:
    for column in ("degree.degree", "employee.sex"):
        table, name = column.split(".")
        assert {value for (value,) in ask(f"SELECT DISTINCT {name} FROM {table}")} <= set(PACK.codes[column])


def test_the_rules_s3_to_s6_and_both_tables_are_there() -> None:
    ids = [rule["id"] for rule in PRINCIPLES]
    assert len(set(ids)) == len(ids)
    assert {"S-3", "S-6", "S-8", "T1", "T2"} <= {rule_id.split(".")[0] for rule_id in ids}
    entities = ["employees", "countries", "degrees", "departments", "divisions", "majors", "schools", "states"]
    professions = ["scientist", "engineer", "programmer", "clerk", "accountant", "manager"]
    expected = [f"T1.{entity}" for entity in entities] + [f"T2.{word}" for word in TABLE_2]
    assert {*expected, *(f"S-6.{word}" for word in professions)} <= set(ids)


def is_the_answer(scenario_id: str, rows: list[tuple[Any, ...]]) -> bool:
    return compare(from_rows(rows, "1989"), PACK.solution(scenario_id).answer, dialect="1989").is_correct


def test_the_solution_is_one_value_the_stated_answer_and_that_of_another_reading(ask: Ask) -> None:
    for scenario in CLOSED:
        rows = ask(PACK.solution(scenario.id).sql)
        assert len(rows) == len(rows[0]) == 1 and is_the_answer(scenario.id, rows), scenario.id
    assert [name for name, sql in OTHER_READINGS.items() if not is_the_answer(name, ask(sql))] == []


def test_a_near_miss_exists_and_is_wrong(ask: Ask) -> None:
    found = {name: ask(sql) for name, sql in NEAR_MISSES.items()}
    assert [name for name, rows in found.items() if not rows or is_the_answer(name, rows)] == []
