"""“How many”: a count in the place of a list."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.query.lexicon import load_lexicon
from curtain.drafting.query.recognise import Recogniser
from curtain.drafting.sql.counting import counting
from curtain.drafting.sql.ground import Ground
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.statements import write


@pytest.fixture(scope="module")
def personnel() -> Pack:
    return load_pack("personnel")


def counted(pack: Pack, question: str, sql: str) -> str | None:
    recogniser = Recogniser(load_lexicon(pack, database(pack)), pack.periods, pack.as_of)
    statement = Parser(pack.tables, "employee", pack.keys.primary).parse(sql)
    assert statement is not None
    found = counting(statement, recogniser.read(question), Ground(pack))
    return write(found) if found else None


DEGREES = (
    "SELECT degree, employee_id, school_code FROM degree JOIN employee USING (employee_id) WHERE last_name = 'TAI'"
)
PAID = "SELECT DISTINCT salary FROM employee WHERE job_title = 'ATTORNEY' AND salary < 50000"
SALARY = "SELECT salary FROM employee WHERE last_name = 'TAI'"


@pytest.mark.parametrize(
    ("question", "sql", "head"),
    [
        ("how many degrees does tai have", DEGREES, "COUNT(*)"),
        ("how many attorneys make less than 50000", PAID, "COUNT(*)"),
        ("number of people in plano", "SELECT employee_id FROM employee WHERE city = 'PLANO'", "COUNT(*)"),
        (
            "how many people have a phd",
            "SELECT DISTINCT employee_id FROM employee JOIN degree USING (employee_id) WHERE degree = 'PHD'",
            "COUNT(DISTINCT employee.employee_id)",
        ),
        ("how many departments have clerks", "SELECT DISTINCT department FROM employee", "COUNT(DISTINCT"),
    ],
)
def test_a_list_becomes_a_count(personnel: Pack, question: str, sql: str, head: str) -> None:
    found = counted(personnel, question, sql)
    assert found is not None
    assert found.startswith(f"SELECT {head}")


def test_the_tables_of_what_is_counted_stay(personnel: Pack) -> None:
    found = counted(personnel, "how many degrees does tai have", DEGREES)
    assert found is not None
    assert "FROM employee, degree WHERE employee.employee_id = degree.employee_id" in found


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many dollars does tai make", SALARY),
        ("who is in plano", "SELECT employee_id FROM employee WHERE city = 'PLANO'"),
        ("the phone number of tai", "SELECT work_phone FROM employee WHERE last_name = 'TAI'"),
        ("how many clerks are there", "SELECT COUNT(*) FROM employee"),
        ("how many people are in each department", "SELECT employee_id FROM employee"),
        ("how many people have the three highest salaries", "SELECT employee_id FROM employee ORDER BY salary LIMIT 3"),
    ],
)
def test_what_asks_for_no_count_stays(personnel: Pack, question: str, sql: str) -> None:
    assert counted(personnel, question, sql) is None
