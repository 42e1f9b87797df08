"""Exports of the toy corpus, each made once a run and only read."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters

SPLITS = {"0a1": "train", "e00": "train", "m10": "dev", "zz9": "test"}


@pytest.fixture(scope="session", autouse=True)
def loaders_stay_at_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Loaders read these when they are first imported: no network, and their caches go with the tests."""
    os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1")
    os.environ["HF_HOME"] = str(tmp_path_factory.mktemp("hub"))


@pytest.fixture(scope="module")
def given_toy(toy: Path) -> BundleCorpus:
    """The toy corpus as a writer is given it."""
    return open_corpus([toy], Filters(live=True))


@pytest.fixture(scope="session")
def split_toy(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy study with its speakers split; to be read only."""
    study = Path(shutil.copytree(toy, tmp_path_factory.mktemp("split") / "study"))
    (study / "splits.json").write_text(json.dumps({"schema_version": 1, "seed": 1, "speakers": SPLITS}), "utf-8")
    return study


@pytest.fixture(scope="session")
def corpus(split_toy: Path) -> BundleCorpus:
    return open_corpus([split_toy], Filters(live=True), licence="CC-BY-4.0", title="Toy")


@pytest.fixture(scope="session")
def exported(corpus: BundleCorpus, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of the toy corpus in a format."""
    made: dict[str, Path] = {}

    def folder(format_name: str) -> Path:
        if format_name not in made:
            out = tmp_path_factory.mktemp("exported") / format_name
            export(corpus, format_name, out, left_out=lambda: corpus.counts.dropped)
            made[format_name] = out
        return made[format_name]

    return folder
