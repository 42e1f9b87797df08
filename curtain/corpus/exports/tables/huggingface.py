"""A Hugging Face data set: Parquet files with an Audio column, its card, and its Croissant description.

`load_dataset(folder)` takes the column types from the card's front matter.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

from curtain.corpus.exports.description import card, croissant
from curtain.corpus.exports.description.census import Census
from curtain.corpus.exports.description.release import about_of, card_of
from curtain.corpus.exports.flat import FLAT, flat_row
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.speech.recordings import OutgoingRecording, audible_recording_of
from curtain.corpus.exports.tables.duckdb_writer import connected
from curtain.corpus.exports.tables.shards import Shards, Written
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Session

_LOADING = """
```python
import io

import soundfile
from datasets import Audio, load_dataset

corpus = load_dataset("FOLDER").cast_column("audio", Audio(decode=False))
for split in corpus.values():
    for row in split:
        samples, rate = soundfile.read(io.BytesIO(row["audio"]["bytes"]))
```

`FOLDER` is the path of this folder. Without `cast_column` the library decodes recordings itself, for which it needs
torchcodec and FFmpeg. `sql_min` to `cas_max` are of the preferred reading; `references` has all readings.
"""


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """The utterances in shards by split. The card comes last: it says how many rows and bytes were written."""
    names, census = Names(), Census()
    with connected(folder) as duck:
        shards = Shards(folder, duck)

        def put(split: str, row: dict[str, object], recording: OutgoingRecording, wav: str) -> None:
            shards.add(split, json.dumps(row), recording.wav(), wav)

        for session in corpus.sessions():
            census.add(put_recordings(session, put, names, progress))
        shards.close()
    names.write(folder)
    _write_card(corpus, folder, census, progress, shards.written)
    _write_croissant(corpus, census, folder, shards.written)


def put_recordings(
    session: Session,
    put: Callable[[str, dict[str, object], OutgoingRecording, str], None],
    names: Names,
    progress: ExportProgress,
) -> Session:
    """Put each utterance that can be heard: the hub's word for its split, its row, its recording, the name of its WAV.
    Gives the session with those utterances."""
    kept = []
    for utterance in session.utterances:
        recording = audible_recording_of(session, utterance)
        if isinstance(recording, str):
            progress.dropped_one(recording)
            continue
        split = {"dev": "validation", "none": "unsplit"}.get(utterance.split, utterance.split)
        wav = f"{names.of_utterance(utterance.speaker_id, utterance.utterance_id)}.wav"
        put(split, flat_row(session, utterance, recording.seconds), recording, wav)
        kept.append(utterance)
        progress.wrote()
    return dataclasses.replace(session, utterances=tuple(kept))


def _write_card(
    corpus: Corpus, folder: Path, census: Census, progress: ExportProgress, splits: dict[str, Written]
) -> None:
    files = {name: (f"data/{name}-*", one.rows, one.size) for name, one in sorted(splits.items())}
    configs = {"default": card.Config(files, FLAT, audio=True)}
    made = card_of(corpus, census, Counter(progress.dropped), configs, _LOADING)
    (folder / "README.md").write_text(card.readme(made), encoding="utf-8", newline="\n")


def _write_croissant(corpus: Corpus, census: Census, folder: Path, splits: dict[str, Written]) -> None:
    shards = tuple(path for _, one in sorted(splits.items()) for path in one.shards)
    files = croissant.Files("data/*.parquet", "application/x-parquet", shards)
    about = about_of(corpus, census, date.today())
    sound = croissant.field("audio", "sc:AudioObject", jsonPath="bytes")
    croissant.write(folder, about, files, [sound, *croissant.flat_fields(FLAT)])
