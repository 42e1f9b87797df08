"""Several things asked for in one breath: every column of a list is there, with the pack's examples and without any."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Asked, Request
from tests.drafting.answers import opened

ENGINEER, CLERK = "job_title LIKE '%ENGINEER%'", "job_title LIKE '%CLERK%'"
PAULS_BOSS = "employee_id IN (SELECT supervisor_id FROM employee WHERE first_name = 'PAUL' AND last_name = 'TAI')"
UNDER_GRAY = "supervisor_id IN (SELECT employee_id FROM employee WHERE last_name = 'GRAY')"


def of(columns: str, where: str) -> str:
    return f"SELECT DISTINCT {columns} FROM employee WHERE {where}"


TAI, HAYES = "first_name = 'PAUL' AND last_name = 'TAI'", "first_name = 'PAUL' AND last_name = 'HAYES'"


def with_boss(columns: str) -> str:
    return (
        f"SELECT DISTINCT {columns} FROM employee AS clerk JOIN employee AS boss "
        f"ON clerk.supervisor_id = boss.employee_id WHERE clerk.{CLERK}"
    )


LISTS = [
    ("names and salaries of women", of("last_name, salary", "sex = 'F'")),
    ("names, ages and salaries of engineers", of("last_name, birth_date, salary", ENGINEER)),
    ("names salaries and job titles of the women", of("last_name, salary, job_title", "sex = 'F'")),
    ("first names, last names and job titles of the engineers", of("first_name, last_name, job_title", ENGINEER)),
    (
        "list the last names, first names and phone numbers of everyone in department 45",
        of("last_name, first_name, work_phone", "department = 45"),
    ),
    (
        "show the names, salaries and job titles of people hired in 1972",
        of("last_name, salary, job_title", "year(hire_date) = 1972"),
    ),
    (
        "name, salary and department of everyone over 60",
        of("last_name, salary, department", "birth_date < DATE '1929-08-19'"),
    ),
    # The first word is no order.
    ("name of the president", of("last_name", "job_title = 'PRESIDENT'")),
    ("name and age of the clerks", of("last_name, birth_date", CLERK)),
    ("name and salary of Paul Tai's manager", of("last_name, salary", PAULS_BOSS)),
    ("name, phone and salary of those who report to Gray", of("last_name, work_phone, salary", UNDER_GRAY)),
    ("full names of the clerks", of("first_name, last_name", CLERK)),
    (
        "the full name and phone number of the president",
        of("first_name, last_name, work_phone", "job_title = 'PRESIDENT'"),
    ),
    # Those above are only asked for, too.
    ("names of the engineers and their bosses", of("last_name, supervisor_id", ENGINEER)),
    ("engineers and their supervisors", of("employee_id, supervisor_id", ENGINEER)),
    ("the supervisor and salary of Paul Tai", of("supervisor_id, salary", TAI)),
    ("boss and department of Paul Hayes", of("supervisor_id, department", HAYES)),
    ("job title and boss of Paul Tai", of("job_title, supervisor_id", TAI)),
    ("Paul Tai's supervisor and salary", of("supervisor_id, salary", TAI)),
    ("names and bosses of women", of("last_name, supervisor_id", "sex = 'F'")),
    ("name, boss, salary of women", of("last_name, supervisor_id, salary", "sex = 'F'")),
    ("Paul Tai and his boss", of("employee_id, supervisor_id", TAI)),
    ("clerks and their bosses names", with_boss("clerk.employee_id, boss.last_name")),
    ("the clerks and their boss's salary", with_boss("clerk.employee_id, boss.salary")),
    ("clerks with their bosses phone numbers", with_boss("clerk.employee_id, boss.work_phone")),
    ("names of the clerks and the names of their bosses", with_boss("clerk.last_name, boss.last_name")),
    # A column that a condition fixes is asked for like any other.
    ("names, ages and job titles of the clerks", of("last_name, birth_date, job_title", CLERK)),
    ("names and cities of people in plano", of("last_name, city", "city = 'PLANO'")),
    # Without commas, and with other words for “and”.
    ("name age salary and city of engineers", of("last_name, birth_date, salary, city", ENGINEER)),
    ("name salary level of engineers", of("last_name, salary, level", ENGINEER)),
    ("salary level and city of the engineers", of("salary, level, city", ENGINEER)),
    ("clerks name salary", of("last_name, salary", CLERK)),
    ("names as well as salaries of the clerks", of("last_name, salary", CLERK)),
    ("clerks along with their salaries", of("employee_id, salary", CLERK)),
    ("clerks together with their salaries and cities", of("employee_id, salary, city", CLERK)),
    ("managers and their salaries", of("employee_id, salary", "employee_id IN (SELECT supervisor_id FROM employee)")),
    # Columns of other tables.
    ("names of the clerks and the names of their departments", of("last_name, department", CLERK)),
    (
        "job title and department name of Mary Graham",
        "SELECT job_title, department_name FROM employee JOIN department USING (department) "
        "WHERE first_name = 'MARY' AND last_name = 'GRAHAM'",
    ),
    (
        "clerks with their department names",
        f"SELECT employee_id, department_name FROM employee JOIN department USING (department) WHERE {CLERK}",
    ),
    (
        "name and school of everybody with a phd",
        "SELECT DISTINCT last_name, school_code FROM employee JOIN degree USING (employee_id) WHERE degree = 'PHD'",
    ),
    (
        "what are the names, degrees and schools of the supervisors",
        "SELECT DISTINCT last_name, degree, school_code FROM employee JOIN degree USING (employee_id) "
        "WHERE employee_id IN (SELECT supervisor_id FROM employee)",
    ),
]

LISTS += [
    (
        "names majors and schools of the chief scientists",
        "SELECT DISTINCT last_name, major_code, school_code FROM employee JOIN degree USING (employee_id) "
        "WHERE job_title = 'CHIEF SCIENTIST'",
    ),
    (
        "engineers and their departments and divisions",
        f"SELECT employee_id, department, division FROM employee JOIN department USING (department) WHERE {ENGINEER}",
    ),
]

GROUPS = [
    (question, "SELECT department, COUNT(*) FROM employee GROUP BY 1")
    for question in (
        "list the departments and the number of employees in each",
        "each department and its number of people",
    )
]
GROUPS += [
    (
        "department names and how many people work in each",
        "SELECT department_name, COUNT(*) FROM employee JOIN department USING (department) GROUP BY 1",
    ),
    (
        "job titles and the average salary for each of them",
        "SELECT job_title, AVG(salary) FROM employee GROUP BY 1",
    ),
    ("job titles and their highest salary", "SELECT job_title, MAX(salary) FROM employee GROUP BY 1"),
    ("level and the highest salary for each", "SELECT level, MAX(salary) FROM employee GROUP BY 1"),
    ("department, number of women", "SELECT department, COUNT(*) FROM employee WHERE sex = 'F' GROUP BY 1"),
    (
        "departments and how many engineers each has",
        f"SELECT department, COUNT(*) FROM employee WHERE {ENGINEER} GROUP BY 1",
    ),
    ("departments and their payroll", "SELECT department, SUM(salary) FROM employee GROUP BY 1"),
]


@pytest.mark.parametrize("question, sql", [*LISTS, *GROUPS])
@pytest.mark.parametrize("taught", [True, False])
def test_nothing_of_a_list_is_lost(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, sql: str
) -> None:
    with opened("personnel") as connection:
        first = (personnel if taught else untaught).drafts(Request(question))[0]
        assert _rows(connection, first.sql) == _rows(connection, sql), first.sql


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> set[tuple[object, ...]]:
    return set(connection.execute(sql).fetchall())


@pytest.mark.parametrize("question", ["number of men and women", "how many women and men are there"])
@pytest.mark.parametrize("taught", [True, False])
def test_a_number_of_two_kinds_is_of_each_or_of_all(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str
) -> None:
    drafts = (personnel if taught else untaught).drafts(Request(question))
    both = "SELECT sex, COUNT(*) FROM employee GROUP BY 1", "SELECT COUNT(*) FROM employee"
    with opened("personnel") as connection:
        answers = [_rows(connection, draft.sql) for draft in drafts]
        assert all(_rows(connection, sql) in answers for sql in both)
    assert drafts[0].confidence < 0.7


# What one word says is no list: the density of the population, and names as an order.
@pytest.mark.parametrize(
    "question, head",
    [
        ("what is the population density of Texas", "SELECT DISTINCT state.density"),
        ("name the cities in Texas", "SELECT city.city_name"),
        ("which state has the highest population density", "SELECT state.state_name FROM state WHERE state.density ="),
        ("population and area of Texas", "SELECT DISTINCT state.population, state.area"),
    ],
)
def test_what_is_no_list_is_one_thing(tmp_path: Path, question: str, head: str) -> None:
    (tmp_path / "state.csv").write_text("state_name,population,area,density\nTexas,14,266,53\nOhio,10,41,262\n")
    (tmp_path / "city.csv").write_text("city_name,state_name,inhabitants\nDallas,Texas,904\nToledo,Ohio,354\n")
    new_pack(tmp_path, tmp_path / "pack", lambda what, share: None)
    pack = load_pack(tmp_path / "pack")
    assert LocalDrafter(pack, database(pack), []).drafts(Request(question))[0].sql.startswith(head)


@pytest.mark.parametrize(
    "question",
    [
        "minimum and maximum salary of clerks",
        "oldest and youngest employee",
        "the highest and the lowest level",
        "is everyone over 30",
        "are all engineers over 60",
        "is there a clerk in every department",
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_of_both_ends_and_of_all_none_is_sure(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str
) -> None:
    drafts = (personnel if taught else untaught).drafts(Request(question))
    assert max((draft.confidence for draft in drafts), default=0.0) < 0.3


@pytest.mark.parametrize(
    "before, question, sql",
    [
        ("who lives in Cambridge", "full names please", of("first_name, last_name", "city = 'CAMBRIDGE'")),
        ("who are the clerks", "names, levels and cities", of("last_name, level, city", CLERK)),
        ("who are the clerks", "what are their names and ages", of("last_name, birth_date", CLERK)),
        ("who is the president", "his age and salary", of("birth_date, salary", "job_title = 'PRESIDENT'")),
        ("who reports to Gray", "names and salaries", of("last_name, salary", UNDER_GRAY)),
        ("who are the clerks", "add the salary and the city", of("employee_id, salary, city", CLERK)),
        ("names of the clerks", "with salary and level", of("last_name, salary, level", CLERK)),
        ("who are the clerks", "and their ages", of("employee_id, birth_date", CLERK)),
        # Of whom else, it says itself.
        ("who are the clerks", "names and salaries of the women", of("last_name, salary", "sex = 'F'")),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_several_columns_and_nothing_else_are_of_those_before(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: str, question: str, sql: str
) -> None:
    drafter = personnel if taught else untaught
    answered = Asked(before, drafter.drafts(Request(before))[0].sql)
    first = drafter.drafts(Request(question, (answered,)))[0]
    with opened("personnel") as connection:
        assert _rows(connection, first.sql) == _rows(connection, sql), first.sql
