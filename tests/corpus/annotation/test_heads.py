"""A session that lost something at an end of a file is noticed: `verify` names it, and no export takes it."""

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.commands.cli import app
from curtain.corpus.annotation.row import LAYERS
from curtain.corpus.exports.run import export
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.solution_rulings import SolutionRuling, add_ruling
from curtain.corpus.model.splits import Splits, write_splits
from curtain.corpus.redaction.erasure import forget, plan_for
from curtain.corpus.redaction.export_log import note_export, read_exports
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import study_problems
from curtain.session.bundle.heads import sealed
from curtain.session.study.study import load_study
from curtain_drafts.desk.examples import answered_turns
from curtain_drafts.desk.start import KeptInStudy
from curtain_drafts.drafting.values import Example
from tests.corpus.test_hidden_in_sessions import say

SESSION, TURN = "e00-01", "e00-01-002"
VALUES = {
    "transcription": {"sro": "what", "lsn": "WHAT"}, "category": {"eval_class": "A"}, "sql": {"references": []},
    "cas": {"references": []}, "redaction": {"spans": [{"kind": "name", "start_ms": 1, "end_ms": 2}]},
    "note": {"text": "loud"},
}  # fmt: skip
NUMBERS = itertools.count(1)


def _without_last_line(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def _is_refused(study: Path, out: Path, what_to_do: str) -> None:
    with pytest.raises(
        CurtainError, match=r"Take it from another copy.*then “curtain verify \S+ --accept --by NAME” lets it count"
    ) as refused:
        export(open_corpus([study], Filters(live=True)), "parquet", out)
    assert what_to_do in str(refused.value) and not out.exists()


@pytest.mark.parametrize("lose", [_without_last_line, Path.unlink])
@pytest.mark.parametrize("layer", LAYERS)
def test_rows_lost_from_the_end_of_a_layer_stop_every_export(
    own_toy: Path, tmp_path: Path, layer: str, lose: Callable[[Path], None]
) -> None:
    bundle = Bundle(own_toy / "sessions" / SESSION)
    for by in ("w7", "w8"):
        say(own_toy, TURN, layer, VALUES[layer], by)
    assert bundle.verify() == []
    lose(bundle.annotations / f"{layer}.jsonl")
    [problem] = bundle.verify()
    assert problem.file == f"annotations/{layer}.jsonl" and "missing" in problem.what
    _is_refused(own_toy, tmp_path / "out", "hidden again")


def test_a_list_of_checksums_that_was_cut_is_noticed(own_toy: Path, tmp_path: Path) -> None:
    bundle = Bundle(own_toy / "sessions" / SESSION)
    for _ in range(2):
        _without_last_line(bundle.manifest)
    assert bundle.manifest.name in [problem.file for problem in bundle.verify()]
    _is_refused(own_toy, tmp_path / "out", "another copy")


def test_an_altered_name_of_a_key_in_an_open_session_is_noticed(own_toy: Path, tmp_path: Path) -> None:
    bundle = Bundle(own_toy / "sessions" / "m10-01")
    assert bundle.state == "open" and bundle.verify() == []
    for key in json.loads(bundle.session_json.read_bytes()):
        whole = bundle.session_json.read_bytes()
        bundle.session_json.write_bytes(whole.replace(f'"{key}"'.encode(), f'"{key[:-1]}Z"'.encode(), 1))
        assert "session.json" in [problem.file for problem in bundle.verify()], key
        bundle.session_json.write_bytes(whole)
    bundle.session_json.write_bytes(whole.replace(b'"app_version"', b'"app_versioN"'))
    with pytest.raises(CurtainError, match=r"session\.json.*another copy"):
        export(open_corpus([own_toy], Filters(live=True)), "parquet", tmp_path / "out")


def _consent(study: Path) -> None:
    note_consents(study, [NotedConsent(session_id=SESSION, scopes=[], by=f"w{next(NUMBERS)}")])


def _ruling(study: Path) -> None:
    kept = {"session_id": SESSION, "scenario_id": "balance", "reason": "seen", "at_utc": "2026-03-01T09:30:00Z"}
    add_ruling(study, SolutionRuling(**kept, verdict="correct", by=f"w{next(NUMBERS)}"))


def _withdrawal(study: Path) -> None:
    KeptInStudy(load_study(study)).withdraw(Example("who", "SELECT 1", (), TURN), f"w{next(NUMBERS)}")


def _splits(study: Path) -> None:
    write_splits(study, Splits(seed=next(NUMBERS), by_speaker={"e00": "train", "m10": "test"}))


def _export_noted(study: Path) -> None:
    note_export(study, study / f"out-{len(read_exports(study))}", "parquet", [SESSION])


def _tombstone(study: Path) -> None:
    speaker = next(one for one in ("0a1", "zz9", "p00") if list((study / "sessions").glob(f"{one}-*")))
    forget(plan_for(load_study(study), speaker), Clock())


def _redaction(study: Path) -> None:
    say(study, TURN, "redaction", VALUES["redaction"])


LAYERS_OF = {
    "consents.jsonl": _consent, "solution_rulings.jsonl": _ruling, "withdrawn.jsonl": _withdrawal,
    "splits.json": _splits, "exports.jsonl": _export_noted, "tombstones.jsonl": _tombstone,
    f"sessions/{SESSION}/annotations/redaction.jsonl": _redaction,
}  # fmt: skip
LIST = "heads/study.jsonl", f"heads/{SESSION}.jsonl"
LOSSES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # What comes back from yesterday beside the layer, and what is gone.
    "the layer alone": ((), ()),
    "its heads are lost": ((), LIST),
    "all heads are lost": ((), ("heads",)),
    "its heads are of yesterday": (LIST, ()),
    "all heads are of yesterday": (("heads",), ()),
    "the numbers are lost": ((), ("heads.jsonl",)),
    "the numbers are of yesterday": (("heads.jsonl",), ()),
    "all heads and the numbers are lost": ((), ("heads", "heads.jsonl")),
}


