"""Numbers that count, what is compared with others of its kind, and numbers that are years or ages by their words:
the first draft for a question that stands alone, judged by its answer, with the pack's examples and without any."""

from __future__ import annotations

import pytest

from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Asked, Request
from tests.drafting import answers
from tests.drafting.following import after

WOMEN = "sex = 'F'"
CLERKS = "job_title LIKE '%CLERK%'"
TAI = "first_name = 'PAUL' AND last_name = 'TAI'"
AGE = "ROUND(AVG(DATE_DIFF('day', birth_date, DATE '1989-08-19')) / 365.25, 2)"


def having(column: str, op: str, count: int, where: str = "TRUE", table: str = "employee") -> str:
    return f"SELECT {column} FROM {table} WHERE {where} GROUP BY {column} HAVING COUNT(*) {op} {count}"


def employees(where: str) -> str:
    return f"SELECT employee_id FROM employee WHERE {where}"


COUNTS = [
    ("departments with more than 30 women", having("department", ">", 30, WOMEN)),
    ("which departments have at least 3 clerks", having("department", ">=", 3, CLERKS)),
    ("job titles with more than 9 women", having("job_title", ">", 9, WOMEN)),
    ("cities with over 30 employees", having("city", ">", 30)),
    (
        "departments with fewer than 5 clerks",
        f"SELECT department FROM department WHERE department NOT IN ({having('department', '>=', 5, CLERKS)})",
    ),
    (
        "which division has over 100 employees",
        "SELECT division FROM department JOIN employee USING (department) GROUP BY 1 HAVING COUNT(*) > 100",
    ),
    (
        "schools with over 10 employees",
        "SELECT school_code FROM degree GROUP BY 1 HAVING COUNT(DISTINCT employee_id) > 10",
    ),
    ("which managers have over 5 employees", having("supervisor_id", ">", 5, "supervisor_id IS NOT NULL")),
    ("managers with over 5 people", having("supervisor_id", ">", 5, "supervisor_id IS NOT NULL")),
    ("managers who supervise over 5", having("supervisor_id", ">", 5, "supervisor_id IS NOT NULL")),
    ("people with exactly 2 degrees", having("employee_id", "=", 2, table="degree")),
    ("how many departments have more than 20 women", f"SELECT COUNT(*) FROM ({having('department', '>', 20, WOMEN)})"),
    ("are there over 50 women", f"SELECT COUNT(*) > 50 FROM employee WHERE {WOMEN}"),
    ("do we have more than 2000 clerks", f"SELECT COUNT(*) > 2000 FROM employee WHERE {CLERKS}"),
]


def with_those_below(where: str, having: str) -> str:
    return f"SELECT supervisor_id FROM employee WHERE supervisor_id IS NOT NULL AND {where} GROUP BY 1 HAVING {having}"


