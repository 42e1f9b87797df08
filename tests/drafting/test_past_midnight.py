"""A period that ends before it begins goes over midnight; what is called a period is nothing without its times."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.sql.periods import past_midnight
from curtain.drafting.sql.statements import Clause, Column, Hole, Part, Statement
from curtain.drafting.sql.unjoined import narrows_nothing
from curtain.drafting.values import Asked, Draft, Example, Request
from tests.drafting.answers import answer
from tests.drafting.ferry_pack import between

AT_NIGHT = " AND (ferry.departure_time > 2000 OR ferry.departure_time < 600)"
TIME, CALLED = Column("ferry", "departure_time"), Column("ferry>=period.", "name")
BEGIN, END = Hole(0, "0", "<#begin>"), Hole(1, "0", "<#end>")


@pytest.mark.parametrize(
    "question",
    [
        "night ferries from mull to skye",
        "ferries from skye to north rona at night",
        "which night ferries go to eigg from iona",
    ],
)
def test_what_was_learned_of_mornings_is_said_of_nights(pack: Pack, drafter: LocalDrafter, question: str) -> None:
    first = drafter.drafts(Request(question, reading="pack"))[0]
    places = [one for one in ("MULL", "SKYE", "NORTH RONA", "IONA", "EIGG") if f"'{one}'" in first.sql]
    assert "> 2000 OR" in first.sql and "< 600" in first.sql, first.sql
    assert len(places) == 2


def test_a_follow_up_goes_over_midnight(pack: Pack, drafter: LocalDrafter) -> None:
    before = Asked("ferries from skye to north rona", between("SKYE", "NORTH RONA"))
    first = drafter.drafts(Request("at night", previous=(before,), reading="pack"))[0]
    assert answer(pack, first.sql) == answer(pack, between("SKYE", "NORTH RONA", AT_NIGHT)) == {4}


def clause(*parts: Part) -> Clause:
    return Clause(parts)


def spoken(begin: int, end: int, *parts: Part) -> tuple[Part, ...]:
    statement = Statement("ferry", (TIME,), (clause(*parts),))
    values = {0: str(begin), 1: str(end)}
    return past_midnight(statement, lambda hole: values.get(hole.index)).clauses[0].parts


@pytest.mark.parametrize(
    ("parts", "least", "most"),
    [
        ((TIME, " BETWEEN ", BEGIN, " AND ", END), " >= ", " <= "),
        ((TIME, " > ", BEGIN, " AND ", TIME, " < ", END), " > ", " < "),
    ],
)
def test_the_ends_belong_to_it_as_before(parts: tuple[Part, ...], least: str, most: str) -> None:
    assert spoken(2200, 600, *parts) == ("(", TIME, least, BEGIN, " OR ", TIME, most, END, ")")
    assert spoken(600, 2200, *parts) == parts
    assert spoken(600, 600, *parts) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ("(", TIME, " >= ", BEGIN, " OR ", TIME, " <= ", END, ")"),
        (TIME, " >= ", BEGIN),
        (TIME, " > ", BEGIN, " AND ", Column("ferry", "arrival_time"), " < ", END),
        (TIME, " BETWEEN ", Hole(0, "0", "<#time>"), " AND ", Hole(1, "0", "<#time>")),
    ],
)
def test_what_is_no_period_stays_as_it_is(parts: tuple[Part, ...]) -> None:
    assert spoken(2200, 600, *parts) == parts


def test_what_is_joined_with_nothing_narrows_nothing() -> None:
    called = clause(CALLED, " = ", Hole(0, "'NIGHT'"))
    joined = clause(TIME, " > ", Column("ferry>=period.", "begin"))
    there = clause(Column("ferry>=period.", "name"))
    morning = clause(Column("ferry>day=day.day", "name"), " = ", Hole(1, "'MONDAY'"))
    assert narrows_nothing([called, morning])
    assert narrows_nothing([called, there])
    assert not narrows_nothing([called, joined])
    assert not narrows_nothing([called], {"ferry>=period."})
    assert not narrows_nothing([there, morning])


NIGHT_FLIGHTS = [
    "flights from boston to denver leaving at night",
    "night flights from boston to denver",
    "are there any flights at night from boston to denver",
]


@pytest.fixture(scope="module")
def atis() -> LocalDrafter:
    """Some of the pack's examples, for all of them take half a minute to learn."""
    pack = load_pack("atis")
    examples = [Example(one.question, one.sql, id=f"pack:{n}") for n, one in enumerate(pack.examples())]
    return LocalDrafter(pack, database(pack), [one for one in examples if _is_of_times(one)][::2])


