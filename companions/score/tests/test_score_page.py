"""Score pages: rounding, tables, JSON, CSV and the page."""

import csv
import io
import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from curtain.cas.scoring.readings import ComparisonRules
from curtain.cas.scoring.score import Excluded, Item, ScoreSheet, contrast, score_sheet
from curtain_score.score_page import (
    items_csv,
    print_report,
    report_csv,
    report_html,
    report_json,
    typeset,
    write_report,
)
from curtain_score.score_tables import (
    DASH,
    Report,
    TextTable,
    comparison_of,
    notes_of,
    p_value,
    paired_of,
    rounded,
    tables_of,
)

SIGNS = {"R": "correct", "W": "incorrect", "N": "no_answer", "M": "malformed", "U": "undecided"}


def sheet(name: str, outcomes: str, excluded: Sequence[Excluded] = (), speakers: int = 6) -> ScoreSheet:
    items = [
        Item(f"u{number}", SIGNS[sign], "why", "AD"[number % 2], f"s{number % speakers}", "one [b]", "lab")
        for number, sign in enumerate(outcomes)
    ]
    return score_sheet(name, items, excluded)


def report(*sheets: ScoreSheet) -> Report:
    compared = contrast(*sheets) if len(sheets) == 2 else None
    return Report("refs.jsonl", sheets, compared, ComparisonRules(), 1992)


ONE = report(sheet("mine", "RRRRRRWWNMU" * 3, [Excluded("x", ("book", "bad-db"))]))
TWO = report(sheet("mine", "RRRWWNRRRN" * 3), sheet("<b>theirs</b>", "RWNRWRRNNN" * 3))


# -- rounding ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (6.25, 1, "6.3"),  # 1 of 16; binary rounding would print 6.2
        (0.5, 0, "1"),
        (-0.04, 1, "0.0"),
        (-12.25, 1, "-12.3"),
        (None, 1, DASH),
        (100.0, 1, "100.0"),
    ],
)
def test_figures_are_rounded_as_people_do(value: float | None, places: int, text: str) -> None:
    assert rounded(value, places) == text


@pytest.mark.parametrize(("p", "text"), [(0.0266037, "p = .027"), (1.0, "p > .999"), (0.0004, "p < .001")])
def test_a_small_p_is_not_nought(p: float, text: str) -> None:
    assert p_value(p) == text


# -- tables -----------------------------------------------------------------------------------------------


def named(report: Report, name: str) -> TextTable:
    return next(table for table in tables_of(report) if table.name == name)


def test_a_class_without_items_prints_dashes_and_no_nought_percent() -> None:
    row = next(row for row in named(ONE, "class").rows if row[0] == "D1")
    assert row == ("D1", "0", *[DASH] * 9)


def test_two_systems_stand_under_each_other() -> None:
    assert [row[:3] for row in named(TWO, "class").rows[:2]] == [("A", "mine", "15"), ("", "<b>theirs</b>", "15")]
    paired = paired_of(TWO)
    assert [row[1:] for row in paired.rows] == [("6", "3", "9"), ("3", "3", "0"), ("3", "0", "3")]


def test_what_a_reader_must_know_is_said() -> None:
    notes = " ".join(notes_of(ONE))
    assert "3 answers are undecided" in notes and "the score lies between" in notes
    assert "3 answers are malformed, which counts as wrong" in notes
    few = " ".join(notes_of(report(sheet("mine", "RWN", speakers=2))))
    assert "draws utterances there" in few


def test_the_comparison_says_when_it_cannot_tell() -> None:
    said = " ".join(comparison_of(report(sheet("a", "RRRRRW"), sheet("b", "RRRRRR"))))
    assert "McNemar's test cannot reach .05" in said
    assert "the permutation test cannot reach .05" in said


def test_the_terminal_shows_every_figure_also_in_a_pipe() -> None:
    out = io.StringIO()
    print_report(TWO, Console(file=out, highlight=False))
    said = out.getvalue()
    assert "…" not in said
    assert "one [b]" in said
    for table in tables_of(TWO):
        for row in table.rows:
            assert all(cell in said for cell in row)


# -- for programs -----------------------------------------------------------------------------------------


def test_json_holds_the_figures_unrounded() -> None:
    found = json.loads(report_json(ONE))["systems"][0]
    assert found["total"]["percent_right"] == 60.0
    assert found["total"]["n"] == 30
    assert found["not_scored"] == {"n": 1, "reasons": {"bad-db": 1, "book": 1}}
    assert found["by_class"][1]["score"] is None
    assert json.loads(report_json(TWO))["contrast"]["table"] == [[6, 3, 9], [3, 3, 0], [3, 0, 3]]


def test_csv_has_one_line_for_each_row_of_each_table() -> None:
    lines = list(csv.DictReader(io.StringIO(report_csv(TWO).removeprefix("\ufeff"))))
    assert len(lines) == 2 * (1 + 4 + 1 + 1 + 6)
    total = next(line for line in lines if line["table"] == "total")
    assert (
        float(total["percent_right_95_low"])
        == json.loads(report_json(TWO))["systems"][0]["total"]["percent_right_95"][0]
    )
    assert next(line for line in lines if line["label"] == "D1")["score"] == ""


def test_items_have_their_verdicts_in_a_file_of_their_own() -> None:
    lines = list(csv.DictReader(io.StringIO("".join(items_csv(TWO.sheets)).removeprefix("\ufeff"))))
    assert len(lines) == 60
    assert (lines[0]["system"], lines[0]["id"], lines[0]["verdict"]) == ("mine", "u0", "correct")


# -- the page ---------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page is made of: tags, addresses and images."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def html() -> str:
    return report_html(TWO)


def test_the_page_needs_nothing_but_itself(html: str) -> None:
    text, page = html, Page(html)
    assert "script" not in page.tags and "link" not in page.tags
    assert page.addresses == []
    assert "url(" not in text and "@import" not in text


def test_the_page_holds_every_figure_of_the_tables_and_names_stay_text(html: str) -> None:
    page = Page(html)
    assert "<b>" not in html
    for table in tables_of(TWO):
        for row in table.rows:
            assert all(typeset(cell) in page.words for cell in row)


def test_the_same_report_gives_the_same_bytes(html: str) -> None:
    assert report_html(TWO) == html


def test_a_page_without_items_or_with_very_many_speakers_is_made_too() -> None:
    assert DASH in Page(report_html(report(score_sheet("none", [])))).words
    assert "s299" in Page(report_html(report(sheet("many", "RW" * 300, speakers=300)))).words


def test_the_folder_is_replaced_whole(tmp_path: Path) -> None:
    for one in (ONE, TWO):
        write_report(one, tmp_path / "a" / "b")
    assert json.loads((tmp_path / "a" / "b" / "score.json").read_text("utf-8")) == json.loads(report_json(TWO))
    assert not list(tmp_path.rglob("*.part"))
