"""Values in one breath, and values that are denied, in a domain whose examples have neither."""

from __future__ import annotations

import duckdb
import pytest

from curtain.domain.pack import Pack, database
from curtain.drafting.denials import is_denied
from curtain.drafting.local import LocalDrafter
from curtain.drafting.series import Series, series_in
from curtain.drafting.values import Choice, Draft, Example, Request
from tests.drafting import ferry_pack as ferries


def best(drafter: LocalDrafter, question: str, *choices: Choice) -> Draft:
    return drafter.drafts(Request(question, reading="published", choices=choices))[0]


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("ferries from iona to skye or eigg", "island_name IN ('SKYE', 'EIGG')"),
        ("ferries from iona to either skye or eigg", "island_name IN ('SKYE', 'EIGG')"),
        ("ferries from iona to skye, eigg or mull", "island_name IN ('SKYE', 'EIGG', 'MULL')"),
        ("ferries from iona to skye on red line or blue line", "company_code IN ('RL', 'BL')"),
        ("ferries from mull to skye not on red line", "company_code <> 'RL'"),
        ("ferries from mull to skye besides red line", "company_code <> 'RL'"),
        ("ferries from mull to skye not on red line or blue line", "company_code NOT IN ('RL', 'BL')"),
    ],
)
def test_a_list_and_a_denial_become_conditions_that_no_example_has(
    drafter: LocalDrafter, pack: Pack, question: str, condition: str
) -> None:
    draft = best(drafter, question)
    assert condition in draft.sql
    with duckdb.connect(str(database(pack)), read_only=True) as connection:
        connection.execute(draft.sql)


def test_every_value_of_a_list_is_a_chip(drafter: LocalDrafter) -> None:
    draft = best(drafter, "ferries from iona to skye or eigg")
    assert [chip.said for chip in draft.chips] == ["iona", "skye", "eigg"]


def test_a_value_taken_out_of_a_list_is_gone(drafter: LocalDrafter) -> None:
    draft = best(drafter, "ferries from iona to skye or eigg", Choice(29, 33, "eigg", None))
    assert "SKYE" in draft.sql
    assert "EIGG" not in draft.sql


def test_a_denied_list_without_its_first_value_still_denies(drafter: LocalDrafter) -> None:
    question = "ferries from mull to skye not on red line or blue line"
    first = question.index("red line")
    draft = best(drafter, question, Choice(first, first + 8, "red line", None))
    assert "company_code <> 'BL'" in draft.sql


@pytest.mark.parametrize(
    ("question", "series"),
    [
        ("ferries between iona and skye", []),
        ("ferries from iona to skye", []),
        ("ferries to iona and from skye", []),
        ("ferries to iona and skye", [Series(0, (1,))]),
        ("ferries to iona, mull and skye", [Series(0, (1, 2))]),
        ("ferries to iona or iona", []),
        ("ferries at 8 am and 9 am", []),
        ("ferries at 5 or 6", []),
        ("from iona or mull on red line and blue line", [Series(0, (1,)), Series(2, (3,))]),
    ],
)
def test_what_counts_as_one_breath(drafter: LocalDrafter, question: str, series: list[Series]) -> None:
    assert series_in(drafter._recogniser.read(question)) == series


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("ferries not on red line", True),
        ("anything but red line", True),
        ("ferries apart from red line", True),
        ("ferries that avoid red line", True),
        ("doesn't red line sail to skye", False),
        ("why isn't red line sailing", False),
        ("isn't there a ferry on red line", False),
        ("not only red line", False),
        ("i don't mind red line", False),
        ("ferries not to skye on red line", False),
    ],
)
def test_what_denies_a_value(drafter: LocalDrafter, question: str, denied: bool) -> None:
    reading = drafter._recogniser.read(question)
    company = next(number for number, one in enumerate(reading.found) if one.kind == "company")
    assert is_denied(reading, company) is denied


def test_a_denial_reaches_every_value_of_a_list(drafter: LocalDrafter) -> None:
    reading = drafter._recogniser.read("not on red line, blue line or kestrel")
    assert [is_denied(reading, number) for number in range(3)] == [True] * 3


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("ferries from mull to skye for 20 or more", "price >= 20"),
        ("ferries from mull to skye for less than 15", "price < 15"),
    ],
)
def test_the_words_beside_a_number_decide_how_it_is_compared(pack: Pack, question: str, condition: str) -> None:
    examples = [
        *ferries.examples(),
        Example("ferries from iona to eigg for 9", ferries.between("IONA", "EIGG", " AND ferry.price = 9")),
    ]
    draft = LocalDrafter(pack, database(pack), examples).drafts(Request(question))[0]
    assert condition in draft.sql