def _is_of_times(one: Example) -> bool:
    words = set(one.question.lower().strip("?.").split())
    return "departure_time" in one.sql or "time_interval" in one.sql or {"nonstop", "meals"} <= words or "meal" in words


@pytest.mark.parametrize("question", NIGHT_FLIGHTS)
def test_no_flight_leaves_in_a_period_that_is_only_named(atis: LocalDrafter, question: str) -> None:
    drafts = atis.drafts(Request(question))
    assert "(flight.departure_time > 1800 OR flight.departure_time < 600)" in drafts[0].sql
    of_flights = [one.sql for one in drafts if "time_interval" in one.sql and "FROM flight" in one.sql]
    assert all("time_interval.begin_time" in sql for sql in of_flights)


def test_nor_in_a_follow_up(atis: LocalDrafter) -> None:
    question = "flights from boston to denver"
    before = Asked(question, atis.drafts(Request(question))[0].sql)
    first = atis.drafts(Request("at night", previous=(before,)))[0]
    assert "(flight.departure_time > 1800 OR flight.departure_time < 600)" in first.sql


def followed(drafter: LocalDrafter, before: str, question: str) -> Draft:
    asked = Asked(before, drafter.drafts(Request(before))[0].sql)
    return drafter.drafts(Request(question, previous=(asked,)))[0]


def test_one_bound_does_not_undo_the_night(atis: LocalDrafter) -> None:
    first = followed(atis, "flights from boston to denver leaving at night", "before 9 pm")
    assert "(flight.departure_time > 1800 OR flight.departure_time < 600) AND flight.departure_time < 2100" in first.sql


def test_with_a_meal_is_no_meal(atis: LocalDrafter) -> None:
    assert followed(atis, "flights from boston to denver", "with a meal").confidence <= 0.5


def test_the_cheapest_is_not_every_price(atis_untaught: LocalDrafter) -> None:
    assert followed(atis_untaught, "flights from boston to denver", "which is the cheapest").confidence < 0.2


@pytest.fixture(scope="module")
def atis_untaught() -> LocalDrafter:
    pack = load_pack("atis")
    return LocalDrafter(pack, database(pack), [])


@pytest.mark.parametrize(
    ("question", "span"),
    [
        (
            "night flights from boston to denver on a 747",
            "(flight.departure_time > 1800 OR flight.departure_time < 600)",
        ),
        ("night flights from boston to denver", "(flight.departure_time > 1800 OR flight.departure_time < 600)"),
        ("flights from boston to denver at night", "(flight.departure_time > 1800 OR flight.departure_time < 600)"),
        ("morning flights from boston to denver", "flight.departure_time > 0 AND flight.departure_time < 1200"),
    ],
)
def test_without_examples_too(atis_untaught: LocalDrafter, question: str, span: str) -> None:
    first = atis_untaught.drafts(Request(question))[0]
    assert span in first.sql
    assert first.confidence > 0.6


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("at night", "(flight.departure_time > 1800 OR flight.departure_time < 600)"),
        ("in the morning", "flight.departure_time > 0 AND flight.departure_time < 1200"),
        ("not in the evening", "NOT (flight.departure_time > 1800 AND flight.departure_time < 2200)"),
        ("arriving in the evening", "flight.arrival_time > 1800 AND flight.arrival_time < 2200"),
    ],
)
def test_and_in_a_follow_up_without_examples(atis_untaught: LocalDrafter, question: str, span: str) -> None:
    first = followed(atis_untaught, "flights from boston to denver", question)
    assert span in first.sql
    assert first.sql.count("_time") == span.count("_time")
    assert first.confidence > 0.6


@pytest.mark.parametrize(
    "question",
    [
        "flights each day from boston to denver",
        "how many flights a day from boston to denver",
        "which days are there flights from boston to denver",
        "flights from boston to denver on the same day",
    ],
)
def test_a_day_is_mostly_a_date(atis_untaught: LocalDrafter, question: str) -> None:
    assert "departure_time" not in atis_untaught.drafts(Request(question))[0].sql


@pytest.mark.parametrize("words", ["during the day", "by day"])
def test_and_else_the_time_when_it_is_light(atis_untaught: LocalDrafter, words: str) -> None:
    first = atis_untaught.drafts(Request(f"flights from boston to denver {words}"))[0]
    assert "flight.departure_time > 600 AND flight.departure_time < 1800" in first.sql


def test_after_midnight_nobody_says_until_when(atis_untaught: LocalDrafter) -> None:
    most = [
        atis_untaught.drafts(Request(f"flights from boston to denver leaving {words}"))[0].confidence
        for words in ("after midnight", "after midnight and before 6 am")
    ]
    assert most[0] <= 0.5 < most[1]
