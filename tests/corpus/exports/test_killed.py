"""An export that is killed is absent or complete, and the next one clears up after it."""

import multiprocessing
import os
import random
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from tests.corpus.exports import export_until_killed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed with SIGKILL here")


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes that need not import everything first."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.corpus.exports.export_until_killed", "soundfile", "curtain.corpus.exports.tables.parquet"]
    )
    return context


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Killing:
    """Exports of one format, each to a folder of its own, killed and then looked at."""

    def __init__(self, processes: ForkServerContext, study: Path, format_name: str, folder: Path) -> None:
        self._processes = processes
        self._study, self._format, self._folder = study, format_name, folder
        self._whole = folder / "whole"
        self._run(self._whole, None, folder / "count")
        self.moments = int((folder / "count").read_text())
        self.expected = contents(self._whole)
        self.complete = 0

    def _run(
        self, out: Path, killed_at: int | None, count_in: Path | None = None, seconds: float | None = None
    ) -> None:
        arguments = (self._study, self._format, out, killed_at, count_in)
        child = self._processes.Process(target=export_until_killed.run, args=arguments)
        child.start()
        child.join(seconds or 60)
        if seconds is not None:
            child.kill()
        child.join(60)
        assert child.exitcode is not None

    def look(self, name: str, killed_at: int | None, seconds: float | None = None) -> None:
        """Kill one, then export again to the same folder."""
        parent = self._folder / name
        out = parent / "out"
        parent.mkdir()
        self._run(out, killed_at, seconds=seconds)
        if out.exists():
            assert contents(out) == self.expected
            self.complete += 1
            return
        export(open_corpus([self._study]), self._format, out)
        assert contents(out) == self.expected
        assert [path.name for path in parent.iterdir()] == ["out"]


def spread(most: int, number: int) -> Iterator[int]:
    """So many moments from the first to the last, and the very last ones, where the folder gets its name."""
    yield from (round(1 + at * (most - 1) / (number - 4)) for at in range(number - 3))
    yield from (most - 3, most - 2, most - 1)


def test_a_killed_export_is_absent_or_complete(processes: ForkServerContext, split_toy: Path, tmp_path: Path) -> None:
    killing = Killing(processes, split_toy, "kaldi", tmp_path)
    for at in spread(killing.moments, 8):
        killing.look(str(at), at)
    assert 0 < killing.complete < 8


@pytest.mark.soak
@pytest.mark.parametrize(("format_name", "kills"), [("huggingface", 35), ("kaldi", 35)])
def test_however_often_it_is_killed(
    processes: ForkServerContext, split_toy: Path, tmp_path: Path, format_name: str, kills: int
) -> None:
    killing = Killing(processes, split_toy, format_name, tmp_path)
    for number, at in enumerate(spread(killing.moments, kills)):
        killing.look(str(number), at)
    assert 0 < killing.complete < kills


@pytest.mark.soak
def test_at_whatever_time_it_is_killed(processes: ForkServerContext, split_toy: Path, tmp_path: Path) -> None:
    killing = Killing(processes, split_toy, "bagit", tmp_path)
    dice = random.Random(1992)
    for number in range(30):
        killing.look(str(number), None, seconds=dice.uniform(0.01, 0.6))
