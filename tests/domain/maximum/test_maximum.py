"""From the minimum to the maximum: what is added, and that nothing else changes (001, section 2.2.2)."""

from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

import duckdb
import pytest

from curtain.cas import compare, from_rows, parse
from curtain.domain.pack.pack import Pack, database
from curtain.domain.worker.worker import Result, SqlWorker
from tests.domain.club import statements
from tests.support.maximum import check_maximum

SAMPLE, ALL = 200, 1_000

REASONS = (
    "The parts of this UNION describe different things.",
    "A SELECT inside this statement keeps only some of its distinct rows, so nothing can be added to them.",
)


@pytest.fixture(scope="module")
def ask(club: Pack, cache: Path) -> Iterator[SqlWorker]:
    worker = SqlWorker(database(club, cache), club, with_spare=False)
    yield worker
    worker.close()


def asked(worker: SqlWorker, sql: str, yes_no: bool = False, sql_max: str = "") -> Result:
    return worker.run(sql, yes_no, sql_max).result(timeout=30)


def first_line(result: Result) -> str:
    """The columns of the maximum, without the names of the tables."""
    sql = result.sql_max or ""
    return ", ".join(one.strip().partition(".")[2] for one in sql.splitlines()[0].removeprefix("SELECT ").split(","))


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT member_id FROM member WHERE fee = 30", "member_id, last_name, first_name, city"),
        ("SELECT fee FROM member WHERE member_id = 3", "fee, member_id, last_name, first_name, city"),
        ("SELECT DISTINCT last_name FROM member", "last_name, member_id, first_name, city"),
        ("SELECT upper(last_name) FROM member", "column_1, member_id, last_name, first_name, city"),
        ("SELECT DISTINCT sponsor_id FROM member", "sponsor_id, last_name, first_name, city"),
        ("SELECT sponsor_id FROM member WHERE member_id = 9",
         "sponsor_id, last_name, first_name, city, member_id, last_name, first_name, city"),
        ("SELECT m.fee FROM member m JOIN visit v USING (member_id)", "fee, member_id, last_name, first_name, city"),
        ("SELECT day, member_id FROM visit", "day, member_id, hours, last_name"),
        ("SELECT team_code FROM team", "team_code, team_name, last_name, member_id"),
        ("SELECT captain_id, COUNT(*) FROM team GROUP BY captain_id",
         "captain_id, column_2, last_name, first_name, city"),
        ("SELECT last_name FROM (SELECT * FROM member) x", "last_name, member_id, first_name, city"),
        ("SELECT last_name FROM member WHERE fee = 10 UNION SELECT last_name FROM member WHERE city = 'ROME'",
         "last_name, member_id, first_name, city"),
        ("SELECT last_name FROM member EXCEPT SELECT last_name FROM member WHERE fee = 10",
         "last_name, member_id, first_name, city"),
        ("SELECT sponsor_id FROM member UNION SELECT captain_id FROM team", "sponsor_id, last_name, first_name, city"),
        ("SELECT MAX(fee) FROM member WHERE city = 'OSLO'", "column_1, member_id, last_name, first_name, city"),
        ("SELECT city, MAX(joined) FROM member GROUP BY city", "city, column_2, member_id, last_name, first_name"),
        ("SELECT DISTINCT fee FROM member ORDER BY fee LIMIT 1", "fee, member_id, last_name, first_name, city"),
        ("SELECT MAX(fee) FROM member GROUP BY city HAVING COUNT(*) > 2 ORDER BY 1 LIMIT 1",
         "column_1, member_id, last_name, first_name, city"),
        ("SELECT MAX(DISTINCT fee) FROM member", "column_1, member_id, last_name, first_name, city"),
        ("SELECT fee + 1 FROM member", "column_1, member_id, last_name, first_name, city"),
        ("(SELECT member_id FROM member WHERE fee = 30) ORDER BY 1 LIMIT 2", "member_id, last_name, first_name, city"),
    ],
)  # fmt: skip
def test_what_the_pack_calls_reasonable_is_added(ask: SqlWorker, sql: str, columns: str) -> None:
    result = asked(ask, sql)

    assert (result.error, result.max_error) == (None, None)
    assert first_line(result) == columns
    check_maximum(result.cas_min or "", result.cas_max or "", "1992")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM member", "SELECT SUM(fee), AVG(fee) FROM member",
        "SELECT MAX(fee) - MIN(fee) FROM member", "SELECT city, COUNT(*) FROM member GROUP BY city",
        "SELECT COUNT(*) > 3 FROM visit", "SELECT MIN(fee), MAX(fee) FROM member",
        "SELECT top FROM (SELECT MAX(fee) AS top FROM member) x",
        "SELECT lag(fee) OVER (ORDER BY member_id) FROM member",
        "SELECT SUM(fee) OVER (PARTITION BY city) FROM member", "SELECT since FROM plays", "SELECT 1", "SELECT 1 + 1",
        "VALUES (1, 'a')", "SELECT * FROM (VALUES (1)) AS v (a)", "(SELECT COUNT(*) FROM member)",
    ],
)  # fmt: skip
def test_of_counts_sums_averages_and_what_is_in_no_table_the_maximum_is_the_minimum(ask: SqlWorker, sql: str) -> None:
    result = asked(ask, sql)

    assert (result.sql_max, result.cas_max) == (sql, result.cas_min)
    assert result.cas_min


