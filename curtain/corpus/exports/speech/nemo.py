"""NeMo manifests: `<split>.jsonl` and the recordings in `audio/`; paths are relative to the manifest."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from curtain.corpus.exports.names import Names
from curtain.corpus.exports.speech.utterances import SpeechItem, spoken
from curtain.corpus.exports.tables.utterance_table import origins_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus


def write(corpus: Corpus, folder: Path, told: ExportProgress) -> None:
    """One manifest a split, one JSON object an utterance, with its duration in seconds."""
    names = Names()
    (folder / "audio").mkdir()
    with ExitStack() as stack:
        manifests: dict[str, TextIO] = {}
        for one in spoken(corpus, names, told):
            if one.split not in manifests:
                path = folder / f"{one.split}.jsonl"
                manifests[one.split] = stack.enter_context(path.open("x", encoding="utf-8", newline="\n"))
            entry = _entry(one)
            one.recording.copy(folder / entry["audio_filepath"])
            manifests[one.split].write(json.dumps(entry, ensure_ascii=False) + "\n")
            told.wrote()
    names.write(folder)


def _entry(one: SpeechItem) -> dict[str, Any]:
    entry = {
        "audio_filepath": f"audio/{one.name}.wav",
        "duration": one.recording.seconds,
        "offset": 0.0,
        "text": one.words,
        "lang": "en",
        "speaker": one.speaker,
        **origins_of(one.utterance),
    }
    return {name: value for name, value in entry.items() if value is not None}
