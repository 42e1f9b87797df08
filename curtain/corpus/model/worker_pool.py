"""Work on many chunks with several processes: results in the order of the chunks, and never many of them at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import TypeVar

from curtain.base.clock import steady_s
from curtain.base.errors import CurtainError
from curtain.base.python_process import pool_of_safe_paths

MOST_JOBS = 256
_AHEAD = 3
_MOST_IN_CHUNK = 500
_BYTES_AHEAD = 64 * 1024 * 1024
_GRACE_S = 5.0

Given = TypeVar("Given")
Got = TypeVar("Got")


class WorkerLost(CurtainError):
    """A worker process died."""


def check_jobs(jobs: int) -> int:
    """The number of processes; 0 stands for one a core. Raises CurtainError."""
    if not 0 <= jobs <= MOST_JOBS:
        raise CurtainError(f"--jobs {jobs} cannot be; give a number from 1 to {MOST_JOBS}, or 0 for one a core.")
    return jobs or min(os.cpu_count() or 1, MOST_JOBS)


def chunked(values: Iterable[Given], size: Callable[[Given], int], largest: int) -> Iterator[list[Given]]:
    """The values in lists of at most 500, and of at most about `largest` by `size`, whichever comes first."""
    chunk: list[Given] = []
    total = 0
    for value in values:
        chunk.append(value)
        total += size(value)
        if len(chunk) >= _MOST_IN_CHUNK or total >= largest:
            yield chunk
            chunk, total = [], 0
    if chunk:
        yield chunk


def in_order(
    work: Callable[[Given], Got], chunks: Iterable[Given], jobs: int, size: Callable[[Given], int] = lambda chunk: 0
) -> Iterator[Got]:
    """`work(chunk)` for every chunk, in order. `work` is a function of a module, so that a new process can find it.

    At most three chunks a process, and about 64 MiB by `size`, are taken from `chunks` ahead of the results.
    Where the system has no locks for several processes (no /dev/shm), this one does the work. Raises WorkerLost if a
    process dies.
    """
    if jobs == 1:
        yield from map(work, chunks)
        return
    # Also around the making of the pool, which starts a process of its own that keeps the books.
    with pool_of_safe_paths():
        yield from _spread(work, chunks, jobs, size)


def _spread(
    work: Callable[[Given], Got], chunks: Iterable[Given], jobs: int, size: Callable[[Given], int]
) -> Iterator[Got]:
    # A fork would copy the locks of threads that do not run in the child.
    spawning = multiprocessing.get_context("spawn")
    # The pool does not list its processes, so those that come now are its own.
    others = set(multiprocessing.active_children())
    try:
        pool = ProcessPoolExecutor(jobs, mp_context=spawning, initializer=_leave_interrupts_to_the_parent)
    except (OSError, NotImplementedError):
        yield from map(work, chunks)
        return
    try:
        yield from _bounded(pool, work, chunks, jobs * _AHEAD, size)
    except BrokenProcessPool as error:
        raise WorkerLost(
            "A worker process was ended from outside, perhaps for lack of memory; run again with fewer --jobs."
        ) from error
    except BaseException:
        # Nobody wants the results any more.
        pool.shutdown(wait=False, cancel_futures=True)
        _end(set(multiprocessing.active_children()) - others)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _end(processes: Iterable[BaseProcess]) -> None:
    """Let them finish the chunk at hand; those that take long are ended.

    One that was ended while it hands over a result would leave half of it in the pipe, and the pool waiting for ever.
    """
    until = steady_s() + _GRACE_S
    for process in processes:
        process.join(max(0.0, until - steady_s()))
    for process in processes:
        process.terminate()


def _bounded(
    pool: ProcessPoolExecutor,
    work: Callable[[Given], Got],
    chunks: Iterable[Given],
    most: int,
    size: Callable[[Given], int],
) -> Iterator[Got]:
    waiting: deque[tuple[int, Future[Got]]] = deque()
    weight = 0
    for chunk in chunks:
        while waiting and (len(waiting) >= most or weight + size(chunk) > _BYTES_AHEAD):
            done, future = waiting.popleft()
            weight -= done
            yield future.result()
        waiting.append((size(chunk), pool.submit(work, chunk)))
        weight += size(chunk)
    while waiting:
        yield waiting.popleft()[1].result()


def _leave_interrupts_to_the_parent() -> None:
    # Ctrl+C reaches the whole group; children that died of it would each print a traceback.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
