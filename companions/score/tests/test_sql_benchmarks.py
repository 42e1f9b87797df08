"""Files of Spider and BIRD give the same accuracy, by hardness where they have it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from curtain.cas import ColumnRule, Options
from curtain_score.files.json_lines import BadFile
from curtain_score.sql.sql_benchmarks import BenchmarkRules, read_gold, read_predictions, score_benchmark
from curtain_score.sql.sql_rules import SqlRule
from curtain_score.sql.sql_score import score_sql


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
    assert (
        score_benchmark(tmp_path / "gold.sql", tmp_path / "predicted.sql", tmp_path, BenchmarkRules(), lines.append)
        == 0
    )
    assert lines == ["all: 1 of 2 right, 50.0 % [9.5, 90.5]", "not right: 1 no statement"]
    lines.clear()
    assert (
        score_benchmark(tmp_path / "dev.json", tmp_path / "predicted.json", tmp_path, BenchmarkRules(), lines.append)
        == 0
    )
    assert [line[:25] for line in lines] == [
        "challenging: 0 of 1 right", "simple: 1 of 1 right, 100", "all: 1 of 2 right, 50.0 %",
        "not right: 1 no statement",
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


def _ships(path: Path, *rows: tuple[str, int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE ship(name TEXT, mast INTEGER)")
        made.executemany("INSERT INTO ship VALUES (?, ?)", rows)
        made.commit()


# Gold and predicted statement, and what is found of the pair.
FOUND = [
    ("SELECT name FROM ship WHERE mast = 3", "SELECT name FROM ship WHERE mast > 2", "right"),
    ("SELECT name FROM ship WHERE mast = 9", "SELECT name FROM ship WHERE mast > 8", "both empty"),
    ("SELECT name FROM ship", "SELECT name FROM ship WHERE mast = 3", "wrong"),
    ("SELECT name FROM ship", "SELECT name FROM ship WHERE mast = 9", "empty"),
    ("SELECT name FROM ship", "SELECT nothing FROM ship", "failed"),
    ("SELECT name FROM ship", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n",
     "timed out"),
    ("SELECT name FROM ship", "", "no statement"),
    ("SELECT nothing FROM ship", "SELECT 1", "gold failed"),
    ("SELECT name FROM ship", "SELECT name FROM ship", "right"),
]  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_kind_of_failure_is_counted_and_named_apart(tmp_path: Path, jobs: int) -> None:
    _ships(tmp_path / "sea.sqlite", ("Fram", 3), ("Maud", 2))
    (tmp_path / "gold.sql").write_text("".join(f"{gold}\tsea\n" for gold, _, _ in FOUND), "utf-8")
    (tmp_path / "predicted.sql").write_text("".join(f"{sql}\n" for _, sql, _ in FOUND), "utf-8")
    rules = BenchmarkRules(timeout=2.0, jobs=jobs)
    lines: list[str] = []
    files = [tmp_path / "gold.sql", tmp_path / "predicted.sql", tmp_path]
    assert score_benchmark(*files, rules, lines.append, as_json=True, out=tmp_path / "out") == 2
    found = list(map(json.loads, lines))
    assert [one["outcome"] for one in found] == [outcome for _, _, outcome in FOUND]
    assert all(bool(one["reason"]) == (one["outcome"] not in ("right", "both empty")) for one in found)
    assert (tmp_path / "out" / "questions.jsonl").read_text("utf-8").splitlines() == lines
    totals = (tmp_path / "out" / "totals.txt").read_text("utf-8").splitlines()
    assert totals[1:] == [
        "not right: 1 wrong, 1 empty, 1 failed, 1 timed out, 1 no statement",
        "right with no rows on both sides: 1",
    ]
    assert totals[0].startswith("all: 3 of 8 right, 37.5 %")


# Two results of a prediction that published rules and ours see differently.
RULES = [
    ("SELECT mast, name FROM ship", {"curtain", "spider", "spider2"}),  # the columns in another order
    ("SELECT name, mast, 7 FROM ship", {"curtain", "spider2"}),  # one column more
    ("SELECT name, mast FROM ship UNION ALL SELECT 'Fram', 3", {"curtain", "bird"}),  # a row twice
    ("SELECT a.name, b.mast FROM ship a, ship b WHERE a.name <> b.name", {"spider2"}),  # values in the wrong rows
    ("SELECT DISTINCT name, mast FROM ship", {"curtain", "spider", "bird", "spider2"}),
    ("SELECT name, mast + 0.009 FROM ship", {"spider2"}),
    ("SELECT name, mast + 0.0001 FROM ship", {"curtain", "spider2"}),
]


@pytest.mark.parametrize(("predicted", "right"), RULES)
def test_each_rule_judges_as_its_evaluator_does(tmp_path: Path, predicted: str, right: set[str]) -> None:
    _ships(tmp_path / "sea.sqlite", ("Fram", 3), ("Maud", 2))
    files = [tmp_path / "sea.sqlite"]
    gold = "SELECT name, mast FROM ship"
    assert {rule.value for rule in SqlRule if score_sql(gold, predicted, files, rule=rule)} == right


def test_sorted_gold_has_an_order_by_spiders_rule_alone(tmp_path: Path) -> None:
    _ships(tmp_path / "sea.sqlite", ("Fram", 3), ("Maud", 2))
    gold, other = "SELECT name FROM ship ORDER BY mast", "SELECT name FROM ship ORDER BY mast DESC"
    right = {rule.value for rule in SqlRule if score_sql(gold, other, [tmp_path / "sea.sqlite"], rule=rule)}
    assert right == {"curtain", "bird", "spider2"}


def test_any_of_the_rows_that_a_limit_cuts_from_a_tie_is_right_and_noted(tmp_path: Path) -> None:
    _ships(tmp_path / "sea.sqlite", ("Fram", 3), ("Maud", 2), ("Vega", 2), ("Gjoa", 1))
    files, gold = [tmp_path / "sea.sqlite"], "SELECT name FROM ship ORDER BY mast DESC LIMIT 2"
    score = score_sql(gold, "SELECT name FROM ship WHERE name IN ('Fram', 'Vega')", files)
    first = score_sql(gold, "SELECT name FROM ship WHERE name IN ('Fram', 'Maud')", files)
    assert score and first and bool(score.note) != bool(first.note)
    assert not score_sql(gold, "SELECT name FROM ship WHERE name IN ('Fram', 'Gjoa')", files)
    assert not score_sql(gold, "SELECT name FROM ship WHERE mast = 2", files)


def test_more_columns_are_wrong_where_columns_are_exact(tmp_path: Path) -> None:
    _ships(tmp_path / "sea.sqlite", ("Fram", 3))
    wide, files = "SELECT name, mast FROM ship", [tmp_path / "sea.sqlite"]
    exact = score_sql("SELECT name FROM ship", wide, files, options=Options(columns=ColumnRule.EXACT))
    assert list(exact.reasons.values()) == ["2 columns, the reference has 1"]
    assert score_sql("SELECT name FROM ship", wide, files)


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
        (GOLD, "SELECT 1\n```sql SELECT 2```\n\nSELECT 3\n", 3),
        (GOLD, "Here it is:\n```SELECT 1```\n```SELECT 2```\nand\n```SELECT 3```\n", 3),
        ('{"query": "SELECT 1", "db_id": "sea"}\n{"SQL": "SELECT 2", "db_id": "sea"}\n', "SELECT 1\nSELECT 2\n", 2),
    ],
    ids=["dialogues in both", "in gold alone", "an empty one before a dialogue", "an empty one", "in predictions alone",
         "JSON lines", "JSON lines by number", "a list with a fence", "fences",
         "one fence among lines", "prose around fences", "gold as JSON lines"],
)  # fmt: skip
def test_statements_are_read_as_people_have_them(sea: Path, gold: str, predicted: str, right: int) -> None:
    (sea / "gold").write_text(gold, "utf-8")
    (sea / "predicted").write_text(predicted, "utf-8")
    lines: list[str] = []
    assert score_benchmark(sea / "gold", sea / "predicted", sea, BenchmarkRules(), lines.append) == 0
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
    assert score_benchmark(sea / "gold.sql", sea / "predicted.sql", sea, BenchmarkRules()) == code
    assert sentence in capsys.readouterr().err


def test_a_folder_of_databases_that_is_none_is_named(sea: Path) -> None:
    (sea / "gold.sql").write_text("SELECT 1\tsea\n")
    for folder, what in ((sea / "nope", "is not there"), (sea / "gold.sql", "is a file; name the folder")):
        with pytest.raises(BadFile, match=f"The folder {folder} of --databases {what}"):
            score_benchmark(sea / "gold.sql", sea / "gold.sql", folder, BenchmarkRules())
