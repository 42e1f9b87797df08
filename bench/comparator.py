"""How fast the Comparator is, as a multiple of a floor measured in the same run.

    python bench/comparator.py [a b c d e m o] [--most-rows N] [--repeat N] [--spider DIR] [--defog DIR]

The floor is one regular-expression pass over both texts plus hashing every cell of the hypothesis once.
Both are timed in turns, in seconds of the processor; of each the fastest run counts, since others use the machine too.
Part m is one large table, with the memory that its comparison takes beside its texts; part o compares tables without
texts under other rules, as multiples of the time for sets.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import comparator_peers
import psutil
from comparator_workloads import (
    Workload,
    answered,
    large,
    ordinary,
    ordinary_table,
    permuted,
    reals,
    small,
    unmatched,
    without_hold,
)
from size import processor_s, sized

from curtain.cas import Options, Relation, RowRule, compare, from_rows

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
        yield unmatched()
    if "b" in parts:
        yield from without_hold()
    if "c" in parts:
        yield from reals(min(most_rows, 100_000))
    if "d" in parts:
        yield small()
    if "e" in parts:
        yield answered()


def memory(workload: Workload) -> None:
    """What a comparison needs at most beside its texts, and its time, in a process that did not make them."""
    ((reference, hypothesis),) = workload.pairs
    with tempfile.TemporaryDirectory(prefix="curtain-bench-") as folder:
        files = [Path(folder) / name for name in ("reference", "hypothesis")]
        for file, text in zip(files, (reference, hypothesis), strict=True):
            file.write_text(text, "utf-8")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            taken, ratio, seconds = pool.apply(_measured, (files,))
    size = len(reference) + len(hypothesis)
    print(
        f"(m) {workload.name}: {seconds:.1f} s, {ratio:.1f} x, {taken / size:.1f} bytes of memory for each of "
        f"{size:,} bytes of text",
        flush=True,
    )


def _measured(files: list[Path]) -> tuple[int, float, float]:
    reference, hypothesis = (file.read_text("utf-8") for file in files)
    before = psutil.Process().memory_info().rss
    seconds = processor_s(lambda: compare(hypothesis, reference))
    taken = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return taken, seconds / processor_s(lambda: floor(Workload("m", "", [(reference, hypothesis)], [True]))), seconds


def other_rules(rows: int) -> None:
    """The time of other rules against that for sets, over tables that are not read from texts."""
    table = ordinary_table(rows, 6, random.Random(rows))
    same, other = from_rows(table), from_rows(permuted(table, random.Random(1)))
    rules = {
        "sets": (other, Options()),
        "multisets": (other, Options(RowRule.MULTISET)),
        "an absolute tolerance": (other, Options(absolute="0.01")),
        "ordered rows": (same, Options(RowRule.ORDERED)),
    }
    times = {name: [timed_once(one, same, how) for _ in range(3)] for name, (one, how) in rules.items()}
    for name, each in times.items():
        print(
            f"(o) {rows:,} x 6, {name}: {min(each):.2f} s, {min(each) / min(times['sets']):.1f} times sets", flush=True
        )


def timed_once(hypothesis: Relation, reference: Relation, options: Options) -> float:
    return processor_s(lambda: compare(hypothesis, reference, options=options))


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
    parser.add_argument("parts", nargs="*", default=sized([*"abcdemo"], [*"adm"]))
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
    if "m" in arguments.parts:
        for workload in large(10 * arguments.most_rows):
            memory(workload)
    if "o" in arguments.parts:
        other_rules(arguments.most_rows)
    sys.exit(any(timing.wrong for timing in timings))


if __name__ == "__main__":
    main()
