"""The names of things are what they are called, and not what people are."""

from __future__ import annotations

import pytest

from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Request
from tests.drafting.answers import opened

DEPARTMENTS, SCHOOLS = "SELECT department_name FROM department", "SELECT school_name FROM school"
IN_DEPARTMENTS = "SELECT department_name, {} FROM department JOIN employee USING (department) GROUP BY department_name"
CASES = [
    ("names of the departments", DEPARTMENTS),
    ("names of all departments", DEPARTMENTS),
    ("name of each department", DEPARTMENTS),
    ("what are the departments called", DEPARTMENTS),
    ("the names of the schools", SCHOOLS),
    ("give me the name of every school", SCHOOLS),
    ("what is department 20 called", f"{DEPARTMENTS} WHERE department = 20"),
    ("how is department 45 called", f"{DEPARTMENTS} WHERE department = 45"),
    ("for every department the name and the average salary", IN_DEPARTMENTS.format("AVG(salary)")),
    ("for each department show its name and the total salary", IN_DEPARTMENTS.format("SUM(salary)")),
    ("for each department show the name and the number of people", IN_DEPARTMENTS.format("COUNT(*)")),
    ("for each department the number of people", "SELECT department, COUNT(*) FROM employee GROUP BY department"),
    # People have names of their own.
    ("names of the engineers", "SELECT last_name FROM employee WHERE job_title LIKE '%ENGINEER%'"),
    ("names of all employees", "SELECT last_name FROM employee"),
    ("names of the people in department 20", "SELECT last_name FROM employee WHERE department = 20"),
]


@pytest.mark.parametrize(("question", "wanted"), CASES)
def test_things_have_names_of_their_own(untaught: LocalDrafter, question: str, wanted: str) -> None:
    first = untaught.drafts(Request(question))[0]
    with opened("personnel") as connection:
        found, right = (set(connection.execute(sql).fetchall()) for sql in (first.sql, wanted))
    assert found == right, first.sql
    assert first.confidence > 0.6