def test_the_rows_that_a_statement_joins_are_the_ones_that_are_told_of(ask: SqlWorker) -> None:
    """As with fares: those of the flights that were asked about (001, rule 2.3.8)."""
    alone = asked(ask, "SELECT team_code FROM team WHERE team_code = 'T1'")
    joined = asked(
        ask,
        "SELECT DISTINCT t.team_code FROM team t, plays p, member m WHERE t.team_code = p.team_code "
        "AND p.member_id = m.member_id AND m.member_id < 12 AND t.team_code = 'T1'",
    )

    assert joined.cas_min == alone.cas_min
    assert 0 < (joined.cas_max or "").count("T1") < (alone.cas_max or "").count("T1")


def test_a_least_value_of_nothing_is_nothing_in_both(ask: SqlWorker) -> None:
    result = asked(ask, "SELECT MIN(fee) FROM member WHERE fee > 99")

    assert (result.cas_min, result.cas_max) == ("((NIL))", "((NIL NIL NIL NIL NIL))")


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT last_name FROM member UNION SELECT team_name FROM team", REASONS[0]),
        ("SELECT name FROM (SELECT DISTINCT last_name AS name FROM member ORDER BY 1 LIMIT 3) x", REASONS[1]),
        ("SELECT DISTINCT ON (city) last_name FROM member ORDER BY city, fee DESC", "DISTINCT ON keeps one row"),
        ("SELECT city, MAX(fee) FROM member GROUP BY ROLLUP (city)", "grouped in more than one way"),
        ("SELECT MAX(fee) FROM member GROUP BY GROUPING SETS ((city), ())", "grouped in more than one way"),
        ("SELECT DISTINCT MAX(fee) FROM member GROUP BY city ORDER BY 1 LIMIT 1", "only some of its groups"),
        ("(SELECT last_name FROM member ORDER BY fee LIMIT 3) EXCEPT SELECT last_name FROM member WHERE fee = 10",
         "keeps only some of its distinct rows"),
        ("SELECT last_name FROM member WHERE fee = 10 UNION SELECT last_name FROM member WHERE fee = 20 "
         "EXCEPT SELECT last_name FROM member WHERE city = 'ROME'", "A UNION comes before an EXCEPT"),
        ("SELECT COLUMNS('last_name') FROM member", "cannot be followed"),
        ("SELECT #2 FROM member", "cannot be followed"),
        ("SELECT (SELECT last_name FROM member WHERE member_id = 3)", "cannot be followed"),
    ],
)  # fmt: skip
def test_where_it_is_not_sure_who_is_told_of_the_reason_is_given(ask: SqlWorker, sql: str, reason: str) -> None:
    result = asked(ask, sql)

    assert result.error is None
    assert reason in (result.max_error or "")
    assert result.cas_min and result.cas_max is None


def test_a_greatest_value_among_some_rows_tells_of_these_alone(ask: SqlWorker) -> None:
    some = asked(ask, "SELECT MAX(fee) FILTER (WHERE city = 'ROME') FROM member")
    plain = asked(ask, "SELECT MAX(fee) FROM member WHERE city = 'ROME'")

    assert some.cas_min == plain.cas_min
    assert sorted(some.cas_max or "") == sorted(plain.cas_max or "")
    assert '"OSLO"' not in (some.cas_max or "")


@pytest.mark.parametrize("word", ["MIN", "MAX"])
@pytest.mark.parametrize(
    ("value", "by"),
    [
        ("fee", ("city",)),
        ("joined", ("fee",)),
        ("sponsor_id", ("first_name", "last_name")),
        ("fee", ("sponsor_id", "city")),
    ],
)
def test_of_a_least_or_greatest_value_exactly_those_are_told_who_have_it_in_their_group(
    ask: SqlWorker, club: Pack, cache: Path, word: str, value: str, by: tuple[str, ...]
) -> None:
    told = 0
    for shown, over in product(((), by[:1], by), (0, 1, 3)):
        groups = f"SELECT {', '.join(by)}, {word}({value}) AS best FROM member GROUP BY ALL HAVING COUNT(*) > {over}"
        same = " AND ".join(f"one.{name} IS NOT DISTINCT FROM of.{name}" for name in by)
        columns = ", ".join([*(f"of.{name}" for name in shown), "best", "member_id"])
        with duckdb.connect(str(database(club, cache)), read_only=True) as connection:
            joined = f"FROM ({groups}) of LEFT JOIN member one ON {same} AND {value} = best"
            wanted = from_rows(connection.execute(f"SELECT {columns} {joined}").fetchall(), "1992")
        sql = f"SELECT {', '.join([*shown, f'{word}({value})'])} FROM member GROUP BY {', '.join(by)}"
        result = asked(ask, f"{sql} HAVING COUNT(*) > {over}" if over else sql)
        assert (result.error, result.max_error) == (None, None), sql
        maximum = parse(result.cas_max or "", "1992")
        places = [*range(len(shown) + 1), first_line(result).split(", ").index("member_id")]
        assert {tuple(row[at] for at in places) for row in maximum.rows()} == set(wanted.rows()), result.sql_max
        assert compare(wanted, result.cas_min or "", result.cas_max).is_correct, sql
        told += wanted.height
    assert told > 20


