"""Questionnaires as tables: who answered what, and the scores that follow."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from curtain.corpus.model.reader import read_session
from curtain.corpus.model.utterance import Session
from curtain.session.turns.scenario_runs import ScenarioRun
from curtain_corpora.exports.answers import answer_rows, score_rows, write_tables

SUS = tuple((f"sus.q{n}", "4" if n % 2 else "2") for n in range(1, 11))
LOAD = tuple(
    (f"nasa-tlx@s2.{item}", "55") for item in ("mental", "physical", "temporal", "performance", "effort", "frustration")
)
PRAGMATIC = tuple((f"ueq-s@s1.q{n}", "6") for n in range(1, 5))


@pytest.fixture
def answered(toy: Path) -> Session:
    runs = (ScenarioRun("s1", condition_id="robust"), ScenarioRun("s2", condition_id="strict"))
    session = read_session(toy / "sessions" / "0a1-01")
    return replace(session, scenarios=runs, questionnaire=(*SUS, *PRAGMATIC), wizard_questionnaire=LOAD)


def test_each_answer_is_a_row_with_whom_it_asked_and_its_condition(answered: Session) -> None:
    rows = list(answer_rows(answered))
    assert len(rows) == 20
    assert rows[0] | {"asks": "subject", "questionnaire": "sus", "item": "q1", "answer": "4"} == rows[0]
    assert (rows[0]["scenario_id"], rows[0]["condition_id"]) == ("", "")
    assert rows[-1] | {"asks": "wizard", "scenario_id": "s2", "condition_id": "strict"} == rows[-1]


def test_scores_bear_whom_they_asked_and_a_missing_item_gives_none(answered: Session) -> None:
    scores = [(one["asks"], one["questionnaire"], one["scenario_id"], one["score"]) for one in score_rows(answered)]
    assert scores == [
        ("wizard", "nasa-tlx", "s2", 55.0), ("subject", "sus", "", 75.0), ("subject", "ueq-s_pragmatic", "s1", 2.0),
    ]  # fmt: skip
    assert list(score_rows(replace(answered, questionnaire=SUS[:9], wizard_questionnaire=()))) == []


def test_each_row_has_its_line_whatever_is_in_it(answered: Session, tmp_path: Path) -> None:
    strange = replace(answered, questionnaire=(("mine.note", 'a "quoted", long\nanswer, 北京'),))
    assert write_tables(tmp_path, [answered, strange]) == (27, 4)
    with (tmp_path / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [{**line, "answer": line["answer"] or None} for line in lines[:20]] == list(answer_rows(answered))
    assert lines[20]["answer"] == 'a "quoted", long\nanswer, 北京'


def test_an_answer_is_no_formula_in_a_spreadsheet(answered: Session, tmp_path: Path) -> None:
    write_tables(tmp_path, [replace(answered, questionnaire=(("mine.note", "=1+1"),))])
    assert (tmp_path / "answers.csv").read_text("utf-8").startswith('\ufeff"session_id",')
    assert ",'=1+1\n" in (tmp_path / "answers.csv").read_text("utf-8")


def test_tables_without_any_answer_have_their_columns(tmp_path: Path) -> None:
    assert write_tables(tmp_path, []) == (0, 0)
    assert (tmp_path / "scores.csv").read_text("utf-8").splitlines()[0].endswith(",score")
