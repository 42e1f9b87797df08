"""Times of day in columns of the type TIME: drafted, changed by follow-ups and learned like those that are numbers."""

from __future__ import annotations

import sqlite3

import pytest

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.sql.clock import as_numbers, clocks_of, on_the_clock
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.statements import write
from curtain.drafting.values import Asked, Example, Request
from tests.drafting.answers import opened

TABLES = {"broadcast": {"broadcast_id": "INTEGER", "studio": "INTEGER", "start_time": "TIME", "air_date": "TIMESTAMP"}}
CLOCKS = clocks_of(TABLES)
HOURS = ["06:00", "07:30", "08:00", "09:30", "10:00", "12:00", "14:15", "18:00", "20:00", "22:30"]


@pytest.fixture(scope="module")
def radio(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("radio")
    with sqlite3.connect(folder / "radio.sqlite") as made:
        made.execute("CREATE TABLE broadcast (broadcast_id INTEGER PRIMARY KEY, title TEXT, start_time TIME)")
        made.executemany(
            "INSERT INTO broadcast VALUES (?, ?, ?)",
            [(n, f"{'News' if n % 3 else 'Chess'}", f"{hour}:00") for n, hour in enumerate(HOURS)],
        )
    made.close()
    new_pack(folder / "radio.sqlite", folder / "pack", lambda what, share: None)
    return load_pack(folder / "pack")


@pytest.fixture(scope="module")
def untaught(radio: Pack) -> LocalDrafter:
    return LocalDrafter(radio, database(radio), [])


def starts(pack: Pack, sql: str) -> set[str]:
    with opened(pack.folder) as connection:
        return {HOURS[row[0]] for row in connection.execute(sql).fetchall()}


def first(drafter: LocalDrafter, *questions: str) -> str:
    previous: tuple[Asked, ...] = ()
    for question in questions:
        sql = drafter.drafts(Request(question, previous))[0].sql
        previous = (*previous, Asked(question, sql))
    return sql


@pytest.mark.parametrize(
    ("questions", "wanted"),
    [
        (["broadcasts before 9 am"], {"06:00", "07:30", "08:00"}),
        (["broadcasts at noon"], {"12:00"}),
        (["broadcasts at half past nine"], {"09:30"}),
        (["broadcasts between 9 and 11"], {"09:30", "10:00"}),
        (["broadcasts not before 8 pm"], {"20:00", "22:30"}),
        (["broadcasts before midnight"], set(HOURS)),
        (["broadcasts after 8 pm", "before 9 am"], {"06:00", "07:30", "08:00"}),
        (["broadcasts before noon", "after 9 am"], {"09:30", "10:00"}),
        (["broadcasts at noon", "at 2:15 pm"], {"14:15"}),
    ],
)
def test_times_are_compared_as_the_database_has_them(
    radio: Pack, untaught: LocalDrafter, questions: list[str], wanted: set[str]
) -> None:
    assert starts(radio, first(untaught, *questions)) == wanted


def test_one_answered_question_is_enough_for_others(radio: Pack) -> None:
    sql = "SELECT broadcast_id FROM broadcast WHERE title = 'News' AND start_time >= TIME '18:00'"
    drafter = LocalDrafter(radio, database(radio), [Example("the late news from 6 pm", sql)])
    assert starts(radio, first(drafter, "the late news from 8 pm")) == {"20:00"}


@pytest.mark.parametrize(
    ("condition", "number"),
    [
        ("start_time < TIME '09:00'", "start_time < 900"),
        ("start_time < '9:30:00'", "start_time < 930"),
        ("start_time BETWEEN TIME '08:00' AND TIME '10:00'", "start_time BETWEEN 800 AND 1000"),
        ("start_time IN ('08:00', '10:00')", "start_time IN (800, 1000)"),
        ("start_time > '08:00' AND studio = 900", "start_time > 800 AND broadcast.studio = 900"),
        (
            "broadcast_id IN (SELECT broadcast_id FROM broadcast WHERE start_time = '00:05')",
            "start_time = 5",
        ),
    ],
)
def test_a_time_is_a_number_and_back_again(condition: str, number: str) -> None:
    parsed = Parser(TABLES).parse(f"SELECT broadcast_id FROM broadcast WHERE {condition}")
    assert parsed is not None
    text = write(parsed)
    assert number in text
    back = on_the_clock(parsed, CLOCKS)
    assert as_numbers(back, CLOCKS) == parsed
    assert "studio = 900" in write(back) or "900" not in write(back)


@pytest.mark.parametrize("condition", ["HOUR(start_time) = 9", "start_time = 2475", "start_time = '09:30:15'"])
def test_what_is_no_time_of_day_stays(condition: str) -> None:
    parsed = Parser(TABLES).parse(f"SELECT broadcast_id FROM broadcast WHERE {condition}")
    assert parsed is not None
    assert on_the_clock(parsed, CLOCKS) == parsed
    assert condition.split(" = ")[1] in write(parsed)


def test_a_column_of_whole_dates_has_no_clock() -> None:
    assert {"broadcast.start_time"} == CLOCKS
