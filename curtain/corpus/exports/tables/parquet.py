"""Plain tables: `utterances.jsonl` and `utterances.parquet`, the same rows, without recordings.

The card beside them declares the types of both. A loader that guesses them from the lines of JSON finds none for a
column that has no value in any row.
"""

from pathlib import Path

from curtain.corpus.exports.card import Config
from curtain.corpus.exports.census import Census
from curtain.corpus.exports.release import write_card
from curtain.corpus.exports.tables.duckdb_writer import connected
from curtain.corpus.exports.tables.parquet_table import ParquetTable
from curtain.corpus.exports.utterance_table import COLUMNS, as_line, row_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus

_LOADING = """
```python
from datasets import load_dataset

corpus = load_dataset("FOLDER")["corpus"]
lines = load_dataset("json", data_files="FOLDER/utterances.jsonl", features=corpus.features)
```

`FOLDER` is the path of this folder. Both hold the same rows. A loader that guesses types from the lines of JSON finds
none for a column that is empty in every row, so give it those of `utterances.parquet`.
"""


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Rows go to the file of lines and, some thousand at a time, to a table on the disk, which then becomes Parquet."""
    census, size = Census(), 0
    with connected(folder) as duck, (folder / "utterances.jsonl").open("xb") as file:
        rows = ParquetTable(duck, "utterances", COLUMNS)
        for session in corpus.sessions():
            census.add(session)
            for utterance in session.utterances:
                line = as_line(row_of(session, utterance))
                file.write(line)
                rows.add(line)
                size += len(line)
                progress.wrote()
        rows.copy(folder / "utterances.parquet")
    config = Config({"corpus": ("utterances.parquet", progress.utterances, size)}, COLUMNS)
    write_card(corpus, census, progress, folder, _LOADING, config)
