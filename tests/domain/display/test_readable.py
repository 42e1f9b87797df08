"""What the subject reads: names in place of keys, through the joins that make the maximum, and nothing beyond it."""

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import duckdb
import pytest

from curtain.base.table import SHOWS, Show, Table
from curtain.domain.display import shown_answer
from curtain.domain.display.plan import ReadColumn, ReadingPlan
from curtain.domain.display.reading import OutsideMaximum, ReadRows, Row, ensure_within, in_order, read_rows
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.domain.wire import Limits, PackRules, Result
from curtain.domain.worker.engine import Engine
from curtain.domain.worker.worker import SqlWorker
from tests.domain.club import statements, write_club
from tests.support.shown import check_shown

SAMPLE, ALL = 50, 1_000


@pytest.fixture(scope="module")
def workers(club: Pack, cache: Path) -> Iterator[dict[Show, SqlWorker]]:
    path = database(club, cache)
    opened = {show: SqlWorker(path, club, with_spare=False, show=show) for show in SHOWS}
    yield opened
    for worker in opened.values():
        worker.close()


@pytest.fixture(scope="module")
def bare(club: Pack, cache: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(database(club, cache)), read_only=True) as connection:
        # One thread, as the worker has: rows with the same rank at a LIMIT are then the same.
        connection.execute("SET threads = 1")
        yield connection


def asked(worker: SqlWorker, sql: str, yes_no: bool = False, sql_max: str = "") -> Result:
    return worker.run(sql, yes_no, sql_max).result(timeout=60)


def read(workers: dict[Show, SqlWorker], sql: str, show: Show = "readable") -> Table:
    result = asked(workers[show], sql)
    assert result.shown is not None, result.show_fault
    return result.shown


@pytest.mark.parametrize(
    ("sql", "firsts"),
    [
        ("SELECT member_id FROM member WHERE member_id IN (3, 12, 2)", ["2", "3", "12"]),
        ("SELECT member_id FROM member WHERE member_id IN (3, 12, 2) ORDER BY 1 DESC", ["12", "3", "2"]),
        ("SELECT member_id FROM (SELECT member_id FROM member ORDER BY 1 DESC LIMIT 3)", None),
        ("SELECT member_id FROM member WHERE member_id IN (3, 2) UNION SELECT 1 ORDER BY 1 DESC", ["3", "2", "1"]),
    ],
)
def test_a_table_has_an_order_that_the_answer_does_not_take_part_in(
    workers: dict[Show, SqlWorker], bare: duckdb.DuckDBPyConnection, sql: str, firsts: list[str] | None
) -> None:
    result = asked(workers["minimum"], sql)
    given = [str(row[0]) for row in bare.execute(sql).fetchall()]
    assert [row[0] for row in result.rows] == (firsts or given)
    assert result.cas_min == f"({' '.join(f'({one})' for one in given)})"


@pytest.mark.parametrize(
    ("sql", "headings", "row"),
    [
        ("SELECT member_id FROM member WHERE member_id = 3", ["First name", "Last name"], ["FIRST 3", "LAST 3"]),
        ("SELECT fee FROM member WHERE member_id = 3", ["First name", "Last name", "Fee"], ["FIRST 3", "LAST 3", None]),
        ("SELECT last_name FROM member WHERE member_id = 3", ["First name", "Last name"], ["FIRST 3", "LAST 3"]),
        ("SELECT member_id AS number FROM member WHERE member_id = 3",
         ["First name", "Last name", "Number"], ["FIRST 3", "LAST 3", "3"]),
        ("SELECT team_code FROM team WHERE team_code = 'T1'", ["Team", "Captain"], ["TEAM 1", "LAST 2"]),
        ("SELECT DISTINCT captain_id FROM team WHERE team_code = 'T1'", ["Name of captain"], ["LAST 2"]),
        ("SELECT DISTINCT city FROM member WHERE city = 'ROME'", ["City"], ["ROME"]),
        ("SELECT MAX(joined) FROM member WHERE member_id IN (3, 4)",
         ["First name", "Last name", "Latest joined"], ["FIRST 4", "LAST 4", "05.05.1990"]),
        ("SELECT COUNT(*) FROM member", ["Count"], ["30"]),
        ("SELECT captain_id, COUNT(*) FROM team WHERE team_code = 'T1' GROUP BY captain_id",
         ["Name of captain", "Count"], ["LAST 2", "1"]),
        ("SELECT member_id + 1 FROM member WHERE member_id = 3",
         ["First name", "Last name", "Value"], ["FIRST 3", "LAST 3", "4"]),
        ("SELECT since FROM plays WHERE member_id = 1 ORDER BY 1 LIMIT 1", ["Since"], None),
        ("SELECT DISTINCT fee FROM member", ["Fee"], None),
    ],
)  # fmt: skip
def test_a_thing_is_shown_by_the_columns_by_which_people_know_it(
    workers: dict[Show, SqlWorker], sql: str, headings: list[str], row: list[str | None] | None
) -> None:
    table = read(workers, sql)
    assert table.headings == headings
    if row is not None:
        assert len(table.rows) == table.total == 1
        assert all(wanted in (None, text) for text, wanted in zip(table.rows[0], row, strict=True))


