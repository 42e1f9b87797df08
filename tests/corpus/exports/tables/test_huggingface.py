"""`datasets` loads the Parquet files with the types that the card declares, and the recordings are whole."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile

from curtain.corpus.exports.flat import FLAT
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.redaction.utterances import samples
from tests.corpus.exports.small import HeldCorpus, session, sound, utterance

if TYPE_CHECKING:
    from datasets import DatasetDict

Exported = Callable[[str], Path]


@pytest.fixture(scope="session")
def loaded(exported: Exported, tmp_path_factory: pytest.TempPathFactory) -> DatasetDict:
    return load(exported("huggingface"), tmp_path_factory.mktemp("cache"))


def load(folder: Path, cache: Path) -> DatasetDict:
    import datasets  # takes seconds, which only who runs these tests should wait

    datasets.disable_progress_bars()
    found = datasets.load_dataset(str(folder), cache_dir=str(cache))
    assert isinstance(found, datasets.DatasetDict)
    return found


def test_each_split_has_its_rows_and_columns_the_types_that_were_declared(loaded: DatasetDict) -> None:
    assert {name: split.num_rows for name, split in loaded.items()} == {"train": 43, "validation": 11, "test": 11}
    from datasets import Audio

    features = loaded["train"].features
    assert isinstance(features["audio"], Audio)
    assert list(features) == ["audio", *FLAT]
    assert features["turn"].dtype == "int64"
    assert features["tags"].feature.dtype == "string"
    assert set(features["references"].feature) == {"sql_min", "cas_min", "sql_max", "cas_max", "weight", "reads"}


def test_the_parquet_files_name_the_same_types_themselves(exported: Exported, loaded: DatasetDict) -> None:
    from datasets import Features

    for path in (exported("huggingface") / "data").iterdir():
        assert Features.from_arrow_schema(pq.read_schema(path)) == loaded["train"].features


def test_rows_say_what_the_corpus_says(loaded: DatasetDict, corpus: BundleCorpus) -> None:
    rows = {row["utterance_id"]: row for split in loaded.values() for row in split.remove_columns("audio")}
    said = [one for found in corpus.sessions() for one in found.utterances if one.audio]
    assert len(rows) == len(said)
    for one in said:
        row = rows[one.utterance_id]
        assert (row["transcription"], row["query"], row["turn"]) == (one.lsn, one.query, one.turn)
        assert (row["category"], row["eval_class"], tuple(row["tags"])) == (one.category, one.eval_class, one.tags)
        assert [(link["utterance_id"], link["to"]) for link in row["context"]] == [
            (c.utterance_id, c.to) for c in one.context
        ]
        assert [(r["sql_min"], r["cas_max"]) for r in row["references"]] == [
            (r.sql_min, r.cas_max) for r in one.references
        ]


def test_the_preferred_reading_stands_in_the_plain_columns(loaded: DatasetDict) -> None:
    rows = [row for split in loaded.values() for row in split.remove_columns("audio")]
    several = [row for row in rows if len(row["references"]) > 1]
    assert several
    for row in several:
        best = max(row["references"], key=lambda one: one["weight"])
        assert (row["sql_min"], row["cas_min"]) == (best["sql_min"], best["cas_min"])
    assert all(row["sql_min"] is None for row in rows if not row["references"])


def test_every_recording_has_the_samples_that_may_leave(loaded: DatasetDict, corpus: BundleCorpus) -> None:
    from datasets import Audio

    said = {one.utterance_id: one for found in corpus.sessions() for one in found.utterances}
    for split in loaded.cast_column("audio", Audio(decode=False)).values():
        for row in split:
            found, rate = soundfile.read(io.BytesIO(row["audio"]["bytes"]), dtype="int16")
            expected, expected_rate = samples(said[row["utterance_id"]])
            assert np.array_equal(found, expected) and rate == expected_rate
            assert row["duration"] == len(found) / rate
            assert row["audio"]["path"] == f"{row['utterance_id']}.wav"


def test_a_corpus_larger_than_one_shard_is_in_several_of_one_name(tmp_path: Path) -> None:
    audio = sound(tmp_path / "a.wav", frames=6_000_000)
    said = [
        utterance(audio, f"e00-01-{at:03}", turn=at, frames=6_000_000, split="train" if at % 3 else "dev")
        for at in range(1, 10)
    ]
    export(HeldCorpus([session(*said)]), "huggingface", tmp_path / "out")
    files = sorted(path.name for path in (tmp_path / "out" / "data").iterdir())
    assert len(files) > 2 and f"train-00000-of-{sum(name.startswith('train') for name in files):05}.parquet" in files
    query = "SELECT turn, octet_length(audio.bytes) FROM read_parquet($path) ORDER BY turn"
    found = duckdb.sql(query, params={"path": str(tmp_path / "out" / "data" / "*.parquet")}).fetchall()
    assert found == [(at, audio.stat().st_size) for at in range(1, 10)]


CARD: list[tuple[dict[str, Any], str]] = [
    ({"licence": "CC-BY-4.0"}, "license: cc-by-4.0"),
    ({"licence": "ask: the lab"}, 'license: other\nlicense_name: "ask: the lab"'),
    ({"licence": ""}, 'license_name: "not stated"'),
    ({"title": 'a: "b" # c'}, 'pretty_name: "a: \\"b\\" # c"'),
    ({"blind": True}, "references and categories are kept apart"),
]


@pytest.mark.parametrize(("changes", "text"), CARD)
def test_the_card_can_be_read_whatever_the_corpus_is_called(tmp_path: Path, changes: dict[str, Any], text: str) -> None:
    held = HeldCorpus([session(utterance(sound(tmp_path / "a.wav"), tags=("a|b",)))], **changes)
    export(held, "huggingface", tmp_path / "out")
    assert text in (tmp_path / "out" / "README.md").read_text("utf-8")
    assert load(tmp_path / "out", tmp_path / "cache")["train"].num_rows == 1


def test_the_card_names_the_languages_of_the_sessions(tmp_path: Path) -> None:
    held = [
        session(utterance(sound(tmp_path / "a.wav"), f"e0{at}-01-001", session_id=f"e0{at}-01"), language=language)
        for at, language in enumerate(("tr", "de", "tr"))
    ]
    export(HeldCorpus(held), "huggingface", tmp_path / "out")
    text = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert '\nlanguage:\n- "de"\n- "tr"\n' in text and "Languages: de (1), tr (2)." in text


def test_the_card_has_the_seven_parts_filled_from_counts(exported: Exported) -> None:
    text = (exported("huggingface") / "README.md").read_text("utf-8")
    parts = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert parts == [
        "Motivation", "Composition", "Collection process", "Preprocessing, cleaning, labelling", "Uses",
        "Distribution", "Maintenance",
    ]  # fmt: skip
    assert "65 utterances of 4 speakers in 6 sessions" in text
    assert "| without a recording | 1 |" in text
    assert "| D1 | 12 |" in text


def test_the_card_tells_how_far_annotators_agree_and_names_none(exported: Callable[[str], Path]) -> None:
    lines = (exported("huggingface") / "README.md").read_text("utf-8").splitlines()
    start = lines.index("Agreement of annotators on the turns that at least two of them finished:")
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start + 4 :]]
    assert ["class", "2", "0.500", "0.000", "0.200", "n/a"] in table
