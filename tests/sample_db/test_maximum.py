"""The maximum of what bundled packs are asked holds the minimum, and nothing beside the point (001, section 2.2.2).

What a subject reads never goes beyond it; all examples are asked in the soak, else every fourth. Of a least or a
greatest value exactly those are told who have it in their group: worked out row by row, from a listing of the table.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import duckdb
import pytest

from curtain.cas import Relation, compare, from_rows, parse
from curtain.domain.pack.pack import Pack, bundled_packs, database, load_pack
from curtain.domain.worker.worker import Result, SqlWorker
from tests.support.maximum import check_maximum
from tests.support.shown import TRUTH, check_shown

TOO_LARGE = "The maximum answer is too large to be kept."
Opened = tuple[Pack, SqlWorker, duckdb.DuckDBPyConnection]


@pytest.fixture(scope="module", params=bundled_packs())
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    pack = load_pack(request.param)
    path = database(pack)
    worker = SqlWorker(path, pack, with_spare=False, show="readable")
    with duckdb.connect(str(path), read_only=True) as bare:
        # One thread, as the worker has: rows with the same rank at a LIMIT are then the same.
        bare.execute("SET threads = 1")
        yield pack, worker, bare
    worker.close()


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_the_maximum_of_examples_holds_their_minimum_and_what_is_shown(opened: Opened, every: int) -> None:
    pack, worker, bare = opened
    keys = {heading for name in ("flight", "fare", "employee") for heading in _key_headings(pack, name)}
    running = [(example, worker.run(example.sql, example.yes_no)) for example in pack.examples()[::every]]
    for example, future in running:
        result = future.result(timeout=60)
        assert result.error is None, example.question
        if result.cas_max is None:
            assert result.max_error == TOO_LARGE, (example.question, result.max_error)
        else:
            try:
                check_maximum(result.cas_min or "", result.cas_max, pack.dialect)
            except AssertionError as error:
                raise AssertionError(f"{example.question}\n{result.sql_max}") from error
        if example.yes_no:
            assert result.shown is not None and result.shown.rows in TRUTH, example.question
        elif result.shown is None:
            assert result.show_fault == TOO_LARGE, example.question
        else:
            check_shown(result, bare, pack.formats)
            assert not keys & set(result.shown.headings), example.question


def _key_headings(pack: Pack, entity: str) -> list[str]:
    """Of a key that only computers go by."""
    return [pack.headings[place.partition(".")[2]] for place in pack.canonical.get(entity, ())]


def test_every_line_of_what_may_be_told_leads_to_a_column(opened: Opened) -> None:
    assert opened[0].problems_of_entities == []


GENERATED = 60
"""Statements for each pack."""

Row = tuple[Any, ...]
Cells = tuple[str, ...]


@dataclass(frozen=True)
class Thing:
    """What statements are made of: `where` are conditions that keep the numbers small."""

    table: str
    key: str
    values: tuple[str, ...]
    groups: tuple[str, ...]
    where: tuple[str, ...]


THINGS = {
    "personnel": (
        Thing(
            "employee",
            "employee_id",
            ("salary", "level", "birth_date", "hire_date"),
            ("department", "sex", "job_title", "city", "last_name", "ethnic_group", "home_phone"),
            ("true", "sex = 'F'", "salary > 30000", "level IS NOT NULL"),
        ),
    ),
    "atis": (
        Thing(
            "flight",
            "flight_id",
            ("departure_time", "time_elapsed", "flight_number"),
            ("airline_code", "from_airport", "to_airport", "stops", "flight_days", "meal_code"),
            ("from_airport = 'BOS'", "to_airport IN ('DEN', 'SFO')", "stops > 1"),
        ),
        Thing(
            "fare",
            "fare_id",
            ("one_direction_cost", "round_trip_cost"),
            ("fare_airline", "to_airport", "restriction_code"),
            ("from_airport = 'BOS' AND to_airport IN ('DEN', 'ATL', 'BWI')", "from_airport = 'DEN' AND fare_id < 900"),
        ),
    ),
}


@dataclass(frozen=True)
class Asked:
    """A least (`MIN`) or greatest value of each group that has more than `over` rows; only `shown` are told of the
    columns of `by`."""

    thing: Thing
    word: str
    value: str
    by: tuple[str, ...]
    shown: tuple[str, ...]
    where: str
    over: int

    @property
    def sql(self) -> str:
        having = f" HAVING COUNT(*) > {self.over}" if self.over else ""
        columns = ", ".join((*self.shown, f"{self.word}({self.value})"))
        grouped = f" GROUP BY {', '.join(self.by)}{having}"
        return f"SELECT {columns} FROM {self.thing.table} WHERE {self.where}{grouped}"

    def reported(self, rows: list[dict[str, Any]]) -> list[Row]:
        """What is shown, the value and the key of those who have it."""
        groups: dict[Row, list[dict[str, Any]]] = {}
        for row in rows:
            groups.setdefault(tuple(row[one] for one in self.by), []).append(row)
        return [found for group in groups.values() if len(group) > self.over for found in self._told_of(group)]

    def _told_of(self, group: list[dict[str, Any]]) -> Iterator[Row]:
        known = [row[self.value] for row in group if row[self.value] is not None]
        best = None if not known else min(known) if self.word == "MIN" else max(known)
        having_it = [row[self.thing.key] for row in group if best is not None and row[self.value] == best]
        for key in having_it or [None]:
            yield (*(group[0][one] for one in self.shown), best, key)


def generated(things: tuple[Thing, ...], draw: random.Random) -> Iterator[Asked]:
    while True:
        thing = draw.choice(things)
        by = tuple(draw.sample(thing.groups, draw.choice([1, 1, 2])))
        shown = tuple(one for one in by if draw.random() < 0.4)
        value = draw.choice([one for one in thing.values if one not in by])
        yield Asked(
            thing, draw.choice(["MIN", "MAX"]), value, by, shown, draw.choice(thing.where), draw.choice([0, 0, 1, 3])
        )


@pytest.fixture(scope="module", params=sorted(THINGS))
def asked_pack(request: pytest.FixtureRequest) -> Iterator[tuple[Pack, SqlWorker, duckdb.DuckDBPyConnection]]:
    pack = load_pack(request.param)
    path = database(pack)
    worker = SqlWorker(path, pack, with_spare=False)
    with duckdb.connect(str(path), read_only=True) as db:
        yield pack, worker, db
    worker.close()


def test_exactly_those_are_told_of_who_have_the_value_in_their_group(
    asked_pack: tuple[Pack, SqlWorker, duckdb.DuckDBPyConnection],
) -> None:
    pack, worker, db = asked_pack
    shared = 0
    running = [
        (asked, worker.run(asked.sql)) for asked in islice(generated(THINGS[pack.name], random.Random(1)), GENERATED)
    ]
    for asked, future in running:
        result = future.result(timeout=60)
        assert (result.error, result.max_error) == (None, None), asked.sql
        rows = listed(db, asked)
        expected = asked.reported(rows)
        wanted = from_rows(expected, pack.dialect)
        assert reported(result, asked, pack.dialect) == cells(wanted), f"{asked.sql}\n{result.sql_max}"
        assert compare(wanted, result.cas_min or "", result.cas_max, dialect=pack.dialect).is_correct, asked.sql
        shared += rejects_others(pack, asked, result, expected, rows)
    assert shared > GENERATED / 10


def rejects_others(pack: Pack, asked: Asked, result: Result, expected: list[Row], rows: list[dict[str, Any]]) -> bool:
    """Somebody else who has the value, but not as the least or greatest one of a group, makes an answer wrong; whether
    there is somebody like this."""
    right = set(expected)
    for row in rows:
        other = (*(row[one] for one in asked.shown), row[asked.value], row[asked.thing.key])
        alike = [one for one in expected if one[:-1] == other[:-1]]
        if other not in right and alike:
            wrong = from_rows([*(one for one in expected if one != alike[0]), other], pack.dialect)
            verdict = compare(wrong, result.cas_min or "", result.cas_max, dialect=pack.dialect)
            assert verdict.outcome == "incorrect", (asked.sql, other)
            return True
    return False


def listed(db: duckdb.DuckDBPyConnection, asked: Asked) -> list[dict[str, Any]]:
    cursor = db.execute(f"SELECT * FROM {asked.thing.table} WHERE {asked.where}")
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def reported(result: Result, asked: Asked, dialect: str) -> set[Cells]:
    """The columns of the minimum and the key, of all rows of the maximum."""
    first = (result.sql_max or "").splitlines()[0].removeprefix("SELECT ").split(", ")
    key = [column.rpartition(".")[2] for column in first].index(asked.thing.key)
    maximum = parse(result.cas_max or "", dialect)
    assert isinstance(maximum, Relation)
    return {(*row[: len(asked.shown) + 1], row[key]) for row in cells(maximum)}


def cells(relation: Relation) -> set[Cells]:
    return set(zip(*relation.columns, strict=True))
