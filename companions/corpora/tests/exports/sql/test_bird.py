"""BIRD of the toy corpus: files as its evaluator reads them, SQL that is proven, and what a question rests on."""

import csv
import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from curtain.cas import compare, from_rows
from curtain.corpus.exports.writer import CONTEXT_NOT_KNOWN
from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.model.utterance import ContextLink, Reference
from curtain_corpora.exports.sql import bird
from curtain_corpora.exports.sql.bird import difficulty
from curtain_corpora.exports.sql.sqlite_copy import with_days
from tests.corpus.given import corpus, session, utterance, written_by

exported = partial(written_by, bird.write)


@pytest.fixture(scope="module")
def folder(given_toy: BundleCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out, shown = exported(given_toy, tmp_path_factory.mktemp("bird") / "out")
    assert sum(shown.dropped.values()) + shown.utterances == given_toy.count().kept
    return Path(out)


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_each_question_has_its_evidence_and_sql_that_gives_the_reference(folder: Path, given_toy: BundleCorpus) -> None:
    known = {one.utterance_id: (one, held) for held in given_toy.sessions() for one in held.utterances}
    questions = read(folder / "dev.json")
    assert [one["question_id"] for one in questions] == list(range(len(questions))) and len(questions) > 20
    lines = (folder / "dev.sql").read_text("utf-8").splitlines()
    assert lines == [f"{one['SQL']}\t{one['db_id']}" for one in questions]
    with closing(sqlite3.connect(folder / "dev_databases" / "personnel" / "personnel.sqlite")) as database:
        for one in questions:
            said, held = known[one["utterance_id"]]
            assert said.stands_alone and one["question"] == said.query
            rows = database.execute(one["SQL"]).fetchall()
            # A boolean is met by a table that says the same, by the rule of 1990.
            dialect = "1990" if said.yes_no else held.dialect
            tables = [from_rows(rows, held.dialect), from_rows(with_days(rows), held.dialect)]
            assert any(
                compare(table, reading.cas_min, dialect=dialect, yes_no=said.yes_no).outcome == "correct"
                for table in tables
                for reading in said.references
            )
    managers = next(one for one in questions if one["question"] == "List the managers.")
    assert "those who supervise at least one person" in managers["evidence"]
    assert all(one["evidence"].endswith("Units: employee.salary USD.") for one in questions)


def test_the_schemas_are_those_of_spider(folder: Path) -> None:
    (tables,) = read(folder / "dev_tables.json")
    assert tables["db_id"] == "personnel" and tables["column_names_original"][0] == [-1, "*"]
    assert len(tables["column_names_original"]) == len(tables["column_types"]) == len(tables["column_names"])
    assert {path.name for path in folder.iterdir()} >= {"dev.json", "dev.sql", "dev_tables.json", "dev_databases"}
    described = folder / "dev_databases" / "personnel" / "database_description"
    assert {path.stem for path in described.iterdir()} == {*tables["table_names_original"]}
    with (described / "employee.csv").open(encoding="utf-8-sig", newline="") as file:
        columns = [row["original_column_name"] for row in csv.DictReader(file)]
    at = tables["table_names_original"].index("employee")
    assert columns == [name for table, name in tables["column_names_original"] if table == at]
    assert not {"tables.json", "databases", "unsplit.json"} & {path.name for path in folder.iterdir()}


def test_each_part_has_its_files(
    given_toy: BundleCorpus, tmp_path: Path
) -> None:
    beyond = Reference("SELECT last_name || '' FROM employee WHERE employee_id = 1028", '(("LEASE"))')
    about: dict[str, Any] = {"query": "Who is 1028?", "eval_class": "A", "class_from": "annotated"}
    turns = [utterance(at, **about, references=(beyond,), split=split) for at, split in ((1, "train"), (2, "none"))]
    needs = utterance(3, **{**about, "eval_class": "D1"}, references=(beyond,), context=(ContextLink("a", "text"),))
    live = utterance(4, **{**about, "class_from": "live"}, references=(beyond,))
    given = corpus(session(*turns, needs, live), personnel=given_toy.database("personnel"))
    folder, shown = exported(given, tmp_path / "out")
    for part in ("train", "unsplit"):
        assert [one["question"] for one in read(folder / f"{part}.json")] == ["Who is 1028?"]
        assert (folder / f"{part}_databases" / "personnel" / "personnel.sqlite").is_file()
        assert (folder / f"{part}_tables.json").is_file()
    assert shown.dropped == {"means nothing without earlier questions": 1, CONTEXT_NOT_KNOWN: 1}


@pytest.mark.parametrize(
    ("query", "level"),
    [
        ("SELECT a FROM t WHERE b = 1", "simple"), ("SELECT COUNT(*) FROM t", "simple"),
        ("SELECT a, COUNT(*) FROM t GROUP BY a", "moderate"),
        ("SELECT t.a, SUM(u.b) FROM t JOIN u ON t.i = u.i WHERE t.c IN (SELECT MAX(c) FROM u) GROUP BY t.a ORDER BY 2",
         "challenging"),
    ],
)  # fmt: skip
def test_difficulty_counts_the_parts_of_a_query(query: str, level: str) -> None:
    assert difficulty(query) == level
