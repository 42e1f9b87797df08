"""CSV files for people: Excel knows them as UTF-8, nothing in them is a formula, and what we read back is unchanged."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import duckdb
import pandas
import pytest

from curtain.base.errors import CurtainError
from curtain.base.text_file import csv_text, read_table
from curtain.cas.scoring.readings import ComparisonRules
from curtain.cas.scoring.score import Item, score_sheet
from curtain_experiments.runs.run import Query, RunRecord, queries_csv, read_runs, runs_csv
from curtain_score.score_page import items_csv, report_csv
from curtain_score.score_tables import Report

FORMULAS = [
    "=1+1", "+49 170 5", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "－x", "-inf", "- nothing", "=WEBSERVICE(\"http://x\")",
]  # fmt: skip
AS_THEY_ARE = ["-5", "+5", "-0.25", "1e-5", "Größe", "北京", "a=b", "it's", "", "O'=", "12:00", "— none"]


@pytest.mark.parametrize("text", [*FORMULAS, *AS_THEY_ARE, *(f"'{text}" for text in FORMULAS), "'5", "''=1"])
def test_a_text_is_no_formula_and_is_read_back_as_it_was(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(csv_text(("k", text or "h"), [("k", text)]), "utf-8", newline="")
    with path.open(encoding="utf-8-sig", newline="") as file:
        (_, heading), (_, cell), end = csv.reader(file)
    assert end == []
    assert cell == (text if text in (*AS_THEY_ARE, "'5") else f"'{text}")
    assert heading == (cell or "h")
    assert next(read_table(path, ("k",), CurtainError)).values == {"k": "k", (text or "h").strip(): text.strip()}


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\r\nsubject;scenario;condition;completion_s\r\ns;1;a;1,5\r\n",
        '"sep=,"\nsubject,scenario,condition,completion_s\ns,1,a,1.5\n',
        "subject,scenario,condition,completion_s\rs,1,a,1.5\r",
        "subject;scenario;condition;well, or not, or how, or why;completion_s\ns;1;a;x;1,5\n",
        'subject;scenario;condition;"two\nlines; of, a, heading";completion_s\ns;1;a;x;1.5\n',
        'subject, scenario, condition, "a;b;c;d;e", completion_s\ns, "1", a, "x, y", 1.5\n',
        "subject\tscenario\tcondition\tcompletion_s\ns\t1\ta\t1.5\n",
    ],
    ids=["sep", "sep in quotes", "lines end as on old Macs", "commas", "heading of two lines", "blanks", "tabs"],
)
def test_csv_of_any_spreadsheet_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "runs.csv"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_text(text, encoding, newline="")
        assert read_runs(path) == [RunRecord("s", "1", "a", completion_s=1.5)]


def test_a_table_that_ends_within_its_last_line_is_refused(tmp_path: Path) -> None:
    path, whole = tmp_path / "cut.csv", 'id,text,n\na,"x\ny",1\nb,"a\nb",2'
    needed = ("id", "text", "n")
    for end in range(whole.index("b,") + 1, whole.rindex("2") - 1):
        path.write_text(whole[:end], "utf-8")
        with pytest.raises(CurtainError, match=r"cut\.csv line [45](, the last one, .* cut short| is no CSV)"):
            list(read_table(path, needed, CurtainError))
    # Without the line end alone, and short lines that end, are whole.
    for text, rows in ((whole, 2), (f"{whole}\nc\n", 3), ("id,text,n\nc\nd,e,1", 2), ("id,text,n\nc,d,\n ", 1)):
        path.write_text(text, "utf-8")
        assert len(list(read_table(path, needed, CurtainError))) == rows, text


@pytest.mark.parametrize(("number", "cell"), [(-5, "-5"), (-0.25, "-0.25"), (1e-7, "1e-07"), (None, "")])
def test_a_number_stays_a_number(number: object, cell: str) -> None:
    assert csv_text(("n", "m"), [(number, 1)]) == f'\ufeff"n",m\n{cell},1\n\n'


def test_a_table_of_ours_that_was_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    whole = csv_text(("item", "label"), [("e1", "part\n\nly"), ("e2", "partly"), ("e3", 65.6)]).encode()
    for size in range(3, len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(CurtainError, match=r"is cut short in line|is no CSV|lacks the column"):
            list(read_table(path, ("item", "label"), CurtainError))
    for text in (whole, whole.replace(b"\n", b"\r\n")):
        path.write_bytes(text)
        assert [line.values["item"] for line in read_table(path, ("item", "label"), CurtainError)] == ["e1", "e2", "e3"]


def test_a_table_from_elsewhere_without_a_last_line_end_is_read_with_a_remark(tmp_path: Path) -> None:
    path, remarks = tmp_path / "labels.csv", list[str]()
    # Written by an earlier Curtain, by a program that quotes all headings, and by hand.
    for text in ("\ufeffitem,label\ne1,part\n", '\ufeff"item","label"\ne1,part\n', "item,label\ne1,part\n"):
        for end, count in (("", 0), ("\n", 1)):
            path.write_text(text.removesuffix(end), "utf-8")
            remarks.clear()
            assert len(list(read_table(path, ("item", "label"), CurtainError, remarks.append))) == 1
            assert len(remarks) == count
    assert remarks == [f"{path} line 2, the last one, has no line end; look whether “part” is whole."]


def test_programs_read_a_table_of_ours_without_its_last_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(csv_text(("n", "text"), [(1, "a"), (2, "b,c")]), "utf-8", newline="")
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] == ["a", "b,c"]
    assert duckdb.sql(f"SELECT n, text FROM read_csv('{path}')").fetchall() == [(1, "a"), (2, "b,c")]
    assert pandas.read_csv(path).to_dict("list") == {"n": [1, 2], "text": ["a", "b,c"]}


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
        lambda text: "".join(items_csv(_report(text).sheets)),
        lambda text: report_csv(_report(text)),
        lambda text: "".join(runs_csv([RunRecord(text, text, text, messages={text: 1.0}, preference=text)])),
        lambda text: "".join(queries_csv([_query(text)])),
    ],
    ids=["items", "score", "runs", "queries"],
)
def test_no_cell_of_a_table_is_a_formula(written: Callable[[str], str]) -> None:
    for formula in FORMULAS:
        text = written(formula)
        assert text.startswith("\ufeff")
        cells = [cell for line in csv.reader(io.StringIO(text[1:], newline="")) for cell in line]
        assert formula not in cells and any(formula in cell for cell in cells)