def test_a_maximum_written_by_hand_takes_the_place_of_the_derived_one(ask: SqlWorker) -> None:
    result = asked(
        ask, "SELECT fee FROM member WHERE member_id = 3", sql_max="SELECT fee, joined FROM member WHERE member_id = 3"
    )

    assert result.max_error is None
    assert result.sql_max == "SELECT fee, joined FROM member WHERE member_id = 3"
    check_maximum(result.cas_min or "", result.cas_max or "", "1992")


@pytest.mark.parametrize(
    ("sql_max", "reason"),
    [
        ("SELECT joined, fee FROM member WHERE member_id = 3", "must begin with the columns of the minimum"),
        ("SELECT fee, joined FROM member", "must begin with the columns of the minimum"),
        ("SELECT fee, joine FROM member", "did you mean “joined”"),
        ("DROP TABLE member", "Only a single SELECT"),
        ("SELECT fee, '\"' FROM member WHERE member_id = 3", "row 1, column 2"),
    ],
)
def test_a_maximum_by_hand_that_is_none_is_refused_and_the_minimum_stays(
    ask: SqlWorker, sql_max: str, reason: str
) -> None:
    result = asked(ask, "SELECT fee FROM member WHERE member_id = 3", sql_max=sql_max)

    assert reason in (result.max_error or "")
    assert (result.error, result.cas_max) == (None, None)
    assert result.cas_min


def test_alternatives_of_a_yes_no_question_go_in_pairs(ask: SqlWorker) -> None:
    some = asked(ask, "SELECT member_id FROM member WHERE member_id = 3", yes_no=True)
    none = asked(ask, "SELECT member_id FROM member WHERE member_id = 99", yes_no=True)
    zero = asked(ask, "SELECT COUNT(*) FROM member WHERE member_id = 99", yes_no=True)

    assert some.cas_min == "(TRUE OR ((3)))"
    assert (some.cas_max or "").startswith('(TRUE OR ((3 "LAST 3"')
    assert (none.cas_min, none.cas_max) == ("(FALSE OR ())", "(FALSE OR ())")
    assert (zero.cas_min, zero.cas_max) == ("(FALSE OR ((0)))", "(FALSE OR ((0)))")
    check_maximum(some.cas_min or "", some.cas_max or "", "1992")


@pytest.mark.parametrize(
    ("sql", "verdict"),
    [
        ("SELECT city = 'NOWHERE' FROM member", "FALSE"),
        ("SELECT member_id = 3 FROM member", "TRUE"),
        ("SELECT fee > NULL FROM member", "NIL"),
        ("SELECT member_id > 0 FROM member WHERE member_id = 3", "TRUE"),
        ("SELECT city FROM member WHERE city IS NULL LIMIT 1", "NIL"),
        ("SELECT MIN(fee) FROM member WHERE fee > 99", "NIL"),
        ("SELECT member_id = 3 FROM member WHERE member_id > 99", "(FALSE OR ())"),
    ],
)
def test_a_yes_or_a_no_of_its_own_is_both_answers(ask: SqlWorker, sql: str, verdict: str) -> None:
    """One yes among the rows is enough (003, B.2.12); a missing value is neither."""
    result = asked(ask, sql, yes_no=True)

    assert (result.cas_min, result.cas_max, result.max_error) == (verdict, verdict, None)


def test_a_maximum_by_hand_says_yes_or_no_as_the_minimum_does(ask: SqlWorker) -> None:
    zero = asked(ask, "SELECT COUNT(*) FROM member WHERE member_id = 99", yes_no=True, sql_max="SELECT 0, 5")
    assert (zero.cas_min, zero.cas_max) == ("(FALSE OR ((0)))", "(FALSE OR ((0 5)))")


@pytest.mark.parametrize("generated", [SAMPLE, pytest.param(ALL, marks=pytest.mark.soak)])
def test_of_generated_statements_every_maximum_holds_its_minimum(ask: SqlWorker, generated: int) -> None:
    wider = refused = 0
    # All at once, so that the child goes on while this process compares.
    running = [(sql, ask.run(sql)) for sql in islice(statements(1992), generated)]
    for sql, future in running:
        result = future.result(timeout=60)
        assert result.error is None, sql
        if result.cas_max is None:
            refused += 1
            assert result.max_error in REASONS, (sql, result.max_error)
            continue
        wider += result.cas_max != result.cas_min
        try:
            check_maximum(result.cas_min or "", result.cas_max, "1992")
        except AssertionError as error:
            raise AssertionError(f"{sql}\n{result.sql_max}") from error
    assert wider > generated / 2
    assert refused < generated / 20
