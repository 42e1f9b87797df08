"""A turn that only asked whether something is so, and those that go on from it, with the pack's examples and none."""

from __future__ import annotations

import pytest

from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Asked, Draft, Request
from tests.drafting.answers import opened

GRAHAM, TAI = "first_name = 'MARY' AND last_name = 'GRAHAM'", "first_name = 'PAUL' AND last_name = 'TAI'"
CLERK_OF_45 = "job_title LIKE '%CLERK%' AND department = 45"


def of(column: str, where: str) -> str:
    return f"SELECT {column} FROM employee WHERE {where}"


def last_of(drafter: LocalDrafter, *turns: str) -> Draft:
    """The first draft for the last turn, where each one before was answered by its first draft."""
    answered: tuple[Asked, ...] = ()
    for turn in turns[:-1]:
        answered = (*answered, Asked(turn, drafter.drafts(Request(turn, answered))[0].sql))
    return drafter.drafts(Request(turns[-1], answered))[0]


@pytest.mark.parametrize(
    "before, question, sql",
    [
        (["is Mary Graham an engineer"], "what is her salary", of("salary", GRAHAM)),
        (["is Mary Graham an engineer"], "what does she do", of("job_title", GRAHAM)),
        (["does Paul Tai report to Gray"], "who does he report to", of("supervisor_id", TAI)),
        (["does Paul Tai earn more than 30000"], "what does he earn", of("salary", TAI)),
        (["did Mary Graham start before 1975"], "when did she start", of("hire_date", GRAHAM)),
        (["is Paul Tai older than Mary Graham"], "what is his salary", of("salary", TAI)),
        # Also over several turns, and of somebody's boss.
        (["is Mary Graham an engineer", "is she a woman"], "what does she earn", of("salary", GRAHAM)),
        (["who is the president", "is he older than 60"], "what does he earn", of("salary", "job_title = 'PRESIDENT'")),
        (
            ["is Paul Tai's boss a woman"],
            "what does he earn",
            of("salary", f"employee_id = (SELECT supervisor_id FROM employee WHERE {TAI})"),
        ),
        # Who is not named is told by all that was asked.
        (["is there a clerk in department 45"], "what does she earn", of("DISTINCT salary", CLERK_OF_45)),
        (["who is the oldest clerk"], "is she a woman", ""),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_what_was_asked_of_somebody_is_not_taken_for_so(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: list[str], question: str, sql: str
) -> None:
    first = last_of(personnel if taught else untaught, *before, question)
    with opened("personnel") as connection:
        if sql:
            assert set(connection.execute(first.sql).fetchall()) == set(connection.execute(sql).fetchall()), first.sql
        else:
            assert "CLERK" in first.sql and "MIN(" in first.sql


@pytest.mark.parametrize(
    "question, where",
    [
        ("what does Paul Tai do", TAI),
        ("what does Mary Graham do for a living", GRAHAM),
        ("what do the women in department 45 do", "sex = 'F' AND department = 45"),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_what_somebody_does_is_a_job(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, where: str
) -> None:
    first = (personnel if taught else untaught).drafts(Request(question))[0]
    with opened("personnel") as connection:
        wanted = connection.execute(of("DISTINCT job_title", where)).fetchall()
        assert sorted(connection.execute(first.sql).fetchall()) == sorted(wanted), first.sql


def test_what_you_do_is_nobodys_job(untaught: LocalDrafter) -> None:
    assert not any("job_title" in draft.sql for draft in untaught.drafts(Request("what do you do")))


@pytest.mark.parametrize(
    "question, sql",
    [
        (
            "departments with only two clerks",
            "SELECT department FROM employee WHERE job_title LIKE '%CLERK%' GROUP BY 1 HAVING COUNT(*) = 2",
        ),
        (
            "who supervises only one person",
            "SELECT supervisor_id FROM employee WHERE supervisor_id IS NOT NULL GROUP BY 1 HAVING COUNT(*) = 1",
        ),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_only_so_many_are_exactly_so_many(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, question: str, sql: str
) -> None:
    first = (personnel if taught else untaught).drafts(Request(question))[0]
    with opened("personnel") as connection:
        assert set(connection.execute(first.sql).fetchall()) == set(connection.execute(sql).fetchall()), first.sql


WHOSE_BOSS = "SELECT employee_id FROM employee WHERE supervisor_id IN (SELECT employee_id FROM employee WHERE {})"


@pytest.mark.parametrize(
    "before, question, sql",
    [
        ("people whose boss is a woman", "which of them are men", WHOSE_BOSS.format("sex = 'F'") + " AND sex = 'M'"),
        ("who reports to Gray", "which of them are women", WHOSE_BOSS.format("last_name = 'GRAY'") + " AND sex = 'F'"),
        (
            "people whose boss is a woman",
            "how many of them are women",
            WHOSE_BOSS.format("sex = 'F'").replace("employee_id", "COUNT(*)", 1) + " AND sex = 'F'",
        ),
        # Without “of them” another takes the place of the boss.
        ("who reports to Gray", "what about Payne", WHOSE_BOSS.format("last_name = 'PAYNE'")),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_what_is_said_of_them_is_not_said_of_their_bosses(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: str, question: str, sql: str
) -> None:
    first = last_of(personnel if taught else untaught, before, question)
    with opened("personnel") as connection:
        assert set(connection.execute(first.sql).fetchall()) == set(connection.execute(sql).fetchall()), first.sql
