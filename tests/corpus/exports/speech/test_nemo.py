"""A NeMo manifest: its three keys, paths from its own folder, and the length of the file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import soundfile

from curtain.corpus.model.corpus import BundleCorpus


@pytest.mark.parametrize(("split", "rows"), [("train", 43), ("dev", 11), ("test", 11)])
def test_every_line_leads_to_a_recording_of_its_length(exported: Callable[[str], Path], split: str, rows: int) -> None:
    manifest = exported("nemo") / f"{split}.jsonl"
    entries = [json.loads(line) for line in manifest.read_text("utf-8").splitlines()]
    assert len(entries) == rows
    for entry in entries:
        assert {"audio_filepath", "duration", "text"} <= set(entry)
        with soundfile.SoundFile(manifest.parent / entry["audio_filepath"]) as file:
            assert file.frames / file.samplerate == entry["duration"]
        assert (entry["lang"], entry["offset"]) == ("en", 0.0)


def test_text_and_speaker_are_those_of_the_corpus(exported: Callable[[str], Path], corpus: BundleCorpus) -> None:
    lines = [path.read_text("utf-8").splitlines() for path in exported("nemo").glob("*.jsonl")]
    entries = {Path(entry["audio_filepath"]).stem: entry for some in lines for entry in map(json.loads, some)}
    said = [one for found in corpus.sessions() for one in found.utterances if one.lsn is not None]
    assert len(entries) == len(said) == 65
    for one in said:
        assert entries[one.utterance_id]["speaker"] == one.speaker_id
        assert entries[one.utterance_id]["text"].upper() == (one.lsn or "").upper()
