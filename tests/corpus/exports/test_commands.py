"""`curtain export` on the command line."""

import json
import re
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.commands.corpus import export as commands
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.corpus.model.filters import Filters
from curtain.corpus.redaction.export_log import read_exports
from curtain_experiments.systems.offline.questions import read_test_questions
from tests.corpus.test_hidden_in_sessions import hide
from tests.support.everywhere import Call


def test_a_study_becomes_a_folder_and_the_sentence_says_how_much_of_it(
    own_toy: Path, tmp_path: Path, call: Call
) -> None:
    options = ("--class", "A", "--class", "D1", "--split", "none", "--licence", "CC0-1.0", "--title", "Small")
    code, printed, seen = call("export", own_toy, "--format", "kaldi", "--out", tmp_path / "out", *options)
    assert code == 0, seen
    kept = len((tmp_path / "out" / "data" / "unsplit" / "text").read_text("utf-8").splitlines())
    account = json.loads((tmp_path / "out" / "EXPORT.json").read_text("utf-8"))
    assert printed.startswith(f"{kept} utterances are in {tmp_path / 'out'}.\n")
    assert "left out: 1 (practice)" in printed
    assert account["filters"] == {"classes": ["A", "D1"], "splits": ["none"], "with_consent": True}
    assert account["corpus"]["utterances"] == kept < 66


