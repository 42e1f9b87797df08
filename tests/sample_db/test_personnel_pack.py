"""The personnel pack as Curtain uses it: built, asked through the guarded worker; its words and answered questions."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

import sample_db.personnel
from curtain.cas import compare, from_rows, parse
from curtain.domain.pack.pack import Pack, content_sha256, database, load_pack
from curtain.domain.worker.worker import SqlWorker

Ask = Callable[[str], list[tuple[Any, ...]]]

FOLDER = Path(sample_db.personnel.__file__).parent
EXAMPLES = [json.loads(line) for line in (FOLDER / "examples.jsonl").read_text(encoding="utf-8").splitlines()]
PRINTED = [example for example in EXAMPLES if example.get("source") == "papers/000 appendix B"]
OWN = [example for example in EXAMPLES if "source" not in example]


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("personnel")


def question(example: dict[str, str]) -> str:
    return example["question"]


def test_all_21_questions_of_appendix_b_are_there_80_of_our_own_and_none_twice() -> None:
    assert len(PRINTED) == 21
    assert len(OWN) >= 80
    assert len({question(example) for example in EXAMPLES}) == len(EXAMPLES)


def test_every_table_is_asked_about() -> None:
    named = {table.name for example in EXAMPLES for table in parsed(example).find_all(exp.Table)}
    assert {"employee", "department", "division", "degree", "school", "major", "state", "country"} <= named


def test_every_column_of_the_employees_is_asked_about(pack: Pack) -> None:
    named = {column.name for example in EXAMPLES for column in parsed(example).find_all(exp.Column)}
    assert set(pack.tables["employee"]) <= named


def test_no_statement_sorts_or_cuts_off() -> None:
    """Papers/000 S-8: an answer is a set."""
    assert not any(parsed(example).find(exp.Order, exp.Limit) for example in EXAMPLES)


def test_a_statement_asks_the_day_of_the_pack_and_not_the_clock(pack: Pack) -> None:
    dated = [example["sql"] for example in EXAMPLES if "date_diff" in example["sql"].lower()]
    assert dated
    assert all(f"DATE '{pack.as_of}'" in sql or "DATE '" not in sql for sql in dated)


def parsed(example: dict[str, str]) -> exp.Expr:
    return sqlglot.parse_one(example["sql"], read="duckdb")


# --- examples from the text of papers/000 ---


def test_two_conjoined_wordings_have_one_answer(ask: Ask) -> None:
    """Section 3.2: “the clerks and their salaries”, “the clerks with their salaries”."""
    answers = {e["answer"] for e in EXAMPLES if question(e).startswith("List the clerks ")}
    assert len(answers) == 1
    assert parse(answers.pop(), "1989").width == 2  # type: ignore[union-attr]


def test_the_share_of_phds_unrounded_or_rounded_too_far_is_wrong(ask: Ask) -> None:
    """Section 3.1: 45 of 423 employees is 0.1064; section 3.4: 0.11 is incorrect."""
    [[holders, everybody]] = ask(
        "SELECT COUNT(DISTINCT employee_id), (SELECT COUNT(*) FROM employee) FROM degree WHERE degree = 'PHD'"
    )
    assert (holders, everybody) == (45, 423)
    assert compare("0.1064", "0.1064", dialect="1989").is_correct
    assert not compare("0.11", "0.1064", dialect="1989").is_correct
    assert not compare(repr(45 / 423), "0.1064", dialect="1989").is_correct


def test_whole_years_are_wrong_where_36_87_is_right(ask: Ask) -> None:
    """Section 3.4: the years since 6 October 1952 must not be treated as whole units."""
    [[days]] = ask("SELECT DATE_DIFF('day', hire_date, DATE '1989-08-19') FROM employee WHERE last_name = 'LEASE'")
    assert round(days / 365.25, 2) == 36.87
    assert not compare("37", "36.87", dialect="1989").is_correct


def test_young_who_has_no_home_phone_is_a_nil_in_the_list_of_the_attorneys(ask: Ask) -> None:
    """Section 3.3."""
    rows = ask("SELECT home_phone FROM employee WHERE job_title = 'ATTORNEY'")
    assert {(None,), ("214-545-0306",), ("214-665-5043",)} < set(rows)


def test_smith_and_jones_add_one_tuple_to_the_salaries_and_two_with_their_names(ask: Ask) -> None:
    """Section 4: both make exactly $40,000; the extra column does no harm."""
    rows = ask("SELECT salary, last_name FROM employee WHERE employee_id IN (2341, 5573)")
    assert len(rows) == 2
    assert compare(from_rows(rows, "1989"), "((40000))", dialect="1989").is_correct


@pytest.mark.parametrize("answer", ['((4456 "TAI" "PAUL"))', '(("TAI" 4456))'])
def test_the_acceptable_answers_of_s10_are_accepted(answer: str, ask: Ask) -> None:
    """Section 2.4; both are unbalanced in the scan."""
    reference = from_rows(ask("SELECT employee_id, last_name FROM employee WHERE employee_id = 4456"), "1989")
    assert compare(answer, reference, dialect="1989").is_correct


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


@pytest.fixture(scope="module")
def built(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return database(pack, cache=tmp_path_factory.mktemp("cache"))


def test_the_worker_answers_every_example_and_solution_as_the_pack_says(pack: Pack, built: Path) -> None:
    solutions = [solution for scenario in pack.scenarios if (solution := pack.solution(scenario.id))]
    asked = {example.sql: example.answer or "" for example in pack.examples()}
    asked |= {solution.sql: solution.answer for solution in solutions}
    worker = SqlWorker(built, pack, with_spare=False)
    try:
        results = [worker.run(sql).result(timeout=30) for sql in asked]
    finally:
        worker.close()
    assert [result.error for result in results if result.error] == []
    for result in results:
        assert compare(result.cas_min or "", asked[result.sql], dialect=pack.dialect).is_correct, result.sql


@pytest.fixture(scope="module")
def ours(built: Path, pack: Pack) -> Iterator[SqlWorker]:
    """A worker that answers in the dialect of our own."""
    worker = SqlWorker(built, replace(pack, dialect="curtain"), with_spare=False)
    yield worker
    worker.close()


FEMALE_MANAGERS = "sex = 'F' AND employee_id IN (SELECT supervisor_id FROM employee)"


@pytest.mark.parametrize(
    ("condition", "failure", "without"),
    [
        # papers/000, 3.3: “the female managers who make more than $50000”, of a department that has none.
        (f"{FEMALE_MANAGERS} AND department = 45 AND salary > 50000", "contingent-failure", "salary > 50000"),
        ("job_title = 'ASTRONAUT' AND salary > 1 AND level < 99", "contingent-failure", "salary > 1, level < 99"),
        # “the female men”
        ("sex = 'F' AND 'M' = sex", "necessary-failure", ""),
        # An ordinary empty answer (papers/000, appendix B): programmers there are, and members of department 20.
        ("job_title LIKE '%PROGRAMMER%' AND department = 20", "", ""),
        (f"{FEMALE_MANAGERS} AND salary > 99999999", "", ""),
        ("employee_id = 0", "", ""),
        # It is not empty.
        ("sex = 'F' AND salary > 50000", "", ""),
    ],
)
def test_an_empty_answer_may_be_a_presupposition_failure(
    ours: SqlWorker, condition: str, failure: str, without: str
) -> None:
    statement = f"SELECT employee_id FROM employee WHERE {condition}"
    result = ours.run(statement).result(timeout=30)
    assert (result.error, result.failure, result.without) == (None, failure, without)
    # Not of a yes/no question, which asks whether there are any.
    assert ours.run(statement, yes_no=True).result(timeout=30).failure == ""


def test_the_dialects_of_the_papers_have_no_word_for_a_failure(built: Path, pack: Pack) -> None:
    """papers/000, S-8: such questions are left out."""
    worker = SqlWorker(built, pack, with_spare=False)
    result = worker.run("SELECT employee_id FROM employee WHERE sex = 'F' AND sex = 'M'").result(timeout=30)
    worker.close()
    assert (result.cas_min, result.failure) == ("()", "")


def test_a_copy_of_the_folder_is_the_same_domain(pack: Pack, built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "personnel"
    shutil.copytree(pack.folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
    elsewhere = load_pack(copy)
    assert elsewhere.examples() == pack.examples()
    assert content_sha256(database(elsewhere, cache=tmp_path / "cache")) == content_sha256(built)
