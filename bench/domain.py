"""How long an answer takes, as a multiple of bare DuckDB running the same statement in the same run.

    python bench/domain.py [PACK ...] [--repeat N] [--slowest N]

For every example of the packs: from the SQL to `cas_min`, and to `cas_min` and `cas_max`, through the worker and its
child process as a station asks it, against `execute` and `fetchall` on a connection with the same settings. They take
turns, and of each the fastest run counts, since others use the machine too.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

import duckdb
from size import SMALL, sized

from curtain.domain.pack.pack import Pack, bundled_packs, database, load_pack
from curtain.domain.worker.worker import SqlWorker

MINIMUM = (1.2, 5.0)
BOTH = (2.5, 25.0)
"""What is to be reached at the median: at most so many times bare DuckDB plus so many milliseconds."""


@dataclass(frozen=True)
class Timing:
    """One example: milliseconds for bare DuckDB, to the minimum, to both answers."""

    question: str
    sql: str
    bare: float
    minimum: float
    both: float

    def beyond(self, ours: float, reach: tuple[float, float]) -> float:
        """Milliseconds beyond what is to be reached; negative if it is."""
        return ours - reach[0] * self.bare - reach[1]


def timings(pack: Pack, repeat: int) -> Iterator[Timing]:
    """All examples of a pack, each in turns."""
    path = database(pack)
    config: dict[str, str | bool | int | float | list[str]] = {"threads": "1", "enable_external_access": "false"}
    with duckdb.connect(str(path), read_only=True, config=config) as bare, closing(SqlWorker(path, pack)) as worker:
        worker.run("SELECT 1").result()
        for example in pack.examples():
            sql = example.sql
            best = [float("inf")] * 3
            for _ in range(repeat):
                runs: list[Callable[[], object]] = [
                    lambda: bare.execute(sql).fetchall(),  # noqa: B023
                    lambda: worker.run(sql, with_maximum=False).result(),  # noqa: B023
                    lambda: worker.run(sql).result(),  # noqa: B023
                ]
                best = [min(one, milliseconds(run)) for one, run in zip(best, runs, strict=True)]
            yield Timing(example.question, sql, *best)


def milliseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def report(name: str, found: list[Timing]) -> bool:
    """Medians of one pack, and whether they are within reach."""
    within = True
    bare = statistics.median(one.bare for one in found)
    print(f"{name}: {len(found)} examples, bare DuckDB {bare:.1f} ms at the median")
    for what, reach, ours in (
        ("minimum", MINIMUM, [one.minimum for one in found]),
        ("both answers", BOTH, [one.both for one in found]),
    ):
        beyond = [one.beyond(mine, reach) for one, mine in zip(found, ours, strict=True)]
        ratio = statistics.median(mine / one.bare for one, mine in zip(found, ours, strict=True))
        reached = statistics.median(beyond) <= 0
        within = within and reached
        verdict = f"{'reached' if reached else 'NOT reached'} at the median, by {sum(one <= 0 for one in beyond)}"
        print(f"  {what:<13} {statistics.median(ours):6.1f} ms, {ratio:4.1f} x;", end=" ")
        print(f"to reach {reach[0]} x + {reach[1]:g} ms: {verdict} of {len(found)}")
    return within


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="*", default=sized(bundled_packs(), ("personnel",)))
    parser.add_argument("--repeat", type=int, default=sized(3, 1))
    parser.add_argument("--slowest", type=int, default=0, help="show so many of the slowest")
    arguments = parser.parse_args()
    everything: list[Timing] = []
    for name in arguments.packs:
        found = list(timings(load_pack(name), arguments.repeat))
        report(name, found)
        everything += found
    reached = report("all", everything)
    for one in sorted(everything, key=lambda one: -one.both)[: arguments.slowest]:
        print(f"{one.both:7.1f} ms, bare {one.bare:6.1f}, minimum {one.minimum:6.1f}: {one.sql[:150]}")
    sys.exit(0 if reached or SMALL else 1)


if __name__ == "__main__":
    main()
