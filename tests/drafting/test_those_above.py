"""Who stands above whom, in a table that refers to itself: the first draft for a question that stands alone, judged by
its answer, with the pack's examples and without any."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Request
from tests.drafting.answers import opened
from tests.drafting.following import after


def of(first: str, last: str) -> str:
    return f"first_name = '{first}' AND last_name = '{last}'"


def called(last: str) -> str:
    return f"(SELECT employee_id FROM employee WHERE last_name = '{last}')"


def boss_of(who: str) -> str:
    return f"(SELECT supervisor_id FROM employee WHERE {who})"


TAI, GRAHAM, HAYES, SMITH = of("PAUL", "TAI"), of("MARY", "GRAHAM"), of("PAUL", "HAYES"), of("MARY", "SMITH")
CLERK = "job_title LIKE '%CLERK%'"
OVER_60 = "birth_date < DATE '1929-08-19'"
FEMALE = "SELECT employee_id FROM employee WHERE sex = 'F'"
SEABORN = "last_name = 'SEABORN'"


def that(column: str, where: str) -> str:
    return f"SELECT DISTINCT {column} FROM employee WHERE {where}"


def of_boss(column: str, who: str) -> str:
    return that(column, f"employee_id IN {boss_of(who)}")


def below(column: str, whom: str, where: str = "TRUE") -> str:
    return that(column, f"supervisor_id IN {whom} AND {where}")


def employees(where: str) -> str:
    return that("employee_id", where)


def count(where: str) -> str:
    return f"SELECT COUNT(*) FROM employee WHERE {where}"


# What is said of somebody's boss is said of no one else.
OF_A_BOSS = [
    ("how old is Paul Tai's boss", of_boss("birth_date", TAI)),
    ("what does the boss of Mary Graham earn", of_boss("salary", GRAHAM)),
    ("what is the salary of Mary Smith's manager", of_boss("salary", SMITH)),
    ("the phone number of the supervisor of Mary Smith", of_boss("work_phone", SMITH)),
    ("when was Lander's supervisor hired", of_boss("hire_date", "last_name = 'LANDER'")),
    ("where does Mary Graham's boss live", of_boss("city", GRAHAM)),
    ("which department does Paul Hayes's supervisor work in", of_boss("department", HAYES)),
    (
        "which division is Mary Graham's boss in",
        f"SELECT division FROM department WHERE department IN ({of_boss('department', GRAHAM)})",
    ),
    (
        "what school did Paul Hayes's supervisor graduate from",
        f"SELECT DISTINCT school_code FROM degree WHERE employee_id IN {boss_of(HAYES)}",
    ),
    (
        "is Paul Tai's boss a woman",
        f"SELECT COUNT(*) > 0 FROM employee WHERE employee_id IN {boss_of(TAI)} AND sex = 'F'",
    ),
    ("who does Paul Tai report to", of_boss("employee_id", TAI)),
    ("who is Paul Tai's boss's boss", of_boss("supervisor_id", TAI)),
    ("who is the boss of Paul Tai's boss", of_boss("supervisor_id", TAI)),
    ("how old is Paul Tai's boss's boss", of_boss("birth_date", f"employee_id IN {boss_of(TAI)}")),
    (
        "who is the supervisor of the person with the highest salary",
        that("supervisor_id", "salary = (SELECT MAX(salary) FROM employee)"),
    ),
    ("who supervises the people in department 44", that("supervisor_id", "department = 44")),
    ("Mary Graham's boss's phone number", of_boss("work_phone", GRAHAM)),
    ("the job title of the boss of Mary Graham", of_boss("job_title", GRAHAM)),
    ("bosses of women over 50", that("supervisor_id", "sex = 'F' AND birth_date < DATE '1939-08-19'")),
    (
        "who supervises the youngest employee",
        that("supervisor_id", "birth_date = (SELECT MAX(birth_date) FROM employee)"),
    ),
    ("the boss of the youngest employee", that("supervisor_id", "birth_date = (SELECT MAX(birth_date) FROM employee)")),
    ("the oldest person's boss", that("supervisor_id", "birth_date = (SELECT MIN(birth_date) FROM employee)")),
    ("who is the president's boss", that("supervisor_id", "job_title = 'PRESIDENT'")),
    ("who are the bosses of the secretaries", that("supervisor_id", "job_title = 'SECRETARY'")),
]

OF_THOSE_BELOW = [
    (
        "how many women does Gray supervise",
        count(f"supervisor_id IN {called('GRAY')} AND sex = 'F'"),
    ),
    ("which clerks report to Payne", below("employee_id", called("PAYNE"), "job_title LIKE '%CLERK%'")),
    ("women who report to Payne", below("employee_id", called("PAYNE"), "sex = 'F'")),
    ("who works for Payne", below("employee_id", called("PAYNE"))),
    ("who reports directly to Seaborn", below("employee_id", called("SEABORN"))),
    ("Payne's subordinates", below("employee_id", called("PAYNE"))),
    ("how many subordinates does Gray have", count(f"supervisor_id IN {called('GRAY')}")),
    ("how many people work under Fay", count(f"supervisor_id IN {called('FAY')}")),
    ("the salaries of the people who work for Payne", below("salary", called("PAYNE"))),
    ("who reports to Paul Tai's boss", below("employee_id", boss_of(TAI))),
    ("how many people report to Seaborn's boss", count(f"supervisor_id IN {boss_of(SEABORN)}")),
    ("how many people does Paul Hayes's boss supervise", count(f"supervisor_id IN {boss_of(HAYES)}")),
    ("who has the same boss as Mary Graham", below("employee_id", boss_of(GRAHAM), f"NOT ({GRAHAM})")),
    (
        "people whose boss is over 60",
        below("employee_id", "(SELECT employee_id FROM employee WHERE birth_date < DATE '1929-08-19')"),
    ),
    (
        "list employees whose boss is a woman",
        below("employee_id", "(SELECT employee_id FROM employee WHERE sex = 'F')"),
    ),
    (
        "does Mary Graham work for Gray",
        f"SELECT COUNT(*) > 0 FROM employee WHERE {GRAHAM} AND supervisor_id IN {called('GRAY')}",
    ),
    ("clerks with a female boss", below("employee_id", f"({FEMALE})", CLERK)),
    ("how many clerks have a female supervisor", count(f"{CLERK} AND supervisor_id IN ({FEMALE})")),
    ("who has a boss over 60", below("employee_id", f"({employees(OVER_60)})")),
    ("people who work for someone over 60", below("employee_id", f"({employees(OVER_60)})")),
    ("Gray's engineers", below("employee_id", called("GRAY"), "job_title LIKE '%ENGINEER%'")),
    ("how many engineers does Gray have", count(f"supervisor_id IN {called('GRAY')} AND job_title LIKE '%ENGINEER%'")),
    ("list Gray's direct reports", below("employee_id", called("GRAY"))),
    (
        "average salary by supervisor",
        "SELECT supervisor_id, AVG(salary) FROM employee WHERE supervisor_id > 0 GROUP BY 1",
    ),
    (
        "managers with no women",
        "SELECT DISTINCT supervisor_id FROM employee WHERE supervisor_id IS NOT NULL AND supervisor_id NOT IN "
        "(SELECT supervisor_id FROM employee WHERE sex = 'F' AND supervisor_id IS NOT NULL)",
    ),
    ("women under Gray", below("employee_id", called("GRAY"), "sex = 'F'")),
    ("people under Gray who are over 50", below("employee_id", called("GRAY"), "birth_date < DATE '1939-08-19'")),
    (
        "who doesn't report to Gray",
        that("employee_id", f"supervisor_id IS NULL OR supervisor_id NOT IN {called('GRAY')}"),
    ),
    (
        "who reports to Gray or Payne",
        below("employee_id", "(SELECT employee_id FROM employee WHERE last_name IN ('GRAY', 'PAYNE'))"),
    ),
    ("people who report to Gray and earn over 50000", below("employee_id", called("GRAY"), "salary > 50000")),
    ("who in department 44 reports to Gray", below("employee_id", called("GRAY"), "department = 44")),
    ("who are Payne's employees", below("employee_id", called("PAYNE"))),
    ("how many employees does Seaborn have", count(f"supervisor_id IN {called('SEABORN')}")),
    ("names and salaries of Payne's subordinates", below("last_name, salary", called("PAYNE"))),
    (
        "does Payne supervise Mary Graham",
        f"SELECT COUNT(*) > 0 FROM employee WHERE {GRAHAM} AND supervisor_id IN {called('PAYNE')}",
    ),
    (
        "who manages the most people",
        "SELECT supervisor_id FROM employee WHERE supervisor_id IS NOT NULL GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1",
    ),
]

MORE_THAN_A_BOSS = [
    (
        "who was hired before their supervisor",
        "SELECT a.employee_id FROM employee a JOIN employee b ON a.supervisor_id = b.employee_id "
        "WHERE a.hire_date < b.hire_date",
    ),
    (
        "who works in the same department as Paul Tai's boss",
        that("employee_id", f"department IN ({of_boss('department', TAI)}) AND employee_id NOT IN {boss_of(TAI)}"),
    ),
    (
        "who earns more than Paul Tai's boss",
        that("employee_id", f"salary > (SELECT salary FROM employee WHERE employee_id IN {boss_of(TAI)})"),
    ),
    (
        "who is older than their boss",
        "SELECT a.employee_id FROM employee a JOIN employee b ON a.supervisor_id = b.employee_id "
        "WHERE a.birth_date < b.birth_date",
    ),
    (
        "is Paul Tai older than his boss",
        "SELECT COUNT(*) > 0 FROM employee a JOIN employee b ON a.supervisor_id = b.employee_id "
        "WHERE a.first_name = 'PAUL' AND a.last_name = 'TAI' AND a.birth_date < b.birth_date",
    ),
    (
        "does Paul Tai earn more than his boss",
        "SELECT COUNT(*) > 0 FROM employee a JOIN employee b ON a.supervisor_id = b.employee_id "
        "WHERE a.first_name = 'PAUL' AND a.last_name = 'TAI' AND a.salary > b.salary",
    ),
]


@pytest.mark.parametrize("question, sql", [*OF_A_BOSS, *OF_THOSE_BELOW, *MORE_THAN_A_BOSS])
@pytest.mark.parametrize("taught", [True, False])
def test_somebodys_boss_is_not_somebody(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, sql: str
) -> None:
    with opened("personnel") as connection:
        drafts = (personnel if taught else untaught).drafts(Request(question))
        assert _rows(connection, drafts[0].sql) == _rows(connection, sql), drafts[0].sql


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    return sorted(connection.execute(sql).fetchall(), key=repr)


@pytest.mark.parametrize(
    "question",
    [
        "who is my boss",
        "do Paul Tai and Mary Graham have the same boss",
        "who has more subordinates than Gray",
        "people who don't have the same boss as Paul Tai",
        "which director supervises the most people",
        "the three managers with the most people",
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_of_whom_nothing_can_be_told_none_is_sure(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str
) -> None:
    drafts = (personnel if taught else untaught).drafts(Request(question))
    assert max((draft.confidence for draft in drafts), default=0.0) < 0.3


# A title is no one above others, and without a word for them nobody is.
@pytest.mark.parametrize(
    "question, where",
    [
        ("list employees whose job title is supervisor", "job_title = 'SUPERVISOR'"),
        ("list the project managers", "job_title = 'PROJECT MANAGER'"),
    ],
)
def test_a_title_stands_above_nobody(untaught: LocalDrafter, question: str, where: str) -> None:
    first = untaught.drafts(Request(question))[0]
    assert first.sql.endswith(where) and "supervisor_id" not in first.sql


PAUL = f"SELECT employee_id FROM employee WHERE {TAI}"
HER_BOSS = f"SELECT supervisor_id FROM employee WHERE {GRAHAM}"
UNDER_LANDER = (
    "SELECT report.employee_id FROM employee AS report JOIN employee AS boss "
    "ON report.supervisor_id = boss.employee_id WHERE boss.last_name = 'LANDER'"
)
CLERKS = "SELECT employee_id FROM employee WHERE job_title LIKE '%CLERK%'"
COUNT_UNDER_GRAY = (
    "SELECT COUNT(*) FROM employee AS report JOIN employee AS boss "
    "ON report.supervisor_id = boss.employee_id WHERE boss.last_name = 'GRAY'"
)
ABOVE_MOST = (
    "SELECT supervisor_id FROM employee WHERE supervisor_id IS NOT NULL GROUP BY supervisor_id HAVING COUNT(*) >= ALL "
    "(SELECT COUNT(*) FROM employee WHERE supervisor_id IS NOT NULL GROUP BY supervisor_id)"
)
AGE = "ROUND(DATE_DIFF('day', birth_date, DATE '1989-08-19') / 365.25, 2)"

FOLLOWED = [
    (PAUL, "who is his boss", boss_of(TAI)),
    (PAUL, "who does he report to", boss_of(TAI)),
    (PAUL, "what does his boss earn", of_boss("salary", TAI)),
    (PAUL, "what department does his boss work in", of_boss("department", TAI)),
    (
        PAUL,
        "is his boss a woman",
        f"SELECT COUNT(*) > 0 FROM employee WHERE employee_id IN {boss_of(TAI)} AND sex = 'F'",
    ),
    (CLERKS, "who are their bosses", that("supervisor_id", f"{CLERK} AND supervisor_id IS NOT NULL")),
    (CLERKS, "who supervises them", that("supervisor_id", f"{CLERK} AND supervisor_id IS NOT NULL")),
    (HER_BOSS, "what does he earn", of_boss("salary", GRAHAM)),
    (HER_BOSS, "what is her job title", of_boss("job_title", GRAHAM)),
    (HER_BOSS, "and his boss", of_boss("supervisor_id", GRAHAM)),
    (HER_BOSS, "who reports to him", below("employee_id", boss_of(GRAHAM))),
    (HER_BOSS, "how many people does he supervise", count(f"supervisor_id IN {boss_of(GRAHAM)}")),
    (HER_BOSS, "and Mary Smith's", boss_of(SMITH)),
    (UNDER_LANDER, "which of them earn over 30000", below("employee_id", called("LANDER"), "salary > 30000")),
    (UNDER_LANDER, "what do they earn", below("salary", called("LANDER"))),
    (UNDER_LANDER, "how many are women", count(f"sex = 'F' AND supervisor_id IN {called('LANDER')}")),
    (UNDER_LANDER, "but not engineers", below("employee_id", called("LANDER"), "job_title NOT LIKE '%ENGINEER%'")),
    (COUNT_UNDER_GRAY, "how many of them are women", count(f"sex = 'F' AND supervisor_id IN {called('GRAY')}")),
    (COUNT_UNDER_GRAY, "who are they", below("employee_id", called("GRAY"))),
    (COUNT_UNDER_GRAY, "and McGlew", count(f"supervisor_id IN {called('MCGLEW')}")),
    (PAUL, "who has the same boss", below("employee_id", boss_of(TAI), f"NOT ({TAI})")),
    (PAUL, "who else works for his boss", below("employee_id", boss_of(TAI), f"NOT ({TAI})")),
    (UNDER_LANDER, "and Payne", below("employee_id", called("PAYNE"))),
    (ABOVE_MOST, "what does he earn", that("salary", f"employee_id IN ({ABOVE_MOST})")),
    (ABOVE_MOST, "how many people does he manage", count(f"supervisor_id IN ({ABOVE_MOST})")),
]


@pytest.mark.parametrize("before, question, sql", FOLLOWED)
@pytest.mark.parametrize("taught", [True, False])
def test_they_are_those_whom_the_turn_before_showed(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: str, question: str, sql: str
) -> None:
    first = after(personnel if taught else untaught, question, before)
    with opened("personnel") as connection:
        wanted = _rows(connection, sql.removeprefix("(").removesuffix(")") if sql.startswith("(") else sql)
        assert wanted, "the case tells nothing"
        assert _rows(connection, first) == wanted, first


def grouped(value: str, column: str, where: str = "TRUE") -> str:
    return f"SELECT {column}, {value} FROM employee JOIN department USING (department) WHERE {where} GROUP BY {column}"


COUNTED = f"SELECT COUNT(*) FROM employee WHERE {CLERK}"
GROUPED = [
    (COUNTED, "for each department", grouped("COUNT(*)", "department", CLERK)),
    (COUNTED, "and by job title", grouped("COUNT(*)", "job_title", CLERK)),
    (COUNTED, "how many in each city", grouped("COUNT(*)", "city", CLERK)),
    (COUNTED, "per division", grouped("COUNT(*)", "division", CLERK)),
    ("SELECT AVG(salary) FROM employee", "break it down by sex", grouped("AVG(salary)", "sex")),
    (f"SELECT ROUND(AVG({AGE}), 2) FROM employee", "in each city", grouped(f"ROUND(AVG({AGE}), 2)", "city")),
]


@pytest.mark.parametrize("before, question, sql", GROUPED)
@pytest.mark.parametrize("taught", [True, False])
def test_a_number_is_worked_out_for_each_group(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: str, question: str, sql: str
) -> None:
    first = after(personnel if taught else untaught, question, before)
    with opened("personnel") as connection:
        assert _rows(connection, first) == _rows(connection, sql), first


@pytest.mark.parametrize("question, order", [("sort them by age", "birth_date"), ("by department", "department")])
def test_what_is_no_number_is_sorted(personnel: LocalDrafter, question: str, order: str) -> None:
    first = after(personnel, question, CLERKS)
    assert first.endswith(f"ORDER BY employee.{order}") and "supervisor_id" not in first


def test_the_names_of_departments_are_no_names_of_people(untaught: LocalDrafter) -> None:
    before = "SELECT department FROM department WHERE division = 1"
    assert "department_name" in after(untaught, "what are their names", before)


TEACHERS = """
CREATE TABLE teacher (id INTEGER PRIMARY KEY, name TEXT, pay INTEGER, mentor_id INTEGER REFERENCES teacher (id));
INSERT INTO teacher VALUES (1, 'Anna Berg', 50, NULL);
INSERT INTO teacher VALUES (2, 'Carl Dahl', 45, 1);
INSERT INTO teacher VALUES (3, 'Kim Lund', 40, 1), (4, 'Eva Moe', 35, 2);
CREATE TABLE category (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER REFERENCES category (id));
INSERT INTO category VALUES (1, 'Food', NULL);
INSERT INTO category VALUES (2, 'Fruit', 1), (3, 'Meat', 1);
INSERT INTO category VALUES (4, 'Citrus', 2);
"""


@pytest.fixture(scope="module")
def of_a_school(tmp_path_factory: pytest.TempPathFactory) -> tuple[LocalDrafter, Path]:
    folder = tmp_path_factory.mktemp("school")
    with duckdb.connect(str(folder / "school.duckdb")) as connection:
        connection.execute(TEACHERS)
    new_pack(folder / "school.duckdb", folder / "pack", lambda what, share: None)
    pack = load_pack(folder / "pack")
    return LocalDrafter(pack, database(pack), []), database(pack)


@pytest.mark.parametrize(
    "question, found",
    [
        ("teachers mentored by Carl Dahl", [(4,)]),
        ("how many teachers does Anna Berg mentor", [(2,)]),
        ("average pay of the teachers mentored by Anna Berg", [(42.5,)]),
        ("who mentors Eva Moe", [(2,)]),
        ("the pay of Eva Moe's mentor", [(45,)]),
        ("who has the same mentor as Carl Dahl", [(3,)]),
        ("who mentors the most teachers", [(1,)]),
        ("categories whose parent is Food", [(2,), (3,)]),
        ("the parent category of Citrus", [(2,)]),
        ("what is the parent of Fruit", [(1,)]),
    ],
)
def test_names_in_one_column_go_one_step(
    of_a_school: tuple[LocalDrafter, Path], question: str, found: list[tuple[object, ...]]
) -> None:
    drafter, path = of_a_school
    first = drafter.drafts(Request(question))[0].sql
    with duckdb.connect(str(path), read_only=True) as connection:
        assert _rows(connection, first) == found, first


def test_where_no_table_refers_to_itself_nobody_surely_works_for_anybody(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, wage INTEGER)")
        connection.execute("INSERT INTO staff VALUES (1, 'Anna Berg', 20), (2, 'Carl Dahl', 15)")
    new_pack(tmp_path / "shop.duckdb", tmp_path / "pack", lambda what, share: None)
    pack = load_pack(tmp_path / "pack")
    drafts = LocalDrafter(pack, database(pack), []).drafts(Request("who works for Carl Dahl"))
    assert max((draft.confidence for draft in drafts), default=0.0) < 0.3
