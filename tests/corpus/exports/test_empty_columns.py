"""A column without a value in a split, or in any, has the same type in every split: the loader asks for that."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curtain.corpus.exports.run import export
from curtain.corpus.exports.utterance_table import COLUMNS
from curtain.corpus.model.utterance import ContextLink, Reference
from curtain_corpora.exports.flat import FLAT
from tests.corpus.exports.small import HeldCorpus, session, sound, utterance

FULL: dict[str, Any] = {
    "tags": ("wh-question",), "context": (ContextLink("e00-01-000", "answer"),), "sro": "who works",
    "message_id": "busy", "message": "One moment.",
}  # fmt: skip
EMPTY: dict[str, Any] = {"tags": (), "context": (), "references": (), "scenario_id": None, "category": None}


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory: pytest.TempPathFactory) -> HeldCorpus:
    """Three splits: one with every value, one with hardly any, one with some."""
    audio = sound(tmp_path_factory.mktemp("audio") / "a.wav")
    return HeldCorpus(
        [
            session(
                utterance(audio, "e00-01-001", turn=1, split="train", **FULL),
                utterance(audio, "e00-01-002", turn=2, split="dev", **EMPTY),
                utterance(audio, "e00-01-003", turn=3, split="test", references=(Reference(None, "((1))"),)),
            )
        ]
    )


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The field's loader. It asks for torchcodec also where a recording is only named, so that request is left out."""
    import datasets

    def named(feature: object, path: str) -> dict[str, Any]:
        return {"bytes": None, "path": path}

    monkeypatch.setattr(datasets.Audio, "encode_example", named)
    datasets.disable_progress_bars()
    return lambda *names, **options: datasets.load_dataset(*names, cache_dir=str(tmp_path / "cache"), **options)


def check_splits(loaded: Any, corpus: HeldCorpus) -> None:
    from datasets import Audio

    assert set(loaded) == {"train", "validation", "test"}
    features = loaded["train"].features
    assert all(split.features == features for split in loaded.values())
    assert list(features) == ["audio", *FLAT]
    assert features["tags"].feature.dtype == "string"
    assert set(features["context"].feature) == {"utterance_id", "to"}
    said = {one.utterance_id: one for one in corpus.given[0].utterances}
    for split in loaded.cast_column("audio", Audio(decode=False)).values():
        row = split[0]
        one = said[row["utterance_id"]]
        assert tuple(row["tags"]) == one.tags and len(row["references"]) == len(one.references)
        assert [link["utterance_id"] for link in row["context"]] == [link.utterance_id for link in one.context]


def test_a_hugging_face_data_set_loads(lopsided: HeldCorpus, tmp_path: Path, load: Callable[..., Any]) -> None:
    export(lopsided, "huggingface", tmp_path / "out")
    check_splits(load(str(tmp_path / "out")), lopsided)


def test_both_tables_load_with_the_same_types(lopsided: HeldCorpus, tmp_path: Path, load: Callable[..., Any]) -> None:
    out = tmp_path / "out"
    export(lopsided, "parquet", out)
    table = load(str(out))["corpus"]
    lines = load("json", data_files=str(out / "utterances.jsonl"), features=table.features)["train"]
    assert list(table.features) == list(COLUMNS)
    assert lines.features == table.features and lines.to_list() == table.to_list()
    assert table.features["redactions"].feature["start_ms"].dtype == "int64"  # a column that no row fills
