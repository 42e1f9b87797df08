"""The commands from their arguments to their exit codes."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_environment
from curtain.base.text_file import csv_text
from curtain.cas.scoring.readings import ComparisonRules
from curtain.cas.scoring.score import Item, score_sheet
from curtain.commands.evaluation.answers import compare, score
from curtain.evaluation.csv_table import read_table
from curtain.evaluation.runs.run import Query, RunRecord, queries_csv, runs_csv
from curtain.evaluation.score_page import items_csv, report_csv
from curtain.evaluation.score_tables import Report
from curtain.evaluation.sort_keys import has_order, sort_keys, without_limit


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("hypothesis", "options", "code"),
    [
        ("53198.8", {}, 0),  # papers/000, section 4: the allowance on 53200.0 is about 5.32
        ("53190.9", {}, 1),
        ("53190.9", {"epsilon": "0.001"}, 0),
        ("NO_ANSWER", {}, 3),
    ],
)
def test_one_answer_is_judged_by_the_options(
    tmp_path: Path, hypothesis: str, options: dict[str, Any], code: int
) -> None:
    files = saved(tmp_path, "ref", "53200.0"), saved(tmp_path, "hyp", hypothesis)
    assert compare(*files, **options) == code


def test_the_yes_no_mark_and_the_dialect_are_options(tmp_path: Path) -> None:
    files = saved(tmp_path, "ref", "((1))"), saved(tmp_path, "hyp", "YES")
    assert compare(*files, dialect="1990", yes_no=True) == 0
    assert compare(*files, dialect="1990") == 1


def test_old_files_are_read_with_lenient(tmp_path: Path) -> None:
    files = saved(tmp_path, "ref", "FALSE"), saved(tmp_path, "hyp", "no /* as of old */")
    assert compare(*files, dialect="1989") == 1
    assert compare(*files, dialect="1989", lenient=True) == 0


def test_a_missing_answer_is_no_answer_in_every_dialect(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    pairs = saved(tmp_path, "p.jsonl", '{"id": 1, "ref": "1", "hyp": null}')
    assert compare(None, None, pairs=pairs, dialect="1989") == 0
    assert json.loads(capfdbinary.readouterr().out)["verdict"] == "no_answer"


def test_pairs_go_to_standard_output(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert compare(None, None, pairs=saved(tmp_path, "p.jsonl", '{"id": 1, "ref": "1", "hyp": "1"}')) == 0
    assert json.loads(capfdbinary.readouterr().out) == {"id": 1, "verdict": "correct", "reason": ""}


@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        ((None, None), {}, "Give the files REF and HYP"),
        ((Path("a"), None), {}, "Give the files REF and HYP"),
        ((Path("a"), Path("b")), {"pairs": Path("c")}, "--pairs stands alone"),
        ((None, None), {"pairs": Path("c"), "yes_no": True}, "--pairs stands alone"),
        ((None, None), {"pairs": Path("gone.jsonl")}, "gone.jsonl cannot be read: No such file"),
        ((Path("a"), Path("b")), {"dialect": "2024"}, "choose 1989, 1990 or 1992"),
        ((Path("a"), Path("b")), {"epsilon": "1/10"}, "The tolerance '1/10'"),
    ],
)
def test_arguments_that_do_not_go_together_are_one_sentence(
    files: tuple[Path | None, Path | None], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(CurtainError, match=said):
        compare(*files, **options)


def test_scoring_gives_0_and_a_seed_below_0_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = saved(tmp_path, "refs.jsonl", '{"id": "1", "ref": "1"}'), saved(tmp_path, "mine.jsonl", "1 1")
    assert score(*files, as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["total"]["right"] == 1
    with pytest.raises(CurtainError, match="--seed -1 cannot be"):
        score(*files, seed=-1)


_HEAVY = {"PySide6", "duckdb", "sqlglot", "pydantic", "matplotlib", "numpy", "multiprocessing"}


@pytest.mark.parametrize("words", [["--help"], ["compare", "ref.cas", "ref.cas"], ["score", "--help"]])
def test_what_needs_no_database_and_no_window_loads_none(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "ref.cas").write_text("((1 2))", "utf-8")
    code = (
        "import sys\nfrom curtain.commands.cli import main\n"
        f"sys.argv = ['curtain', *{words!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print(sorted({_HEAVY!r} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=module_environment(), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# CSV files for people: Excel knows them as UTF-8, nothing in them is a formula, and what we read back is unchanged.

FORMULAS = [
    "=1+1", "+49 170 5", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "－x", "-inf", "- nothing", "=WEBSERVICE(\"http://x\")",
]  # fmt: skip
AS_THEY_ARE = ["-5", "+5", "-0.25", "1e-5", "Größe", "北京", "a=b", "it's", "", "O'=", "12:00", "— none"]


@pytest.mark.parametrize("text", [*FORMULAS, *AS_THEY_ARE, *(f"'{text}" for text in FORMULAS), "'5", "''=1"])
def test_a_text_is_no_formula_and_is_read_back_as_it_was(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(csv_text(("k", text or "h"), [("k", text)]), "utf-8", newline="")
    with path.open(encoding="utf-8-sig", newline="") as file:
        (_, heading), (_, cell) = csv.reader(file)
    assert cell == (text if text in (*AS_THEY_ARE, "'5") else f"'{text}")
    assert heading == (cell or "h")
    assert read_table(path, ("k",))[0].values == {"k": "k", (text or "h").strip(): text.strip()}


@pytest.mark.parametrize(("number", "cell"), [(-5, "-5"), (-0.25, "-0.25"), (1e-7, "1e-07"), (None, "")])
def test_a_number_stays_a_number(number: object, cell: str) -> None:
    assert csv_text(("n", "m"), [(number, 1)]) == f"\ufeffn,m\n{cell},1\n"


def _report(text: str) -> Report:
    items = [Item(text, "correct", text, "A", text, text, text)]
    return Report("refs.jsonl", (score_sheet(text, items, []),), None, ComparisonRules(), 1992)


def _query(text: str) -> Query:
    return Query(
        text, text, text, text, text, text, 1, text, text, "correct", text, -1.5, text, text, False, False, False
    )


@pytest.mark.parametrize(
    "written",
    [
        lambda text: items_csv(_report(text)),
        lambda text: report_csv(_report(text)),
        lambda text: runs_csv([RunRecord(text, text, text, messages={text: 1.0}, preference=text)]),
        lambda text: queries_csv([_query(text)]),
    ],
    ids=["items", "score", "runs", "queries"],
)
@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_of_a_table_is_a_formula(written: Callable[[str], str], formula: str) -> None:
    text = written(formula)
    assert text.startswith("\ufeff")
    cells = [cell for line in csv.reader(io.StringIO(text[1:], newline="")) for cell in line]
    assert formula not in cells and any(formula in cell for cell in cells)


# The keys of an ORDER BY, wherever they come from, say which rows of the result are tied.


@pytest.mark.parametrize(
    ("sql", "keys"),
    [
        ("SELECT name FROM p ORDER BY age", [(20,), (20,), (30,)]),
        ("SELECT name, age FROM p ORDER BY 2", [(20,), (20,), (30,)]),
        ("SELECT name, age AS years FROM p ORDER BY YEARS DESC", [(30,), (20,), (20,)]),
        ("SELECT * FROM p ORDER BY age, name", [(20, "Ann"), (20, "Bob"), (30, "Dan")]),
        ("SELECT age, count(*) FROM p GROUP BY age ORDER BY count(*)", [(1,), (2,)]),
        ("SELECT age FROM p GROUP BY age ORDER BY max(name) DESC LIMIT 1", [("Dan",)]),
        ("SELECT DISTINCT age FROM p ORDER BY age", [(20,), (30,)]),
        ("SELECT age FROM p UNION SELECT 5 ORDER BY age", [(5,), (20,), (30,)]),
        ("WITH q AS (SELECT * FROM p) SELECT name FROM q ORDER BY q.age DESC", [(30,), (20,), (20,)]),
    ],
)
def test_each_row_has_its_keys(sql: str, keys: list[tuple[object, ...]]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE p(name TEXT, age INTEGER)")
    connection.execute("INSERT INTO p VALUES ('Ann', 20), ('Dan', 30), ('Bob', 20)")
    sorting = sort_keys(sql, "sqlite")
    assert sorting is not None
    assert [sorting.of(row) for row in connection.execute(sorting.sql)] == keys


@pytest.mark.parametrize("sql", ["SELECT a FROM p", "SELECT a FROM (SELECT a FROM p ORDER BY 1)", "no SQL at all ("])
def test_what_is_not_sorted_at_its_top_has_no_order(sql: str) -> None:
    assert not has_order(sql, "sqlite")
    assert sort_keys(sql, "sqlite") is None


def test_keys_that_another_column_would_change_are_not_given() -> None:
    assert has_order("SELECT DISTINCT lower(a) FROM p ORDER BY b", "duckdb")
    assert sort_keys("SELECT DISTINCT lower(a) FROM p ORDER BY b", "duckdb") is None


def test_a_statement_that_is_nested_too_deeply_has_no_keys() -> None:
    deep = f"SELECT {'(' * 20_000}1{')' * 20_000} ORDER BY 1 LIMIT 2"
    for dialect in ("sqlite", "duckdb"):
        assert not has_order(deep, dialect)
        assert sort_keys(deep, dialect) is None and without_limit(deep, dialect) is None
