"""The databases of the packs, built once, and ways to ask them."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from curtain.domain.pack.pack import database, load_pack
from curtain.domain.worker.worker import SqlWorker
from sample_db.personnel.build import build

Rows = list[tuple[Any, ...]]
Ask = Callable[[str], Rows]


@pytest.fixture(scope="session")
def personnel_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("personnel") / "personnel.duckdb"
    build(path)
    return path


@pytest.fixture(scope="session")
def ask(personnel_file: Path) -> Iterator[Ask]:
    """The rows of a statement on the database as it is shipped."""
    with duckdb.connect(str(personnel_file), read_only=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


@pytest.fixture(scope="session", params=[1989, 1, 271828])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """The same of several seeds: what is printed holds in each of them."""
    path = tmp_path_factory.mktemp("world") / f"{request.param}.duckdb"
    build(path, seed=request.param)
    with duckdb.connect(str(path), read_only=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


@pytest.fixture(scope="session")
def atis_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the air travel pack, somewhere else."""
    folder = tmp_path_factory.mktemp("elsewhere") / "atis"
    shutil.copytree(load_pack("atis").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="session")
def atis_file() -> Path:
    """The air travel database as it is shipped, as Curtain keeps it: built once, then found by what it is made from."""
    return database(load_pack("atis"))


@pytest.fixture(scope="session")
def worker(atis_file: Path) -> Iterator[SqlWorker]:
    made = SqlWorker(atis_file, load_pack("atis"), with_spare=False)
    yield made
    made.close()


@pytest.fixture(scope="session")
def other_atis_file(atis_copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A different world of the same kind, built from the copy as Curtain does it; once for all processes of a run. What
    building it told stands beside it."""
    mine = tmp_path_factory.getbasetemp()
    cache = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / "databases"
    reported: list[tuple[str, float]] = []
    path = database(load_pack(atis_copy), cache, 7, lambda what, done: reported.append((what, done)))
    if reported:
        path.with_suffix(".json").write_text(json.dumps(reported), "utf-8")
    return path


@pytest.fixture(scope="session", params=["shipped", "other"])
def atis_world(request: pytest.FixtureRequest) -> Iterator[Ask]:
    """The shipped world and the other one: what scenarios and tests stand on holds in both."""
    path: Path = request.getfixturevalue({"shipped": "atis_file", "other": "other_atis_file"}[request.param])
    with duckdb.connect(str(path), read_only=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


@pytest.fixture(scope="session")
def ask_atis(atis_file: Path) -> Iterator[Ask]:
    """The rows of a statement on the air travel database as it is shipped."""
    with duckdb.connect(str(atis_file), read_only=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()
