"""`curtain questionnaires` over a study: listed, written, noted in the study, and refused in a sentence."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from curtain.commands.study import questionnaires
from curtain.corpus.exports.whole_folder import OutExists
from curtain.corpus.redaction.export_log import read_exports

OWN = questionnaires.filters_for("own", without_consent=True, pilot=False)


def test_answers_and_scores_become_tables_that_the_study_notes(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "answers"
    assert questionnaires.write([own_toy], out, OWN) == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "answers.csv", "answers.parquet", "scores.csv", "scores.parquet",
    ]  # fmt: skip
    with (out / "answers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and {row["asks"] for row in rows} == {"subject"}
    assert f"{len(rows)} answer" in capsys.readouterr().out
    noted = next(one for one in read_exports(own_toy) if one.format == "questionnaires")
    assert {row["session_id"] for row in rows} <= set(noted.sessions)
    with pytest.raises(OutExists):
        questionnaires.write([own_toy], out, OWN)


def test_what_the_consents_do_not_cover_is_left_out_and_said(own_toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish = questionnaires.filters_for("publish", without_consent=False, pilot=False)
    questionnaires.list_scores([own_toy], publish)
    assert "left out: " in capsys.readouterr().err


def test_one_object_tells_a_session(own_toy: Path) -> None:
    told = questionnaires.session_object(own_toy / "sessions" / "e00-01")
    assert json.loads(json.dumps(told)) == told
    assert (told["session_id"], told["speaker_id"], told["withdrawn"]) == ("e00-01", "e00", False)
    assert told["scenarios"]
