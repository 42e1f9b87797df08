"""Follow-ups that are hardly more than a value: a name, a kind of people, a month, a time; and a mere question word."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Asked, Draft, Request
from tests.drafting import answers

ALL = "SELECT employee_id FROM employee"
IN_45 = "SELECT COUNT(*) FROM employee WHERE sex = 'F' AND department = 45"
OVER_60 = "SELECT COUNT(*) FROM employee WHERE sex = 'F' AND birth_date < DATE '1929-08-19'"
HIRED_1975 = f"{ALL} WHERE hire_date >= DATE '1975-01-01' AND hire_date < DATE '1976-01-01'"
HIRED_MARCH = f"{ALL} WHERE hire_date >= DATE '1975-03-01' AND hire_date < DATE '1975-04-01'"
FIRST = f"{ALL} WHERE hire_date = (SELECT MIN(hire_date) FROM employee)"
GRAHAM = "WHERE first_name = 'MARY' AND last_name = 'GRAHAM'"
TAI = "WHERE first_name = 'PAUL' AND last_name = 'TAI'"
DEGREE_1975 = (
    "SELECT DISTINCT employee.employee_id FROM employee, degree "
    "WHERE employee.employee_id = degree.employee_id AND degree.year {}"
)


def rows(sql: str) -> set[tuple[object, ...]]:
    return answers.rows("personnel", sql)


def after(drafter: LocalDrafter, before: str, question: str) -> list[Draft]:
    return list(drafter.drafts(Request(question, (Asked("", before),))))


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        (IN_45, "men", IN_45.replace("'F'", "'M'")),
        (OVER_60, "men", OVER_60.replace("'F'", "'M'")),
        (f"SELECT hire_date FROM employee {GRAHAM}", "Paul Tai", f"SELECT hire_date FROM employee {TAI}"),
        (f"SELECT salary FROM employee {TAI}", "Mary Graham", f"SELECT salary FROM employee {GRAHAM}"),
        (HIRED_1975, "in march", HIRED_MARCH),
        (HIRED_1975, "in may", HIRED_MARCH.replace("-03-", "-05-").replace("-04-", "-06-")),
        (HIRED_MARCH, "in april instead", HIRED_MARCH.replace("-04-", "-05-").replace("-03-", "-04-")),
        (f"{ALL} WHERE salary > 50000", "hired in march", f"{ALL} WHERE salary > 50000 AND MONTH(hire_date) = 3"),
        (HIRED_1975, "on the 4th of march", f"{ALL} WHERE hire_date = DATE '1975-03-04'"),
        (FIRST, "and last", FIRST.replace("MIN", "MAX")),
        (DEGREE_1975.format("= 1975"), "before 1970", DEGREE_1975.format("< 1970")),
        (
            f"{ALL} WHERE hire_date > DATE '1970-01-01'",
            "after June 1 1968",
            f"{ALL} WHERE hire_date > DATE '1968-06-01'",
        ),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_it_is_said_of_the_turn_before(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: str, question: str, wanted: str
) -> None:
    first = after(personnel if taught else untaught, before, question)[0]
    assert rows(first.sql) == rows(wanted), first.sql


@pytest.mark.parametrize("taught", [True, False])
def test_how_old_is_asked_of_the_one_before(personnel: LocalDrafter, untaught: LocalDrafter, taught: bool) -> None:
    drafts = after(personnel if taught else untaught, f"{ALL} WHERE employee_id = 4322", "how old")
    assert "4322" in drafts[0].sql
    assert all(one.confidence <= drafts[0].confidence for one in drafts)


@pytest.mark.parametrize(
    ("question", "month"), [("who was born in may", 5), ("who was hired in march", 3), ("who may be hired", 0)]
)
def test_may_and_march_are_months_behind_in(untaught: LocalDrafter, question: str, month: int) -> None:
    first = untaught.drafts(Request(question))[0].sql
    assert (f") = {month}" in first) is bool(month)


@pytest.mark.parametrize("question", ["who was hired first", "who joined first"])
@pytest.mark.parametrize("taught", [True, False])
def test_hired_first_is_no_first_name(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str
) -> None:
    assert rows((personnel if taught else untaught).drafts(Request(question))[0].sql) == rows(FIRST)


def test_a_first_name_is_one(untaught: LocalDrafter) -> None:
    first = untaught.drafts(Request("what are the hire date, first name and salary of the clerks"))[0].sql
    assert "first_name" in first and "MIN(" not in first


@pytest.fixture(scope="module")
def flights() -> LocalDrafter:
    pack = load_pack("atis")
    return LocalDrafter(pack, database(pack), [])


@pytest.mark.parametrize(
    ("question", "column"), [("after noon", "arrival_time > 1200"), ("at noon", "arrival_time = 1200")]
)
def test_a_time_is_said_of_the_time_that_was_told(flights: LocalDrafter, question: str, column: str) -> None:
    before = "flights from denver to boston arriving before noon"
    answered = Asked(before, flights.drafts(Request(before))[0].sql)
    first = flights.drafts(Request(question, (answered,)))[0]
    assert column in first.sql
    assert "departure_time" not in first.sql


@pytest.mark.parametrize(
    "words", ["on weekdays", "at the weekend", "every other day", "the day after", "on the next day"]
)
def test_days_that_no_draft_tells_are_never_sure(flights: LocalDrafter, words: str) -> None:
    drafts = flights.drafts(Request(f"flights from boston to atlanta {words}"))
    assert drafts and max(one.confidence for one in drafts) <= 0.5
