"""Dialogues: break points and how an error spreads, against counts by hand and intervals of scipy."""

import csv
import json
from pathlib import Path

import pytest

from companions.score.tests.test_score_files import saved
from curtain.cas.scoring.readings import ComparisonRules
from curtain_score.score_files import ScoreOptions, make_report, score_run
from curtain_score.score_tables import Report, notes_of
from curtain_score.several_systems import several_tables

# Three dialogues of 3, 2 and 7 turns, each turn behind the one before, and a question that stands alone.
LENGTHS = (3, 2, 7)
REFERENCES = [
    {"id": f"{name}{turn}", "ref": "1", "context": [f"{name}{turn - 1}"] if turn else []}
    for name, length in zip("abc", LENGTHS, strict=True)
    for turn in range(length)
]  # fmt: skip
REFERENCES += [{"id": "alone", "ref": "1"}, {"id": "x", "class": "X"}, {"id": "y", "ref": "1", "context": ["x"]}]
SAID = {"R": "1", "W": "2", "N": None}


def run_of(folder: Path, name: str, outcomes: tuple[str, ...], context: str = "own") -> Path:
    lines = [
        {"id": f"{letter}{turn}", "hyp": SAID[sign], "context": context}
        for letter, signs in zip("abc", outcomes, strict=True)
        for turn, sign in enumerate(signs)
    ]
    return saved(folder, name, [*lines, {"id": "alone", "hyp": "2", "context": context}])


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    own = run_of(tmp_path, "own.jsonl", ("RWW", "RR", "RRNWWRR"))
    return [
        saved(tmp_path, "refs.jsonl", REFERENCES),
        own,
        run_of(tmp_path, "given.jsonl", ("RRW", "RR", "RRNRRRR"), "reference"),
    ]


@pytest.fixture
def made(files: list[Path]) -> Report:
    return make_report(files[0], files[1:], ScoreOptions(ComparisonRules()))


def rows(report: Report, name: str) -> list[tuple[str, ...]]:
    (table,) = [table for table in several_tables(report) if table.name == name]
    return list(table.rows)


def test_both_ways_stand_side_by_side_by_turn(made: Report) -> None:
    assert [row[1:3] for row in rows(made, "turns")] == [("given", "reference"), ("own", "own")]
    # The sixth and seventh turns are later than the fifth.
    assert [[cell.split()[0] for cell in row[3:]] for row in rows(made, "turns")] == [
        ["100", "100", "0", "100", "100", "100"],
        ["100", "67", "0", "0", "0", "100"],
    ]


def test_a_dialogue_breaks_at_its_first_turn_that_is_not_right(made: Report) -> None:
    # a breaks at its third or second turn, b nowhere, c at its third.
    assert [(row[3], row[4], row[5], *row[7:]) for row in rows(made, "breaks")] == [
        ("3", "1", "33.3", "0", "0", "2", "0", "0", "0"),
        ("3", "1", "33.3", "0", "1", "1", "0", "0", "0"),
    ]
    (note,) = [note for note in notes_of(made) if "own context" in note]
    assert note.startswith("Of 2 dialogues that break with own context, 1 would not break there")


def test_an_error_spreads_as_the_table_by_hand_says(made: Report) -> None:
    from scipy.stats import binomtest

    # own: R before W, R, R, N, R; W before W, W, R; N before W.
    counts = {"right": (5, 3, 1, 1), "wrong": (3, 1, 2, 0), "no answer": (1, 0, 1, 0)}
    for row in rows(made, "spread")[3:]:
        total, right, wrong, none = counts[row[3]]
        assert row[4:8] == tuple(map(str, (total, right, wrong, none)))
        for count, interval in ((wrong, row[9]), (wrong + none, row[11])):
            low, high = binomtest(count, total).proportion_ci(method="wilson")
            assert interval == f"[{max(0, 100 * low) + 0:.1f}, {100 * high:.1f}]"
    assert made.dialogues[0].spread == ((3, 1, 1), (1, 2, 0), (0, 1, 0))


def test_each_break_is_named_in_files_and_nothing_of_it_stands_beside_one_system(
    files: list[Path], tmp_path: Path
) -> None:
    score_run(*files, out=tmp_path / "out", options=ScoreOptions(ComparisonRules()), say=lambda _: None)
    lines = list(csv.DictReader((tmp_path / "out" / "dialogues.csv").read_text("utf-8-sig").splitlines()))
    assert [(one["dialogue"], one["turns"], one["break_turn"], one["break_id"]) for one in lines[:3]] == [
        ("a0", "3", "2", "a1"), ("b0", "2", "", ""), ("c0", "7", "3", "c2"),
    ]  # fmt: skip
    assert json.loads((tmp_path / "out" / "score.json").read_text("utf-8"))["dialogues"][1]["context"] == "reference"
    score_run(*files[:2], out=tmp_path / "one", options=ScoreOptions(ComparisonRules()), say=lambda _: None)
    assert not (tmp_path / "one" / "dialogues.csv").exists()


def test_a_set_without_dialogues_has_no_such_tables(tmp_path: Path) -> None:
    files = [saved(tmp_path, name, "alone 1\n") for name in ("one", "two")]
    made = make_report(saved(tmp_path, "refs", REFERENCES[-3:]), files, ScoreOptions(ComparisonRules()))
    assert made.dialogues == () and not {"turns", "breaks", "spread"} & {table.name for table in several_tables(made)}
