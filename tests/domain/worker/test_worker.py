import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from curtain.domain.pack.pack import Pack, database
from curtain.domain.wire import Done, Interrupt, Open, Order, Ready, Run, Widened, WorkerReply
from curtain.domain.worker.answer import answer_statement
from curtain.domain.worker.worker import STOPPED, Limits, Result, SqlWorker
from tests.support.child_program import Child

ENDLESS = "SELECT count(*) FROM person a, person b, person c, person d, person e, person f, person g"
DEAF = "SELECT " + "(" * 5000
QUICK = Limits(interrupt_after_s=0.8, kill_after_s=1.3)
# Whoever waits for such a limit to pass waits longer than any test.
ENDLESS_PATIENCE = Limits(interrupt_after_s=600, kill_after_s=600.5)
SOON_S = 30


def test_statements_run_one_at_a_time_in_their_order(worker: SqlWorker) -> None:
    futures = [worker.run(f"SELECT {number}") for number in range(50)]

    assert [future.result(timeout=SOON_S).cas_min for future in futures] == [f"(({number}))" for number in range(50)]


def test_a_result_says_what_was_run_how_much_there_is_and_what_is_a_number(worker: SqlWorker) -> None:
    result = worker.run("SELECT id, name, born, salary, active FROM person ORDER BY id").result(timeout=SOON_S)

    assert result.sql == "SELECT id, name, born, salary, active FROM person ORDER BY id"
    assert result.rows[0] == ["1", "NAME 01", "2 Feb 1931", "1.5", "yes"]
    assert result.numeric == [True, False, False, True, False]
    assert (result.total, result.error, result.cas_error, result.max_error) == (40, None, None, None)
    assert 0 <= result.ms < 6000


def test_the_tables_are_described_with_keys_headings_and_values(worker: SqlWorker) -> None:
    dept, person = worker.describe().result(timeout=SOON_S)

    assert (dept.name, dept.rows, person.name, person.rows) == ("dept", 4, "person", 40)
    assert [(column.name, column.type, column.heading, column.key) for column in dept.columns] == [
        ("dept", "INTEGER", "Department number", True),
        ("name", "VARCHAR", "Department", False),
    ]
    assert dept.columns[1].values == ["DEPT 1", "DEPT 2", "DEPT 3", "DEPT 4"]
    assert dept.columns[0].values == []


def test_statements_are_examined_without_running(worker: SqlWorker) -> None:
    asked = ["select NAME from person", "SELECT name\n  FROM person -- all", ENDLESS, "SELECT nam FROM person"]
    asked += ["DROP TABLE person", "SELECT id FROM person WHERE id = 'a' + 1", "SELECT name FROM dept"]
    asked += ["SELECT getenv('HOME')", "\ud800"]

    found = worker.examine(asked).result(timeout=SOON_S)

    assert [one.problem is None for one in found] == [True, True, True, False, False, False, True, False, False]
    assert found[0].key != found[1].key == worker.examine(asked[1:2]).result(timeout=SOON_S)[0].key
    assert len({one.key for one in found if one.key}) == 4


# A worker each: what the first statement left in memory would count for the second.
@pytest.mark.parametrize(("sql", "with_spare"), [(ENDLESS, True), (DEAF, True), (DEAF, False)])
def test_what_takes_too_long_is_stopped_and_the_next_one_runs(pack: Pack, db: Path, sql: str, with_spare: bool) -> None:
    with closing(SqlWorker(db, pack, QUICK, with_spare=with_spare)) as worker:
        stopped, after = worker.run(sql), worker.run("SELECT 1")
        result = stopped.result(timeout=30)
        assert "took longer than 0.8 seconds" in (result.error or "")
        assert result.ms >= 800
        assert after.result(timeout=SOON_S).cas_min == "((1))"


@pytest.mark.parametrize("sql", [ENDLESS, DEAF])
def test_a_wizard_can_stop_a_statement(pack: Pack, db: Path, sql: str) -> None:
    with closing(SqlWorker(db, pack, ENDLESS_PATIENCE)) as worker:
        worker.run("SELECT 1").result(timeout=30)
        future = worker.run(sql)
        interrupt_until_done(worker, future)
        assert future.result(timeout=SOON_S).error == "This statement was stopped."
        assert worker.run("SELECT 1").result(timeout=SOON_S).cas_min == "((1))"


def interrupt_until_done(worker: SqlWorker, future: Future[Any]) -> None:
    """A statement that has not begun yet cannot be stopped, and nothing tells that it has."""
    while wait([future], timeout=0.02).not_done:
        worker.interrupt()


def test_stopping_when_nothing_runs_stops_nothing_later(worker: SqlWorker) -> None:
    worker.interrupt()

    assert worker.run("SELECT 1").result(timeout=SOON_S).cas_min == "((1))"


