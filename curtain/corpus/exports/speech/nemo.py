"""NeMo manifests: `<split>.jsonl` and the recordings in `audio/`; paths are relative to the manifest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curtain.corpus.exports.speech.utterances import SpeechItem, write_by_split
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """One manifest a split, one JSON object an utterance, with its duration in seconds."""
    write_by_split(corpus, folder, progress, _manifest, "audio")


@contextmanager
def _manifest(folder: Path, split: str) -> Iterator[Callable[[SpeechItem], object]]:
    with (folder / f"{split}.jsonl").open("x", encoding="utf-8", newline="\n") as file:
        yield lambda item: file.write(json.dumps(_entry(item), ensure_ascii=False) + "\n")


def _entry(item: SpeechItem) -> dict[str, Any]:
    entry = {
        "audio_filepath": f"audio/{item.name}.wav",
        "duration": item.recording.seconds,
        "offset": 0.0,
        "text": item.words,
        "lang": item.session.language,
        "speaker": item.speaker,
        **item.utterance.origins,
    }
    return {name: value for name, value in entry.items() if value is not None}