# What is said behind the things that are counted is said of them.
OF_THE_COUNTED = [
    (
        "departments with more than 3 women over 50",
        having("department", ">", 3, f"{WOMEN} AND birth_date < DATE '1939-08-19'"),
    ),
    ("departments with more than 10 people who earn over 50000", having("department", ">", 10, "salary > 50000")),
    ("cities with more than 5 women from manufacturing", having("city", ">", 5, f"{WOMEN} AND department = 20")),
    (
        "departments with over 20 people with a degree",
        having("department", ">", 20, "employee_id IN (SELECT employee_id FROM degree)"),
    ),
    (
        "cities with more than 2 women PhDs",
        having("city", ">", 2, f"{WOMEN} AND employee_id IN (SELECT employee_id FROM degree WHERE degree = 'PHD')"),
    ),
    ("who supervises more than 5 women", with_those_below(WOMEN, "COUNT(*) > 5")),
    ("managers with more than 5 women", with_those_below(WOMEN, "COUNT(*) > 5")),
    ("managers with between 5 and 10 people", with_those_below("TRUE", "COUNT(*) BETWEEN 5 AND 10")),
    (
        "managers with at least 2 employees under 30",
        with_those_below("birth_date > DATE '1959-08-19'", "COUNT(*) >= 2"),
    ),
    (
        "which managers don't have more than 5 people",
        f"SELECT DISTINCT supervisor_id FROM employee WHERE supervisor_id IS NOT NULL "
        f"AND supervisor_id NOT IN ({with_those_below('TRUE', 'COUNT(*) > 5')})",
    ),
    (
        "departments that do not have at least 3 clerks",
        f"SELECT department FROM department WHERE department NOT IN ({having('department', '>=', 3, CLERKS)})",
    ),
    (
        "departments with 20 to 40 employees",
        "SELECT department FROM employee GROUP BY 1 HAVING COUNT(*) BETWEEN 20 AND 40",
    ),
    ("which departments have 27 employees", having("department", "=", 27)),
    (
        "departments with no clerks over 40",
        "SELECT department FROM department WHERE department NOT IN "
        f"(SELECT department FROM employee WHERE {CLERKS} AND birth_date < DATE '1949-08-19')",
    ),
    (
        "managers with no women under 30",
        "SELECT DISTINCT supervisor_id FROM employee WHERE supervisor_id IS NOT NULL AND supervisor_id NOT IN (SELECT "
        f"supervisor_id FROM employee WHERE {WOMEN} AND birth_date > DATE '1959-08-19' AND supervisor_id IS NOT NULL)",
    ),
    (
        "people with no degree after 1980",
        employees("employee_id NOT IN (SELECT employee_id FROM degree WHERE year > 1980)"),
    ),
    (
        "women with more than 1 degrees over 50",
        f"{employees(WOMEN)} AND birth_date < DATE '1939-08-19' "
        f"AND employee_id IN ({having('employee_id', '>', 1, table='degree')})",
    ),
    ("departments with a staff of more than 40", having("department", ">", 40)),
    (
        "women in departments with over 40 people",
        employees(f"{WOMEN} AND department IN ({having('department', '>', 40)})"),
    ),
    (
        "departments with more than 10 women and more than 2 clerks",
        f"{having('department', '>', 10, WOMEN)} INTERSECT {having('department', '>', 2, CLERKS)}",
    ),
    (
        "employees whose manager is over 60",
        employees("supervisor_id IN (SELECT employee_id FROM employee WHERE birth_date < DATE '1929-08-19')"),
    ),
    ("who earns less than the average woman", employees(f"salary < (SELECT AVG(salary) FROM employee WHERE {WOMEN})")),
    (
        "women who earn less than the average salary of men",
        employees(f"{WOMEN} AND salary < (SELECT AVG(salary) FROM employee WHERE sex = 'M')"),
    ),
    (
        "women older than 40 and younger than 45",
        employees(f"{WOMEN} AND birth_date < DATE '1949-08-19' AND birth_date > DATE '1944-08-19'"),
    ),
    ("people with less than 2 years here", employees("hire_date > DATE '1987-08-19'")),
    (
        "clerks hired before 1980 earning over 20000",
        employees(f"{CLERKS} AND hire_date < DATE '1980-01-01' AND salary > 20000"),
    ),
    ("level 10 to 12 women", employees(f"{WOMEN} AND level BETWEEN 10 AND 12")),
    ("women of level 20 and up", employees(f"{WOMEN} AND level >= 20")),
    (
        "which department has the youngest average age",
        f"SELECT department FROM employee GROUP BY 1 ORDER BY {AGE} LIMIT 1",
    ),
    (
        "how many departments have fewer than 20 employees",
        f"SELECT COUNT(*) FROM department WHERE department NOT IN ({having('department', '>=', 20)})",
    ),
    ("what's the average salary for employees above level 25", "SELECT AVG(salary) FROM employee WHERE level > 25"),
]

