"""`curtain report` of an utterance table: seconds and memory against the number of turns.

    python bench/report.py [--turns 10000 100000]

DuckDB draws the table: four turns a run, four scenarios a session, four sessions a subject, two systems in two orders.
The memory is the largest sum over the process and its children.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import duckdb
from pools import cost
from size import sized

from curtain.base.sql_names import quoted
from curtain.corpus.exports.utterance_table import COLUMNS, FLAG, Shape, sql_type

_DRAWN = {
    "utterance_id": "printf('s%07d-%02d-%03d', who, sitting, turn)",
    "session_id": "printf('s%07d-%02d', who, sitting)",
    "speaker_id": "printf('s%07d', who)",
    "turn": "turn",
    "scenario_id": "'task ' || run",
    "scenario_start_ms": "run * 1000000",
    "scenario_end_ms": "run * 1000000 + 100000 + hash(n // 4) % 500000",
    "scenario_answer": "'it is so'",
    "scenario_answer_ms": "run * 1000000 + 90000",
    "given_up": "false",
    "scenario_solution": "CASE hash(n // 4) % 10 WHEN 0 THEN 'none' WHEN 1 THEN 'incorrect' ELSE 'correct' END",
    "condition_id": "CASE WHEN (who + run // 2) % 2 = 0 THEN 'full' ELSE 'robust' END",
    "outcome": "CASE WHEN hash(n) % 7 = 0 THEN 'message' ELSE 'answer' END",
    "message_id": "CASE WHEN hash(n) % 7 = 0 THEN 'not_a_query' END",
    "message": "CASE WHEN hash(n) % 7 = 0 THEN 'That is no question.' END",
    "counts_as": "CASE WHEN hash(n) % 7 = 0 THEN 'no_answer' END",
    "query": "'who has worked here for ' || hash(n) % 40 || ' years'",
    "lsn": "'WHO HAS WORKED HERE FOR FORTY YEARS'",
    "hypothesis": "CASE WHEN hash(n) % 3 = 0 THEN 'who worked here for forty years' END",
    "hypothesis_use": "CASE WHEN hash(n) % 3 = 0 THEN 'edited' END",
    "text_from": "'annotated'",
    "language": "'en'",
    "split": "'train'",
    "modality": "'speech'",
    "wizard_latency_ms": "5000 + hash(n) % 9000",
}


def drawn(name: str, shape: Shape) -> str:
    empty = "[]" if isinstance(shape, list) else "false" if shape == FLAG else "NULL"
    return f"({_DRAWN.get(name, empty)})::{sql_type(shape)} AS {quoted(name)}"


def make(path: Path, turns: int) -> Path:
    """A table of so many utterances; a column that is not drawn is empty."""
    columns = ", ".join(drawn(name, shape) for name, shape in COLUMNS.items())
    places = "n // 64 AS who, n // 16 % 4 AS sitting, n // 4 % 4 AS run, n % 16 + 1 AS turn"
    with duckdb.connect(config={"memory_limit": "1GB", "temp_directory": str(path.parent)}) as duck:
        rows = f"SELECT {columns} FROM (SELECT range AS n, {places} FROM range({turns}))"
        duck.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, nargs="*", default=sized([10_000, 100_000], [1_000]))
    asked = parser.parse_args()
    print("turns       seconds   of the processor   a turn, ms   MB at most   subjects")
    for turns in asked.turns:
        with tempfile.TemporaryDirectory(prefix="curtain-bench-") as name:
            table = make(Path(name, "table.parquet"), turns)
            command = ["report", str(table), "--out", f"{name}/out", "--json"]
            seconds, processor, memory = cost(command, Path(name, "report.json"))
            flow = json.loads(Path(name, "report.json").read_text("utf-8"))["flow"]
            print(
                f"{turns:<10}  {seconds:7.1f}  {processor:17.1f}  {1000 * processor / turns:11.3f}  {memory:11.0f}   "
                f"{flow['ran']}",
                flush=True,
            )


if __name__ == "__main__":
    main()
