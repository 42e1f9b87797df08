"""Files of Spider and BIRD give the same accuracy, by hardness where they have it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from curtain.evaluation.json_lines import BadFile
from curtain.evaluation.sql_benchmarks import read_gold, read_predictions, score_benchmark
from curtain.evaluation.sql_score import score_sql


def test_both_benchmarks_files_give_accuracy_with_intervals(tmp_path: Path) -> None:
    (tmp_path / "sea").mkdir()
    with closing(sqlite3.connect(tmp_path / "sea" / "sea.sqlite")) as made:
        made.execute("CREATE TABLE ship(name TEXT)")
        made.execute("INSERT INTO ship VALUES ('Fram')")
        made.commit()
    files = {
        "gold.sql": "SELECT name FROM ship\tsea\nSELECT 1\tsea\n",
        "predicted.sql": "SELECT name FROM ship\n\n",
        "dev.json": json.dumps([
            {"SQL": "SELECT name FROM ship", "db_id": "sea", "difficulty": "simple"},
            {"SQL": "SELECT 1", "db_id": "sea", "difficulty": "challenging"},
        ]),
        "predicted.json": json.dumps({"0": "SELECT name FROM ship\t----- bird -----\tsea", "1": 0}),
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    lines: list[str] = []
    assert score_benchmark(tmp_path / "gold.sql", tmp_path / "predicted.sql", tmp_path, score_sql, lines.append) == 0
    assert lines == ["all: 1 of 2 right, 50.0 % [9.5, 90.5]"]
    assert score_benchmark(tmp_path / "dev.json", tmp_path / "predicted.json", tmp_path, score_sql, lines.append) == 0
    assert [line[:25] for line in lines[1:]] == [
        "challenging: 0 of 1 right", "simple: 1 of 1 right, 100", "all: 1 of 2 right, 50.0 %",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "[1]", "{}", "[", '[{"SQL": 1, "db_id": "a"}]'])
def test_a_file_of_another_kind_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "dev.json"
    file.write_text(text, "utf-8")
    with pytest.raises(BadFile):
        read_gold(file)


def test_an_empty_prediction_keeps_its_place(tmp_path: Path) -> None:
    file = tmp_path / "predicted.sql"
    file.write_text("SELECT 1\n\n\nSELECT 2\n\n", "utf-8")
    assert read_predictions(file)[:4] == ["SELECT 1", "", "", "SELECT 2"]


@pytest.fixture
def sea(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "sea.sqlite")) as made:
        made.execute("CREATE TABLE ship(name TEXT)")
        made.commit()
    return tmp_path


GOLD = "SELECT 1\tsea\nSELECT 2\tsea\n\nSELECT 3\tsea\n"


@pytest.mark.parametrize(
    ("gold", "predicted", "right"),
    [
        (GOLD, "SELECT 1\nSELECT 2\n\nSELECT 3\n", 3),
        (GOLD, "SELECT 1\nSELECT 2\nSELECT 3\n", 3),
        (GOLD, "SELECT 1\n\n\nSELECT 3\n", 2),
        (GOLD, "SELECT 1\n\nSELECT 3\n", 2),
        (GOLD.replace("\n\n", "\n"), "SELECT 1\nSELECT 2\n\nSELECT 3\n", 3),
        ("\ufeff" + GOLD, '\ufeff{"sql": "SELECT 1"}\n{"sql": "SELECT 2"}\n{"sql": null}\n', 2),
        (GOLD, '{"id": 2, "query": "SELECT 3"}\n{"id": 0, "query": "SELECT 1"}\n{"id": 1, "query": "SELECT 2"}\n', 3),
        (GOLD, '[{"predicted": "```sql\\nSELECT 1\\n```"}, "SELECT 2", "SELECT 3"]', 3),
        (GOLD, "```sql\nSELECT\n  1\n```\n\n```\nSELECT 2\n```\n```SELECT 3```\n", 3),
        ('{"query": "SELECT 1", "db_id": "sea"}\n{"SQL": "SELECT 2", "db_id": "sea"}\n', "SELECT 1\nSELECT 2\n", 2),
    ],
    ids=["dialogues in both", "in gold alone", "an empty one before a dialogue", "an empty one", "in predictions alone",
         "JSON lines", "JSON lines by number", "a list with a fence", "fences", "gold as JSON lines"],
)  # fmt: skip
def test_statements_are_read_as_people_have_them(sea: Path, gold: str, predicted: str, right: int) -> None:
    (sea / "gold").write_text(gold, "utf-8")
    (sea / "predicted").write_text(predicted, "utf-8")
    lines: list[str] = []
    assert score_benchmark(sea / "gold", sea / "predicted", sea, score_sql, lines.append) == 0
    assert lines[0].startswith(f"all: {right} of ")


@pytest.mark.parametrize("predicted", ['{"text": "SELECT 1"}\n{"text": "a"}\n', '{"sql": "SELECT 1"}\nSELECT 2\n'])
def test_predictions_that_are_no_statements_are_refused(sea: Path, predicted: str) -> None:
    (sea / "predicted.jsonl").write_text(predicted, "utf-8")
    with pytest.raises(BadFile, match=r"none of the keys|line 2 is not JSON"):
        read_predictions(sea / "predicted.jsonl")


@pytest.mark.parametrize(
    ("predicted", "code", "sentence"),
    [("SELECT 1\nSELECT missing\n", 0, "1 prediction of 2 could not run. First statement 2: no such column"),
     ("answer one\nanswer two\n", 2, "No prediction in")],
)  # fmt: skip
def test_what_could_not_run_is_counted_and_named(
    sea: Path, capsys: pytest.CaptureFixture[str], predicted: str, code: int, sentence: str
) -> None:
    (sea / "gold.sql").write_text("SELECT 1\tsea\nSELECT 2\tsea\n")
    (sea / "predicted.sql").write_text(predicted)
    assert score_benchmark(sea / "gold.sql", sea / "predicted.sql", sea, score_sql) == code
    assert sentence in capsys.readouterr().err
