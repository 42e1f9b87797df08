"""A Hugging Face AudioFolder: `<split>/audio/*.wav` and `<split>/metadata.jsonl`, with card and Croissant."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import BinaryIO

from curtain.corpus.exports import card, croissant
from curtain.corpus.exports.census import Census
from curtain.corpus.exports.flat import FLAT, flat_row
from curtain.corpus.exports.huggingface import hub_split
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.sound import Recording, recording_of
from curtain.corpus.exports.writer import Told
from curtain.corpus.utterance import Corpus, Session

_LOADING = """
```python
from datasets import load_dataset

corpus = load_dataset("audiofolder", data_dir="FOLDER")
```

`FOLDER` is the path of this folder. The library needs torchcodec for this already to load, and FFmpeg to decode a
recording; without them, read `<split>/metadata.jsonl` as JSON lines and each `file_name` with soundfile.
"""


class _Folders:
    """`<split>/` with its recordings and its metadata."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._metadata: dict[str, BinaryIO] = {}
        self.sizes: dict[str, tuple[int, int]] = {}

    def add(self, split: str, row: dict[str, object], recording: Recording, file: str) -> None:
        if split not in self._metadata:
            (self._folder / split / "audio").mkdir(parents=True)
            opened = (self._folder / split / "metadata.jsonl").open("xb")
            self._metadata[split] = self._stack.enter_context(opened)
        recording.copy(self._folder / split / file)
        line = json.dumps({"file_name": file, **row}, ensure_ascii=False).encode("utf-8", "replace")
        self._metadata[split].write(line + b"\n")
        rows, size = self.sizes.get(split, (0, 0))
        self.sizes[split] = (rows + 1, size + len(line))


def write(corpus: Corpus, folder: Path, told: Told) -> None:
    names, census = Names(), Census()
    with ExitStack() as stack:
        folders = _Folders(folder, stack)
        for session in corpus.sessions():
            census.add(_written(session, folders, names, told))
    names.write(folder)
    splits = {name: (f"{name}/**", rows, size) for name, (rows, size) in sorted(folders.sizes.items())}
    dropped = Counter(told.dropped)
    made = card.Card(corpus.title, corpus.licence, corpus.blind, census, dropped, splits, _LOADING, audio_column=False)
    (folder / "README.md").write_text(card.readme(made), encoding="utf-8", newline="\n")
    _write_croissant(corpus, folder, sorted(folders.sizes))


def _written(session: Session, folders: _Folders, names: Names, told: Told) -> Session:
    """Gives the session with those utterances that were written."""
    kept = []
    for utterance in session.utterances:
        recording = recording_of(utterance)
        if isinstance(recording, str):
            told.dropped_one(recording)
            continue
        file = f"audio/{names.of_utterance(utterance.speaker_id, utterance.utterance_id)}.wav"
        folders.add(hub_split(utterance.split), flat_row(session, utterance, recording.seconds), recording, file)
        kept.append(utterance)
        told.wrote()
    return dataclasses.replace(session, utterances=tuple(kept))


def _write_croissant(corpus: Corpus, folder: Path, splits: list[str]) -> None:
    each = tuple(folder / name / "metadata.jsonl" for name in splits)
    files = croissant.Files("*/metadata.jsonl", "application/jsonlines", each)
    about = croissant.About(corpus.title, "Spoken questions to a database, with answers.", corpus.licence, date.today())
    croissant.write(folder, about, files, [croissant.field("file_name", "sc:Text"), *croissant.flat_fields(FLAT)])
