"""A bag is valid, holds the sessions as they are, and is not valid once a byte has changed."""

import filecmp
import json
import logging
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import bagit
import pytest
import soundfile

from curtain.base.clock import Clock
from curtain.commands.sessions.sessions import verify
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.session.bundle.bundle import Bundle
from curtain.session.events import wizard_events
from curtain.session.journal.journal import Journal
from curtain.session.journal.lines import read_journal
from curtain_corpora.exports.bagit import faults_in
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

Exported = Callable[[str], Path]


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "bagit")


def validate(folder: Path) -> int:
    command = [sys.executable, "-m", "bagit", "--validate", str(folder)]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode


def test_the_validator_accepts_it_and_sees_one_changed_byte(exported: Exported, tmp_path: Path) -> None:
    assert (validate(exported("bagit")), verify(exported("bagit"))) == (0, 0)
    copy = Path(shutil.copytree(exported("bagit"), tmp_path / "bag"))
    recording = next(copy.rglob("*.wav"))
    data = bytearray(recording.read_bytes())
    data[100] ^= 1
    recording.write_bytes(data)
    assert (validate(copy), verify(copy)) == (1, 1)
    assert [fault.file for fault in faults_in(copy)] == [str(recording.relative_to(copy))]


def test_every_kind_of_change_is_seen(exported: Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, change in enumerate((_remove, _add, _change_a_tag)):
        copy = Path(shutil.copytree(exported("bagit"), tmp_path / str(number)))
        change(copy)
        assert (len(list(faults_in(copy))), verify(copy)) == (1, 1)
        assert capsys.readouterr().out.endswith(" of them damaged; the bag itself is damaged.\n")
        with pytest.raises(bagit.BagValidationError):
            bagit.Bag(str(copy)).validate()


def _remove(bag: Path) -> None:
    next(bag.rglob("session.json")).unlink()


def _add(bag: Path) -> None:
    (bag / "data" / "more").write_text("more")


def _change_a_tag(bag: Path) -> None:
    path = bag / "bag-info.txt"
    path.write_text(path.read_text().replace("Toy", "Boy"))


def test_a_session_is_in_the_bag_with_all_its_files(exported: Exported, split_toy: Path) -> None:
    for name in ("0a1-02", "e00-01", "e00-02", "m10-01", "zz9-01"):
        original, copy = split_toy / "sessions" / name, exported("bagit") / "data" / name
        found = filecmp.dircmp(original, copy)
        assert not found.left_only and not found.right_only
        recordings = [path.name for path in (original / "audio").iterdir()]
        assert recordings and not filecmp.cmpfiles(original / "audio", copy / "audio", recordings, shallow=False)[1]
        assert Bundle(copy).verify() == []
        for journal in ("wizard_journal", "subject_journal"):
            before, after = (read_journal(getattr(Bundle(folder), journal)).entries for folder in (original, copy))
            assert [(one.seq, one.type, one.turn, one.t_ns) for one in before] == [
                (one.seq, one.type, one.turn, one.t_ns) for one in after
            ]


def test_of_a_session_with_redactions_only_what_may_leave_is_in_the_bag(exported: Exported, split_toy: Path) -> None:
    folder = exported("bagit") / "data" / "0a1-01"
    assert {path.name for path in folder.iterdir()} == {"REDUCED.txt", "utterances.jsonl", "audio"}
    rows = {
        row["utterance_id"]: row
        for row in map(json.loads, (folder / "utterances.jsonl").read_text("utf-8").splitlines())
    }
    (redacted,) = [row for row in rows.values() if row["redactions"]]
    samples, rate = soundfile.read(folder / redacted["audio"], dtype="int16")
    assert len(rows) == 11
    assert "[redacted]" in redacted["query"]
    assert not samples[320 * rate // 1000 : 480 * rate // 1000].any()


def test_utterances_that_were_filtered_out_are_not_in_the_bag(split_toy: Path, tmp_path: Path) -> None:
    corpus = open_corpus([split_toy], Filters(speakers=frozenset(["m10"]), classes=frozenset(["A"])))
    export(corpus, "bagit", tmp_path / "out")
    kept = [one.utterance_id for found in corpus.sessions() for one in found.utterances]
    folder = tmp_path / "out" / "data" / "m10-01"
    rows = [json.loads(line) for line in (folder / "utterances.jsonl").read_text("utf-8").splitlines()]
    assert [row["utterance_id"] for row in rows] == kept
    assert sorted(path.stem for path in (folder / "audio").iterdir()) == sorted(kept)
    assert validate(tmp_path / "out") == 0


def test_the_bag_tells_its_size_and_its_rights(exported: Exported) -> None:
    bag = bagit.Bag(str(exported("bagit")))
    files = [path for path in (exported("bagit") / "data").rglob("*") if path.is_file()]
    assert bag.info["Payload-Oxum"] == f"{sum(path.stat().st_size for path in files)}.{len(files)}"
    assert (bag.info["Rights"], bag.info["External-Description"]) == ("CC-BY-4.0", "Toy")


def test_people_in_chairs_leave_under_pseudonyms_and_what_they_typed_stays(tmp_path: Path) -> None:
    study = make_toy(tmp_path / "toy", sittings=[one for one in SITTINGS if one.session_id == "e00-01"])
    bundle = Bundle(study / "sessions" / "e00-01")
    chairs = [
        (wizard_events.ChairJoined(wizard_id="kimberley", chair="transcriber"), None),
        (wizard_events.PartTaken(wizard_id="kimberley", part="transcription"), 2),
        (wizard_events.PartTyped(wizard_id="kimberley", part="transcription", text="her maiden name"), 2),
        (wizard_events.PartTaken(wizard_id="leopold", part="transcription", handed_by="kimberley"), 2),
        (wizard_events.named(wizard_events.Note(text="noise"), "leopold"), 2),
    ]
    with Journal(bundle.wizard_journal, Clock()) as journal:
        for future in journal.append_all(chairs):
            future.result()
    bundle.write_manifest()
    export(open_corpus([study], Filters(live=True)), "bagit", tmp_path / "bag")
    copied = Bundle(tmp_path / "bag" / "data" / "e00-01").wizard_journal
    text = copied.read_text("utf-8")
    assert "chair_joined" in text and "noise" in text
    for private in ("kimberley", "leopold", "maiden"):
        assert private not in text
    assert validate(tmp_path / "bag") == 0
