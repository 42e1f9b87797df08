"""The toy corpus for annotators: everybody takes a copy of their own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from curtain.rehearsal.stations import RunningStation
from tests.corpus.toy import make_toy
from tests.review.acting import Hands


@pytest.fixture(scope="session")
def annotated_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("annotated") / "Étude one")


@pytest.fixture(scope="session")
def bare_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("bare") / "Étude two", annotated=False)


@pytest.fixture
def annotated(annotated_toy: Path, tmp_path: Path) -> Path:
    """A study that two people have annotated nearly all of, and an adjudicator has ruled on once."""
    return Path(shutil.copytree(annotated_toy, tmp_path / "annotated"))


@pytest.fixture
def bare(bare_toy: Path, tmp_path: Path) -> Path:
    """The same study before anybody annotated it."""
    return Path(shutil.copytree(bare_toy, tmp_path / "bare"))


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def window() -> Iterator[list[RunningStation]]:
    """Windows started by a test; those still running at its end are closed."""
    started: list[RunningStation] = []
    yield started
    for one in started:
        one.kill()
