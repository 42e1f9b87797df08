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

from curtain.corpus.exports.flat import preferred
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.speech.utterances import SpeechItem, spoken
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """One recording and one supervision an utterance. What is Curtain's own goes into `custom` of the supervision."""
    names = Names()
    (folder / "audio").mkdir()
    with ExitStack() as stack:
        manifests: dict[str, _Manifests] = {}
        for item in spoken(corpus, names, progress):
            if item.split not in manifests:
                manifests[item.split] = stack.enter_context(_Manifests(folder / item.split))
            path = f"audio/{item.name}.wav"
            item.recording.copy(folder / path)
            manifests[item.split].add(item, path)
            progress.wrote()
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

    def add(self, item: SpeechItem, path: str) -> None:
        self._recordings.add(_recording(item, path))
        self._supervisions.add(_supervision(item))


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


def _recording(item: SpeechItem, path: str) -> dict[str, Any]:
    return {
        "id": item.name,
        "sources": [{"type": "file", "channels": [0], "source": path}],
        "sampling_rate": item.recording.rate,
        "num_samples": item.recording.frames,
        "duration": item.recording.seconds,
        "channel_ids": [0],
    }


def _supervision(item: SpeechItem) -> dict[str, Any]:
    answer, utterance = preferred(item.utterance), item.utterance
    custom = {
        "utterance_id": utterance.utterance_id,
        "session_id": utterance.session_id,
        "sql": answer.sql_min if answer else None,
        "cas_min": answer.cas_min if answer else None,
        "cas_max": answer.cas_max if answer else None,
        "category": utterance.category,
        "eval_class": utterance.eval_class,
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
