"""`curtain questionnaires` over a study: listed, written, noted in the study, and refused in a sentence."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.commands.people.consent import list_consents
from curtain.corpus.redaction.export_log import read_exports
from curtain_corpora.commands import questionnaires
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

OWN = questionnaires.filters_for("own", without_consent=True, pilot=False)


def test_answers_and_scores_become_tables_that_the_study_notes(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "answers"
    assert questionnaires.write([own_toy], out, OWN) == 0
    assert sorted(path.name for path in out.iterdir()) == ["answers.csv", "scores.csv"]
    with (out / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and {row["asks"] for row in rows} == {"subject"}
    assert f"Answers: {len(rows)}, " in capsys.readouterr().out
    noted = next(one for one in read_exports(own_toy) if one.format == "questionnaires")
    assert {row["session_id"] for row in rows} <= set(noted.sessions)
    with pytest.raises(CurtainError, match="is not empty"):
        questionnaires.write([own_toy], out, OWN)


def test_what_the_consents_do_not_cover_is_left_out_and_said(own_toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish = questionnaires.filters_for("publish", without_consent=False, pilot=False)
    questionnaires.list_scores([own_toy], publish)
    assert "left out: " in capsys.readouterr().err


def test_what_was_left_out_is_listed_as_unanswered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of the page at the end, which an earlier station let pass."""
    left_out = replace(SITTINGS[0], questionnaire={"sus.q1": "4", "sus.q2": "", "disclosure.who": ""})
    study = make_toy(tmp_path / "study", sittings=[left_out])
    questionnaires.list_scores([study], OWN)
    assert "q2" in capsys.readouterr().out
    questionnaires.list_scores([study], OWN, as_json=True)
    rows = {row["questionnaire"]: row["unanswered"] for row in json.loads(capsys.readouterr().out)}
    assert rows["sus"] == ["q2"] and "data" in rows["disclosure"]
    questionnaires.write([study], tmp_path / "out", OWN)
    with (tmp_path / "out" / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        answers = {(row["questionnaire"], row["item"]): row["answer"] for row in csv.DictReader(file)}
    assert answers[("sus", "q1")] == "4" and answers[("sus", "q2")] == ""
    capsys.readouterr()
    list_consents(study)
    assert "not answered" in capsys.readouterr().out
