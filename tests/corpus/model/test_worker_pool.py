"""Work in several processes: order, bounds, and a process that dies."""

import os
from collections.abc import Iterator
from itertools import count, islice

import pytest

from curtain.corpus.model.worker_pool import WorkerLost, check_jobs, in_order


def test_results_come_in_the_order_of_the_chunks_and_few_are_taken_ahead() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        for number in count():
            taken.append(number)
            yield -number

    results = in_order(abs, endless(), jobs=2)
    assert list(islice(results, 20)) == list(range(20))
    assert len(taken) <= 20 + 2 * 3 + 1
    results.close()  # type: ignore[attr-defined]


def test_large_chunks_are_not_heaped_up() -> None:
    taken: list[int] = []

    def large() -> Iterator[int]:
        for number in range(6):
            taken.append(number)
            yield number

    results = in_order(abs, large(), jobs=2, size=lambda chunk: 60 * 1024 * 1024)
    assert next(iter(results)) == 0
    assert len(taken) == 2
    assert list(results) == [1, 2, 3, 4, 5]


def test_a_process_that_dies_is_one_sentence() -> None:
    with pytest.raises(WorkerLost, match="fewer --jobs"):
        list(in_order(os._exit, [3], jobs=2))


def test_without_locks_between_processes_this_one_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refused)
    assert list(in_order(abs, [-1, 2], jobs=2)) == [1, 2]


def test_nought_is_one_process_a_core() -> None:
    assert check_jobs(0) == min(os.cpu_count() or 1, 256)
    assert check_jobs(3) == 3


def test_whoever_stops_asking_is_not_kept_waiting_for_half_a_result() -> None:
    """Results that fill the pipe are under way when nobody wants them any more."""
    for _ in range(6):
        results = in_order(bytes, [300_000] * 100, jobs=3)
        assert len(list(islice(results, 5))) == 5
        results.close()  # type: ignore[attr-defined]
