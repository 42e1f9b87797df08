"""NeMo manifests: `<split>.jsonl` and the recordings in `audio/`; paths are relative to the manifest."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from curtain.corpus.exports.names import Names
from curtain.corpus.exports.speech.utterances import SpeechItem, spoken
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """One manifest a split, one JSON object an utterance, with its duration in seconds."""
    names = Names()
    (folder / "audio").mkdir()
    with ExitStack() as stack:
        manifests: dict[str, TextIO] = {}
        for item in spoken(corpus, names, progress):
            if item.split not in manifests:
                path = folder / f"{item.split}.jsonl"
                manifests[item.split] = stack.enter_context(path.open("x", encoding="utf-8", newline="\n"))
            entry = _entry(item)
            item.recording.copy(folder / entry["audio_filepath"])
            manifests[item.split].write(json.dumps(entry, ensure_ascii=False) + "\n")
            progress.wrote()
    names.write(folder)


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
