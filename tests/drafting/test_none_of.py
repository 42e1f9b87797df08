"""What a “not” does where a row of the answer has several of what is denied: none of them may be so."""

from __future__ import annotations

import duckdb
import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.sql.none_of import denies_loosely, excludes, many_step, none_of
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.statements import Clause, Column, Hole, Statement, write
from curtain.drafting.values import Asked, Draft, Example, Request
from tests.drafting.answers import rows

KEYS = {"shops": ("id",), "bikes": ("id",), "rentals": ("id",), "customers": ("id",)}
BIKES = "shops>id=bikes.shop_id"
HERON = Clause((Column(BIKES, "model"), " = ", Hole(0, "'Heron'")))
RENTED = (
    "SELECT DISTINCT customers.id FROM customers, rentals, bikes WHERE rentals.customer_id = customers.id "
    "AND rentals.bike_id = bikes.id AND bikes.{column} = '{value}'"
)
NEVER = (
    "SELECT id FROM customers WHERE id NOT IN (SELECT customer_id FROM rentals JOIN bikes ON bike_id = bikes.id WHERE "
)


@pytest.fixture(scope="module")
def without_examples(bikes: Pack) -> LocalDrafter:
    return LocalDrafter(bikes, database(bikes), [])


@pytest.fixture(scope="module")
def with_examples(bikes: Pack) -> LocalDrafter:
    examples = []
    for n, (model, color) in enumerate([("Swift", "red"), ("Comet", "blue"), ("Badger", "green"), ("Otter", "black")]):
        examples += [
            Example(f"customers who rented a {model}", RENTED.format(column="model", value=model), id=f"a{n}"),
            Example(f"who took something {color}", RENTED.format(column="color", value=color), id=f"b{n}"),
            Example(f"bikes of the model {model}", f"SELECT id FROM bikes WHERE model = '{model}'", id=f"c{n}"),
        ]
    return LocalDrafter(bikes, database(bikes), examples)


def first(drafter: LocalDrafter, question: str, *before: str) -> Draft:
    return drafter.drafts(Request(question, tuple(Asked("", sql) for sql in before)))[0]


def test_the_first_step_to_several_rows_is_found() -> None:
    assert many_step("rentals>bike_id=bikes.id>shop_id=shops.id", KEYS) is None
    assert many_step(f"{BIKES}>id=rentals.bike_id", KEYS) == BIKES
    assert many_step(f"{BIKES}#2", KEYS) == f"{BIKES}#2"


def test_that_there_is_none_is_said_of_several_only() -> None:
    denied = none_of([HERON], KEYS)
    assert denied is not None
    assert denied.parts[:2] == (Column("shops", "id"), " NOT IN ")
    assert none_of([Clause((Column("bikes", "model"), " = ", Hole(0, "'Heron'")))], KEYS) is None


def test_none_of_them_excludes_that_there_is_one() -> None:
    denied = none_of([HERON], KEYS)
    assert denied is not None
    assert excludes(denied, HERON)
    assert not excludes(HERON, denied)
    assert not excludes(denied, Clause((Column(BIKES, "model"), " = ", Hole(0, "'Otter'"))))


def test_one_that_is_not_so_is_no_denial_unless_it_is_shown(bikes: Pack) -> None:
    parser = Parser(bikes.tables, "shops", KEYS)
    sql = "SELECT DISTINCT {} FROM shops JOIN bikes ON bikes.shop_id = shops.id WHERE bikes.model <> 'Heron'"
    loose, shown = parser.parse(sql.format("shops.id")), parser.parse(sql.format("shops.id, bikes.model"))
    assert loose is not None
    assert shown is not None
    assert denies_loosely(loose, KEYS)
    assert not denies_loosely(shown, KEYS)


@pytest.mark.parametrize("store", ["with_examples", "without_examples"])
@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("customers who did not rent a heron", f"{NEVER} model = 'Heron')"),
        ("customers who never rented a swift or comet", f"{NEVER} model IN ('Swift', 'Comet'))"),
        ("customers who didn't rent a bike for more than 5 days", f"{NEVER} days > 5)"),
        ("shops without a heron", "SELECT id FROM shops EXCEPT SELECT shop_id FROM bikes WHERE model = 'Heron'"),
        (
            "shops without bikes under 300 dollars",
            "SELECT id FROM shops EXCEPT SELECT shop_id FROM bikes WHERE price < 300",
        ),
        ("bikes that are not red", "SELECT id FROM bikes WHERE color <> 'red'"),
    ],
)
def test_what_is_denied_of_several_is_so_of_none(
    bikes: Pack, request: pytest.FixtureRequest, store: str, question: str, sql: str
) -> None:
    draft = first(request.getfixturevalue(store), question)
    assert rows(bikes.folder, draft.sql) == rows(bikes.folder, sql)


@pytest.mark.parametrize("store", ["with_examples", "without_examples"])
@pytest.mark.parametrize(
    ("question", "before", "sql"),
    [
        (
            "not a swift",
            "SELECT id FROM customers WHERE city = 'Leeds'",
            f"{NEVER} model = 'Swift') AND city = 'Leeds'",
        ),
        (
            "except those who rented a swift",
            "SELECT id FROM customers WHERE city = 'Leeds'",
            f"{NEVER} model = 'Swift') AND city = 'Leeds'",
        ),
        (
            "not a swift or a comet",
            "SELECT id FROM customers WHERE city = 'Leeds'",
            f"{NEVER} model IN ('Swift', 'Comet')) AND city = 'Leeds'",
        ),
        ("except the swift", RENTED.format(column="model", value="Swift"), f"{NEVER} model = 'Swift')"),
        ("only a comet", f"{NEVER} model = 'Comet')", RENTED.format(column="model", value="Comet")),
    ],
)
def test_a_follow_up_denies_it_of_all(
    bikes: Pack, request: pytest.FixtureRequest, store: str, question: str, before: str, sql: str
) -> None:
    draft = first(request.getfixturevalue(store), question, before)
    assert rows(bikes.folder, draft.sql) == rows(bikes.folder, sql)


def test_what_refers_to_nothing_refers_to_nothing_of_the_kind() -> None:
    keys = {"flight": ("id",), "meal": ("code", "course")}
    course = Clause((Column("flight>meal_code=meal.code", "course"), " = ", Hole(0, "'BREAKFAST'")))
    denied = none_of([course], keys)
    assert denied is not None
    statement = Statement("flight", (Column("flight", "id"),), (denied,))
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE flight (id INTEGER, meal_code VARCHAR)")
        connection.execute("CREATE TABLE meal (code VARCHAR, course VARCHAR)")
        connection.execute("INSERT INTO flight VALUES (1, 'B'), (2, 'D'), (3, NULL)")
        connection.execute("INSERT INTO meal VALUES ('B', 'BREAKFAST'), ('D', 'DINNER'), (NULL, 'BREAKFAST')")
        assert set(connection.execute(write(statement)).fetchall()) == {(2,), (3,)}
    assert excludes(denied, course)
