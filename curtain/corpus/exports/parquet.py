"""Plain tables: `utterances.jsonl` and `utterances.parquet`, the same rows, without recordings."""

from __future__ import annotations

from pathlib import Path

from curtain.corpus.exports.duck import connected, quoted
from curtain.corpus.exports.table import COLUMNS, as_line, row_of, sql_type
from curtain.corpus.exports.writer import Told
from curtain.corpus.utterance import Corpus

_LEAST_BUFFER = 1 << 20


def write(corpus: Corpus, folder: Path, told: Told) -> None:
    """JSON lines first; DuckDB then streams them into Parquet."""
    lines = folder / "utterances.jsonl"
    longest = _write_lines(corpus, lines, told)
    columns = ", ".join(f"{quoted(name)}: {quoted(sql_type(shape))}" for name, shape in COLUMNS.items())
    with connected(folder) as duck:
        duck.execute(
            f"COPY (SELECT * FROM read_json($source, format = 'newline_delimited', columns = {{{columns}}}, "
            f"maximum_object_size = {max(longest, _LEAST_BUFFER)})) "
            f"TO {quoted(str(folder / 'utterances.parquet'))} (FORMAT parquet, COMPRESSION zstd)",
            {"source": str(lines)},
        )


def _write_lines(corpus: Corpus, path: Path, told: Told) -> int:
    """Gives the length of the longest line in bytes."""
    longest = 0
    with path.open("xb") as file:
        for session in corpus.sessions():
            for utterance in session.utterances:
                line = as_line(row_of(session, utterance))
                longest = max(longest, len(line))
                file.write(line)
                told.wrote()
    return longest
