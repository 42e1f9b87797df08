"""How fast the Comparator is, as a multiple of a floor measured in the same run.

    python bench/comparator.py [a b c d e] [--most-rows N] [--repeat N] [--spider DIR] [--defog DIR]

The floor is one regular-expression pass over both texts plus hashing every cell of the hypothesis once.
Both are timed in turns, in seconds of the processor; of each the fastest run counts, since others use the machine too.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import comparator_peers
from comparator_workloads import Workload, answered, ordinary, reals, small, without_hold
from size import processor_s, sized

from curtain.cas import compare

_TOKEN = re.compile(r'\(|\)|"[^"]*"|[^\s()"]+')

_REACH = {
    "a": "median at most 5, none over 10 times the floor",
    "b": "each under 1 s",
    "c": "at most 15 times the floor",
    "d": "at most 6 times the floor",
    "e": "at most 7 times the floor",
}


@dataclass(frozen=True)
class Timing:
    """One workload's figures, in seconds."""

    workload: Workload
    ours: float
    floor: float
    outcomes: tuple[str, ...]

    @property
    def ratio(self) -> float:
        return self.ours / self.floor

    @property
    def wrong(self) -> int:
        """Verdicts that are not what they must be by construction."""
        right = {True: "correct", False: "incorrect"}
        pairs = zip(self.workload.expected, self.outcomes, strict=True)
        return sum(got == "undecided" or (known is not None and got != right[known]) for known, got in pairs)


def floor(workload: Workload) -> None:
    """What any comparison of two texts has to do."""
    for reference, hypothesis in workload.pairs:
        _TOKEN.findall(reference)
        for cell in _TOKEN.findall(hypothesis):
            hash(cell)


def ours(workload: Workload) -> tuple[str, ...]:
    """The outcomes."""
    return tuple(compare(hypothesis, reference).outcome for reference, hypothesis in workload.pairs)


def timed(workload: Workload, repeat: int) -> Timing:
    """Both in turns, the fastest of each; short ones more often."""
    best_floor = best_ours = float("inf")
    outcomes: tuple[str, ...] = ()
    spent, runs = 0.0, 0
    while runs < repeat or (spent < 0.3 and runs < 200):
        best_floor = min(best_floor, processor_s(lambda: floor(workload)))
        started = time.process_time()
        outcomes = ours(workload)
        best_ours = min(best_ours, time.process_time() - started)
        spent, runs = spent + best_ours + best_floor, runs + 1
    return Timing(workload, best_ours, best_floor, outcomes)


def workloads(parts: list[str], most_rows: int) -> Iterator[Workload]:
    """The workloads of the parts asked for."""
    if "a" in parts:
        yield from ordinary([rows for rows in (10, 1_000, 100_000) if rows <= most_rows])
    if "b" in parts:
        yield from without_hold()
    if "c" in parts:
        yield from reals(min(most_rows, 100_000))
    if "d" in parts:
        yield small()
    if "e" in parts:
        yield answered()


def report(timing: Timing) -> None:
    """One line."""
    note = f"  {timing.wrong} WRONG" if timing.wrong else ""
    kinds = ", ".join(sorted(set(timing.outcomes)))
    name = f"({timing.workload.part}) {timing.workload.name:<42}"
    print(f"{name} {timing.ours:>8.3f} s {timing.ratio:>7.1f} x  {kinds}{note}", flush=True)


def summary(timings: list[Timing]) -> None:
    """Per part the median and the worst, beside what is to be reached."""
    for part, reach in _REACH.items():
        mine = [timing for timing in timings if timing.workload.part == part]
        if mine:
            ratios = [timing.ratio for timing in mine]
            longest = max(timing.ours for timing in mine)
            print(
                f"({part}) median {statistics.median(ratios):.1f} x, most {max(ratios):.1f} x, "
                f"longest {longest:.2f} s; to reach: {reach}; none over 10 s"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=sized(["a", "b", "c", "d", "e"], ["a", "d"]))
    parser.add_argument("--most-rows", type=int, default=sized(100_000, 200))
    parser.add_argument("--repeat", type=int, default=sized(3, 1))
    parser.add_argument("--spider", type=Path, help="a copy of the test-suite evaluation (holds exec_eval.py)")
    parser.add_argument("--defog", type=Path, help="a copy of sql-eval (holds eval/eval.py); needs pandas")
    arguments = parser.parse_args()
    peers = {name: path for name in ("spider", "defog") if (path := getattr(arguments, name))}
    timings = []
    for workload in workloads(arguments.parts, arguments.most_rows):
        timings.append(timed(workload, arguments.repeat))
        report(timings[-1])
        for line in comparator_peers.lines(peers, workload, timings[-1].outcomes):
            print(line, flush=True)
    summary(timings)
    sys.exit(any(timing.wrong for timing in timings))


if __name__ == "__main__":
    main()