def test_money_and_dates_are_written_as_the_pack_writes_them(workers: dict[Show, SqlWorker]) -> None:
    table = read(workers, "SELECT fee, joined FROM member WHERE member_id = 3")
    assert table.headings[-2:] == ["Fee", "Joined"] and table.numeric[-2:] == [True, False]
    fee, joined = table.rows[0][-2:]
    assert fee.endswith(",00 €") and joined == "05.04.1990"


def test_two_teams_of_one_name_are_two_rows(workers: dict[Show, SqlWorker]) -> None:
    table = read(workers, "SELECT team_code FROM team WHERE team_name = 'TEAM 0'")
    assert [row[0] for row in table.rows] == ["TEAM 0", "TEAM 0"]


def test_the_order_is_that_of_the_statement(workers: dict[Show, SqlWorker]) -> None:
    table = read(workers, "SELECT member_id FROM member WHERE member_id < 5 ORDER BY member_id DESC")
    assert [row[1] for row in table.rows] == ["LAST 4", "LAST 3", "LAST 2", "LAST 1"]


@pytest.mark.parametrize(("where", "word"), [("fee > 0", "Yes"), ("fee > 99", "No")])
def test_a_yes_no_question_reads_yes_or_no_at_once(workers: dict[Show, SqlWorker], where: str, word: str) -> None:
    for sql in (f"SELECT member_id FROM member WHERE {where}", f"SELECT COUNT(*) FROM member WHERE {where}"):
        result = asked(workers["readable"], sql, yes_no=True)
        assert result.shown is not None and (result.shown.headings, result.shown.rows) == ([""], [[word]])
        assert result.cas_min is not None and result.cas_min.startswith("(TRUE" if word == "Yes" else "(FALSE")


def test_the_maximum_shows_every_column_and_of_a_yes_no_question_the_rows(workers: dict[Show, SqlWorker]) -> None:
    sql = "SELECT member_id FROM member WHERE member_id = 3"
    table = read(workers, sql, "maximum")
    assert table.headings == ["Member id", "Last name", "First name", "City"]
    assert asked(workers["maximum"], sql, yes_no=True).shown == table
    empty = asked(workers["maximum"], "SELECT member_id FROM member WHERE member_id = 99", yes_no=True)
    assert empty.shown is not None and empty.shown.rows == [["No"]]


def test_the_minimum_is_left_as_it_is(workers: dict[Show, SqlWorker]) -> None:
    for show in SHOWS:
        result = asked(workers[show], "SELECT member_id FROM member WHERE member_id = 3")
        assert (result.headings, result.rows, result.cas_min) == (["Member id"], [["3"]], "((3))")
        assert (result.shown is None) == (show == "minimum") and result.show_fault is None


def test_where_no_maximum_can_be_derived_the_minimum_is_shown_and_why(workers: dict[Show, SqlWorker]) -> None:
    result = asked(workers["readable"], "SELECT DISTINCT ON (city) last_name FROM member")
    assert result.shown is None and result.max_error and result.show_fault == result.max_error


def test_a_maximum_by_hand_shows_the_columns_of_the_minimum(workers: dict[Show, SqlWorker]) -> None:
    sql, wide = (f"SELECT {what} FROM member WHERE member_id = 3" for what in ("fee", "fee, last_name"))
    readable, whole = (asked(workers[show], sql, sql_max=wide).shown for show in ("readable", "maximum"))
    assert readable is not None and readable.headings == ["Fee"] and readable.total == 1
    assert whole is not None and whole.headings == ["Fee", "Last name"]


@pytest.mark.parametrize("count", [SAMPLE, pytest.param(ALL, marks=pytest.mark.soak)])
def test_what_is_shown_of_generated_statements_lies_within_their_maximum(
    workers: dict[Show, SqlWorker], bare: duckdb.DuckDBPyConnection, club: Pack, count: int
) -> None:
    named = 0
    for show in ("readable", "maximum"):
        running = [(sql, workers[show].run(sql)) for sql in islice(statements(1992), count)]
        for sql, future in running:
            result = future.result(timeout=60)
            assert result.error is None, sql
            # Where there is no maximum there is nothing but the minimum to show.
            assert (result.shown is None) == (result.cas_max is None), (sql, result.show_fault)
            if result.shown is not None:
                check_shown(result, bare, club.formats)
                named += "First name" in result.shown.headings
    assert named > count / 5