def _put(before: Path, study: Path, name: str) -> None:
    _drop(study / name)
    if (before / name).is_dir():
        shutil.copytree(before / name, study / name)
    elif (before / name).exists():
        shutil.copyfile(before / name, study / name)


def _drop(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("layer", "loss"),
    [(layer, loss) for layer in LAYERS_OF for loss in LOSSES
     if loss == "its heads are lost" or layer.startswith(("consents", "sessions"))],
)  # fmt: skip
def test_a_layer_of_yesterday_stops_every_export_whatever_is_lost_with_it(
    own_toy: Path, tmp_path: Path, layer: str, loss: str
) -> None:
    LAYERS_OF[layer](own_toy)
    before = shutil.copytree(own_toy, tmp_path / "yesterday")
    LAYERS_OF[layer](own_toy)
    assert CliRunner().invoke(app, ["verify", str(own_toy)]).exit_code == 0
    back, gone = LOSSES[loss]
    for name in (layer, *back):
        _put(before, own_toy, name)
    for name in gone:
        _drop(own_toy / name)
    verified = CliRunner().invoke(app, ["verify", str(own_toy)])
    assert verified.exit_code == 1 and "Take it from another" in verified.output and "earlier" not in verified.output
    _is_refused(own_toy, tmp_path / "out", "")
    # What is written now does not make up for what was lost.
    LAYERS_OF[layer](own_toy)
    _is_refused(own_toy, tmp_path / "out", "")


@pytest.mark.parametrize("layer", ["consents.jsonl", f"sessions/{SESSION}/annotations/redaction.jsonl"])
def test_a_note_of_a_repair_lets_no_layer_fall_behind(own_toy: Path, tmp_path: Path, layer: str) -> None:
    LAYERS_OF[layer](own_toy)
    _drop(own_toy / layer)
    for folder in (own_toy, own_toy / "sessions" / SESSION):
        (folder / "repair-note.txt").write_text("{}")
    _is_refused(own_toy, tmp_path / "out", "")


@pytest.mark.parametrize("is_written", [False, True])
def test_a_process_that_is_killed_between_a_file_and_its_head_leaves_a_whole_study(
    own_toy: Path, is_written: bool
) -> None:
    _splits(own_toy)
    before = (own_toy / "splits.json").read_bytes()
    _splits(own_toy)
    with pytest.raises(KeyboardInterrupt), sealed(own_toy, "splits.json", b"{}") as path:
        if is_written:
            path.write_bytes(b"{}")
        raise KeyboardInterrupt
    assert not study_problems(own_toy)
    path.write_bytes(before)
    assert [one.file for one in study_problems(own_toy)] == ["splits.json"]


