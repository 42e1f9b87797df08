"""What workers of Dask win: `score_batch` over one frame of small answers, with one, two and four of them.

    python bench/batch.py [--pairs 20000] [--workers 1 2 4] [--repeat 2]

One pair in `--again` is new, the others repeat it, as systems that answer the same questions do. Each number of workers
has one thread each, and its figure is the fastest of the repetitions, which are taken in turns. What counts is the
ratio within one run: others use the machine too. Without the extra `dask`, processes of Python take its place.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any

from comparator_workloads import small
from size import sized

from curtain.cas.batch import score_batch

Columns = dict[str, list[str]]
_PARTS = 16


def columns(pairs: int, again: int) -> Columns:
    drawn = small(max(1, pairs // again)).pairs
    return {
        "ref": [drawn[number % len(drawn)][0] for number in range(pairs)],
        "hyp": [drawn[number % len(drawn)][1] for number in range(pairs)],
    }


def parts(table: Columns) -> Iterator[Columns]:
    for part in range(_PARTS):
        yield {name: values[part::_PARTS] for name, values in table.items()}


def by_dask(table: Columns, workers: int, stack: ExitStack) -> Callable[[bool], list[Any]]:
    import pandas
    from dask import dataframe
    from distributed import Client, LocalCluster

    cluster = stack.enter_context(LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None))
    client = stack.enter_context(Client(cluster))
    # Kept in the workers: how a table comes to them is not measured.
    frame = dataframe.from_pandas(pandas.DataFrame(table), npartitions=_PARTS).persist()
    return lambda reasons: list(
        client.compute(frame.map_partitions(partial(score_batch, reasons=reasons))).result().verdict
    )


def by_processes(table: Columns, workers: int, stack: ExitStack) -> Callable[[bool], list[Any]]:
    pool = stack.enter_context(ProcessPoolExecutor(workers))
    batches = list(parts(table))
    return lambda reasons: [
        one for batch in pool.map(partial(score_batch, reasons=reasons), batches) for one in batch["verdict"]
    ]


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=sized(20_000, 200))
    parser.add_argument("--again", type=int, default=1)
    parser.add_argument("--workers", type=int, nargs="*", default=sized([1, 2, 4], [1]))
    parser.add_argument("--repeat", type=int, default=sized(2, 1))
    asked = parser.parse_args()
    try:
        import distributed  # noqa: F401

        engine, run_by = "Dask", by_dask
    except ImportError:
        engine, run_by = "processes of Python", by_processes
    table = columns(asked.pairs, asked.again)
    different = len({*zip(*table.values(), strict=True)})
    print(f"{asked.pairs:,} pairs, {different:,} different; {engine}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with ExitStack() as stack:
        runs = {workers: run_by(table, workers, stack) for workers in asked.workers}
        for reasons in (False, True):
            best = dict.fromkeys(runs, float("inf"))
            for _ in range(asked.repeat + 1):  # the first round starts what is imported later
                for workers, run in runs.items():
                    best[workers] = min(best[workers], seconds(partial(run, reasons)))
            first = best[asked.workers[0]]
            for workers, taken in best.items():
                print(
                    f"{'with' if reasons else 'without'} reasons, {workers} workers: {taken:6.2f} s, "
                    f"{asked.pairs / taken:8,.0f} pairs a second, {first / taken:.2f} times the first",
                    flush=True,
                )
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
