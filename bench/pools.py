"""What `curtain score` takes on Parquet: seconds and memory against the number of turns.

    python bench/pools.py [--turns 10000 100000] [--jobs 2]

References and two columns of answers are drawn by DuckDB: one speaker for each 400 turns, five sites, eight scenarios,
one question for each 50 turns. Four answers in five repeat the reference in another order; of the others two in three
are wrong. So pairs of question and answer repeat, as in a study, and each is judged once: how many differ is printed.
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
from pathlib import Path

import duckdb
import psutil
from size import sized

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
    for process in (child, *_children(child)):
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return total


def _children(child: psutil.Popen) -> list[psutil.Process]:
    try:
        return list(child.children(recursive=True))
    except psutil.Error:
        return []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, nargs="*", default=sized([10_000, 100_000], [1_000]))
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    print("turns       pairs    seconds   of the processor   a turn, ms   MB at most   score")
    for turns in asked.turns:
        with tempfile.TemporaryDirectory(prefix="curtain-bench-") as name:
            references, answers = make(Path(name), turns)
            pairs = duckdb.execute(
                f"SELECT count(*) FROM (SELECT DISTINCT ref, max, hyp FROM '{references}' JOIN '{answers}' USING (id))"
            ).fetchone()
            command = ["score", str(references), str(answers), "--jobs", str(asked.jobs), "--json"]
            seconds, processor, memory = cost(command, Path(name, "score.json"))
            total = json.loads(Path(name, "score.json").read_text("utf-8"))["systems"][0]["total"]
            shown = f"{total['score']:.2f} [{total['score_95'][0]:.2f}, {total['score_95'][1]:.2f}]"
            print(
                f"{turns:<10}  {pairs[0] if pairs else 0:<7}  {seconds:7.1f}  {processor:17.1f}  "
                f"{1000 * processor / turns:11.3f}  {memory:11.0f}   {shown}",
                flush=True,
            )


if __name__ == "__main__":
    main()