def test_too_much_memory_ends_the_child_and_not_the_worker(pack: Pack, db: Path) -> None:
    with closing(SqlWorker(db, pack, Limits(kill_above_bytes=100 << 20))) as worker:
        worker.run("SELECT 1").result(timeout=30)
        hungry = "SELECT DISTINCT a.id, b.id, c.id, d.id FROM person a, person b, person c, person d"

        assert "needs more memory" in (worker.run(hungry).result(timeout=SOON_S).error or "")
        assert worker.run("SELECT 1").result(timeout=SOON_S).cas_min == "((1))"


def test_a_child_that_dies_hangs_nobody(pack: Pack, db: Path) -> None:
    with closing(SqlWorker(db, pack)) as worker:
        worker.run("SELECT 1").result(timeout=30)
        for during in (False, True):
            future = worker.run(ENDLESS) if during else None
            wait([future] if future else [], timeout=1)
            kill_children()
            if future:
                assert "stopped working" in (future.result(timeout=SOON_S).error or "")
            assert worker.run("SELECT 2").result(timeout=SOON_S).cas_min == "((2))"


def test_closing_ends_everything_also_in_the_middle(pack: Pack, db: Path) -> None:
    worker = SqlWorker(db, pack, ENDLESS_PATIENCE)
    worker.run("SELECT 1").result(timeout=30)
    futures = [worker.run(sql) for sql in (DEAF, "SELECT 1")]
    with ThreadPoolExecutor(1) as pool:
        pool.submit(worker.close).result(timeout=SOON_S)

    assert [future.result(timeout=60).error for future in futures] == ["The database is closed."] * 2
    assert worker.run("SELECT 1").result(timeout=60).error == "The database is closed."
    assert worker.describe().result(timeout=60) == []
    worker.close()


def test_a_worker_closed_at_once_leaves_no_process(pack: Pack, db: Path) -> None:
    before = set(psutil.Process().children(recursive=True))
    for _ in range(3):
        SqlWorker(db, pack).close()

    assert set(psutil.Process().children(recursive=True)) <= before


