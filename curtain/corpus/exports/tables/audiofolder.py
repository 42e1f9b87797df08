"""A Hugging Face AudioFolder: `<split>/audio/*.wav` and `<split>/metadata.parquet`, with card and Croissant.

The metadata is Parquet because the loader guesses the types of JSON from the rows, split by split, and refuses a data
set whose splits differ: a column that is empty in one of them has another type there.
"""

from __future__ import annotations

from pathlib import Path

from curtain.corpus.exports.description import croissant
from curtain.corpus.exports.description.card import Config
from curtain.corpus.exports.description.census import Census
from curtain.corpus.exports.description.release import describe, write_card
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


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """The utterances by split, with the columns of the card. The card comes last: it counts what was written."""
    names, census = Names(), Census()
    with connected(folder) as duck:
        tables: dict[str, ParquetTable] = {}

        def put(split: str, row: dict[str, object], recording: OutgoingRecording, wav: str) -> None:
            file = f"audio/{wav}"
            if split not in tables:
                (folder / split / "audio").mkdir(parents=True)
                tables[split] = ParquetTable(duck, split, _COLUMNS)
            recording.copy(folder / split / file)
            tables[split].add(as_line({"file_name": file, **row}))

        for session in corpus.sessions():
            census.add(put_recordings(session, put, names, progress))
        for split, table in tables.items():
            table.copy(folder / split / "metadata.parquet")
    names.write(folder)
    splits = {split: (f"{split}/**", table.rows, table.size) for split, table in sorted(tables.items())}
    write_card(corpus, census, progress, folder, _LOADING, Config(splits, FLAT, audio=True))
    files = [folder / split / "metadata.parquet" for split in splits]
    file_name = croissant.field("file_name", "sc:Text")
    describe(corpus, census, folder, "*/metadata.parquet", files, [file_name, *croissant.flat_fields(FLAT)])
