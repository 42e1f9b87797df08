"""Lhotse manifests: consistent in themselves, and read by Lhotse where it is installed (tools/loaders.txt)."""

import gzip
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.redaction.utterances import samples

Exported = Callable[[str], Path]
ROWS = {"train": 43, "dev": 11, "test": 11}
needs_lhotse = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("lhotse", "torch"))),
    reason="Lhotse and torch are not installed (tools/loaders.txt)",
)


def manifest(folder: Path, split: str, kind: str) -> list[dict[str, Any]]:
    packed = (folder / split / f"{kind}.jsonl.gz").read_bytes()
    return [json.loads(line) for line in gzip.decompress(packed).decode().splitlines()]


@pytest.mark.parametrize("split", ROWS)
def test_every_supervision_has_its_recording_of_equal_length(exported: Exported, split: str) -> None:
    folder = exported("lhotse")
    recordings = {one["id"]: one for one in manifest(folder, split, "recordings")}
    supervisions = manifest(folder, split, "supervisions")
    assert len(recordings) == len(supervisions) == ROWS[split]
    for one in supervisions:
        recording = recordings[one["recording_id"]]
        assert one["start"] == 0.0 and one["duration"] == recording["duration"]
        assert recording["duration"] == recording["num_samples"] / recording["sampling_rate"]
        with soundfile.SoundFile(folder / recording["sources"][0]["source"]) as file:
            assert (file.frames, file.samplerate) == (recording["num_samples"], recording["sampling_rate"])


def test_what_is_known_of_an_utterance_is_in_its_supervision(exported: Exported, corpus: BundleCorpus) -> None:
    found = {one["id"]: one for split in ROWS for one in manifest(exported("lhotse"), split, "supervisions")}
    for said in (one for held in corpus.sessions() for one in held.utterances if one.lsn is not None):
        one = found[said.utterance_id]
        assert (one["text"].upper(), one["speaker"]) == ((said.lsn or "").upper(), said.speaker_id)
        assert one["custom"]["session_id"] == said.session_id
        assert one["custom"].get("eval_class") == said.eval_class
        assert ("cas_min" in one["custom"]) == bool(said.references)


@pytest.mark.soak
@needs_lhotse
@pytest.mark.parametrize("split", ROWS)
def test_lhotse_reads_and_validates_them(exported: Exported, corpus: BundleCorpus, split: str) -> None:
    from lhotse import RecordingSet, SupervisionSet
    from lhotse.qa import validate_recordings_and_supervisions

    folder = exported("lhotse")
    recordings = RecordingSet.from_file(folder / split / "recordings.jsonl.gz").with_path_prefix(folder)
    supervisions = SupervisionSet.from_file(folder / split / "supervisions.jsonl.gz")
    validate_recordings_and_supervisions(recordings, supervisions, read_data=True)
    said = {one.utterance_id: one for held in corpus.sessions() for one in held.utterances}
    assert len(supervisions) == ROWS[split]
    for one in supervisions:
        heard = recordings[one.recording_id].load_audio()
        expected, _ = samples(said[one.id])
        assert np.allclose(heard[0] * 32768, expected, atol=1)
        if said[one.id].references:
            assert one.sql is None or one.sql.startswith("SELECT")


@pytest.mark.soak
@needs_lhotse
@pytest.mark.parametrize("split", ROWS)
def test_lhotse_reads_the_kaldi_folders_too(exported: Exported, split: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from lhotse.kaldi import load_kaldi_data_dir

    monkeypatch.chdir(exported("kaldi"))
    recordings, supervisions, _ = load_kaldi_data_dir(Path("data") / split, sampling_rate=16000)
    assert supervisions is not None
    assert len(recordings) == len(supervisions) == ROWS[split]
    texts = {one.id: one.text for one in supervisions}
    written = (Path("data") / split / "text").read_text("utf-8").splitlines()
    assert texts == dict(line.split(" ", 1) for line in written)
