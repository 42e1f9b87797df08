"""An AudioFolder: every line of metadata leads to its file, and `datasets` loads it where torchcodec is installed."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile

from curtain.corpus.exports.flat import FLAT
from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.redaction.utterances import samples

Exported = Callable[[str], Path]
ROWS = {"train": 43, "validation": 11, "test": 11}


@pytest.mark.parametrize("split", ROWS)
def test_every_line_leads_to_its_recording(exported: Exported, corpus: BundleCorpus, split: str) -> None:
    folder = exported("audiofolder") / split
    said = {one.utterance_id: one for held in corpus.sessions() for one in held.utterances}
    rows = pq.read_table(folder / "metadata.parquet").to_pylist()
    assert len(rows) == len(list((folder / "audio").iterdir())) == ROWS[split]
    for row in rows:
        assert list(row) == ["file_name", *FLAT]
        one = said[row["utterance_id"]]
        found, rate = soundfile.read(folder / row["file_name"], dtype="int16")
        expected, expected_rate = samples(one)
        assert np.array_equal(found, expected) and rate == expected_rate
        assert (row["transcription"], row["turn"], row["duration"]) == (one.lsn, one.turn, len(found) / rate)


def test_the_card_names_the_splits(exported: Exported) -> None:
    card = (exported("audiofolder") / "README.md").read_text("utf-8")
    for split in ROWS:
        assert f'- split: {split}\n    path: "{split}/**"' in card


@pytest.mark.soak
@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("torchcodec", "torch"))),
    reason="torchcodec and torch are not installed (tools/loaders.txt)",
)
def test_datasets_loads_and_decodes_it(exported: Exported, corpus: BundleCorpus, tmp_path: Path) -> None:
    from datasets import load_dataset

    loaded = load_dataset("audiofolder", data_dir=str(exported("audiofolder")), cache_dir=str(tmp_path))
    assert {name: split.num_rows for name, split in loaded.items()} == ROWS
    assert loaded["train"].features["turn"].dtype == "int64"
    row = loaded["train"][0]
    said = {one.utterance_id: one for held in corpus.sessions() for one in held.utterances}
    expected, rate = samples(said[row["utterance_id"]])
    heard = row["audio"].get_all_samples()
    assert heard.sample_rate == rate
    assert np.allclose(heard.data.numpy()[0] * 32768, expected, atol=1)
