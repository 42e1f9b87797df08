"""The utterance table comes back from Parquet as it went in, through DuckDB and `datasets`, with recordings whole."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile

from curtain.base.hearing import HeardWord
from curtain.corpus.exports.run import export
from curtain.corpus.exports.utterance_table import COLUMNS, sql_type
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.utterance import ContextLink, Redaction, Reference, Session, Utterance
from curtain.corpus.redaction.utterances import samples
from curtain_corpora.exports.flat import FLAT
from tests.corpus.exports.small import HeldCorpus, session, sound, utterance

Exported = Callable[[str], Path]
NESTED = {"context": ContextLink, "references": Reference, "redactions": Redaction, "heard_words": HeardWord}
LISTS = ("tags", "site_tags", "reasons", "notes", "annotators")
FILES = {"README.md", "CITATION.cff", "utterances.jsonl", "utterances.parquet", "EXPORT.json"}


def table(path: Path) -> list[dict[str, Any]]:
    found = duckdb.sql("SELECT * FROM read_parquet($path)", params={"path": str(path)})
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def utterance_of(row: Mapping[str, Any], bundle: Path) -> Utterance:
    """The value that a row stands for."""
    known = {field.name: row[field.name] for field in fields(Utterance)}
    known |= {name: tuple(kind(**part) for part in row[name]) for name, kind in NESTED.items()}
    known |= {name: tuple(row[name]) for name in LISTS}
    known["times"] = tuple((one["name"], one["ms"]) for one in row["times"])
    known["audio"] = bundle / row["audio"] if row["audio"] else None
    return Utterance(**known)


@pytest.fixture(scope="session")
def everything(split_toy: Path) -> BundleCorpus:
    return open_corpus([split_toy], Filters(pilot=True, practice=True, live=True))


def test_parquet_through_duckdb_gives_the_same_utterances(everything: BundleCorpus, tmp_path: Path) -> None:
    export(everything, "parquet", tmp_path / "out")
    paths = {one.session_id: one.path for one in everything.sessions()}
    rows = table(tmp_path / "out" / "utterances.parquet")
    said = [one for found in everything.sessions() for one in found.utterances]
    assert [utterance_of(row, paths[row["session_id"]]) for row in rows] == said
    assert [row["duration_s"] for row in rows] == [one.duration_s for one in said]


def test_each_row_tells_its_session(exported: Exported, corpus: BundleCorpus) -> None:
    sessions = {one.session_id: one for one in corpus.sessions()}
    for row in table(exported("parquet") / "utterances.parquet"):
        of: Session = sessions[row["session_id"]]
        assert (row["site"], row["domain"], row["dialect"], row["rule_book"]) == (
            of.site, of.domain, of.dialect, of.rule_book,
        )  # fmt: skip
        assert tuple(row["wizard_ids"]) == of.wizard_ids


def test_other_readers_of_parquet_find_the_same_columns(exported: Exported) -> None:
    path = exported("parquet") / "utterances.parquet"
    assert pq.read_table(path).column_names == list(COLUMNS)
    assert pq.read_table(path).to_pylist() == table(path)
    described = duckdb.sql("DESCRIBE SELECT * FROM read_parquet($path)", params={"path": str(path)}).fetchall()
    plain = duckdb.sql(f"DESCRIBE SELECT {', '.join(f'NULL::{sql_type(s)}' for s in COLUMNS.values())}").fetchall()
    assert [row[1] for row in described] == [row[1] for row in plain]


ODD_TEXT = [
    "", " ", "a\nb\r\n\tc", 'say "x" \\ y', "\x00\x1f", "\u2028", "北京 é 😀", "x" * 3_000_000, "null", "'", "{}",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD_TEXT, ids=lambda text: repr(text[:8]))
def test_texts_of_any_kind_come_back(tmp_path: Path, text: str) -> None:
    one = utterance(
        None, query=text, notes=(text, text), references=(Reference(text, None, weight=0.1),), times=((text, 1),)
    )
    held = HeldCorpus([session(one, replace(one, turn=2, query=None, references=()))])
    export(held, "parquet", tmp_path / "out")
    rows = table(tmp_path / "out" / "utterances.parquet")
    assert [utterance_of(row, tmp_path) for row in rows] == list(held.given[0].utterances)


ODD_FOLDERS = ("[lab] *x?", "ü 'quoted' \"twice\"", "a%20b")


@pytest.mark.parametrize("turns", [1, pytest.param(100, marks=pytest.mark.soak, id="more than memory holds")])
@pytest.mark.parametrize("folder", ODD_FOLDERS)
def test_the_folder_may_have_any_name_also_where_something_is_put_aside(
    tmp_path: Path, folder: str, turns: int
) -> None:
    out = tmp_path / folder / "out"
    text = random.Random(1).randbytes(1_500_000).hex()
    many = [utterance(None, f"e00-01-{at:03}", turn=at, message=f"{at}{text}") for at in range(turns)]
    export(HeldCorpus([session(*many)]), "parquet", out)
    found = duckdb.sql("SELECT count(*) FROM read_parquet($path)", params={"path": str(out / "utterances.parquet")})
    assert found.fetchall() == [(turns,)]
    assert {path.name for path in out.iterdir()} == FILES


def test_an_answer_may_be_as_large_as_answers_get(tmp_path: Path) -> None:
    largest = "(" + "(1 2 3) " * (2 * 1024 * 1024) + ")"
    few = [utterance(None, f"e00-01-{at:03}", turn=at) for at in range(1, 4)]
    few[1] = replace(few[1], references=(Reference("SELECT 1", largest, "SELECT 1", largest),) * 2)
    export(HeldCorpus([session(*few)]), "parquet", tmp_path / "out")
    query = 'SELECT "references"[2].cas_max = $largest FROM read_parquet($path) WHERE turn = 2'
    values = {"largest": largest, "path": str(tmp_path / "out" / "utterances.parquet")}
    assert duckdb.sql(query, params=values).fetchall() == [(True,)]


if TYPE_CHECKING:
    from datasets import DatasetDict


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


def test_the_table_and_its_lines_load_with_the_same_types_also_where_columns_are_empty(tmp_path: Path) -> None:
    from datasets import load_dataset

    context = (ContextLink("e00-01-000", "answer"),)
    full = utterance(None, tags=("wh-question",), context=context, sro="who works", message="One moment.")
    empty = utterance(None, "e00-01-002", turn=2, references=(), scenario_id=None, category=None)
    out, cache = tmp_path / "out", tmp_path / "cache"
    export(HeldCorpus([session(full, empty)]), "parquet", out)
    table = load(out, cache)["corpus"]
    lines = load_dataset(
        "json", data_files=str(out / "utterances.jsonl"), features=table.features, cache_dir=str(cache)
    )["train"]
    assert list(table.features) == list(COLUMNS)
    assert lines.features == table.features and lines.to_list() == table.to_list()
    assert table.features["redactions"].feature["start_ms"].dtype == "int64"  # a column that no row fills


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
