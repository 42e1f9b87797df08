"""Corpora held in memory: as many sessions as a test wants, with ids of any kind."""

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from curtain.corpus.model.utterance import Reference, Session, Utterance
from tests.corpus import given

HeldCorpus = given.GivenCorpus


def sound(path: Path, frames: int = 1600) -> Path:
    """A WAV file of a tone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return Path(given.tone(path.parent, path.stem, frames)["audio"])


def utterance(audio: Path | None, utterance_id: str = "e00-01-001", **changes: Any) -> Utterance:
    """A plain one, of session e00-01 and speaker e00 unless told otherwise."""
    plain = Utterance(
        utterance_id=utterance_id, session_id="e00-01", speaker_id="e00", turn=1, scenario_id="team", audio=audio,
        frames=1600 if audio else None, sample_rate_hz=given.RATE if audio else None, outcome="answer",
        query="Who works in department 45?", lsn="WHO WORKS IN DEPARTMENT 45", eval_class="A", category="0",
        references=(Reference("SELECT 1", "((1))"),), split="train", text_from="annotated",
        sql_from="annotated", class_from="annotated",
    )  # fmt: skip
    return replace(plain, **changes)


def session(*utterances: Utterance, path: Path = Path("nowhere"), **changes: Any) -> Session:
    """A session that holds these utterances."""
    first = utterances[0]
    names = {"session_id": first.session_id, "speaker_id": first.speaker_id, "rule_book": "1992"}
    hashes = {"content_sha256": "0" * 64, "manifest_sha256": "1" * 64}
    return given.session(*utterances, **names | hashes | {"path": path} | changes)


def all_texts(folder: Path) -> Iterator[str]:
    """Every file as text, packed ones unpacked."""
    for path in (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite"):
        if path.suffix == ".parquet":
            yield str(duckdb.sql("SELECT * FROM read_parquet($path)", params={"path": str(path)}).fetchall())
        elif path.suffix == ".gz":
            yield gzip.decompress(path.read_bytes()).decode()
        else:
            yield path.read_bytes().decode("utf-8", "replace")
