"""Any number of systems: ranks, neighbours, and files that cannot be scored."""

import json
from pathlib import Path

import pytest

from companions.score.tests.test_score_files import saved
from companions.score.tests.test_score_page import Page, report, sheet
from curtain.base.errors import CurtainError
from curtain_score.commands.answers import score
from curtain_score.score_page import print_report, report_html, report_json
from curtain_score.score_tables import Report
from curtain_score.several_systems import neighbours_of, several_tables

REFERENCES = [
    {"id": str(number), "ref": f"(({number}))", "class": "A" if number < 4 else "D", "speaker": f"s{number % 2}"}
    for number in range(6)
]


def cells(report: Report, name: str) -> list[tuple[str, ...]]:
    return [row for table in several_tables(report) if table.name == name for row in table.rows]


# By hand: a 4 right, 1 wrong, 1 none; b and c 3 right, 0 wrong, 3 none; d 3 right, 3 wrong.
FOUR = report(sheet("d", "RRRWWW"), sheet("b", "RRRNNN"), sheet("a", "RWRRRN"), sheet("c", "NNNRRR"))


def test_systems_stand_by_rank_and_equal_scores_share_one() -> None:
    assert [(row[0], row[1], row[2], row[3], row[5], row[6]) for row in cells(FOUR, "rank")] == [
        ("1", "b", "6", "50.0", "50.0", "50.0"),
        ("1", "a", "6", "66.7", "50.0", "50.0"),
        ("1", "c", "6", "50.0", "50.0", "50.0"),
        ("4", "d", "6", "50.0", "100.0", "0.0"),
    ]


def test_neighbours_have_the_exact_test_of_scipy_and_holm_of_statsmodels() -> None:
    # Half a second and more, which no worker takes that only reads the tests.
    from scipy.stats import binomtest
    from statsmodels.stats.multitest import multipletests

    made = report(sheet("a", "R" * 30), sheet("b", "R" * 20 + "W" * 10), sheet("c", "W" * 4 + "R" * 7 + "NU" * 9 + "R"))
    seen = neighbours_of(made.sheets)
    # Of the 30 items 9 are undecided for c; b and c differ on 4, 4 others of the first 20, and the last.
    assert [(one.first, one.second, one.only_first, one.only_second) for one in seen] == [
        ("a", "b", 10, 0), ("b", "c", 9, 1),
    ]  # fmt: skip
    ps = [binomtest(one.only_first, one.only_first + one.only_second).pvalue for one in seen]
    assert [one.p for one in seen] == pytest.approx(ps)
    assert [one.holm for one in seen] == pytest.approx(list(multipletests(ps, method="holm")[1]))
    assert json.loads(report_json(made))["neighbours"][1]["only_first"] == 9


@pytest.mark.parametrize("count", [1, 3, 40])
def test_the_page_fits_any_number_of_systems(count: int, capsys: pytest.CaptureFixture[str]) -> None:
    made = report(*(sheet(f"site {at}", "RWNRRRNNRRRR", speakers=12) for at in range(count)))
    page = Page(report_html(made)).words
    assert ("site 39" in page) == (count == 40) and ("± 1992" in page.partition("How these")[0]) == (count == 1)
    assert ("Neighbours in rank" in page) == ("ranks" in json.loads(report_json(made))) == (count > 1)
    # Twelve speakers in tables of eight.
    assert page.count("By speaker") == (1 if count == 1 else 2)
    print_report(made)
    assert "site 0" in capsys.readouterr().out


GOOD = "".join(f"{one['id']} {one['ref']}\n" for one in REFERENCES)


@pytest.mark.parametrize(
    ("text", "kept", "said"),
    [
        ("0 ((0))\n", True, "theirs: 5 utterances are without a line in its file, which counts as no answer."),
        (GOOD + "99 5\n", True, "theirs.jsonl line 7 answers “99”, which is not in refs.jsonl; 1 such line is not"),
        (GOOD + "0 5\n", False, "theirs.jsonl line 7 has the id “0” again; it is already in line 1. It is left out."),
        ("", False, "theirs.jsonl answers no question of refs.jsonl that is scored. It is left out."),
        ("77 ((0))\n", False, "theirs.jsonl answers no question of refs.jsonl that is scored. It is left out."),
        ("{", False, "theirs.jsonl line 1 is no JSON"),
        (None, False, "theirs.jsonl cannot be read: No such file or directory. It is left out."),
        (
            "0 (5 OR 6)\n1 ((A))\n2 ((2))\n", True,
            "theirs.jsonl seems to be written in the dialect 1992: 2 of its 2 malformed answers can be read in that."
            " They count as wrong.",
        ),
    ],
)  # fmt: skip
def test_a_fault_of_one_system_is_a_sentence_and_the_others_are_scored(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
    kept: bool,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    references, good = saved(Path(), "refs.jsonl", list(REFERENCES)), saved(Path(), "good.jsonl", GOOD)
    theirs = Path("theirs.jsonl") if text is None else saved(Path(), "theirs.jsonl", text)
    assert score(references, [theirs, good], dialect="1990", as_json=True) == (0 if kept else 2)
    announced = capsys.readouterr()
    scored = json.loads(announced.out)
    assert [one["system"] for one in scored["systems"]] == (["theirs", "good"] if kept else ["good"])
    assert scored["systems"][-1]["total"]["right"] == 6
    assert [note.startswith(said) for note in scored["notes"]].count(True) == 1
    assert kept or said in announced.err
    if not kept:
        with pytest.raises(CurtainError, match="is left out"):
            score(references, [theirs, Path("gone.jsonl")])


def test_a_file_that_is_named_twice_is_one_system_and_two_of_one_name_are_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    references = saved(tmp_path, "refs.jsonl", list(REFERENCES))
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    files = [saved(tmp_path / folder, "answers.jsonl", GOOD) for folder in ("a", "b", "b")]
    assert score(references, files, as_json=True) == 0
    announced = capsys.readouterr()
    assert [one["system"] for one in json.loads(announced.out)["systems"]] == ["a/answers.jsonl", "b/answers.jsonl"]
    assert announced.err == f"{files[1]} is named more than once; it is scored once.\n"