RIVALS = [
    ("who is older than paul tai", employees(f"birth_date < (SELECT birth_date FROM employee WHERE {TAI})")),
    ("who earns more than paul tai", employees(f"salary > (SELECT salary FROM employee WHERE {TAI})")),
    (
        "which clerks earn less than paul tai",
        employees(f"{CLERKS} AND salary < (SELECT salary FROM employee WHERE {TAI})"),
    ),
    ("who has a higher salary than paul tai", employees(f"salary > (SELECT salary FROM employee WHERE {TAI})")),
    ("who earns more than the average", employees("salary > (SELECT AVG(salary) FROM employee)")),
    (
        "clerks who earn less than the average salary",
        employees(f"{CLERKS} AND salary < (SELECT AVG(salary) FROM employee)"),
    ),
    ("clerks who earn below average", employees(f"{CLERKS} AND salary < (SELECT AVG(salary) FROM employee)")),
    ("people earning above the average salary", employees("salary > (SELECT AVG(salary) FROM employee)")),
    ("who was hired before Paul Tai", employees(f"hire_date < (SELECT hire_date FROM employee WHERE {TAI})")),
    ("who was born after Paul Tai", employees(f"birth_date > (SELECT birth_date FROM employee WHERE {TAI})")),
    ("who isn't older than Paul Tai", employees(f"birth_date >= (SELECT birth_date FROM employee WHERE {TAI})")),
    ("who does not earn more than Paul Tai", employees(f"salary <= (SELECT salary FROM employee WHERE {TAI})")),
]

WORKED_OUT = [
    ("average age", f"SELECT {AGE} FROM employee"),
    ("average age of the clerks", f"SELECT {AGE} FROM employee WHERE {CLERKS}"),
    ("how old are the clerks on average", f"SELECT {AGE} FROM employee WHERE {CLERKS}"),
    ("what is the average age for each department", f"SELECT department, {AGE} FROM employee GROUP BY department"),
    ("the total salary for each department", "SELECT department, SUM(salary) FROM employee GROUP BY department"),
    ("salary of the attorneys on the average", "SELECT AVG(salary) FROM employee WHERE job_title = 'ATTORNEY'"),
    ("average salary of women and men", "SELECT sex, AVG(salary) FROM employee GROUP BY sex"),
    ("total salary of departments 43 and 44", "SELECT SUM(salary) FROM employee WHERE department IN (43, 44)"),
    (
        "which job title earns the least on average",
        "SELECT job_title FROM employee GROUP BY 1 ORDER BY AVG(salary) LIMIT 1",
    ),
    (
        "which department has the lowest total salary",
        "SELECT department FROM employee GROUP BY 1 ORDER BY SUM(salary) LIMIT 1",
    ),
    (
        "average salary of people between 50 and 60",
        "SELECT AVG(salary) FROM employee WHERE birth_date > DATE '1928-08-19' AND birth_date <= DATE '1939-08-19'",
    ),
    ("what is the average salary in all departments", "SELECT AVG(salary) FROM employee"),
]

YEARS = [
    ("women born before 40", employees(f"{WOMEN} AND birth_date < DATE '1940-01-01'")),
    ("women hired between 70 and 80", employees(f"{WOMEN} AND YEAR(hire_date) BETWEEN 1970 AND 1980")),
    ("who was hired in 75", employees("YEAR(hire_date) = 1975")),
    ("who graduated in 65", "SELECT employee_id FROM degree WHERE year = 1965"),
    ("people hired in the last 10 years", employees("hire_date >= DATE '1979-08-19'")),
    ("who has worked here for over 20 years", employees("hire_date < DATE '1969-08-19'")),
    (
        "people over 50 who have worked here over 20 years",
        employees("birth_date < DATE '1939-08-19' AND hire_date < DATE '1969-08-19'"),
    ),
    (
        "people between the ages of 30 and 35",
        employees("birth_date > DATE '1953-08-19' AND birth_date <= DATE '1959-08-19'"),
    ),
    ("who is 45", employees("birth_date > DATE '1943-08-19' AND birth_date <= DATE '1944-08-19'")),
    ("people who are 30 or 31", employees("birth_date > DATE '1957-08-19' AND birth_date <= DATE '1959-08-19'")),
    ("women of 45", employees(f"{WOMEN} AND birth_date > DATE '1943-08-19' AND birth_date <= DATE '1944-08-19'")),
    ("people 50+", employees("birth_date <= DATE '1939-08-19'")),
    ("women 60 and older", employees(f"{WOMEN} AND birth_date <= DATE '1929-08-19'")),
    ("people over the age of 60", employees("birth_date < DATE '1929-08-19'")),
    ("employees with number 1028", employees("employee_id = 1028")),
    ("women above level 20", employees(f"{WOMEN} AND level > 20")),
    ("level 30 women over 50", employees(f"{WOMEN} AND level = 30 AND birth_date < DATE '1939-08-19'")),
    ("women making over 50 thousand", employees(f"{WOMEN} AND salary > 50000")),
    ("the clerks in all departments", employees(CLERKS)),
]


