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
