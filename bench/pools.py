"""What `curtain score` and `curtain report` take on Parquet: seconds and memory against the number of turns.

    python bench/pools.py [--turns 10000 100000]

References and two columns of answers are drawn by DuckDB: one speaker for each 400 turns, five sites, eight scenarios,
one question for each 50 turns. Four answers in five repeat the reference in another order; of the others two in three
are wrong. So pairs of question and answer repeat, as in a study, and each is judged once: how many differ is printed.
For the report: four turns a run, four scenarios a session, four sessions a subject, two systems in two orders.
Each command is a process of its own; the memory is the largest sum over it and its children.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import duckdb
import psutil
from size import sized

from curtain.base.sql_names import quoted
from curtain.corpus.exports.utterance_table import COLUMNS, FLAG, Shape, sql_type

_DRAWN = """
    SELECT range AS n, range // 400 AS who, hash(range) % ($turns // 50 + 1) AS q, hash(range + 7) % 100 AS luck
    FROM range($turns)
"""
_REFERENCES = """
    SELECT printf('%09d', n) AS id, printf('((%d "a%d") (%d "b%d"))', q, q % 97, q + 1, q % 89) AS ref,
        CASE WHEN q % 3 = 0 THEN printf('((%d "a%d" 1) (%d "b%d" 2))', q, q % 97, q + 1, q % 89) END AS max,
        CASE WHEN n % 400 % 3 = 0 THEN 'A' WHEN n % 400 % 3 = 1 THEN 'D1' ELSE 'D' END AS class,
        'speaker ' || who AS speaker, 'site ' || who % 5 AS site, 'scenario ' || n % 400 // 50 AS scenario
    FROM drawn ORDER BY n
"""
_ANSWERS = """
    SELECT printf('%09d', n) AS id, CASE
        WHEN luck < 80 THEN printf('((%d "b%d") (%d "a%d"))', q + 1, q % 89, q, q % 97)
        WHEN luck < 93 THEN printf('((%d "b%d"))', q + 1, q % 89) END AS hyp
    FROM drawn ORDER BY n
"""


_COLUMNS = {
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
    return f"({_COLUMNS.get(name, empty)})::{sql_type(shape)} AS {quoted(name)}"


def make_table(path: Path, turns: int) -> Path:
    """A table of so many utterances; a column that is not drawn is empty."""
    columns = ", ".join(drawn(name, shape) for name, shape in COLUMNS.items())
    places = "n // 64 AS who, n // 16 % 4 AS sitting, n // 4 % 4 AS run, n % 16 + 1 AS turn"
    with duckdb.connect(config={"memory_limit": "1GB", "temp_directory": str(path.parent)}) as duck:
        rows = f"SELECT {columns} FROM (SELECT range AS n, {places} FROM range({turns}))"
        duck.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
    return path


def make(folder: Path, turns: int) -> tuple[Path, Path]:
    with duckdb.connect(config={"memory_limit": "1GB", "temp_directory": str(folder)}) as duck:
        duck.execute(f"CREATE TEMP TABLE drawn AS {_DRAWN}", {"turns": turns})
        for name, rows in (("references", _REFERENCES), ("answers", _ANSWERS)):
            duck.execute(f"COPY ({rows}) TO '{folder}/{name}.parquet'")
    return folder / "references.parquet", folder / "answers.parquet"


def cost(command: list[str], out: Path) -> tuple[float, float, float]:
    """Seconds by the clock, seconds of the processor, and MB at most, of the process and its children."""
    started, before, most = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN), 0
    with out.open("wb") as file:
        child = psutil.Popen([sys.executable, "-m", "curtain", *command], stdout=file)
        while child.poll() is None:
            most = max(most, memory_of(child))
            time.sleep(0.1)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - started, processor, most / 1e6


def memory_of(child: psutil.Popen) -> int:
    total = 0
    with suppress(psutil.Error):
        for process in (child, *child.children(recursive=True)):
            with suppress(psutil.Error):
                total += process.memory_info().rss
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, nargs="*", default=sized([10_000, 100_000], [1_000]))
    asked = parser.parse_args()
    print("command   turns       seconds   of the processor   a turn, ms   MB at most   result")
    for turns in asked.turns:
        with tempfile.TemporaryDirectory(prefix="curtain-bench-") as name:
            for command, measure in (("score", score), ("report", report)):
                (seconds, processor, memory), result = measure(Path(name), turns)
                print(
                    f"{command:<8}  {turns:<10}  {seconds:7.1f}  {processor:17.1f}  {1000 * processor / turns:11.3f}  "
                    f"{memory:11.0f}   {result}",
                    flush=True,
                )


def score(folder: Path, turns: int) -> tuple[tuple[float, float, float], str]:
    references, answers = make(folder, turns)
    (pairs,) = duckdb.execute(
        f"SELECT count(*) FROM (SELECT DISTINCT ref, max, hyp FROM '{references}' JOIN '{answers}' USING (id))"
    ).fetchone() or (0,)
    taken = cost(["score", str(references), str(answers), "--json"], folder / "score.json")
    total = json.loads((folder / "score.json").read_text("utf-8"))["systems"][0]["total"]
    least, most = total["score_95"]
    return taken, f"{pairs} pairs, score {total['score']:.2f} [{least:.2f}, {most:.2f}]"


def report(folder: Path, turns: int) -> tuple[tuple[float, float, float], str]:
    table = make_table(folder / "table.parquet", turns)
    taken = cost(["report", str(table), "--out", str(folder / "out"), "--json"], folder / "report.json")
    return taken, f"{json.loads((folder / 'report.json').read_text('utf-8'))['flow']['ran']} subjects"


if __name__ == "__main__":
    main()
