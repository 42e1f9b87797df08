"""Ages that nobody calls so, and sums and averages asked for behind everything else, in questions that stand alone."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.query.ages import age_words
from curtain.drafting.query.worked_out import asked_otherwise, worked_out
from curtain.drafting.values import Request
from tests.drafting.following import same

# The personnel database is of 19 August 1989.
OVER_50 = "birth_date < DATE '1939-08-19'"
IN_THE_FORTIES = "birth_date > DATE '1938-08-19' AND birth_date <= DATE '1949-08-19'"
AGED_45 = "birth_date > DATE '1943-08-19' AND birth_date <= DATE '1944-08-19'"
NOT_45 = "(birth_date <= DATE '1943-08-19' OR birth_date > DATE '1944-08-19')"


def answered_by(drafter: LocalDrafter, question: str) -> str:
    return drafter.drafts(Request(question))[0].sql


@pytest.mark.parametrize(
    ("question", "head", "where"),
    [
        ("women over 50", "employee_id", f"sex = 'F' AND {OVER_50}"),
        ("men between 40 and 50", "employee_id", f"sex = 'M' AND {IN_THE_FORTIES}"),
        ("who is over 50", "employee_id", OVER_50),
        ("employees over 50", "employee_id", OVER_50),
        ("employees who are over 50 years of age", "employee_id", OVER_50),
        ("employees aged 45", "employee_id", AGED_45),
        ("45 year old men", "employee_id", f"sex = 'M' AND {AGED_45}"),
        ("everyone not aged 45", "employee_id", NOT_45),
        ("how many employees are between 40 and 50 years old", "COUNT(*)", IN_THE_FORTIES),
        ("employees with a salary over 50", "employee_id", "salary > 50"),
        ("employees in departments over 40", "employee_id", "department > 40"),
        (
            "managers over 50",
            "employee_id",
            f"employee_id IN (SELECT supervisor_id FROM employee) AND {OVER_50}",
        ),
        ("employees hired after 1950", "employee_id", "hire_date >= DATE '1951-01-01'"),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_years_that_people_may_have_are_an_age(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, head: str, where: str
) -> None:
    found = answered_by(personnel if taught else untaught, question)
    assert same(load_pack("personnel"), found, f"SELECT {head} FROM employee WHERE {where}", "employee")


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("what do the attorneys earn in total", "SUM(salary)"),
        ("how much do the attorneys earn altogether", "SUM(salary)"),
        ("what is the salary of the attorneys all together", "SUM(salary)"),
        ("what do the attorneys earn in all", "SUM(salary)"),
        ("how much does an attorney earn on average", "AVG(salary)"),
        ("how much on average do the attorneys earn", "AVG(salary)"),
        ("how many attorneys are there in total", "COUNT(*)"),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_a_sum_or_an_average_may_be_asked_for_last(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, head: str
) -> None:
    found = answered_by(personnel if taught else untaught, question)
    wanted = f"SELECT {head} FROM employee WHERE job_title = 'ATTORNEY'"
    assert same(load_pack("personnel"), found, wanted, "employee"), found


@pytest.mark.parametrize(
    ("words", "first", "last", "span"),
    [
        ("men aged 45", 2, 3, (1, 3)),
        ("45 year old men", 0, 1, (0, 3)),
        ("people 45 years of age in sales", 1, 2, (1, 5)),
        ("at the age of 45", 4, 5, (1, 5)),
        ("45 years in the company", 0, 1, None),
        ("department 45", 1, 2, None),
    ],
)
def test_words_that_make_a_number_an_age(words: str, first: int, last: int, span: tuple[int, int] | None) -> None:
    assert age_words(words.split(), first, last) == span


@pytest.mark.parametrize(
    ("words", "function"),
    [
        ("what is paid in total", "SUM"),
        ("what is paid in all", "SUM"),
        ("what is paid in all departments", ""),
        ("all together they earn", "SUM"),
        ("what is earned on average here", "AVG"),
        ("what is earned", ""),
    ],
)
def test_words_that_ask_for_a_sum_or_an_average(words: str, function: str) -> None:
    assert worked_out(words.split()) == function


@pytest.mark.parametrize(
    ("sql", "words", "otherwise"),
    [
        ("SELECT salary FROM employee", "paid in total", True),
        ("SELECT SUM(salary) FROM employee", "paid in total", False),
        ("SELECT COUNT(*) FROM employee", "paid in total", False),
        ("SELECT summary FROM employee", "paid in total", True),
        ("SELECT salary FROM employee", "paid", False),
        ("SELECT AVG(salary) FROM employee", "the total salary", True),
        ("SELECT SUM(salary) FROM employee", "the average salary", True),
        ("SELECT SUM(salary) / COUNT(*) FROM employee", "the average salary", False),
        ("SELECT SUM(n) FROM t WHERE n > (SELECT AVG(n) FROM t)", "the total above the average", False),
        ("SELECT department, COUNT(*) FROM employee GROUP BY department", "how many on average", True),
    ],
)
def test_a_list_is_no_sum_and_a_sum_no_average(sql: str, words: str, otherwise: bool) -> None:
    assert asked_otherwise(sql, words.split()) is otherwise
