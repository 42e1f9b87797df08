"""Spider and SParC of the toy corpus: files as the loaders want them, and answers proven on the SQLite copy."""

import json
import sqlite3
from contextlib import closing
from functools import partial

import pytest

from curtain.cas import compare, from_rows
from curtain.corpus.model.utterance import ContextLink, Reference
from curtain_corpora.exports.sql import spider
from curtain_corpora.exports.sql.sqlite_copy import CopyReader, NotOnSqlite, copy_database, with_days
from tests.corpus.given import corpus, session, utterance, written_by

written = partial(written_by, spider.write)


@pytest.fixture(scope="module")
def made(given_toy, tmp_path_factory):
    return written(given_toy, tmp_path_factory.mktemp("spider") / "out")


@pytest.fixture(scope="module")
def personnel(given_toy):
    return given_toy.database("personnel")


def read(folder, name):
    return json.loads((folder / name).read_text("utf-8"))


def gold_of(path):
    return [line.rsplit("\t", 1) for line in path.read_text("utf-8").splitlines()]


def test_every_gold_query_is_that_of_the_question_file(made):
    folder, _ = made
    (tables,) = read(folder, "tables.json")
    questions, gold = read(folder, "dev.json"), gold_of(folder / "dev_gold.sql")
    assert [[one["query"], one["db_id"]] for one in questions] == gold
    assert len(gold) > 20
    assert {db_id for _, db_id in gold} == {tables["db_id"]} == {"personnel"}


def test_gold_on_the_copy_gives_the_reference_answers(made, given_toy):
    folder, _ = made
    known = {one.utterance_id: (one, kept) for kept in given_toy.sessions() for one in kept.utterances}
    with closing(sqlite3.connect(folder / "database/personnel/personnel.sqlite")) as lite:
        for question in read(folder, "dev.json"):
            one, kept = known[question["utterance_id"]]
            rows = lite.execute(question["query"]).fetchall()
            tables = [from_rows(with_days(rows), kept.dialect), from_rows(rows, kept.dialect)]
            # A number or a row of SQLite's is a yes, by the rule of 1990.
            rules = {"dialect": "1990" if one.yes_no else kept.dialect, "yes_no": one.yes_no}
            answers = [reading.cas_min for reading in one.references]
            assert any(compare(table, answer, **rules).is_correct for table in tables for answer in answers)


def test_the_copy_holds_every_row_of_the_database(made, personnel):
    import duckdb

    folder, _ = made
    with (
        duckdb.connect(str(personnel), read_only=True) as duck,
        closing(sqlite3.connect(folder / "database/personnel/personnel.sqlite")) as lite,
    ):
        for (name,) in duck.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            ours = duck.execute(f"SELECT * FROM {name}").fetchall()
            theirs = with_days(lite.execute(f"SELECT * FROM {name}").fetchall())
            assert sorted(map(str, theirs)) == sorted(map(str, ours))
        assert lite.execute("PRAGMA foreign_key_check").fetchall() == []


def test_tables_json_has_what_the_loaders_want(made):
    folder, _ = made
    (tables,) = read(folder, "tables.json")
    columns = tables["column_names_original"]
    assert columns[0] == [-1, "*"]
    assert len(columns) == len(tables["column_names"]) == len(tables["column_types"])
    assert set(tables["column_types"]) <= {"text", "number", "time", "boolean", "others"}
    keyed = {columns[number][1] for number in tables["primary_keys"]}
    assert {"employee_id", "department", "school_code"} <= keyed
    for own, other in tables["foreign_keys"]:
        assert columns[own][0] != -1 and columns[other][0] != -1
    assert ["degree", "employee_id"] in [
        [tables["table_names_original"][columns[own][0]], columns[own][1]] for own, _ in tables["foreign_keys"]
    ]


def test_an_interaction_holds_what_was_asked_in_order(made):
    folder, _ = made
    interactions = read(folder, "sparc/dev.json")
    blocks = (folder / "sparc/dev_gold.txt").read_text("utf-8").strip("\n").split("\n\n")
    assert len(blocks) == len(interactions)
    for block, one in zip(blocks, interactions, strict=True):
        queries = [turn["query"] for turn in one["interaction"]]
        assert [line.split("\t")[0] for line in block.splitlines()] == queries
        assert one["final"]["query"] == queries[-1]
        assert len({turn["session_id"] for turn in one["interaction"]}) == 1
        ids = [turn["utterance_id"] for turn in one["interaction"]]
        assert ids == sorted(ids)


