"""`curtain sessions`, `verify` over a study, standard input, JSON and overwriting, as a program calls them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from curtain.commands.cli import app
from tests.support.everywhere import Call

ANSWERS = '{"id": "a", "ref": "((1))"}\n', '{"id": "a", "hyp": "((1))"}\n'


def printed(*arguments: object) -> Any:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    return json.loads(done.stdout) if done.stdout.startswith(("[", "{")) else done.output


def test_the_sessions_of_a_study_are_listed(toy: Path) -> None:
    rows = {row["session_id"]: row for row in printed("sessions", toy, "--json")}
    assert sorted(rows) == sorted(path.name for path in (toy / "sessions").iterdir())
    assert {name for name, row in rows.items() if row["state"] == "open"} == {"m10-01"}
    assert {name for name, row in rows.items() if row["pilot"]} == {"p00-01"}
    assert rows["e00-01"] == {
        "session_id": "e00-01", "state": "closed", "began_utc": "2026-03-02 09:00", "turns": 11, "annotated": 11,
        "bytes": sum(path.stat().st_size for path in (toy / "sessions" / "e00-01").rglob("*") if path.is_file()),
        "pilot": False, "barred": "", "fault": None,
    }  # fmt: skip
    table = printed("sessions", toy).replace("\n", "")
    assert all(name in table for name in rows) and f"The study {toy} has {len(rows)} sessions." in table


def test_a_study_without_sessions_says_so(tmp_path: Path) -> None:
    printed("study", "new", tmp_path / "empty")
    assert printed("sessions", tmp_path / "empty") == f"The study {tmp_path / 'empty'} has 0 sessions.\n"


def test_a_whole_study_is_verified_and_the_damaged_session_is_named(toy: Path, tmp_path: Path) -> None:
    study = Path(shutil.copytree(toy, tmp_path / "study"))
    assert CliRunner().invoke(app, ["verify", str(study)]).exit_code == 0
    next((study / "sessions" / "e00-01" / "audio").glob("*.wav")).unlink()
    damaged = CliRunner().invoke(app, ["verify", str(study), "--json"])
    assert damaged.exit_code == 1
    assert [Path(one["session"]).name for one in json.loads(damaged.stdout) if one["faults"]] == ["e00-01"]
    assert "1 of them damaged." in printed("verify", study)
    # Of one session the object is as before.
    assert set(printed("verify", study / "sessions" / "e00-01", "--json")) == {"state", "faults", "notes"}


@pytest.fixture
def answers(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "refs.jsonl", tmp_path / "answers.jsonl"
    for path, text in zip(paths, ANSWERS, strict=True):
        path.write_text(text, "utf-8")
    return paths


@pytest.mark.parametrize(
    ("arguments", "text", "part"),
    [
        (["compare", "-", "ONE"], "((1))", "correct"),
        (["compare", "ONE", "-"], "((1))", "correct"),
        (["score", "-", "ANSWERS"], ANSWERS[0], "100"),
        (["score", "REFS", "-"], ANSWERS[1], "100"),
        (["compare", "-", "-"], "((1))", "Only one file can come from standard input"),
    ],
)
def test_a_dash_is_standard_input(
    answers: tuple[Path, Path], call: Call, arguments: list[str], text: str, part: str
) -> None:
    one = answers[0].with_name("one")
    one.write_text("((1))", "utf-8")
    places = {"ONE": one, "REFS": answers[0], "ANSWERS": answers[1]}
    code, out, problem = call(*(places.get(each, each) for each in arguments), stdin=text)
    assert part in out + problem and code == (2 if "one file" in part else 0), problem


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["score", "REFS", "ANSWERS", "--out", "OUT"], "score.html"),
        (["report", "STUDY", "--out", "OUT"], "report.html"),
        (["study", "texts", "fr", "--out", "OUT/fr.toml"], "fr.toml"),
        (["domain", "build", "personnel", "--out", "OUT/p.duckdb"], "p.duckdb"),
    ],
)
def test_a_result_is_written_over_only_where_that_is_asked_for(
    answers: tuple[Path, Path], own_toy: Path, tmp_path: Path, arguments: list[str], result: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / result).write_text("earlier", "utf-8")
    places = {"REFS": answers[0], "ANSWERS": answers[1], "STUDY": own_toy}
    call = [str(places.get(one, one)).replace("OUT", str(out)) for one in arguments]
    refused = CliRunner().invoke(app, call)
    assert "is there already" in str(refused.exception) and "--overwrite" in str(refused.exception)
    assert (out / result).read_text("utf-8") == "earlier"
    assert CliRunner().invoke(app, [*call, "--overwrite"]).exit_code == 0
    assert (out / result).read_bytes() != b"earlier"
