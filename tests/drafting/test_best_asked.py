"""“The cheapest ferry” is not every ferry, and who asks for a fare does not ask for the lowest."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.query.best_asked import BestAsked, BestHabits, best_asked, gives_best, gives_best_of
from curtain.drafting.values import Example, Request
from tests.drafting import ferry_pack as ferries

CHEAPEST = "SELECT ferry_id FROM ferry WHERE price = (SELECT MIN(price) FROM ferry)"
SURELY, PERHAPS, NO = BestAsked(("cheap",), perhaps=True), BestAsked(perhaps=True), BestAsked()


@pytest.mark.parametrize(
    ("question", "words", "perhaps"),
    [
        ("the cheapest ferry to skye", ("cheap",), True),
        ("the most expensive ferry to skye", ("expensive",), True),
        ("a cheap ferry to skye", (), True),
        ("at least 20 pounds", (), True),
        ("who sails most", (), True),
        ("ferries to skye as early as possible", ("early",), True),
        ("as soon as possible", ("early",), True),
        ("ferries to skye as early in the morning as possible", ("early",), True),
        ("i want to leave as late as i can", ("late",), True),
        ("as early on friday as red line goes", (), True),
        ("ferries to skye", (), False),
        ("how many ferries leave mull on friday", (), False),
    ],
)
def test_what_asks_for_the_best(drafter: LocalDrafter, question: str, words: tuple[str, ...], perhaps: bool) -> None:
    asked = best_asked(drafter._recogniser.read(question))
    assert (asked.adjectives, asked.perhaps) == (words, perhaps)


def test_the_first_of_some_things_is_asked_for(drafter: LocalDrafter) -> None:
    assert best_asked(drafter._recogniser.read("the last ferries to skye")).things == {"ferry"}


@pytest.mark.parametrize(
    ("sql", "gives"),
    [
        (CHEAPEST, True),
        ("SELECT ferry_id FROM ferry WHERE price <= ALL (SELECT price FROM ferry)", True),
        ("SELECT ferry_id FROM ferry ORDER BY price", None),
        ("SELECT company_code FROM company WHERE NOT EXISTS (SELECT 1 FROM ferry)", None),
        ("SELECT 1 UNION ALL (SELECT 2)", False),
        ("SELECT ferry_id FROM ferry", False),
    ],
)
def test_what_gives_the_best(sql: str, gives: bool | None) -> None:
    assert gives_best(sql) is gives


@pytest.mark.parametrize(
    ("asked", "given", "otherwise"),
    [
        (SURELY, False, True),
        (SURELY, True, False),
        (SURELY, None, False),
        (PERHAPS, False, False),
        (PERHAPS, True, False),
        (NO, True, True),
        (NO, False, False),
        (NO, None, False),
        (BestAsked(things=frozenset(["ferry"]), perhaps=True), False, True),
        (BestAsked(things=frozenset(["name"]), perhaps=True), False, False),
    ],
)
def test_a_statement_gives_what_is_asked_for(asked: BestAsked, given: bool | None, otherwise: bool) -> None:
    assert BestHabits().otherwise(asked, "ferry", given) is otherwise


def test_what_is_usually_answered_otherwise_is_no_fault() -> None:
    habits = BestHabits()
    for _ in range(5):
        habits.add(SURELY, False)  # “the cheapest class” is a class
        habits.add(NO, True)  # “the salary” is the latest
    assert not habits.otherwise(SURELY, "ferry", False)
    assert not habits.otherwise(NO, "ferry", True)


def test_a_superlative_that_nobody_asks_for_is_never_likely(pack: Pack) -> None:
    cheapest = [
        Example(
            f"the cheapest ferry from {a.lower()} to {b.lower()}",
            ferries.between(
                a, b, f" AND ferry.price = (SELECT MIN(ferry.price) FROM ferry WHERE ferry.from_island = '{a[:2]}')"
            ),
        )
        for a, b in (("MULL", "SKYE"), ("IONA", "EIGG"))
    ]
    drafter = LocalDrafter(pack, database(pack), [*ferries.examples(), *cheapest])
    asked = drafter.drafts(Request("the cheapest ferry from skye to mull", n=20))
    plain = drafter.drafts(Request("ferry from skye to mull", n=20))
    assert asked and plain
    assert all("MIN(" in one.sql or one.confidence <= 0.1 for one in asked)
    assert all("MIN(" not in one.sql or one.confidence <= 0.1 for one in plain)


@pytest.mark.parametrize(
    ("sql", "column", "is_of"),
    [
        (CHEAPEST, "price", True),
        (CHEAPEST, "stops", False),
        ("SELECT 1 FROM ferry WHERE ferry.price <= ALL (SELECT price FROM ferry)", "price", True),
        ("SELECT MAX(ferry.price) FROM ferry", "price", True),
    ],
)
def test_which_column_the_best_is_of(sql: str, column: str, is_of: bool) -> None:
    assert gives_best_of(sql, column) is is_of


def test_how_many_things_are_surely_asked_for() -> None:
    assert (SURELY.count, PERHAPS.count, BestAsked(("cheap",), frozenset(["ferry"]), True).count) == (1, 0, 2)


def test_a_known_adjective_is_remembered() -> None:
    habits = BestHabits()
    habits.add(SURELY, True)
    assert "cheap" in habits and "quick" not in habits
