"""A session that lost something at an end of a file is noticed: `verify` names it, and no export takes it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.annotation.row import LAYERS
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.redaction.erasure import forget, plan_for
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study
from tests.corpus.test_hidden_in_sessions import say

SESSION, TURN = "e00-01", "e00-01-002"
VALUES = {
    "transcription": {"sro": "what", "lsn": "WHAT"}, "category": {"eval_class": "A"}, "sql": {"references": []},
    "cas": {"references": []}, "redaction": {"spans": [{"kind": "name", "start_ms": 1, "end_ms": 2}]},
    "note": {"text": "loud"},
}  # fmt: skip


def _without_last_line(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def _without_two_lines(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))


def _is_refused(study: Path, out: Path, what_to_do: str) -> None:
    with pytest.raises(
        CurtainError, match=r"e00-01.*\. Take it from another copy.*then move .*heads/e00-01\.jsonl out of the study"
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
    [fault] = bundle.verify()
    assert fault.file == f"annotations/{layer}.jsonl" and "missing" in fault.what
    _is_refused(own_toy, tmp_path / "out", "hidden again")


def test_one_row_more_does_not_make_up_for_one_that_was_lost(own_toy: Path, tmp_path: Path) -> None:
    bundle = Bundle(own_toy / "sessions" / SESSION)
    for layer in ("redaction", "redaction", "note"):
        say(own_toy, TURN, layer, VALUES[layer])
    _without_last_line(bundle.annotations / "redaction.jsonl")
    layers = Layers(bundle)
    say(own_toy, TURN, "redaction", VALUES["redaction"], "w8")
    assert layers.rows("redaction") and "hidden again" in " ".join(layers.troubles())
    assert [fault.file for fault in bundle.verify()] == ["annotations/redaction.jsonl"]
    _is_refused(own_toy, tmp_path / "out", "hidden again")


def test_a_folder_of_yesterday_is_noticed(own_toy: Path, tmp_path: Path) -> None:
    session = own_toy / "sessions" / SESSION
    yesterday = shutil.copytree(session, tmp_path / "yesterday")
    say(own_toy, TURN, "redaction", VALUES["redaction"])
    shutil.rmtree(session)
    shutil.copytree(yesterday, session)
    _is_refused(own_toy, tmp_path / "out", "hidden again")


def test_a_list_of_checksums_that_was_cut_is_noticed(own_toy: Path, tmp_path: Path) -> None:
    bundle = Bundle(own_toy / "sessions" / SESSION)
    _without_two_lines(bundle.manifest)
    assert bundle.manifest.name in [fault.file for fault in bundle.verify()]
    _is_refused(own_toy, tmp_path / "out", "another copy")


def test_an_altered_name_of_a_key_in_an_open_session_is_noticed(own_toy: Path, tmp_path: Path) -> None:
    bundle = Bundle(own_toy / "sessions" / "m10-01")
    assert bundle.state == "open" and bundle.verify() == []
    for key in json.loads(bundle.session_json.read_bytes()):
        whole = bundle.session_json.read_bytes()
        bundle.session_json.write_bytes(whole.replace(f'"{key}"'.encode(), f'"{key[:-1]}Z"'.encode(), 1))
        assert "session.json" in [fault.file for fault in bundle.verify()], key
        bundle.session_json.write_bytes(whole)
    bundle.session_json.write_bytes(whole.replace(b'"app_version"', b'"app_versioN"'))
    with pytest.raises(CurtainError, match=r"session\.json.*another copy"):
        export(open_corpus([own_toy], Filters(live=True)), "parquet", tmp_path / "out")


def test_what_is_settled_leaves_again(own_toy: Path, tmp_path: Path) -> None:
    (own_toy / "sessions" / SESSION / "annotations" / "note.jsonl").unlink(missing_ok=True)
    say(own_toy, TURN, "note", VALUES["note"])
    (own_toy / "sessions" / SESSION / "annotations" / "note.jsonl").unlink()
    (own_toy / "heads" / f"{SESSION}.jsonl").rename(tmp_path / "heads")
    assert export(open_corpus([own_toy], Filters(live=True)), "parquet", tmp_path / "out").kept


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
    assert [fault.file for fault in Bundle(session).verify()] == ["annotations/redaction.jsonl"]


def test_heads_are_forgotten_with_the_speaker(own_toy: Path) -> None:
    assert (own_toy / "heads" / f"{SESSION}.jsonl").is_file()
    forget(plan_for(load_study(own_toy), "e00"), Clock())
    assert not list((own_toy / "heads").glob("e00-*"))
