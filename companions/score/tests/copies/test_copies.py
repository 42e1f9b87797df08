"""Altered copies: they differ from the database and from each other, keep its keys, and expose chance."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from curtain.base.errors import CurtainError
from curtain.cas.scoring.readings import ComparisonRules
from curtain.domain.pack.pack import named_pack
from curtain.domain.pack.store import database
from curtain_score.commands.answers import compare as compare_answers
from curtain_score.commands.copies import copies as run_copies
from curtain_score.files.json_lines import BadFile
from curtain_score.score_files import ScoreOptions, score_run
from curtain_score.sql.alteration import make_copies, shapes_of
from curtain_score.sql.on_copies import compare_on_copies, copies_in, read_statements, score_copies


@pytest.fixture(scope="module")
def pack():
    return named_pack("personnel")


@pytest.fixture(scope="module")
def copies(pack, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("copies")
    make_copies(database(pack), shapes_of(pack), folder, 3, seed=1)
    return folder


def rows(path: Path, sql: str):
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_each_copy_has_other_rows_than_the_database_and_the_other_copies(pack, copies):
    whole = [rows(path, "SELECT * FROM employee ORDER BY employee_id") for path in (database(pack), *copies_in(copies))]
    assert len({str(one) for one in whole}) == 4
    assert all(len(one) < len(whole[0]) for one in whole[1:])


SCHEMA = """
CREATE TABLE "Harbour town" (Town TEXT PRIMARY KEY, people INT CHECK (people > 0), "order" TEXT UNIQUE);
CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, home TEXT REFERENCES "harbour TOWN", length REAL);
CREATE TABLE crew (ship INTEGER REFERENCES ship(ID), rank, PRIMARY KEY (ship, rank)) WITHOUT ROWID;
CREATE VIEW long AS SELECT * FROM ship WHERE length > 20;
"""


def test_a_sqlite_file_is_altered_by_the_keys_of_its_schema(tmp_path, capsys):
    original = tmp_path / "sea.sqlite"
    with closing(sqlite3.connect(original)) as lite:
        lite.executescript(SCHEMA)
        for number in range(60):
            lite.execute('INSERT INTO "Harbour town" VALUES (?, ?, ?)', (f"T{number}", number + 1, f"o{number}"))
            lite.execute(
                "INSERT INTO ship VALUES (?, ?, ?, ?)", (number, f"S{number}", f"T{number % 20}", number + 0.5)
            )
        lite.execute("INSERT INTO crew VALUES (7, 'mate')")
        lite.commit()
    assert run_copies(str(original), tmp_path / "copies", 2, 1) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / "copies" / f"copy-{one}.sqlite") for one in (1, 2)]
    tables = []
    for file in (original, tmp_path / "copies" / "copy-1.sqlite", tmp_path / "copies" / "copy-2.sqlite"):
        with closing(sqlite3.connect(file)) as lite:
            assert lite.execute("PRAGMA foreign_key_check").fetchall() == []
            assert lite.execute("SELECT * FROM crew").fetchall() == [(7, "mate")]
            tables.append([lite.execute(f"SELECT * FROM {one}").fetchall() for one in ('"Harbour town"', "ship")])
    whole, *copies = tables
    assert copies[0] != copies[1]
    for towns, ships in copies:
        assert 0 < len(ships) < 60 and 20 <= len(towns) < 60
        # Keys stay with their rows; names and lengths do not.
        homes = {(number, home) for number, _, home, _ in whole[1]}
        assert {(number, home) for number, _, home, _ in ships} < homes
        assert not set(ships) <= set(whole[1])


def test_a_damaged_sqlite_file_is_named(tmp_path):
    damaged = tmp_path / "sea.sqlite"
    damaged.write_bytes(b"SQLite format 3\0" + b"nonsense" * 200)
    with pytest.raises(CurtainError, match="cannot be altered"):
        make_copies(damaged, None, tmp_path / "copies", 1, seed=1)


def test_a_full_disk_is_reported_and_no_part_is_left(tmp_path, small_disk):
    sea = tmp_path / "sea.sqlite"
    with closing(sqlite3.connect(sea)) as lite, lite:
        lite.execute("CREATE TABLE ship (name TEXT)")
        lite.executemany("INSERT INTO ship VALUES (?)", [("x" * 100,)] * 4000)
    with pytest.raises(CurtainError, match=r"copies is full: nothing was written\. Make room"):
        make_copies(sea, None, small_disk / "copies", 1, seed=1)
    assert not list(small_disk.iterdir())


def test_every_reference_still_leads_to_a_row(pack, copies):
    for path in copies_in(copies):
        for reference in pack.keys.references:
            ours, theirs = reference.pairs[0]
            lost = rows(
                path,
                f'SELECT COUNT(*) FROM "{reference.table}" WHERE "{ours}" IS NOT NULL AND "{ours}" NOT IN '
                f'(SELECT "{theirs}" FROM "{reference.to_table}")',
            )
            before = rows(
                database(pack),
                f'SELECT COUNT(*) FROM "{reference.table}" WHERE "{ours}" IS NOT NULL AND "{ours}" NOT IN '
                f'(SELECT "{theirs}" FROM "{reference.to_table}")',
            )
            assert lost <= before, reference


def test_values_of_a_column_that_is_no_key_stay_values_of_that_column(pack, copies):
    names = {name for (name,) in rows(database(pack), "SELECT DISTINCT last_name FROM employee")}
    for path in copies_in(copies):
        assert {name for (name,) in rows(path, "SELECT DISTINCT last_name FROM employee")} <= names


def test_the_same_seed_makes_the_same_rows(pack, tmp_path):
    made = [make_copies(database(pack), shapes_of(pack), tmp_path / name, 1, seed=4)[0] for name in ("one", "two")]
    for table in pack.tables:
        first, second = (rows(path, f'SELECT * FROM "{table}" ORDER BY ALL') for path in made)
        assert first == second


def lines(path: Path, *objects: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), "utf-8")
    return path


def test_a_statement_that_is_right_by_chance_is_told_from_one_that_is_right(copies, tmp_path):
    references = lines(
        tmp_path / "refs.jsonl",
        {"id": "1", "ref": "((423))", "sql_min": "SELECT COUNT(*) FROM employee"},
        {"id": "2", "ref": "((1))", "sql_min": "SELECT MAX(salary) FROM employee"},
        {"id": "3", "ref": "((1))", "sql_min": "SELECT COUNT(*) FROM department"},
    )
    answers = lines(
        tmp_path / "answers.jsonl",
        {"id": "1", "hyp": "((423))", "sql": "SELECT 423"},
        {"id": "2", "hyp": "((1))", "sql": "SELECT salary FROM employee ORDER BY salary DESC LIMIT 1"},
        {"id": "3", "hyp": "((14))"},
    )
    said: list[str] = []
    options = ScoreOptions(ComparisonRules())
    out = tmp_path / "out"
    score_run(references, answers, against=answers, out=out, options=options, copies=copies, say=said.append)
    (first, second) = json.loads((out / "score.json").read_text("utf-8"))["copies"]
    assert (first["judged"], first["right_everywhere"], first["without_statement"]) == (2, 1, 1)
    assert first["right_everywhere_95"][0] < 50 < first["right_everywhere_95"][1]
    assert second["right_everywhere"] == 1
    table = (out / "copies.csv").read_text("utf-8-sig").splitlines()
    assert table[0] == '"id",right,databases,fault,system'
    assert [line.rsplit(",", 1)[0] for line in table[1:3]] == ["1,0,3,", "2,3,3,"] and len(table) == 6
    assert "right on every copy" in (out / "score.html").read_text("utf-8")


def test_what_is_right_on_some_copies_is_named_on_the_page_and_in_the_figures(copies, tmp_path):
    counts = {rows(path, "SELECT COUNT(*) FROM employee WHERE salary > 60000")[0][0] for path in copies_in(copies)}
    asked = "SELECT COUNT(*) FROM employee WHERE salary > 60000"
    references = lines(tmp_path / "refs.jsonl", {"id": "1", "ref": "((1))", "sql_min": asked})
    answers = lines(tmp_path / "answers.jsonl", {"id": "1", "hyp": "((1))", "sql": f"SELECT {max(counts)}"})
    score = score_copies(references, answers, copies, 1)
    if len(counts) > 1:
        assert [item.id for item in score.by_chance] == ["1"]
    options = ScoreOptions(ComparisonRules())
    score_run(references, answers, out=tmp_path / "out", options=options, copies=copies, say=lambda _: None)
    page = (tmp_path / "out" / "score.html").read_text("utf-8")
    right = score.items[0].right
    assert f"1: right on {right} of 3" in page


def test_two_statements_are_compared_on_every_copy(copies, tmp_path):
    for name, sql in (
        ("a", "SELECT COUNT(*) FROM employee"),
        ("b", "SELECT 423"),
        ("c", "SELECT SUM(1) FROM employee"),
    ):
        (tmp_path / f"{name}.sql").write_text(sql, "utf-8")
    said: list[str] = []
    assert compare_on_copies(tmp_path / "a.sql", tmp_path / "b.sql", copies, say=said.append) == 1
    assert said[0] == "right on 0 of 3"
    assert compare_on_copies(tmp_path / "a.sql", tmp_path / "c.sql", copies, say=said.append) == 0
    assert compare_on_copies(tmp_path / "a.sql", tmp_path / "b.sql", copies, as_json=True, say=said.append) == 1
    assert json.loads(said[-1])["right"] == 0 and len(json.loads(said[-1])["reasons"]) == 3


def test_options_that_copies_cannot_heed_are_refused(copies, tmp_path):
    (tmp_path / "a.sql").write_text("SELECT 1", "utf-8")
    with pytest.raises(CurtainError, match="it takes REF and HYP and --json alone"):
        compare_answers(tmp_path / "a.sql", tmp_path / "a.sql", maximum=tmp_path / "a.sql", copies=copies)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda folder, made: run_copies("personnel", made, 3, 1), "is not empty; name a new folder"),
        (lambda folder, made: run_copies("personnel", folder / "new", 0, 1), "There cannot be 0 copies"),
        (lambda folder, made: copies_in(folder), "holds no copies"),
        (lambda folder, made: copies_in(folder / "nowhere"), "cannot be read"),
        (
            lambda folder, made: score_copies(
                lines(folder / "r.jsonl", {"id": "1", "ref": "((1))"}), folder / "r.jsonl", made, 1
            ),
            "holds no statements",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(copies, tmp_path, act, sentence):
    with pytest.raises(CurtainError, match=sentence):
        act(tmp_path, copies)


def test_a_line_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id":"1","sql":"SELECT 1"}\n{"sql":"SELECT 2"}\n', "utf-8")
    with pytest.raises(BadFile, match="line 2 has no id"):
        read_statements(tmp_path / "a.jsonl", ("sql",))