def rows(sql: str) -> set[tuple[object, ...]]:
    return answers.rows("personnel", sql)


@pytest.mark.parametrize(("question", "sql"), [*COUNTS, *OF_THE_COUNTED, *RIVALS, *WORKED_OUT, *YEARS])
@pytest.mark.parametrize("taught", [True, False])
def test_what_is_meant_by_a_number(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, sql: str
) -> None:
    first = (personnel if taught else untaught).drafts(Request(question))[0].sql
    wanted = rows(sql)
    assert wanted, "the case tells nothing"
    assert rows(first) == wanted, first


def aged(low: int, high: int, where: str = "TRUE") -> str:
    """Those who were so many years old on 19 August 1989, the day of the database."""
    return f"{where} AND birth_date > DATE '{1988 - high}-08-19' AND birth_date <= DATE '{1989 - low}-08-19'"


DECADES = [
    ("women in their forties", employees(aged(40, 49, WOMEN))),
    ("who is in his sixties", employees(aged(60, 69))),
    ("people in their early thirties", employees(aged(30, 33))),
    ("clerks in their late fifties", employees(aged(57, 59, CLERKS))),
    ("how many clerks are in their fifties", f"SELECT COUNT(*) FROM employee WHERE {aged(50, 59, CLERKS)}"),
    ("engineers not in their forties", employees(f"job_title LIKE '%ENGINEER%' AND NOT ({aged(40, 49)})")),
    ("people hired in the sixties", employees("YEAR(hire_date) BETWEEN 1960 AND 1969")),
]


@pytest.mark.parametrize(("question", "sql"), DECADES)
@pytest.mark.parametrize("taught", [True, False])
def test_their_forties_are_ages_and_the_forties_are_years(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, sql: str
) -> None:
    first = (personnel if taught else untaught).drafts(Request(question))[0].sql
    assert rows(first) == rows(sql), first


def alike(column: str, where: str, more: str = "TRUE") -> str:
    same = f"{column} = (SELECT {column} FROM employee WHERE {where})"
    return employees(f"{same} AND NOT ({where}) AND {more}")


GRAHAM = "first_name = 'MARY' AND last_name = 'GRAHAM'"
SAME = [
    ("who works in the same department as Paul Tai", alike("department", TAI)),
    ("who has the same job title as Mary Graham", alike("job_title", GRAHAM)),
    ("women in the same department as Paul Tai", alike("department", TAI, WOMEN)),
    ("who lives in the same city as Paul Tai", alike("city", TAI)),
    ("how many people have the same job title as Mary Graham", f"SELECT COUNT(*) FROM ({alike('job_title', GRAHAM)})"),
    ("who has been here the longest", employees("hire_date = (SELECT MIN(hire_date) FROM employee)")),
    ("longest serving employees", employees("hire_date = (SELECT MIN(hire_date) FROM employee)")),
    (
        "which clerk has been with the company the longest",
        employees(f"{CLERKS} AND hire_date = (SELECT MIN(hire_date) FROM employee WHERE {CLERKS})"),
    ),
    ("what is the payroll", "SELECT SUM(salary) FROM employee"),
    ("what is the payroll of department 44", "SELECT SUM(salary) FROM employee WHERE department = 44"),
    ("how many degrees were earned in 72", "SELECT COUNT(*) FROM degree WHERE year = 1972"),
]


@pytest.mark.parametrize(("question", "sql"), SAME)
@pytest.mark.parametrize("taught", [True, False])
def test_the_same_as_somebody_the_longest_here_and_what_all_are_paid(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, sql: str
) -> None:
    first = (personnel if taught else untaught).drafts(Request(question))[0].sql
    wanted = rows(sql)
    assert wanted, "the case tells nothing"
    assert rows(first) == wanted, first