def test_all_that_is_left_out_is_counted_with_its_reason(made, given_toy):
    folder, shown = made
    left = [json.loads(line) for line in (folder / "skipped.jsonl").read_text("utf-8").splitlines()]
    total = sum(len(one.utterances) for one in given_toy.sessions())
    assert shown.utterances + sum(shown.dropped.values()) == total
    assert len(left) == sum(shown.dropped.values())


def turn(number, sql, cas, **values):
    values = {"eval_class": "A", "class_from": "annotated"} | values
    return utterance(number, query=f"question {number}", references=(Reference(sql, cas),), **values)


def test_a_query_whose_answer_on_the_copy_is_another_stays_out(tmp_path, personnel):
    wrong = turn(1, "SELECT COUNT(*) FROM employee", "((7))")
    right = turn(2, "SELECT COUNT(*) FROM employee", "((423))")
    more = turn(3, "SELECT division, division_name FROM division", "((1) (2) (3))")
    _, shown = written(corpus(session(wrong, right, more), personnel=personnel), tmp_path / "out")
    assert (shown.utterances, dict(shown.dropped)) == (1, {"its answer on the SQLite copy is another": 2})


def test_days_are_proven_in_every_dialect(tmp_path, personnel):
    sql = "SELECT hire_date FROM employee WHERE first_name = 'SHARON' AND last_name = 'LEASE'"
    one = session(turn(1, sql, '"06-OCT-52"'), dialect="1989")
    other = session(turn(1, sql, '"1952-10-06"', session_id="e00-02"), session_id="e00-02")
    _, shown = written(corpus(one, other, personnel=personnel), tmp_path / "out")
    assert shown.utterances == 2


def test_what_depends_on_a_question_that_is_out_is_out_too(tmp_path, personnel):
    first = turn(1, "SELECT list(last_name) FROM employee", "((1))")
    second = turn(
        2, "SELECT COUNT(*) FROM employee", "((423))", eval_class="D1", context=(ContextLink("e00-01-001", "text"),)
    )
    third = turn(3, "SELECT COUNT(*) FROM employee", "((423))")
    folder, shown = written(corpus(session(first, second, third), personnel=personnel), tmp_path / "out")
    assert shown.dropped["depends on a question that is left out"] == 1
    assert [one["utterance_id"] for one in read(folder, "dev.json")] == ["e00-01-003"]


def test_a_dependent_question_is_in_the_interaction_alone(tmp_path, personnel):
    count = ("SELECT COUNT(*) FROM employee", "((423))")
    link = (ContextLink("e00-01-001", "text"),)
    turns = [
        turn(1, *count, split="test"),
        turn(2, *count, split="test", eval_class="D1", context=link),
        turn(3, *count, split="test", history_cleared=True),
    ]
    folder, shown = written(corpus(session(*turns), personnel=personnel), tmp_path / "out")
    assert [one["utterance_id"][-1] for one in read(folder, "test.json")] == ["1", "3"]
    assert [len(one["interaction"]) for one in read(folder, "sparc/test.json")] == [2, 1]
    assert (shown.utterances, dict(shown.dropped)) == (3, {})
    assert not (folder / "dev.json").exists()


def test_odd_domains_stay_in_the_folder_and_come_back(tmp_path, personnel):
    odd = "../päck folder"
    one = session(turn(1, "SELECT COUNT(*) FROM employee", "((423))"), domain=odd)
    given = corpus(one)
    given.databases = {odd: personnel}
    folder, _ = written(given, tmp_path / "out")
    (db_id,) = {question["db_id"] for question in read(folder, "dev.json")}
    assert (folder / "database" / db_id / f"{db_id}.sqlite").is_file()
    assert json.loads((folder / "names.jsonl").read_text())["id"] == odd
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_a_query_that_would_run_for_ever_is_stopped(tmp_path, personnel):
    copy_database(personnel, tmp_path / "copy.sqlite")
    with closing(CopyReader(tmp_path / "copy.sqlite", most_steps=100_000)) as asked:
        joins = " ".join(f"JOIN employee AS t{number}" for number in range(2, 7))
        with pytest.raises(NotOnSqlite, match="too long"):
            asked.rows(f"SELECT COUNT(*) FROM employee AS t1 {joins}")
        assert asked.rows("SELECT COUNT(*) FROM employee") == [(423,)]


def test_the_copy_is_not_written_to_by_a_query(tmp_path, personnel):
    copy_database(personnel, tmp_path / "copy.sqlite")
    with closing(CopyReader(tmp_path / "copy.sqlite")) as asked, pytest.raises(NotOnSqlite):
        asked.rows("DELETE FROM employee")
