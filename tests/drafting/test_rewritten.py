"""Values in one breath, and values that are denied, in a domain whose examples have neither."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.query.denials import denied_in
from curtain.drafting.query.series import Series, series_in
from curtain.drafting.values import Choice, Draft, Example, Request
from tests.drafting import ferry_pack as ferries
from tests.drafting.answers import opened


def best(drafter: LocalDrafter, question: str, *choices: Choice) -> Draft:
    return drafter.drafts(Request(question, reading="published", choices=choices))[0]


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("ferries from iona to skye or eigg", "island_name IN ('SKYE', 'EIGG')"),
        ("ferries from iona to either skye or eigg", "island_name IN ('SKYE', 'EIGG')"),
        ("ferries from iona to skye, eigg or mull", "island_name IN ('SKYE', 'EIGG', 'MULL')"),
        ("ferries to iona from skye or from eigg", "island_name IN ('SKYE', 'EIGG')"),
        ("ferries from skye and all the ferries from eigg to iona", "island_name IN ('SKYE', 'EIGG')"),
        ("ferries from iona to skye on red line or blue line", "company_code IN ('RL', 'BL')"),
        ("ferries from mull to skye not on red line", "company_code <> 'RL'"),
        ("ferries from mull to skye besides red line", "company_code <> 'RL'"),
        ("ferries from mull to skye not on red line or blue line", "company_code NOT IN ('RL', 'BL')"),
        ("ferries from mull to skye not before 10 am", "departure_time >= 1000"),
        ("ferries from mull to skye that don't leave after 3 pm", "departure_time <= 1500"),
        ("morning ferries from mull to skye not after 10 am", "departure_time <= 1000"),
        ("ferries from mull to skye between 10 pm and 2 am", "departure_time >= 2200 OR ferry.departure_time <= 200"),
        ("ferries from mull to skye at or before 3 pm", "departure_time <= 1500"),
        ("ferries from mull to skye not in the morning", "NOT ferry.departure_time BETWEEN 0 AND 1200"),
    ],
)
def test_a_list_and_a_denial_become_conditions_that_no_example_has(
    drafter: LocalDrafter, pack: Pack, question: str, condition: str
) -> None:
    draft = best(drafter, question)
    assert condition in draft.sql
    with opened(pack.folder) as connection:
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
        ("ferries from iona or from mull", [Series(0, (1,), either=True)]),
        ("the ferries from iona and the ferries from mull", [Series(0, (1,))]),
        ("the ferries from iona and the companies from mull", []),
        ("iona or from mull", []),
        ("ferries at 8 am and 9 am", []),
        ("ferries at 5 or 6", []),
        ("ferries 1 and 3", [Series(0, (1,))]),
        ("from iona or mull on red line and blue line", [Series(0, (1,), either=True), Series(2, (3,))]),
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
        ("ferries except those that are on red line", True),
        ("ferries but i hate red line", True),
        ("i hate the red line", True),
        ("i hate stops, show me the red line", False),
        ("skip the details, ferries on red line", False),
        ("ferries that don't ever sail for the red line", True),
        ("i don't know which ferries the red line has", False),
    ],
)
def test_what_denies_a_value(drafter: LocalDrafter, question: str, denied: bool) -> None:
    reading = drafter._recogniser.read(question)
    company = next(number for number, one in enumerate(reading.found) if one.kind == "company")
    assert (company in denied_in(reading)) is denied


def test_a_denial_reaches_every_value_of_a_list(drafter: LocalDrafter) -> None:
    reading = drafter._recogniser.read("not on red line, blue line or kestrel")
    assert denied_in(reading) == {0, 1, 2}


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("ferries from mull to skye for 20 or more", "price >= 20"),
        ("ferries from mull to skye for less than 15", "price < 15"),
        ("ferries from mull to skye for less than or equal to 15", "price <= 15"),
        ("ferries from mull to skye for greater than or equal to 15", "price >= 15"),
    ],
)
def test_the_words_beside_a_number_decide_how_it_is_compared(
    priced: LocalDrafter, question: str, condition: str
) -> None:
    assert condition in best(priced, question).sql


@pytest.fixture(scope="module")
def priced(pack: Pack) -> LocalDrafter:
    for_9 = Example("ferries from iona to eigg for 9", ferries.between("IONA", "EIGG", " AND ferry.price = 9"))
    return LocalDrafter(pack, database(pack), [*ferries.examples(), for_9])


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("20 or more", "price >= 20"),
        ("at least 20", "price >= 20"),
        ("more than 20", "price > 20"),
        ("over 20", "price > 20"),
        ("at most 20", "price <= 20"),
        ("under 20", "price < 20"),
    ],
)
def test_words_that_include_the_end_are_taken_at_their_word(dear: LocalDrafter, words: str, condition: str) -> None:
    assert condition in best(dear, f"ferries from mull to skye for {words}").sql


@pytest.fixture(scope="module")
def dear(pack: Pack) -> LocalDrafter:
    over_9 = Example(
        "ferries from iona to eigg for more than 9", ferries.between("IONA", "EIGG", " AND ferry.price > 9")
    )
    return LocalDrafter(pack, database(pack), [*ferries.examples(), over_9])


def test_a_year_is_no_price_where_all_prices_are_of_another_size(pack: Pack) -> None:
    priced = "ferries from iona to eigg between 9 and 20", " AND ferry.price BETWEEN 9 AND 20"
    examples = [*ferries.examples(), Example(priced[0], ferries.between("IONA", "EIGG", priced[1]))]
    drafter = LocalDrafter(pack, database(pack), examples)
    asked = "ferries from mull to skye between {} and {}"
    assert best(drafter, asked.format(12, 25)).confidence > 0.5
    assert all(one.confidence < 0.2 for one in drafter.drafts(Request(asked.format(1985, 1988))) if "price" in one.sql)


def test_what_no_draft_can_say_is_never_sure(pack: Pack, drafter: LocalDrafter) -> None:
    question = "the second cheapest ferry from mull to skye"
    for asked in (question, "the second ferry from mull to skye"):
        assert all(one.confidence <= 0.2 for one in drafter.drafts(Request(asked)))
    answered = Example(question, ferries.between("MULL", "SKYE", " ORDER BY ferry.price LIMIT 1 OFFSET 1"))
    taught = LocalDrafter(pack, database(pack), [*ferries.examples(), answered])
    assert best(taught, question.replace("skye", "iona")).confidence > 0.2


def test_every_value_of_a_long_list_is_found(drafter: LocalDrafter) -> None:
    question = "ferries " + ", ".join(map(str, range(101, 130)))
    assert len(drafter._recogniser.read(question).found) == 29


def test_of_values_in_one_breath_none_is_dropped(drafter: LocalDrafter) -> None:
    drafts = drafter.drafts(Request("how many ferries leave mull or iona"))
    assert "IN ('MULL', 'IONA')" in drafts[0].sql
    assert all(draft.confidence < 0.5 for draft in drafts if "IONA" not in draft.sql)


@pytest.mark.parametrize(
    ("question", "used", "torn"),
    [
        ("iona or mull", {0: "to"}, True),
        ("iona or mull", {0: "to", 1: "to"}, False),
        ("iona or mull", {0: "to", 1: ""}, False),
        ("iona or mull", {0: "to", 1: "from"}, True),
        ("iona and mull", {0: "to", 1: "from"}, False),
        ("iona or mull", {}, False),
    ],
)
def test_a_list_is_torn_if_some_of_it_is_used_or_each_for_something_else(
    drafter: LocalDrafter, question: str, used: dict[int, str], torn: bool
) -> None:
    assert series_in(drafter._recogniser.read(question))[0].torn(used) is torn


def test_periods_joined_by_or_are_denied_together(drafter: LocalDrafter) -> None:
    reading = drafter._recogniser.read("not in the morning or evening")
    assert denied_in(reading) == {0, 1}


def test_a_sum_of_money_is_compared_with_money(pack: Pack) -> None:
    stops = Example("ferries from iona to eigg under 3", ferries.between("IONA", "EIGG", " AND ferry.stops < 3"))
    drafter = LocalDrafter(pack, database(pack), [*ferries.examples(), stops])
    for question in ("ferries from mull to skye under 20 dollars", "ferries from mull to skye costing under 20"):
        drafts = drafter.drafts(Request(question))
        assert all(one.confidence <= 0.2 for one in drafts if "stops < 20" in one.sql), question
    assert "stops < 2" in best(drafter, "ferries from mull to skye under 2").sql


def test_a_denial_in_another_alternative_denies_no_value(pack: Pack) -> None:
    late = (
        " AND ((ferry.day_name = '{day}' AND NOT (ferry.departure_time > 2000 AND ferry.stops > 1)) OR "
        "(ferry.departure_time > 2000 AND ferry.stops > 1 AND ferry.day_name = '{day}'))"
    )
    days = [("MONDAY", "mull", "skye"), ("FRIDAY", "iona", "eigg"), ("SUNDAY", "skye", "north rona")]
    answered = [
        Example(
            f"ferries from {a} to {b} coming in on {day.lower()}",
            ferries.between(a.upper(), b.upper(), late.format(day=day)),
            id=f"late:{day}",
        )
        for day, a, b in days
    ]
    drafter = LocalDrafter(pack, database(pack), [*ferries.examples(), *answered])
    first = best(drafter, "ferries from eigg to mull coming in on friday")
    assert " OR " in first.sql and first.sql.count("'FRIDAY'") == 2 and first.confidence > 0.8
    # What is denied itself counts as ever.
    assert "'FRIDAY'" in best(drafter, "ferries from eigg to mull not coming in on friday").sql
