"""`curtain report` on 30, 300 and 3,000 runs: seconds of processor time and memory.

Usage: python bench/report.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from size import sized

from curtain.evaluation.runs.run import RunRecord, runs_csv

SIZES = sized((30, 300, 3000), (30,))


def made_runs(count: int) -> list[RunRecord]:
    """Four scenarios a subject, two systems in both orders, times and queries drawn at random."""
    random = np.random.default_rng(4)
    runs = []
    for number in range(count // 4 + 1):
        first, second = ("robust", "full") if number % 2 else ("full", "robust")
        for scenario in range(1, 5):
            queries = float(random.integers(2, 15))
            wrong, unanswered = float(random.integers(0, 2)), float(random.integers(0, 2))
            runs.append(
                RunRecord(
                    f"s{number:04}",
                    str(scenario),
                    first if scenario < 3 else second,
                    session=f"s{number:04}-01",
                    position=float(scenario),
                    completion_s=float(random.lognormal(6, 0.4)),
                    stated=True,
                    solution="correct" if random.random() < 0.8 else "incorrect",
                    queries=queries,
                    no_answer=unanswered,
                    correct=max(0.0, queries - wrong - unanswered),
                    incorrect=wrong,
                    unanswered=unanswered,
                )
            )
    return runs[:count]


def main() -> None:
    print("runs    seconds      MB")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "runs.csv"
            path.write_text(runs_csv(made_runs(size)), "utf-8")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "curtain", "report", "--runs", str(path), "--out", f"{folder}/out"]
            subprocess.run(command, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            # The largest child so far: sizes grow, so it is this one.
            print(f"{size:4}  {after.ru_utime - before.ru_utime:8.1f}  {after.ru_maxrss / 1024:6.0f}")


if __name__ == "__main__":
    main()
