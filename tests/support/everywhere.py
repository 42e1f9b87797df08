"""No property is timed: a machine that stands still for a moment says nothing of it. A worker that crashes always says
where, and objects of Qt that a test leaves behind die before the next one, in the window's thread."""

import atexit
import faulthandler
import functools
import gc
import importlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from curtain.commands.cli import main
from curtain.domain.pack.pack import Pack
from curtain.domain.worker.answer import answer_statement
from curtain.domain.worker.worker import Result
from curtain.qt import style
from curtain.qt.background import Background
from curtain.qt.windows.display import open_for_a_moment
from curtain.qt.windows.window_program import make_binding_types

PATIENCE_MS = 120_000  # how long a failure takes

# Each run draws other examples.
hypothesis.settings.register_profile("untimed", deadline=None, max_examples=50)
hypothesis.settings.load_profile("untimed")

ERRORS = pytest.StashKey[int]()
USER_DATA = pytest.StashKey[list[str]]()
MEMORY, MOST_BYTES = Path("/dev/shm"), 6 * 1024**3  # a disk in memory, and what a run that fails may leave there


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ERRORS] = os.dup(2)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # Each line of a journal waits for the disk: that is a third of what a session of a test takes.
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > MOST_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    # What tests agree to must not count for whoever runs them; stations inherit it.
    config.stash[USER_DATA] = [tempfile.mkdtemp(prefix="curtain-tests-")]
    os.environ["XDG_DATA_HOME"] = config.stash[USER_DATA][0]
    if "PYTEST_XDIST_WORKER" not in os.environ:
        # Nor what drafters learn. All workers share it, since it holds the databases that are built from packs.
        config.stash[USER_DATA].append(tempfile.mkdtemp(prefix="curtain-tests-"))
        os.environ["XDG_CACHE_HOME"] = config.stash[USER_DATA][1]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Each worker begins to read the tests elsewhere: of a fresh copy, none compiles what another has compiled."""
    worker, config = os.environ.get("PYTEST_XDIST_WORKER", ""), session.config
    if worker and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        paths = sorted(path.relative_to(config.rootpath) for path in config.rootpath.glob("tests/*/**/test_*.py"))
        first = len(paths) * int(worker[2:]) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        for path in paths[first:] + paths[:first]:
            with suppress(Exception, pytest.skip.Exception):  # the collection reports it
                importlib.import_module(".".join(path.with_suffix("").parts))


def pytest_unconfigure(config: pytest.Config) -> None:
    faulthandler.disable()
    os.close(config.stash[ERRORS])
    for folder in config.stash[USER_DATA]:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def crashes_are_reported(request: pytest.FixtureRequest) -> Iterator[None]:
    """A station's log takes the stack of a crash to itself, and a test's log is gone with its folder."""
    yield
    if not faulthandler.is_enabled():
        faulthandler.enable(request.config.stash[ERRORS])


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """What was read stays to the end: no collection of garbage looks through it again."""
    gc.disable()
    result = yield
    gc.freeze()
    # As each application does at its start: no filter of a test may be the first to meet a type of Qt.
    make_binding_types()
    # As late as can be, since pytest collects several times at its end; libraries in C++ count what is left after that.
    atexit.register(gc.unfreeze)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Garbage is collected here alone. Python collects in any thread: what dies of Qt in a worker's stops the window,
    which waits for a lock of Qt that the worker holds, and has the one of Python that the worker waits for."""
    result = yield
    gc.disable()  # a test may have switched it on
    # What the test has made; older objects at times, since that looks through everything.
    gc.collect(2 if gc.get_count()[2] > 10 else int(gc.get_count()[1] > 10))
    return result


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that start stations mostly wait: others keep the cores busy meanwhile, and short ones come last."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [path for path, held in files.items() if held[0].get_closest_marker("stations")]
    order = [path for path in files if path not in waiting]
    apart = len(order) * 3 // (4 * max(1, len(waiting)))
    for number, path in enumerate(waiting):
        order.insert(number * (apart + 1), path)
    items[:] = [item for path in order for item in files[path]]


@pytest.fixture
def qtbot(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QtBot:
    """Waits end when what they wait for has come. Five seconds, as pytest-qt has them, pass by on a busy machine."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitCallback"):
        monkeypatch.setattr(qtbot, name, functools.partial(getattr(qtbot, name), timeout=PATIENCE_MS))
    return qtbot


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy corpus as a study's folder, to be read only."""
    from tests.corpus.toy import make_toy  # takes a while, which only who needs it should wait

    return make_toy(tmp_path_factory.mktemp("toy") / "Étude 研究")


@pytest.fixture
def look(qapp: QApplication) -> Iterator[style.Look]:
    yield style.apply(qapp, "light")
    style.apply(qapp, "light")


PutUp = Callable[..., None]


@pytest.fixture
def put_up(qtbot: QtBot) -> PutUp:
    """Shows a widget until the test is over, in a size if one is given."""

    def shown(widget: QWidget, *size: int) -> None:
        qtbot.addWidget(widget)
        if size:
            widget.resize(*size)
        with qtbot.waitExposed(widget):
            widget.show()

    return shown


@pytest.fixture
def background(qtbot: QtBot) -> Iterator[Background]:
    made = Background(1)
    yield made
    made.close()


Call = Callable[..., tuple[Any, str, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs the command in the tests' own process: its exit code, output and errors."""
    # The command takes SIGTERM for itself.
    monkeypatch.setattr(signal, "signal", lambda *_: None)

    def run(*arguments: object, stdin: str = "") -> tuple[Any, str, str]:
        monkeypatch.setattr(sys, "argv", ["curtain", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.fixture
def looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`curtain check` asks each database once, and opens one window: neither changes from look to look."""
    monkeypatch.setattr("curtain.domain.worker.answer.answer_statement", _answered_once)
    monkeypatch.setattr("curtain.qt.windows.display.open_for_a_moment", _opened_once)


_ANSWERED: dict[tuple[Path, str], Result] = {}
_opened_once = functools.cache(open_for_a_moment)


def _answered_once(pack: Pack, sql: str) -> Result:
    if (pack.folder, sql) not in _ANSWERED:
        _ANSWERED[pack.folder, sql] = answer_statement(pack, sql)
    return _ANSWERED[pack.folder, sql]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 200 KB, which only root can make."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root can make a small disk, on Linux")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", folder], check=False)
    if mounted.returncode:
        pytest.skip("this machine mounts no small disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)
