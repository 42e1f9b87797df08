"""A Hugging Face AudioFolder: `<split>/audio/*.wav` and `<split>/metadata.parquet`, with card and Croissant.

The metadata is Parquet because the loader guesses the types of JSON from the rows, split by split, and refuses a data
set whose splits differ: a column that is empty in one of them has another type there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import duckdb

from curtain.corpus.exports.description import card, croissant
from curtain.corpus.exports.description.census import Census
from curtain.corpus.exports.description.release import about_of, card_of
from curtain.corpus.exports.flat import FLAT
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.speech.recordings import OutgoingRecording
from curtain.corpus.exports.tables.duckdb_writer import connected
from curtain.corpus.exports.tables.huggingface import put_recordings
from curtain.corpus.exports.tables.parquet_table import ParquetTable
from curtain.corpus.exports.utterance_table import TEXT, Shape, as_line
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus

_LOADING = """
```python
from datasets import load_dataset

corpus = load_dataset("audiofolder", data_dir="FOLDER")
```

`FOLDER` is the path of this folder. The library needs torchcodec for this already to load, and FFmpeg to decode a
recording; without them, read `<split>/metadata.parquet` with pandas or DuckDB, and each `file_name` with soundfile.
"""


_COLUMNS: dict[str, Shape] = {"file_name": TEXT, **FLAT}


@dataclass
class _Split:
    """The metadata of one split. `size` is in bytes of the rows."""

    table: ParquetTable
    rows: int = 0
    size: int = 0


class _Folders:
    """`<split>/` with its recordings and its metadata."""

    def __init__(self, folder: Path, duck: duckdb.DuckDBPyConnection) -> None:
        self._folder = folder
        self._duck = duck
        self.splits: dict[str, _Split] = {}

    def add(self, name: str, row: dict[str, object], recording: OutgoingRecording, wav: str) -> None:
        file = f"audio/{wav}"
        if name not in self.splits:
            (self._folder / name / "audio").mkdir(parents=True)
            self.splits[name] = _Split(ParquetTable(self._duck, name, _COLUMNS))
        recording.copy(self._folder / name / file)
        line = as_line({"file_name": file, **row})
        split = self.splits[name]
        split.table.add(line)
        split.rows += 1
        split.size += len(line)

    def close(self) -> None:
        for name, split in self.splits.items():
            split.table.copy(self._folder / name / "metadata.parquet")


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """The utterances by split, with the columns of the card. The card comes last: it counts what was written."""
    names, census = Names(), Census()
    with connected(folder) as duck:
        folders = _Folders(folder, duck)
        for session in corpus.sessions():
            census.add(put_recordings(session, folders.add, names, progress))
        folders.close()
    names.write(folder)
    splits = {name: (f"{name}/**", one.rows, one.size) for name, one in sorted(folders.splits.items())}
    configs = {"default": card.Config(splits, FLAT, audio=True)}
    made = card_of(corpus, census, Counter(progress.dropped), configs, _LOADING)
    (folder / "README.md").write_text(card.readme(made), encoding="utf-8", newline="\n")
    _write_croissant(corpus, census, folder, sorted(folders.splits))


def _write_croissant(corpus: Corpus, census: Census, folder: Path, splits: list[str]) -> None:
    each = tuple(folder / name / "metadata.parquet" for name in splits)
    files = croissant.Files("*/metadata.parquet", "application/x-parquet", each)
    about = about_of(corpus, census, date.today())
    croissant.write(folder, about, files, [croissant.field("file_name", "sc:Text"), *croissant.flat_fields(FLAT)])
