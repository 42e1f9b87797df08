"""Mere numbers, hours and ages after a turn, and numbers that nothing can be meant by."""

from __future__ import annotations

import re

import pytest

from curtain.domain.pack.pack import Pack, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Asked, Request
from tests.drafting import ferry_pack as ferries
from tests.drafting.following import MULL_SKYE, after, least, same


@pytest.mark.parametrize(
    ("before", "question", "where"),
    [
        ("department = 44", "what about 45", "department = 45"),
        ("department = 44", "or 45", "department IN (44, 45)"),
        ("department = 44", "and 45", "department = 45"),
        ("salary > 50000", "make it 60000", "salary > 60000"),
        ("level = 3 AND department = 44", "what about level 4", "level = 4 AND department = 44"),
    ],
)
def test_a_mere_number_takes_the_place_of_a_number(
    personnel: LocalDrafter, before: str, question: str, where: str
) -> None:
    asked = "SELECT employee_id FROM employee WHERE "
    assert same(load_pack("personnel"), after(personnel, question, asked + before), asked + where, "employee")


@pytest.mark.parametrize(
    ("question", "born"),
    [
        ("over 50", "< CAST('1939-08-19' AS DATE)"),
        ("only those under 30", "> CAST('1959-08-19' AS DATE)"),
        ("over 50 years old", "< CAST('1939-08-19' AS DATE)"),
        ("at least 40", "<= CAST('1949-08-19' AS DATE)"),
    ],
)
def test_a_number_of_years_that_people_have_is_an_age(personnel: LocalDrafter, question: str, born: str) -> None:
    sql = after(personnel, question, "SELECT employee_id FROM employee WHERE department = 32")
    assert sql.endswith(f"employee.department = 32 AND employee.birth_date {born}")


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("SELECT employee_id FROM employee WHERE level > 20", "over 25"),
        ("SELECT employee_id FROM employee WHERE department = 32", "at level 20 or above"),
        ("SELECT employee_id FROM employee WHERE department = 32", "earning over 50"),
        ("SELECT department_number FROM department WHERE manager_id = 1468", "over 50"),
    ],
)
def test_other_numbers_are_no_ages(personnel: LocalDrafter, before: str, question: str) -> None:
    assert "birth_date" not in after(personnel, question, before)


def test_who_earns_so_much_may_be_asked_of_those_before(personnel: LocalDrafter) -> None:
    before = Asked("", "SELECT employee_id FROM employee WHERE department = 32")
    alone, after_it = (personnel.drafts(Request("who earns more than 50000", asked)) for asked in ((), (before,)))
    assert alone[0].confidence > 0.5
    assert max(one.confidence for one in after_it) <= 0.5
    assert any("department = 32" in one.sql and "salary > 50000" in one.sql for one in after_it)


PEOPLE = "SELECT employee_id FROM employee WHERE "


@pytest.mark.parametrize(
    ("before", "question", "where"),
    [
        ("YEAR(hire_date) = 1988", "what about 1985", "YEAR(hire_date) = 1985"),
        ("YEAR(hire_date) = 1988", "hired in 1985", "YEAR(hire_date) = 1985"),
        ("YEAR(hire_date) = 1988", "or 1985", "((YEAR(hire_date) = 1988) OR (YEAR(hire_date) = 1985))"),
        ("department IN (10, 11)", "or 12", "department IN (10, 11, 12)"),
        ("department IN (10, 11)", "what about 12", "department = 12"),
        ("salary > 50000", "exactly 60000", "salary = 60000"),
        ("department = 45", "make it 10", "department = 10"),
    ],
)
def test_a_mere_number_takes_the_place_of_numbers_said_otherwise(
    personnel: LocalDrafter, before: str, question: str, where: str
) -> None:
    assert same(load_pack("personnel"), after(personnel, question, PEOPLE + before), PEOPLE + where, "employee")


def test_more_than_a_number_or_more_than_another_is_no_wider(personnel: LocalDrafter) -> None:
    drafts = personnel.drafts(Request("or 60000", (Asked("", f"{PEOPLE}salary > 50000"),)))
    assert all(one.confidence <= 0.5 for one in drafts if one.sql.count("salary >") > 1)


@pytest.mark.parametrize(
    ("before", "question", "condition"),
    [
        ("< 800", "what about 9", "< 900"),
        ("> 1700", "make it 7", "> 1900"),
        ("> 1700", "make it 7 am", "> 700"),
        ("= 900", "what about 10", "= 1000"),
    ],
)
def test_an_hour_takes_the_place_of_a_time(
    drafter: LocalDrafter, pack: Pack, before: str, question: str, condition: str
) -> None:
    column = " AND ferry.departure_time"
    changed = after(drafter, question, ferries.between("MULL", "SKYE", f"{column} {before}"))
    assert same(pack, changed, ferries.between("MULL", "SKYE", f"{column} {condition}"))


def test_a_number_of_stops_is_no_time(drafter: LocalDrafter, pack: Pack) -> None:
    changed = after(drafter, "what about 2", ferries.between("MULL", "SKYE", " AND ferry.stops = 1"))
    assert same(pack, changed, ferries.between("MULL", "SKYE", " AND ferry.stops = 2"))


@pytest.mark.parametrize("question", ["between 30 and 40", "between 30 and 40 years old"])
def test_who_is_between_two_ages_was_born_between_two_days(personnel: LocalDrafter, question: str) -> None:
    changed = after(personnel, question, f"{PEOPLE}department = 21")
    days = re.sub(r"CAST\(('[^']*') AS DATE\)", r"DATE \1", changed)
    assert "department = 21 AND" in days
    assert "birth_date <= DATE '1959-08-19'" in days
    assert "birth_date > DATE '1948-08-19'" in days


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("as cheap as possible", least("price")),
        ("as cheaply as I can", least("price")),
        ("as soon as possible", least("departure_time")),
    ],
)
def test_as_cheap_as_possible_is_the_cheapest(drafter: LocalDrafter, pack: Pack, question: str, sql: str) -> None:
    assert same(pack, after(drafter, question, MULL_SKYE), sql)


@pytest.mark.parametrize("question", ["who earns more than them", "paid less than him"])
def test_what_is_compared_with_somebody_before_is_never_sure(personnel: LocalDrafter, question: str) -> None:
    drafts = personnel.drafts(Request(question, (Asked("", f"{PEOPLE}first_name = 'PAUL'"),)))
    assert all(one.confidence <= 0.5 for one in drafts)


@pytest.mark.parametrize(
    "question", ["how many men between 40 and 50", "who is between 40 and 45", "engineers over 50"]
)
def test_no_draft_is_sure_of_a_salary_of_forty_dollars(personnel: LocalDrafter, question: str) -> None:
    drafts = personnel.drafts(Request(question))
    assert "birth_date" in drafts[0].sql
    assert all(one.confidence <= 0.2 for one in drafts if "salary" in one.sql)


@pytest.mark.parametrize("question", ["women earning between 30000 and 35000", "women between 30000 and 40000"])
def test_rows_are_not_counted_where_nobody_asks_how_many(personnel: LocalDrafter, question: str) -> None:
    drafts = personnel.drafts(Request(question))
    assert all(one.confidence <= 0.2 for one in drafts if "COUNT(" in one.sql)


@pytest.mark.parametrize(
    "question",
    [
        "ferries from mull to skye or eigg and from skye to mull",
        "ferries from mull to skye on friday and from skye to mull",
    ],
)
def test_two_routes_that_do_not_match_leave_no_draft_sure(drafter: LocalDrafter, question: str) -> None:
    assert all(one.confidence <= 0.5 for one in drafter.drafts(Request(question)))
