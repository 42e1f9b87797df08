"""A candidate that lacks a column which the query names says otherwise than the query."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.domain import domain_of
from curtain.drafting.drafter.judging import judging
from curtain.drafting.drafter.sayings import sayings_of
from curtain.drafting.learned.memory import Form, Memory
from curtain.drafting.learned.scoring import FEATURES, Proposal
from curtain.drafting.sql.parsing import Parser

CLUBS = """
CREATE TABLE club (club_id INTEGER PRIMARY KEY, name TEXT, first_name TEXT, city TEXT);
INSERT INTO club VALUES (1, 'Rovers', 'Ann', 'Leeds'), (2, 'United', 'Bob', 'York');
"""


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("clubs")
    write_sqlite(folder / "clubs.sqlite")
    new_pack(folder / "clubs.sqlite", folder / "pack", lambda what, share: None)
    return load_pack(folder / "pack")


def write_sqlite(path: Path) -> None:
    with sqlite3.connect(path) as lite:
        lite.executescript(CLUBS)
    lite.close()


@pytest.fixture(scope="module")
def says_otherwise(clubs: Pack) -> Callable[[str, str], bool]:
    domain = domain_of(clubs, database(clubs), [])

    def judged(question: str, sql: str) -> bool:
        reading = domain.recogniser.read(question)
        judge = judging(reading, sayings_of(reading, lambda words: ()), Memory(), domain.holdings, domain.schema)
        statement = Parser(clubs.tables).parse(sql)
        assert statement is not None
        return judge(Proposal(Form(statement, ()), statement, (), -1, (0.0,) * len(FEATURES), False)).otherwise

    return judged


@pytest.mark.parametrize(
    ("sql", "otherwise"),
    [
        ("SELECT name, city FROM club", False),
        ("SELECT CLUB.NAME, CLUB.CITY FROM CLUB", False),
        ("SELECT city FROM club", True),
        # Neither a part of another name nor a value is the column.
        ("SELECT first_name, city FROM club", True),
        ("SELECT city FROM club WHERE first_name = 'name'", True),
    ],
)
def test_a_column_is_found_by_its_whole_name(
    says_otherwise: Callable[[str, str], bool], sql: str, otherwise: bool
) -> None:
    assert says_otherwise("list the name and the city of the clubs", sql) is otherwise
