"""The personnel database, built once, and ways to ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

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
