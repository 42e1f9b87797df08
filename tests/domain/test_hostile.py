import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack, closing
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.domain.worker.worker import Limits, Result, SqlWorker

from .hostile import BEHIND_THE_GUARD, REFUSED, RUNAWAYS

GIB = 1 << 30
STOPS_WITHIN_S = 6.0
SOON_S = 60  # how long a failure may take
QUICK = Limits(interrupt_after_s=0.8, kill_after_s=1.3)
NOT_FOR_PEOPLE = ("Traceback", "Error:", "Exception", "exception", "None", "Candidate", "Binder", "Catalog", "\n")


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("canary") / "canary"
    path.write_text("canary,sings\n1,2\n")
    before = path.stat()
    yield path
    assert path.read_text() == "canary,sings\n1,2\n"
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert [file.name for file in path.parent.iterdir()] == ["canary"]


def test_what_is_no_select_over_the_tables_is_refused_in_plain_words(worker: SqlWorker, canary: Path) -> None:
    for statement in REFUSED:
        sql = statement.replace("{canary}", str(canary)).replace("{folder}", str(canary.parent))
        result = worker.run(sql).result(timeout=SOON_S)
        assert result.error and (result.rows, result.cas_min, result.total) == ([], None, 0), result
        assert not [word for word in (*NOT_FOR_PEOPLE, "sings") if word in result.error], result
        assert result.error.endswith((".", "?")), result


def test_after_all_of_them_the_tables_are_as_they_were(worker: SqlWorker) -> None:
    counted = worker.run("SELECT count(*), sum(salary) FROM person").result(timeout=SOON_S)

    assert counted.cas_min == "((40 840.0))"


def test_a_runaway_is_stopped_and_the_next_statement_runs_at_once(pack: Pack, db: Path, make_lax: Pack) -> None:
    """Three at once, each on its own worker: one that hears the interrupt, two that never do."""
    with ExitStack() as workers:
        runs = [(pack, RUNAWAYS[0]), (pack, RUNAWAYS[1]), (make_lax, BEHIND_THE_GUARD[2])]
        started = [(workers.enter_context(closing(SqlWorker(db, given, QUICK))), sql) for given, sql in runs]
        for worker, _ in started:
            worker.run("SELECT 1").result(timeout=SOON_S)
        futures = [worker.run(sql) for worker, sql in started]
        for future in futures:
            assert_stopped(future)
        for worker, _ in started:
            assert_ready(worker)


@pytest.mark.soak
@pytest.mark.parametrize("sql", RUNAWAYS, ids=lambda sql: sql[:50])
def test_every_runaway_is_stopped(worker: SqlWorker, sql: str) -> None:
    begun = time.monotonic()
    assert_stopped(worker.run(sql))
    assert time.monotonic() - begun <= STOPS_WITHIN_S
    assert_ready(worker)


@pytest.mark.soak
@pytest.mark.parametrize("sql", BEHIND_THE_GUARD, ids=lambda sql: sql[:50])
def test_the_process_is_a_wall_of_its_own(make_lax: Pack, db: Path, sql: str) -> None:
    with closing(SqlWorker(db, make_lax)) as worker:
        worker.run("SELECT 1").result(timeout=30)
        begun = time.monotonic()
        assert_stopped(worker.run(sql))
        assert time.monotonic() - begun <= STOPS_WITHIN_S
        assert_ready(worker)


@pytest.fixture(scope="module")
def make_lax(make_pack: Callable[..., Path], cache: Path) -> Pack:
    """The pack with every function that makes much out of little."""
    allowed = "allowed_functions = ['range', 'repeat', 'levenshtein', 'damerau_levenshtein', 'rpad']\n"
    lax = load_pack(make_pack(domain=("title =", f"{allowed}title =")))
    assert database(lax, cache)
    return lax


def assert_stopped(future: Future[Result]) -> None:
    """Stopped, the children never above 1.2 GB, this process flat."""
    here = psutil.Process()
    before = here.memory_info().rss
    worst = 0
    ends = time.monotonic() + SOON_S
    while not future.done():
        worst = max([worst, *map(resident, here.children(recursive=True))])
        wait([future], timeout=0.02)
        assert time.monotonic() < ends, "it does not stop"
    assert worst <= 1.2 * GIB
    assert here.memory_info().rss - before < 32 << 20
    assert future.result().error
    assert not [word for word in NOT_FOR_PEOPLE if word in (future.result().error or "")]


def assert_ready(worker: SqlWorker) -> None:
    assert worker.run("SELECT count(*) FROM person").result(timeout=SOON_S).cas_min == "((40))"


def resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