def test_a_second_run_into_the_same_folder_is_refused_in_one_sentence(
    own_toy: Path, tmp_path: Path, call: Call
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    refused = f"{tmp_path / 'out'} is not empty; name a new folder.\n"
    assert call("export", own_toy, "--format", "kaldi", "--out", tmp_path / "out") == (2, "", refused)
    assert {path.name for path in tmp_path.iterdir()} == {"out", "study"}


def test_the_list_is_there_for_people_and_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    commands.list_formats(as_json=False)
    lines = capsys.readouterr().out.splitlines()
    commands.list_formats(as_json=True)
    rows = json.loads(capsys.readouterr().out)
    assert [line.split()[0] for line in lines] == [row["name"] for row in rows]
    assert {"kaldi", "huggingface"} <= {row["name"] for row in rows}


def test_json_tells_where_it_is_and_what_was_left_out(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands.run([own_toy], "nist", tmp_path / "out", Filters(live=True), as_json=True)
    printed = json.loads(capsys.readouterr().out)
    assert printed == {
        "out": str(tmp_path / "out"),
        "kept": 65,
        "dropped": {"pilot session": 2, "practice": 1, "without a transcription": 1},
    }


def test_what_nobody_agreed_to_leaves_only_with_a_flag(own_toy: Path, tmp_path: Path, call: Call) -> None:
    command = ("export", own_toy, "--format", "parquet", "--include-live", "--out")
    assert "left out: 11 (no consent)" in call(*command, tmp_path / "out")[1]
    code, _, seen = call(*command, tmp_path / "none", "--speaker", "zz9", "--pilot")
    assert code == 2
    assert "; 11 turns have no consent. If a form was signed since, “curtain consent" in seen
    assert seen.startswith("Nothing to export: ") and seen.endswith("For your own trials add --without-consent.\n")
    code, printed, _ = call(*command, tmp_path / "all", "--without-consent")
    assert code == 0 and "no consent" not in printed
    for name, kept in (("out", 55), ("all", 66)):
        assert len((tmp_path / name / "utterances.jsonl").read_bytes().splitlines()) == kept


@pytest.mark.parametrize(
    ("said", "name", "out", "options"),
    [
        ("takes sessions or studies", None, "out", {}), ("takes sessions or studies", "nist", None, {}),
        ("these can", "nist", "out", {"blind": True, "speech_only": True}),
        ("these can", "spider", "out", {"blind": True, "speech_only": True}),
        ("spider holds answers and nothing else", "spider", "out", {"blind": True}),
        ("among the sessions of the study", "nist", "study/sessions/foo", {}),
        ("a link that leads nowhere", "nist", "link", {}),
    ],
)  # fmt: skip
def test_what_cannot_be_exported_is_refused_in_a_sentence(
    own_toy: Path, tmp_path: Path, said: str, name: str | None, out: str | None, options: dict[str, bool]
) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    before = set(tmp_path.rglob("*"))
    with pytest.raises(CurtainError, match=said):
        commands.run([own_toy], name, tmp_path / out if out else None, Filters(), **options)  # type: ignore[arg-type]
    with pytest.raises(CurtainError, match="takes sessions or studies"):
        commands.run([], "nist", tmp_path / "out", Filters())
    assert set(tmp_path.rglob("*")) == before


def test_a_blind_test_set_has_its_references_beside_it(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands.run([own_toy], "kaldi", tmp_path / "out", Filters(live=True), blind=True)
    key = tmp_path / "out-references.jsonl"
    assert f"Their references are apart, in {key}." in capsys.readouterr().out
    rows = [json.loads(line) for line in key.read_text("utf-8").splitlines()]
    assert len(rows) == 66 and sum("ref" in row or "alternatives" in row for row in rows) > 40
    key.rename(tmp_path / "other-references.jsonl")
    with pytest.raises(CurtainError, match="is there already"):
        commands.run([own_toy], "kaldi", tmp_path / "other", Filters(), blind=True)
    assert not (tmp_path / "other").exists()


def test_nothing_goes_into_a_blind_test_that_nobody_could_answer_or_that_may_not_be_shared(
    own_toy: Path, tmp_path: Path, call: Call
) -> None:
    note_consents(own_toy, [NotedConsent(session_id="m10-01", scopes=["take_part"])])
    whole = "Who is Mary Graham's supervisor?"
    hide(own_toy, "e00-01-004", whole, whole)
    code, printed, _ = call(
        "export",
        own_toy,
        "--format",
        "parquet",
        "--blind",
        "--use",
        "share",
        "--no-cancelled",
        "--out",
        tmp_path / "out",
    )
    rows = {
        row["id"]: row for row in map(json.loads, (tmp_path / "out-references.jsonl").read_text("utf-8").splitlines())
    }
    assert code == 0 and [one.id for one in read_test_questions(tmp_path / "out" / "utterances.jsonl")] == list(rows)
    assert not [row for row in rows.values() if "no reference" in row.get("tags", ())]
    sessions = {name[:6] for name in rows}
    assert "e00-01-004" not in rows and {"0a1-01", "e00-01"} < sessions and "m10-01" not in sessions
    for line in (r"1 \(its words are hidden\)", r"\d+ \(no reference\)", r"11 \(the consent does not cover sharing"):
        assert re.search(f"left out: {line}", printed), line


def test_a_blind_test_set_does_not_tell_the_class_that_was_filtered(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = Filters(classes=frozenset(["D1"]), speakers=frozenset(["e00"]))
    commands.run([own_toy], "parquet", tmp_path / "open", chosen)
    assert "another class" in (tmp_path / "open" / "EXPORT.json").read_text("utf-8")
    commands.run([own_toy], "parquet", tmp_path / "out", chosen, blind=True)
    capsys.readouterr()
    account = (tmp_path / "out" / "EXPORT.json").read_text("utf-8")
    assert json.loads(account)["filters"] == {"speakers": ["e00"], "without_consent": True}
    assert "filtered out" in json.loads(account)["dropped"]
    assert not any(word in account for word in ("D1", "class", "categor"))
    assert read_exports(own_toy)[-1].references == tmp_path / "out-references.jsonl"


def test_what_was_set_aside_of_annotations_is_reported_to_whoever_exports(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_toy / "sessions" / "e00-01" / "annotations" / "note.jsonl.torn-1").write_text("{")
    commands.run([own_toy], "nist", tmp_path / "out", Filters())
    assert "note.jsonl.torn-1: Of damaged rows 1 byte was set aside" in capsys.readouterr().err


def test_a_study_notes_which_sessions_left_it(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands.run([own_toy], "kaldi", tmp_path / "one", Filters(speakers=frozenset(["e00"])))
    commands.run([own_toy / "sessions" / "m10-01"], "nist", tmp_path / "two", Filters())
    capsys.readouterr()
    noted = {one.path.name: (one.format, one.sessions) for one in read_exports(own_toy)}
    assert noted == {"one": ("kaldi", ("e00-01", "e00-02")), "two": ("nist", ("m10-01",))}


def test_a_study_that_cannot_note_it_is_reported_and_the_export_is_made(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_toy / "exports.jsonl").write_text("not a line\n")
    commands.run([own_toy], "nist", tmp_path / "out", Filters())
    assert capsys.readouterr().err.startswith("The study does not note this export: ")
    assert (tmp_path / "out" / "EXPORT.json").is_file()


def test_spider_says_how_many_questions_are_only_in_sparc(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    commands.run([own_toy], "spider", out, Filters(live=True))
    printed = capsys.readouterr().out
    account = json.loads((out / "EXPORT.json").read_text("utf-8"))
    parts = [path for path in out.glob("*.json") if (out / "sparc" / path.name).exists()]
    alone = sum(len(json.loads(path.read_text("utf-8"))) for path in parts)
    assert account["notes"][0] == f"{alone} questions are in Spider’s files (those beside sparc/)."
    assert account["kept"] > alone and "only in sparc/" in account["notes"][1]
    assert all(note in printed for note in account["notes"])


def test_a_repaired_copy_is_exported_once_it_is_where_repair_says(own_toy: Path, tmp_path: Path, call: Call) -> None:
    original = own_toy / "sessions" / "e00-01"
    journal = original / "wizard.events.jsonl"
    data = bytearray(journal.read_bytes())
    data[len(data) // 2] ^= 8
    journal.write_bytes(data)
    command = ("export", own_toy, "--format", "parquet", "--out", tmp_path / "out", "--include-live")
    assert call(*command)[0] == 2
    code, printed, _ = call("repair", original)
    copy = own_toy / "sessions" / "e00-01-repaired"
    way = f"To use it: move {original} to a folder outside the study, then rename {copy} to {original}."
    assert code == 0 and printed.splitlines()[-1] == way
    original.rename(tmp_path / "original")
    copy.rename(original)
    code, _, seen = call(*command)
    assert code == 0 and "This is a repaired copy" in seen