CLERK = employees(CLERKS)
OVER_20_WOMEN = f"SELECT department FROM department WHERE department IN ({having('department', '>', 20, WOMEN)})"

FOLLOWED = [
    (
        CLERK,
        "which of those are older than paul tai",
        f"{CLERK} AND birth_date < (SELECT birth_date FROM employee WHERE {TAI})",
    ),
    (CLERK, "who of them earns less than the average", f"{CLERK} AND salary < (SELECT AVG(salary) FROM employee)"),
    (CLERK, "which of them are 45", f"{CLERK} AND birth_date > DATE '1943-08-19' AND birth_date <= DATE '1944-08-19'"),
    (CLERK, "in their early forties", f"{CLERK} AND {aged(40, 43)}"),
    (CLERK, "how many of them are in their fifties", f"SELECT COUNT(*) FROM employee WHERE {aged(50, 59, CLERKS)}"),
    (CLERK, "only those over the age of 50", f"{CLERK} AND birth_date < DATE '1939-08-19'"),
    (CLERK, "and those born before 40", f"{CLERK} AND birth_date < DATE '1940-01-01'"),
    (CLERK, "hired before 80", f"{CLERK} AND hire_date < DATE '1980-01-01'"),
    (CLERK, "how old are they on average", f"SELECT {AGE} FROM employee WHERE {CLERKS}"),
    (CLERK, "what is their average age", f"SELECT {AGE} FROM employee WHERE {CLERKS}"),
    (OVER_20_WOMEN, "what about men", having("department", ">", 20, "sex = 'M'")),
    (OVER_20_WOMEN, "more than 23", having("department", ">", 23, WOMEN)),
    (OVER_20_WOMEN, "at least 40 men", having("department", ">=", 40, "sex = 'M'")),
]


@pytest.mark.parametrize(("before", "question", "sql"), FOLLOWED)
@pytest.mark.parametrize("taught", [True, False])
def test_follow_ups_of_such_numbers_are_said_of_those_before(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: str, question: str, sql: str
) -> None:
    first = after(personnel if taught else untaught, question, before)
    wanted = rows(sql)
    assert wanted, "the case tells nothing"
    assert rows(first) == wanted, first


@pytest.mark.parametrize(("before", "question"), [(OVER_20_WOMEN, "and clerks"), (CLERK, "more than 10 of them")])
def test_what_may_be_said_of_something_else_is_never_sure(personnel: LocalDrafter, before: str, question: str) -> None:
    drafts = personnel.drafts(Request(question, (Asked("", before),)))
    assert drafts and max(draft.confidence for draft in drafts) <= 0.5


@pytest.mark.parametrize("question", ["who was hired on 31 February", "hired on 31 April 1985", "born on June 31"])
@pytest.mark.parametrize("taught", [True, False])
def test_a_day_that_is_in_no_calendar_is_never_sure(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str
) -> None:
    drafts = (personnel if taught else untaught).drafts(Request(question))
    assert drafts and max(draft.confidence for draft in drafts) <= 0.5


@pytest.mark.parametrize(
    "question",
    [
        "more than 50 women",
        "at least 30 clerks",
        "give me over 50 employees",
        "phone extension over 50",
        "top 5 salaries",
        "employees in 43 and 45",
        "everybody in 45",
        "average number of degrees per employee",
        "how many employees per department on average",
        "do women earn more than men on average",
        "departments with more than 3 managers",
        "which division has more than 2 departments with over 30 people",
        "who earns more than Paul Tai and Mary Graham",
        "employees whose manager has more than 40 people",
        "highest average salary",
        "who joined before the age of 20",
        "women hired at the age of 20",
        "who was born in the same year as Paul Tai",
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_what_no_draft_can_say_is_never_sure(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str
) -> None:
    drafts = (personnel if taught else untaught).drafts(Request(question))
    assert max((draft.confidence for draft in drafts), default=0.0) < 0.3