def test_a_pack_that_shows_more_than_its_maximum_is_reported(tmp_path: Path) -> None:
    folder = write_club(tmp_path / "club")
    path = folder / "domain.toml"
    lines = {
        '"First name" = "member.first_name"': '"Fee" = "member.fee"',
        '"Team" = "team.team_name"': '"Team" = "team.nothing"',
        '"Captain" = "team.captain_id > member.last_name"': '"Player" = "plays.member_id"',
        '[readable."team.captain_id"]': '[readable.nobody]',
    }  # fmt: skip
    text = path.read_text("utf-8")
    for line, other in lines.items():
        text = text.replace(line, other)
    path.write_text(text, "utf-8")
    assert load_pack(folder).problems_of_entities == [
        "[readable.member] “Fee”: “member.fee” is not in [maximum], so it may not be shown",
        "[readable.team] “Team”: “team.nothing” leads to no column",
        "[readable.nobody]: no entity of [canonical], and no column that refers to one",
    ]


def test_a_plan_that_would_show_more_gives_the_minimum_and_says_why(
    club: Pack, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, since the problem is made by hand: cells are put together that no row has together."""
    rules = PackRules(
        as_of=club.as_of, dialect=club.dialect, yes_no=club.yes_no, headings=dict(club.headings), functions=[],
        entities=club.entities, formats=club.formats, show="readable",
    )  # fmt: skip
    # A copy, since DuckDB opens a file only once in a process.
    engine = Engine(str(shutil.copy(database(club, cache), tmp_path / "club.duckdb")), rules, Limits())
    sql = "SELECT member_id FROM member WHERE member_id < 4"
    engine.run(sql, False)
    good = engine.widen(sql, "")

    def mixed(plan: ReadingPlan, rows: list[Row], minimum: list[Row], ordered: bool) -> ReadRows:
        read = read_rows(plan, rows, minimum, ordered)
        return ReadRows(plan, [[cell + other for cell, other in zip(*read.rows[:2], strict=True)]])

    monkeypatch.setattr(shown_answer, "read_rows", mixed)
    engine.run(sql, False)
    bad = engine.widen(sql, "")
    assert good.shown is not None and good.show_fault is None
    assert (bad.shown, bad.show_fault) == (None, "What would be shown is not part of the maximum.")
    assert bad.cas_max == good.cas_max and bad.problem is None


PLAN = ReadingPlan((ReadColumn(1, "Name"), ReadColumn(2, "City")), rows_by=(0,))


def cells(rows: list[Row], minimum: list[Row], plan: ReadingPlan = PLAN) -> list[list[tuple[object, ...]]]:
    return read_rows(plan, rows, minimum).rows


def test_rows_come_in_the_order_of_the_minimum() -> None:
    rows = [(1, "A", "X"), (2, "B", "Y"), (3, "C", None)]
    assert cells(rows, [(3,), (1,), (2,)]) == [[("C",), (None,)], [("A",), ("X",)], [("B",), ("Y",)]]


def test_where_the_statement_gives_no_order_they_come_by_what_is_shown_and_what_is_missing_comes_last() -> None:
    rows: list[Row] = [(1, "de Vries", "X"), (2, None, "Y"), (3, "DEAN", "Z"), (4, "ADA", "X"), (5, "DEAN", None)]
    shown = read_rows(PLAN, rows, [(5,), (4,), (3,), (2,), (1,)], ordered=False).rows
    names = [("ADA",), ("de Vries",), ("DEAN",), ("DEAN",), (None,)]
    assert [name for name, _ in shown] == names
    assert [city for name, city in shown if name == ("DEAN",)] == [("Z",), (None,)]
    assert in_order([(10, "b"), (9, "c"), (None, "a"), (9, "a")]) == [(9, "a"), (9, "c"), (10, "b"), (None, "a")]


def test_two_things_of_one_name_are_two_rows() -> None:
    assert cells([(1, "A", "X"), (2, "A", "X")], [(1,), (2,)]) == [[("A",), ("X",)]] * 2


def test_several_values_of_one_thing_share_a_cell() -> None:
    assert cells([(1, "A", "Y"), (1, "A", "X")], [(1,)]) == [[("A",), ("X", "Y")]]


def test_values_that_belong_together_keep_their_rows() -> None:
    # In one cell each, “A” would stand beside “Y”, which no row of the maximum says.
    assert cells([(1, "A", "X"), (1, "B", "Y")], [(1,)]) == [[("A",), ("X",)], [("B",), ("Y",)]]


def test_many_values_keep_their_rows() -> None:
    rows: list[Row] = [(1, "A", city) for city in "STUVWXYZ"]
    assert len(cells(rows, [(1,)])) == len(rows)


@pytest.mark.parametrize(
    "shown", [[[("A",), ("Y",)]], [[("C",), ("X",)]], [[("A",), (None,)]], [[("A", "B"), ("X", "Y")]]]
)
def test_what_no_row_of_the_maximum_says_is_refused(shown: list[list[tuple[object, ...]]]) -> None:
    rows: list[Row] = [(1, "A", "X"), (2, "B", "Y")]
    ensure_within([[("A",), ("X",)], [("B",), ("Y",)]], PLAN, rows)
    with pytest.raises(OutsideMaximum):
        ensure_within(shown, PLAN, rows)