def test_what_somebody_accepts_leaves_again(own_toy: Path, tmp_path: Path) -> None:
    session = own_toy / "sessions" / SESSION
    for write in (_consent, _redaction):
        write(own_toy)
    for lost in ("consents.jsonl", f"sessions/{SESSION}/annotations/redaction.jsonl", "heads", "heads.jsonl"):
        _drop(own_toy / lost)
    assert CliRunner().invoke(app, ["verify", str(session), "--accept"]).exit_code == 1
    for place in (own_toy, *(own_toy / "sessions").iterdir()):
        CliRunner().invoke(app, ["verify", str(place), "--accept", "--by", "w9"])
    assert CliRunner().invoke(app, ["verify", str(own_toy)]).exit_code == 0
    assert export(open_corpus([own_toy], Filters(live=True)), "parquet", tmp_path / "out").kept
    _consent(own_toy)
    (own_toy / "consents.jsonl").unlink()
    _is_refused(own_toy, tmp_path / "another", "must be noted again")


def test_a_study_of_an_earlier_curtain_is_read_and_sealed_when_it_is_changed(own_toy: Path, tmp_path: Path) -> None:
    for write in (_consent, _splits):
        write(own_toy)
    for name in ("heads", "heads.jsonl"):
        _drop(own_toy / name)
    for session in (own_toy / "sessions").iterdir():
        about = json.loads((session / "session.json").read_bytes())
        del about["heads"]
        (session / "session.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")
        (session / "manifest-sha256.txt").unlink(missing_ok=True)
        Bundle(session).write_manifest()
    (own_toy / "heads.jsonl").unlink()
    shutil.rmtree(own_toy / "heads")
    assert export(open_corpus([own_toy], Filters(live=True)), "parquet", tmp_path / "out").kept
    said = CliRunner().invoke(app, ["verify", str(own_toy)])
    assert said.exit_code == 0 and "Written by an earlier Curtain: consents.jsonl, splits.json, 0a1-01" in said.output
    before = (own_toy / "consents.jsonl").read_bytes()
    _splits(own_toy)
    assert "Curtain: 0a1-01" in CliRunner().invoke(app, ["verify", str(own_toy)]).output
    (own_toy / "consents.jsonl").write_bytes(before + b'{"session_id":')  # no export could read it
    assert [problem.what for problem in study_problems(own_toy)] == ["A line is damaged: it may hold a withdrawal."]
    (own_toy / "consents.jsonl").write_bytes(before[:-1].rpartition(b"\n")[0])
    _is_refused(own_toy, tmp_path / "another", "must be noted again")


def test_drafts_learn_nothing_of_a_study_that_has_lost_a_withdrawal(own_toy: Path) -> None:
    _withdrawal(own_toy)
    assert answered_turns(load_study(own_toy))[0]
    (own_toy / "withdrawn.jsonl").unlink()
    answered, problems = answered_turns(load_study(own_toy))
    assert not answered and "Drafts learn nothing" in problems[0]


def test_a_repaired_copy_takes_the_place_of_its_original(own_toy: Path, tmp_path: Path) -> None:
    session = own_toy / "sessions" / SESSION
    say(own_toy, TURN, "redaction", VALUES["redaction"])
    layer = session / "annotations" / "redaction.jsonl"
    layer.write_bytes(b"x\n" + layer.read_bytes())
    Bundle(session).repair(tmp_path / "copy")
    shutil.rmtree(session)
    shutil.copytree(tmp_path / "copy", session)
    assert Bundle(session).verify() == []
    say(own_toy, TURN, "redaction", VALUES["redaction"], "w8")
    _without_last_line(layer)
    assert [problem.file for problem in Bundle(session).verify()] == ["annotations/redaction.jsonl"]


def test_a_session_leaves_nothing_outside_its_study_and_all_where_the_study_is_moved(
    own_toy: Path, tmp_path: Path
) -> None:
    shutil.copytree(own_toy / "sessions" / SESSION, copy := tmp_path / "elsewhere" / "sessions" / SESSION)
    moved = own_toy.rename(tmp_path / "moved")
    with pytest.raises(CurtainError, match=f"{copy} lies outside its study.* Name the study"):
        export(open_corpus([copy], Filters(live=True)), "parquet", tmp_path / "out")
    assert CliRunner().invoke(app, ["turns", str(copy)]).exit_code == 1 and not (tmp_path / "out").exists()
    assert CliRunner().invoke(app, ["verify", str(copy)]).exit_code == 0
    assert export(open_corpus([moved], Filters(live=True)), "parquet", tmp_path / "out").kept
