"""The form of text2sql-data: its keys, its variables, and each query with all its questions."""

from __future__ import annotations

import json

import pytest

from curtain.corpus.exports import text2sql_data
from curtain.corpus.exports.writer import Told
from curtain.corpus.utterance import Reference
from tests.corpus.given import corpus, session, utterance


def exported(given, folder):
    folder.mkdir()
    told = Told()
    text2sql_data.write(given, folder, told)
    return folder, told


ALONE = {"eval_class": "A", "class_from": "annotated"}


@pytest.fixture(scope="module")
def made(given_toy, tmp_path_factory):
    return exported(given_toy, tmp_path_factory.mktemp("text2sql") / "out")


def with_values(text, variables):
    for name, value in variables.items():
        text = text.replace(name, value)
    return text


def test_entries_have_the_keys_of_the_form(made):
    folder, _ = made
    entries = json.loads((folder / "personnel.json").read_text("utf-8"))
    assert len(entries) > 20
    for entry in entries:
        assert set(entry) == {"query-split", "sentences", "sql", "variables"}
        assert entry["query-split"] in ("train", "dev", "test")
        assert all(set(one) == {"name", "type", "example", "location"} for one in entry["variables"])
        for sentence in entry["sentences"]:
            assert {"text", "variables", "question-split"} <= set(sentence)
            assert set(sentence["variables"]) == {one["name"] for one in entry["variables"]}


def test_questions_and_queries_come_back_when_values_are_put_in(made, given_toy):
    folder, told = made
    known = {one.utterance_id: one for kept in given_toy.sessions() for one in kept.utterances}
    seen = 0
    for entry in json.loads((folder / "personnel.json").read_text("utf-8")):
        for sentence in entry["sentences"]:
            one = known[sentence["utterance-id"]]
            assert with_values(sentence["text"], sentence["variables"]) == " ".join(one.query.split())
            seen += 1
        example = {value["name"]: value["example"] for value in entry["variables"]}
        first = known[entry["sentences"][0]["utterance-id"]]
        statements = [reading.sql_min for reading in sorted(first.references, key=lambda reading: -reading.weight)]
        assert [with_values(sql, example) for sql in entry["sql"]] == statements
    assert seen == told.utterances > 20
    assert told.utterances + sum(told.dropped.values()) == len(known)


def test_questions_that_differ_in_values_share_a_query(tmp_path, given_toy):
    asked = [
        utterance(number, query=f"Where does {name} live?", split="train", **ALONE,
                  references=(Reference(f"SELECT city FROM employee WHERE last_name = '{name.upper()}'", "1"),))
        for number, name in enumerate(["Lease", "Van Dyke"], 1)
    ]  # fmt: skip
    folder, _ = exported(corpus(session(*asked), personnel=given_toy.database("personnel")), tmp_path / "out")
    (entry,) = json.loads((folder / "personnel.json").read_text("utf-8"))
    assert entry["sql"] == ["SELECT city FROM employee WHERE last_name = 'last_name0'"]
    assert [one["text"] for one in entry["sentences"]] == ["Where does last_name0 live?"] * 2
    assert [one["variables"] for one in entry["sentences"]] == [{"last_name0": "Lease"}, {"last_name0": "Van Dyke"}]
    assert [one["question-split"] for one in entry["sentences"]] == ["train", "train"]


def test_the_schema_names_every_column(made):
    folder, _ = made
    lines = (folder / "personnel-schema.csv").read_text("utf-8").splitlines()
    assert lines[0] == "Table Name,Field Name,Is Primary Key,Is Foreign Key,Type"
    assert "degree,employee_id,y,y,integer" in lines
    assert "employee,hire_date,n,n,date" in lines


def test_nothing_else_is_left_in_the_folder(made):
    assert sorted(path.name for path in made[0].iterdir()) == ["personnel-schema.csv", "personnel.json"]


def entries_of(folder, given_toy, *asked):
    made, _ = exported(corpus(session(*asked), personnel=given_toy.database("personnel")), folder)
    return json.loads((made / "personnel.json").read_text("utf-8"))


def test_questions_that_differ_in_figures_share_a_query(tmp_path, given_toy):
    asked = [
        utterance(number, query=f"Who in department {department} earns over {said}?", split=split, **ALONE,
                  references=(Reference(f"SELECT name FROM worker WHERE dept45 = {department} AND pay > {pay}", "1"),))
        for number, (department, said, pay, split) in enumerate(
            [("45", "30,000", "30000", "train"), ("7", "250.5", "250.5", "test")], 1)
    ]  # fmt: skip
    (entry,) = entries_of(tmp_path / "out", given_toy, *asked)
    assert entry["sql"] == ["SELECT name FROM worker WHERE dept45 = dept450 AND pay > pay0"]
    assert [one["text"] for one in entry["sentences"]] == ["Who in department dept450 earns over pay0?"] * 2
    assert [one["variables"] for one in entry["sentences"]] == [
        {"dept450": "45", "pay0": "30,000"}, {"dept450": "7", "pay0": "250.5"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        ("Who earns most?", "SELECT name FROM employee ORDER BY pay DESC LIMIT 1"),
        ("Who was hired in 1985?", "SELECT name FROM employee WHERE hire_date >= '1985-01-01'"),
        ("Who sits in 4.5?", "SELECT name FROM employee WHERE room = 5 OR floor = 4"),
    ],
)
def test_figures_that_stand_only_in_the_query_stay(tmp_path, given_toy, said, sql):
    one = utterance(1, query=said, references=(Reference(sql, "1"),), **ALONE)
    (entry,) = entries_of(tmp_path / "out", given_toy, one)
    assert (entry["sql"], entry["sentences"][0]["text"], entry["variables"]) == ([sql], said, [])
