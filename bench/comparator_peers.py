"""Other comparators on the same work, when they are on this machine: what they say, and how long they take.

Spider's test-suite evaluation (`exec_eval.py`, its `result_eq`) and defog's sql-eval (`eval/eval.py`, its
`compare_df` and `subset_df`) get the tables as Python rows. They run in a process of their own, since some of
their times grow exponentially.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from comparator_workloads import Workload

from curtain.cas import Scalar, parse

Rows = list[tuple[Any, ...]]
Judge = Callable[[Rows, Rows], bool]

TIMEOUT_S = 10.0


@dataclass(frozen=True)
class PeerResult:
    """Seconds and verdicts; the verdicts are None where time ran out or the peer failed."""

    seconds: float
    verdicts: list[bool] | None
    problem: str = ""


def run(name: str, folder: Path, workload: Workload) -> PeerResult:
    """One peer on one workload, stopped after ten seconds."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(name, folder, workload, there), daemon=True)
    process.start()
    there.close()
    try:
        # The clock starts when the tables are ready.
        ready = here.poll(120) and here.recv()
        result = here.recv() if ready is True and here.poll(TIMEOUT_S) else None
    except EOFError:
        result = PeerResult(0.0, None, "it ended")
    finally:
        process.kill()
        process.join()
    if isinstance(ready, PeerResult):
        return ready
    return result if isinstance(result, PeerResult) else PeerResult(TIMEOUT_S, None, "over 10 s")


def _work(name: str, folder: Path, workload: Workload, out: Connection) -> None:
    try:
        judge = JUDGES[name](folder)
        tables = [(_rows(reference), _rows(hypothesis)) for reference, hypothesis in workload.pairs]
        out.send(True)
        started = time.process_time()
        verdicts = [bool(judge(reference, hypothesis)) for reference, hypothesis in tables]
        out.send(PeerResult(time.process_time() - started, verdicts))
    except Exception as error:
        out.send(PeerResult(0.0, None, f"it failed: {error!r}"))


def _rows(text: str) -> Rows:
    answer = parse(text)
    if isinstance(answer, Scalar):
        return [(_plain(answer.value),)]
    return [tuple(map(_plain, row)) for row in answer.values()]  # type: ignore[union-attr]


def _plain(value: Any) -> Any:
    """Reals as floats, as a database gives them."""
    return value if value is None or isinstance(value, str | int) else float(value)


def _spider(folder: Path) -> Judge:
    module = _load(folder / "exec_eval.py")
    return lambda reference, hypothesis: module.result_eq(reference, hypothesis, order_matters=False)


def _defog(folder: Path) -> Judge:
    import pandas

    module = _load(folder / "eval" / "eval.py")

    def judge(reference: Rows, hypothesis: Rows) -> bool:
        wanted, shown = (_frame(pandas, rows) for rows in (reference, hypothesis))
        return module.compare_df(wanted, shown, "", "") or module.subset_df(wanted, shown, "", "")

    return judge


def _frame(pandas: Any, rows: Rows) -> Any:
    return pandas.DataFrame(rows, columns=[f"c{number}" for number in range(len(rows[0]) if rows else 0)])


JUDGES: dict[str, Callable[[Path], Judge]] = {"spider": _spider, "defog": _defog}


class _StandIn(ModuleType):
    """In place of a module that is not installed and that comparing does not need (database drivers)."""

    __path__: ClassVar[list[str]] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None


def _load(path: Path) -> Any:
    """A file as a module; whatever it cannot import is replaced by a stand-in."""
    sys.path[:0] = [str(path.parent), str(path.parent.parent)]
    for _ in range(20):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            return module
        except ModuleNotFoundError as error:
            sys.modules[str(error.name)] = _StandIn(str(error.name))
    raise ImportError(f"{path} imports too much that is missing")


def lines(peers: dict[str, Path], workload: Workload, ours: tuple[str, ...]) -> Iterator[str]:
    """For each peer its time and how many of its verdicts are not the exact ones."""
    for name, folder in peers.items():
        result = run(name, folder, workload)
        if result.verdicts is None:
            yield f"      {name}: {result.problem}"
            continue
        pairs = list(zip(result.verdicts, ours, strict=True))
        strict = sum(said is False and right == "correct" for said, right in pairs)
        lax = sum(said is True and right == "incorrect" for said, right in pairs)
        yield f"      {name}: {result.seconds:.3f} s, wrong verdicts: {strict} too strict, {lax} too lax"
