from contextlib import closing
from pathlib import Path

import pytest

from curtain.cas import parse
from curtain.domain.pack.pack import Pack
from curtain.domain.worker.worker import Limits, SqlWorker


@pytest.mark.parametrize(
    ("sql", "cas"),
    [
        ("SELECT count(*) FROM person", "((40))"),
        ("SELECT id FROM person WHERE id > 99", "()"),
        ("SELECT id, name FROM person WHERE id < 3 ORDER BY id", '((1 "NAME 01") (2 "NAME 02"))'),
        ("SELECT born FROM person WHERE id IN (1, 7) ORDER BY id", '(("02-FEB-31") (NIL))'),
        ("SELECT salary, share FROM person WHERE id = 4", "((4.5 0.5))"),
        ("SELECT CAST(salary AS DECIMAL(9, 2)) * 0 + 5 FROM person WHERE id = 1", "((5.0))"),
        ("SELECT avg(id), sum(id), CAST(3 AS DOUBLE) FROM person", "((20.5 820 3.0))"),
        ("SELECT 1e15::DOUBLE * 1e7, 1e-7::DOUBLE", "((10000000000000000000000.0 0.0000001))"),
        ("SELECT active, NOT active FROM person WHERE id = 1", "((TRUE FALSE))"),
        ("SELECT '1355', 'YES', '', ' x '", '(("1355" "YES" "" "x"))'),
        ("SELECT 170141183460469231731687303715884105727", "((170141183460469231731687303715884105727))"),
        ("SELECT NULL", "((NIL))"),
    ],
)
def test_every_row_is_written_in_the_notation_of_the_dialect(worker: SqlWorker, sql: str, cas: str) -> None:
    result = worker.run(sql).result(timeout=60)

    assert (result.cas_min, result.cas_error) == (cas, None)
    assert parse(cas, "1989")


@pytest.mark.parametrize(
    ("sql", "cas"),
    [
        ("SELECT count(*) > 3 FROM person", "TRUE"), ("SELECT count(*) < 3 FROM person", "FALSE"),
        ("SELECT id FROM person WHERE id > 99", "FALSE"), ("SELECT id FROM person WHERE id < 3", "TRUE"),
        ("SELECT count(*) FROM person", "TRUE"),
    ],
)  # fmt: skip
def test_a_yes_no_question_has_a_boolean_answer(worker: SqlWorker, sql: str, cas: str) -> None:
    assert worker.run(sql, yes_no=True).result(timeout=60).cas_min == cas


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("SELECT 1, 'say \"yes\"'", "row 1, column 2"),
        ("SELECT 1 UNION ALL SELECT 1/0", "row 2, column 1"),
        ("SELECT DATE '2001-01-01'", "row 1, column 1"),
    ],
)
def test_what_the_notation_cannot_say_is_reported_with_its_cell_and_still_shown(
    worker: SqlWorker, sql: str, problem: str
) -> None:
    result = worker.run(sql).result(timeout=60)

    assert result.cas_min is None
    assert problem in (result.cas_error or "")
    assert result.error is None
    assert result.rows


def test_twenty_thousand_rows_give_the_whole_answer_and_two_hundred_rows_to_see(worker: SqlWorker) -> None:
    sql = "SELECT a.id, b.name FROM person a, person b, person c LIMIT 20000"
    result = worker.run(sql).result(timeout=60)

    assert (result.total, len(result.rows)) == (20_000, 200)
    assert parse(result.cas_min or "", "1989").height == 20_000  # type: ignore[union-attr]


def test_an_answer_beyond_its_limits_is_too_large_and_still_counted(worker: SqlWorker, pack: Pack, db: Path) -> None:
    many = "SELECT a.id FROM person a, person b, person c, person d LIMIT 100001"
    result = worker.run(many).result(timeout=60)
    assert (result.cas_min, result.cas_error, result.total, len(result.rows)) == (None, "too_large", 100_001, 200)

    with closing(SqlWorker(db, pack, Limits(cas_bytes=1000))) as narrow:
        long = narrow.run("SELECT name FROM person a, dept b WHERE a.dept = b.dept").result(timeout=30)
        wide = narrow.run("SELECT a.name FROM person a, dept b").result(timeout=30)
    assert (long.error is not None, wide.cas_error) == (True, "too_large")


def test_two_hundred_rows_of_long_text_are_cut_to_what_may_be_sent(worker: SqlWorker) -> None:
    wide = "repeat"
    sql = "WITH w AS (SELECT string_agg(name) AS s FROM person), v AS (SELECT s||s||s||s||s||s||s||s AS s FROM w) "
    result = worker.run(f"{sql} SELECT s || s || s AS {wide} FROM v, person a, person b").result(timeout=60)

    assert result.total == 1600
    assert 0 < len(result.rows) < 200
    assert sum(len(text.encode()) for row in result.rows for text in row) <= 192 * 1024
    assert result.cas_min
