"""A NeMo manifest: its three keys, paths from its own folder, and the length of the file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import soundfile


@pytest.mark.parametrize(("split", "rows"), [("train", 43), ("dev", 11), ("test", 11)])
def test_every_line_leads_to_a_recording_of_its_length(exported: Callable[[str], Path], split: str, rows: int) -> None:
    manifest = exported("nemo") / f"{split}.jsonl"
    entries = [json.loads(line) for line in manifest.read_text("utf-8").splitlines()]
    assert len(entries) == rows
    for entry in entries:
        assert {"audio_filepath", "duration", "text"} <= set(entry)
        with soundfile.SoundFile(manifest.parent / entry["audio_filepath"]) as file:
            assert file.frames / file.samplerate == entry["duration"]
        # test_matrix.py has the words.
        speaker = Path(entry["audio_filepath"]).stem[:3]
        assert (entry["lang"], entry["offset"], entry["speaker"]) == ("en", 0.0, speaker)
