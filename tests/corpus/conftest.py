"""The toy corpus, made once a run; whoever changes something in it takes a copy of their own."""

import shutil
from pathlib import Path

import pytest

from tests.corpus.toy import make_toy
from tests.corpus.two_sites import make_two_sites


@pytest.fixture(scope="session")
def bare_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy corpus before anybody annotated; to be read only."""
    return make_toy(tmp_path_factory.mktemp("bare") / "study", annotated=False)


@pytest.fixture
def own_toy(toy: Path, tmp_path: Path) -> Path:
    """The toy corpus in a folder of one's own."""
    return Path(shutil.copytree(toy, tmp_path / "study"))


@pytest.fixture(scope="session")
def two_sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of sessions of two sites, to be read only."""
    return make_two_sites(tmp_path_factory.mktemp("two_sites") / "studies")
