"""From eight subjects to a published folder by commands: what a stranger gets, and what nobody gets."""

import hashlib
import json
from pathlib import Path

import duckdb
import yaml

from curtain.base.clock import Clock
from curtain.commands.run.example_study import annotate
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.session.bundle.bundle import Bundle
from tests.corpus.toy import RATE, make_toy
from tests.corpus.toy_turns import MANAGERS, SCIENTISTS, Sitting, alone, out
from tests.support.everywhere import Call

SUBJECTS = [f"s{number:02}" for number in range(1, 9)]
REFUSED, UNSIGNED, NAMED = "s07", "s08", "s02"
NAME = "Wendelin"
PRESIDENT = "SELECT employee_id FROM employee WHERE job_title = 'PRESIDENT'"
TURNS = (
    alone("who is the president of the company", PRESIDENT),
    alone("how many scientists are there", SCIENTISTS),
    out("book me a meeting", message=("not_a_query", "The system retrieves information only.", "no_answer")),
    alone("list the managers", MANAGERS),
)
OF_NAMED = (alone(f"this is {NAME} who is the president", PRESIDENT), *TURNS[1:])
FORM = "form-4711"


def studied(folder: Path) -> Path:
    """Eight sessions as the stations leave them, annotated as at the annotator's window; one subject said a name."""
    study = make_toy(folder, annotated=False, sittings=[
        Sitting(f"{who}-01", "2026-03-02", "balance", OF_NAMED if who == NAMED else TURNS,
                consent="" if who == UNSIGNED else FORM, solution=("52000", "typed"))
        for who in SUBJECTS
    ])  # fmt: skip
    for who in SUBJECTS:
        annotate(study / "sessions" / f"{who}-01", [])
    start = OF_NAMED[0].query.index(NAME)
    span = {"kind": "name", "start_ms": 100, "end_ms": 300, "start_char": start, "end_char": start + len(NAME)}
    hidden = new_row(f"{NAMED}-01-001", "redaction", {"spans": [span]}, "anna", Clock())
    Layers(Bundle(study / "sessions" / f"{NAMED}-01")).add_all([hidden])
    return study


def test_eight_subjects_become_a_folder_that_a_stranger_can_load(tmp_path: Path, call: Call) -> None:
    study, published = studied(tmp_path / "study"), tmp_path / "published"

    def run(*arguments: object) -> str:
        code, printed, complaint = call(*arguments)
        assert code == 0, complaint
        return str(printed)

    signed = ("--signed", "2026-03-02", "--by", "anna")
    run("consent", study, UNSIGNED, "--allow", "publish", "--allow", "keep_audio", "--id", "late", *signed)
    run("consent", study, REFUSED, "--allow", "share", *signed)
    run("annotate", study, "--check")
    run("verify", study)
    assert "test" in run("split", study, "--dev", "0.25", "--test", "0.25")
    test = tmp_path / "test"
    run("export", study, "--format", "parquet", "--blind", "--out", test)
    references = test.with_name("test-references.jsonl")
    keys = [json.loads(line) for line in references.read_text("utf-8").splitlines()]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps({"id": one["id"], "hyp": one.get("ref")}) + "\n" for one in keys), "utf-8")
    scored = json.loads(run("score", references, answers, "--json"))["systems"][0]["total"]
    assert scored["right"] == scored["n"] > 0
    assert "8 subjects ran" in run("report", study, "--out", tmp_path / "report")
    about = ("--title", "Questions", "--licence", "CC-BY-4.0", "--author", "The Lab", "--contact", "lab@example.org")
    run("publish", study, "--out", published, *about, "--blind-split", "test", "--tests-over")

    apart, places = published.with_name("published-blind"), json.loads((study / "splits.json").read_text("utf-8"))
    in_test = {who for who, split in places["speakers"].items() if split == "test"}
    rows = loaded(published)
    assert {row["speaker_id"] for row in rows} == {*SUBJECTS} - {REFUSED} - in_test
    assert {row["speaker_id"] for row in loaded(apart)} == in_test - {REFUSED}
    originals = {path.stem: path.read_bytes()[44:] for path in study.glob("sessions/*/audio/*.wav")}
    for row in rows:
        frames, original = row["audio"]["bytes"][44:], originals[row["utterance_id"]]
        if row["utterance_id"] == f"{NAMED}-01-001":
            begin, end = (2 * RATE * ms // 1000 for ms in (100, 300))
            original = original[:begin] + bytes(end - begin) + original[end:]
            assert NAME.upper() not in row["transcription"]
        assert frames == original
    for folder in (published, apart):
        sums = [line.split("  ") for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines()]
        assert len(sums) == sum(path.is_file() for path in folder.rglob("*")) - 1
        assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == total for total, name in sums)
        for path in (path for path in folder.rglob("*") if path.is_file()):
            text = path.read_bytes().decode("utf-8", "replace")
            assert not any(name.casefold() in text.casefold() for name in (NAME, FORM, "otto", "anna")), path
            assert folder != apart or "SELECT" not in text
    card = (published / "README.md").read_text("utf-8")
    assert yaml.safe_load(card.split("---")[1])["license"] == "cc-by-4.0" and "Questions" in card


def loaded(folder: Path) -> list[dict[str, object]]:
    table = duckdb.sql(f"SELECT * FROM read_parquet('{folder}/data/*.parquet')")
    return [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]
