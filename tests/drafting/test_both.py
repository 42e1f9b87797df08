"""“Both a PhD and an MS” are two degrees of one person."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.sql.both import asks_for_both, each_of
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.statements import write
from curtain.drafting.values import Request
from tests.drafting.answers import answer

PERSONNEL = load_pack("personnel")
DEGREES = (
    "SELECT employee.employee_id FROM employee, degree WHERE employee.employee_id = degree.employee_id "
    "AND degree.degree IN ('PHD', 'MS')"
)


@pytest.fixture(scope="module")
def bare() -> LocalDrafter:
    return LocalDrafter(PERSONNEL, database(PERSONNEL), [])


def having(degree: str) -> set[int]:
    return answer(PERSONNEL, f"SELECT employee_id FROM degree WHERE degree = '{degree}'")


@pytest.mark.parametrize(
    ("question", "both"),
    [
        ("who has both a phd and an ms", True),
        ("who has degrees of both phd and ms", True),
        ("who has a phd and an ms", True),
        ("who has a phd and ms", False),
        ("who has both a phd or an ms", False),
        ("both employees with a phd", False),
    ],
)
def test_who_asks_for_both(bare: LocalDrafter, question: str, both: bool) -> None:
    assert asks_for_both(bare._recogniser.read(question)) is both


def test_each_of_a_list_is_asked_of_the_same_row() -> None:
    statement = Parser(PERSONNEL.tables).parse(DEGREES)
    assert statement is not None
    changed = write(each_of(statement, PERSONNEL.keys.primary))
    assert answer(PERSONNEL, changed) == having("PHD") & having("MS") != having("PHD") | having("MS")


def test_each_of_a_list_in_a_nested_select_has_its_own() -> None:
    nested = (
        "SELECT school.school_code FROM school WHERE school.school_code IN "
        "(SELECT degree.school_code FROM degree WHERE degree.degree IN ('PHD', 'MS'))"
    )
    statement = Parser(PERSONNEL.tables).parse(nested)
    assert statement is not None
    changed = write(each_of(statement, PERSONNEL.keys.primary))
    one, other = (answer(PERSONNEL, f"SELECT school_code FROM degree WHERE degree = '{one}'") for one in ("PHD", "MS"))
    assert answer(PERSONNEL, changed) == one & other != one | other


@pytest.mark.parametrize(
    "sql",
    [
        DEGREES.replace("SELECT ", "SELECT degree.degree, "),
        f"{DEGREES} AND degree.year = 1975",
        "SELECT employee.employee_id FROM employee WHERE employee.department IN (12, 13)",
    ],
)
def test_a_list_stays_where_each_cannot_be_said(sql: str) -> None:
    statement = Parser(PERSONNEL.tables).parse(sql)
    assert statement is not None
    assert each_of(statement, PERSONNEL.keys.primary) == statement


def test_both_are_drafted(bare: LocalDrafter) -> None:
    drafts = bare.drafts(Request("who has both a phd and an ms"))
    assert answer(PERSONNEL, drafts[0].sql) == having("PHD") & having("MS")