def test_what_is_no_database_is_reported(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_text("no database at all")
    for path in (tmp_path / "x.duckdb", tmp_path / "missing.duckdb"):
        with closing(SqlWorker(path, pack, with_spare=False)) as worker:
            assert worker.run("SELECT 1").result(timeout=30).error == f"The database cannot be opened: {path}."
            assert worker.describe().result(timeout=30) == []
    assert [path.name for path in tmp_path.iterdir()] == ["x.duckdb"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_the_children_end_with_their_parent(db: Path, make_pack: Callable[..., Path]) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from curtain.domain.pack.pack import load_pack\nfrom curtain.domain.worker.worker import SqlWorker\n"
        "worker = SqlWorker(Path(sys.argv[1]), load_pack(sys.argv[2]))\n"
        "worker.run('SELECT 1').result(); worker.run(sys.argv[3]); print('ready', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(db), str(make_pack()), ENDLESS]
    with Child(command) as parent:
        assert parent.stdout.readline() == b"ready\n"
        children = psutil.Process(parent.pid).children(recursive=True)
        os.kill(parent.pid, signal.SIGKILL)

    assert children
    assert not still_running(children, within_s=SOON_S)


def test_the_same_rows_come_in_the_same_order_from_every_child(pack: Pack, db: Path) -> None:
    sql = "SELECT dept, avg(share), sum(salary) FROM person GROUP BY dept"
    answers = set()
    for _ in range(2):
        with closing(SqlWorker(db, pack, with_spare=False)) as worker:
            answers.add(worker.run(sql).result(timeout=30).cas_min)

    assert len(answers) == 1


def test_a_statement_can_be_answered_without_keeping_a_worker(pack: Pack, cache: Path) -> None:
    before = set(psutil.Process().children(recursive=True))

    assert answer_statement(pack, "SELECT count(*) FROM dept", cache=cache).cas_min == "((4))"
    assert answer_statement(pack, "SELECT count(*) > 9 FROM dept", True, cache=cache).cas_min == "FALSE"
    assert set(psutil.Process().children(recursive=True)) <= before


def still_running(processes: list[psutil.Process], within_s: float) -> list[psutil.Process]:
    """Those that run after this time; one that nobody has reaped yet does not."""
    ends = time.monotonic() + within_s
    while running := [process for process in processes if is_running(process)]:
        if time.monotonic() > ends:
            break
        psutil.wait_procs(running, timeout=0.05)
    return running


def is_running(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def kill_children() -> None:
    for child in psutil.Process().children():
        child.kill()
    psutil.wait_procs(psutil.Process().children(), timeout=3)


def test_a_statement_that_needs_more_memory_than_there_is_leaves_no_file_behind(pack: Pack, tmp_path: Path) -> None:
    path = database(pack, tmp_path)
    many = "person a, person b, person c, person d, person e"
    sql = f"SELECT concat(a.name, b.name, c.name, d.name, e.id) AS x, count(*) FROM {many} GROUP BY x ORDER BY x"
    worker = SqlWorker(path, pack, Limits(interrupt_after_s=20, kill_after_s=21))
    try:
        result = worker.run(sql).result(timeout=60)
        assert [one.name for one in tmp_path.iterdir()] == [path.name]
    finally:
        worker.close()
    assert result.error == "This statement needs more memory than it may have: ask for less at a time."


def test_the_minimum_is_reported_before_its_maximum_is_there(pack: Pack, db: Path) -> None:
    with closing(SqlWorker(db, pack, QUICK)) as worker:
        minimum: Future[Result] = Future()
        whole = worker.run("SELECT 1", sql_max=ENDLESS, minimum=minimum)
        first = minimum.result(timeout=30)

        assert not whole.done()
        assert (first.cas_min, first.cas_max, first.max_error) == ("((1))", None, None)
        assert whole.result(timeout=30).cas_min == "((1))"
        assert "took longer than" in (whole.result().max_error or "")


class SlowChild:
    """Each look at it takes a second, its minimum eight, and its maximum ends only when it is interrupted."""

    is_open, alive, now = False, True, 0.0

    def __init__(self, opening: Open) -> None:
        self.send(opening)

    def send(self, order: Order) -> None:
        self._order, self._begun = order, SlowChild.now

    def reply_within(self, seconds: float) -> WorkerReply | None:
        SlowChild.now += 1
        match self._order:
            case Open():
                return Ready()
            case Run() if SlowChild.now == self._begun + 8:
                return Done(result=Result(sql=self._order.sql, cas_min="((1))"))
            case Interrupt():
                return Widened(problem=STOPPED)
        return None

    def memory(self) -> int:
        return 0

    def end(self) -> None: ...


def test_minimum_and_maximum_share_one_limit(pack: Pack, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curtain.domain.worker.worker.Child", SlowChild)
    monkeypatch.setattr("curtain.domain.worker.worker.steady_s", lambda: SlowChild.now)
    with closing(SqlWorker(db, pack, Limits(interrupt_after_s=10, kill_after_s=100), with_spare=False)) as worker:
        assert worker.run("SELECT 1").result(timeout=SOON_S).cas_min == "((1))"

    # A limit for the maximum alone would begin only when the minimum is there.
    assert SlowChild.now < 8 + 10


class ChildThatNeverOpens(SlowChild):
    def reply_within(self, seconds: float) -> None:
        threading.Event().wait(seconds)


@pytest.mark.parametrize("with_spare", [True, False])
def test_a_statement_whose_database_does_not_open_is_stopped_at_once(
    pack: Pack, db: Path, monkeypatch: pytest.MonkeyPatch, with_spare: bool
) -> None:
    monkeypatch.setattr("curtain.domain.worker.worker.Child", ChildThatNeverOpens)
    with closing(SqlWorker(db, pack, ENDLESS_PATIENCE, with_spare=with_spare)) as worker:
        ran = worker.run("SELECT 1")
        deadline = time.monotonic() + SOON_S
        while not ran.running() and time.monotonic() < deadline:
            threading.Event().wait(0.01)
        worker.interrupt()
        assert ran.result(timeout=SOON_S).error == STOPPED


def test_a_database_that_takes_hours_to_open_is_waited_for(
    pack: Pack, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curtain.domain.worker.worker.steady_s", count(0.0, 3600.0).__next__)
    limits = Limits(interrupt_after_s=1e9, kill_after_s=1e9)
    with closing(SqlWorker(db, pack, limits, with_spare=False)) as worker:
        assert worker.run("SELECT 1").result(timeout=SOON_S).cas_min == "((1))"


def test_a_statement_that_fails_tells_no_minimum(worker: SqlWorker) -> None:
    minimum: Future[Result] = Future()

    assert worker.run("SELECT nobody FROM person", minimum=minimum).result(timeout=30).error
    assert not minimum.done()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_a_child_that_was_stopped_holds_up_neither_a_long_order_nor_the_end(
    pack: Pack, db: Path, tmp_path: Path
) -> None:
    # A copy, so that its child is known from those of other workers.
    own = shutil.copy(db, tmp_path / "own.duckdb")
    with closing(SqlWorker(own, pack, ENDLESS_PATIENCE, with_spare=False)) as worker:
        worker.run("SELECT 1").result(timeout=SOON_S)
        children = psutil.Process().children()
        [child] = [one for one in children if str(own) in {file.path for file in one.open_files()}]
        child.suspend()
        # More than a pipe takes without a reader.
        examined = worker.examine(["SELECT " + "1 + " * 4000 + "1"] * 20)
        interrupt_until_done(worker, examined)

        assert {one.problem for one in examined.result()} == {STOPPED}
        assert worker.run("SELECT 2").result(timeout=SOON_S).cas_min == "((2))"
    assert not child.is_running()
