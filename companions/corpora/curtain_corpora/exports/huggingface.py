"""A Hugging Face data set: Parquet files with an Audio column, and its card.

`load_dataset(folder)` takes the column types from the card's front matter.
"""

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from curtain.base.disk import rename
from curtain.base.sql_names import sql_literal
from curtain.corpus.exports.card import DTYPES, Config
from curtain.corpus.exports.census import Census
from curtain.corpus.exports.recordings import OutgoingRecording, audible_recording_of
from curtain.corpus.exports.release import write_card
from curtain.corpus.exports.tables.duckdb_writer import connected, make_room
from curtain.corpus.exports.utterance_table import Shape
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Session
from curtain_corpora.exports.flat import FLAT, flat_row
from curtain_corpora.exports.names import Names

_AT_ONCE = 48 * 1024 * 1024


@dataclass
class SplitShards:
    """The shards of one split, and the rows that are not yet in one: row, recording, file name. `size` is in bytes of
    all rows."""

    shards: list[Path] = field(default_factory=list)
    rows: int = 0
    size: int = 0
    waiting: list[tuple[str, bytes, str]] = field(default_factory=list)
    waiting_size: int = 0


class Shards:
    """Parquet files `data/<split>-NNNNN-of-NNNNN.parquet`: a column `audio` {bytes, path} and the columns of FLAT."""

    def __init__(self, folder: Path, duck: duckdb.DuckDBPyConnection) -> None:
        self._folder = folder / "data"
        self._folder.mkdir()
        self._duck = duck
        self.splits: dict[str, SplitShards] = {}

    def add(self, split: str, row: str, sound: bytes, file: str) -> None:
        """One row as JSON, its recording and the recording's file name."""
        made, size = self.splits.setdefault(split, SplitShards()), len(row) + len(sound)
        made.waiting.append((row, sound, file))
        made.rows, made.size, made.waiting_size = made.rows + 1, made.size + size, made.waiting_size + size
        if sum(each.waiting_size for each in self.splits.values()) >= _AT_ONCE:
            self._write(max(self.splits, key=lambda name: self.splits[name].waiting_size))

    def close(self) -> None:
        """Write what is left and give all files their last names."""
        for split, made in self.splits.items():
            if made.waiting:
                self._write(split)
            made.shards = [
                rename(path, self._folder / f"{split}-{at:05}-of-{len(made.shards):05}.parquet")
                for at, path in enumerate(made.shards)
            ]

    def _write(self, split: str) -> None:
        made = self.splits[split]
        # The last names say how many there are, which is known at the end only.
        path = self._folder / f"{split}-{len(made.shards):05}.part"
        make_room(self._duck, made.waiting_size)
        columns = zip(("row", "sound", "file"), zip(*made.waiting, strict=True), strict=True)
        self._duck.register("source", {name: np.array(values, dtype=object) for name, values in columns})
        # As an expression that could be null: a column that DuckDB proves to be never null is not nullable in the
        # file, and then the field's loader takes it for another type than the one declared.
        audio = "CASE WHEN sound IS NOT NULL THEN {'bytes': sound, 'path': file} END"
        shape = sql_literal(json.dumps(FLAT))
        self._duck.execute(
            f"COPY (SELECT {audio} AS audio, unnest(from_json(row, {shape})) FROM source) "
            f"TO {sql_literal(str(path))} (FORMAT parquet, COMPRESSION zstd, "
            f"KV_METADATA {{huggingface: {sql_literal(_features_of(FLAT))}}})"
        )
        self._duck.unregister("source")
        made.shards.append(path)
        made.waiting, made.waiting_size = [], 0


def _features_of(columns: Mapping[str, Shape]) -> str:
    """What stands under the key `huggingface` in a Parquet file, with the column `audio` before all others."""
    features = {"audio": {"_type": "Audio"}} | {name: _feature(shape) for name, shape in columns.items()}
    return json.dumps({"info": {"features": features}})


def _feature(shape: Shape) -> Any:
    if isinstance(shape, str):
        return {"dtype": DTYPES[shape], "_type": "Value"}
    if isinstance(shape, list):
        return {"feature": _feature(shape[0]), "_type": "List"}
    return {name: _feature(part) for name, part in shape.items()}


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
    written = dict(sorted(shards.splits.items()))
    splits = {name: (f"data/{name}-*", one.rows, one.size) for name, one in written.items()}
    write_card(corpus, census, progress, folder, _LOADING, Config(splits, FLAT, audio=True))


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
