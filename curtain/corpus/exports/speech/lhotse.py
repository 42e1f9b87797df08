"""Lhotse manifests: `<split>/recordings.jsonl.gz` and `supervisions.jsonl.gz`, and the recordings in `audio/`.

Paths are relative to the export's folder: `RecordingSet.with_path_prefix(folder)` makes them whole.
"""

from __future__ import annotations

import gzip
import io
import json
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from curtain.corpus.exports.names import Names
from curtain.corpus.exports.speech.utterances import SpeechItem, spoken
from curtain.corpus.exports.tables.flat import preferred
from curtain.corpus.exports.tables.utterance_table import origins_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus


def write(corpus: Corpus, folder: Path, told: ExportProgress) -> None:
    """One recording and one supervision an utterance. What is Curtain's own goes into `custom` of the supervision."""
    names = Names()
    (folder / "audio").mkdir()
    with ExitStack() as stack:
        manifests: dict[str, _Manifests] = {}
        for one in spoken(corpus, names, told):
            if one.split not in manifests:
                manifests[one.split] = stack.enter_context(_Manifests(folder / one.split))
            path = f"audio/{one.name}.wav"
            one.recording.copy(folder / path)
            manifests[one.split].add(one, path)
            told.wrote()
    names.write(folder)


class _Manifests:
    """Both manifests of one split."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._recordings = _Packed(folder / "recordings.jsonl.gz")
        self._supervisions = _Packed(folder / "supervisions.jsonl.gz")

    def __enter__(self) -> _Manifests:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        with ExitStack() as stack:
            stack.callback(self._recordings.close)
            stack.callback(self._supervisions.close)

    def add(self, one: SpeechItem, path: str) -> None:
        self._recordings.add(_recording(one, path))
        self._supervisions.add(_supervision(one))


class _Packed:
    """JSON lines under gzip, without the time and the name that gzip would note: the same corpus, the same bytes."""

    def __init__(self, path: Path) -> None:
        self._raw = path.open("xb")
        self._packed = gzip.GzipFile(filename="", mode="wb", fileobj=self._raw, mtime=0)
        self._text = io.TextIOWrapper(self._packed, encoding="utf-8", newline="\n")

    def add(self, value: dict[str, Any]) -> None:
        self._text.write(json.dumps(value, ensure_ascii=False) + "\n")

    def close(self) -> None:
        with ExitStack() as stack:
            for file in (self._raw, self._packed, self._text):
                stack.callback(file.close)


def _recording(one: SpeechItem, path: str) -> dict[str, Any]:
    return {
        "id": one.name,
        "sources": [{"type": "file", "channels": [0], "source": path}],
        "sampling_rate": one.recording.rate,
        "num_samples": one.recording.frames,
        "duration": one.recording.seconds,
        "channel_ids": [0],
    }


def _supervision(one: SpeechItem) -> dict[str, Any]:
    answer, said = preferred(one.utterance), one.utterance
    custom = {
        "utterance_id": said.utterance_id,
        "session_id": said.session_id,
        "sql": answer.sql_min if answer else None,
        "cas_min": answer.cas_min if answer else None,
        "cas_max": answer.cas_max if answer else None,
        "category": said.category,
        "eval_class": said.eval_class,
        **origins_of(said),
    }
    supervision = {
        "id": one.name,
        "recording_id": one.name,
        "start": 0.0,
        "duration": one.recording.seconds,
        "channel": 0,
        "text": one.words,
        "language": "en-US",
        "speaker": one.speaker,
        "custom": {name: value for name, value in custom.items() if value is not None},
    }
    return {name: value for name, value in supervision.items() if value is not None}
