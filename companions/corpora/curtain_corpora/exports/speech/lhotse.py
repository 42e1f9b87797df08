"""Lhotse manifests: `<split>/recordings.jsonl.gz` and `supervisions.jsonl.gz`, and the recordings in `audio/`.

Paths are relative to the export's folder: `RecordingSet.with_path_prefix(folder)` makes them whole.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curtain.base.record_file import by_name
from curtain.corpus.exports.flat import preferred
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus
from curtain_corpora.exports.speech.utterances import SpeechItem, write_by_split


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """One recording and one supervision an utterance. What is Curtain's own goes into `custom` of the supervision."""
    write_by_split(corpus, folder, progress, _manifests, "audio")


@contextmanager
def _manifests(export: Path, split: str) -> Iterator[Callable[[SpeechItem], object]]:
    """Both manifests of one split."""
    folder = export / split
    folder.mkdir()
    with _packed(folder / "recordings.jsonl.gz") as recordings, _packed(folder / "supervisions.jsonl.gz") as supervised:

        def add(item: SpeechItem) -> None:
            recordings.write(json.dumps(_recording(item), ensure_ascii=False) + "\n")
            supervised.write(json.dumps(_supervision(item), ensure_ascii=False) + "\n")

        yield add


@contextmanager
def _packed(path: Path) -> Iterator[io.TextIOWrapper]:
    """A text under gzip, without the time and the name that gzip would note: the same corpus, the same bytes."""
    with (
        path.open("xb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text,
    ):
        yield text


def _recording(item: SpeechItem) -> dict[str, Any]:
    return {
        "id": item.name,
        "sources": [{"type": "file", "channels": [0], "source": f"audio/{item.name}.wav"}],
        "sampling_rate": item.recording.rate,
        "num_samples": item.recording.frames,
        "duration": item.recording.seconds,
        "channel_ids": [0],
    }


def _supervision(item: SpeechItem) -> dict[str, Any]:
    answer, utterance = preferred(item.utterance), item.utterance
    custom = {
        **by_name(utterance, "utterance_id", "session_id"),
        "sql": answer.sql_min if answer else None,
        "cas_min": answer and answer.cas_min,
        "cas_max": answer and answer.cas_max,
        **by_name(utterance, "category", "eval_class"),
        **utterance.origins,
    }
    supervision = {
        "id": item.name,
        "recording_id": item.name,
        "start": 0.0,
        "duration": item.recording.seconds,
        "channel": 0,
        "text": item.words,
        "language": item.session.language,
        "speaker": item.speaker,
        "custom": {name: value for name, value in custom.items() if value is not None},
    }
    return {name: value for name, value in supervision.items() if value is not None}
