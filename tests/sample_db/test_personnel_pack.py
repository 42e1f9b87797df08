"""The personnel pack as Curtain uses it: loaded, built by a child process, asked through the guarded worker."""

import shutil
from pathlib import Path

import pytest

from curtain.cas import compare
from curtain.domain.pack.pack import Pack, content_sha256, database, load_pack
from curtain.domain.worker.worker import SqlWorker


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("personnel")


@pytest.fixture(scope="module")
def built(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return database(pack, cache=tmp_path_factory.mktemp("cache"))


def test_the_worker_answers_every_example_and_solution_as_the_pack_says(pack: Pack, built: Path) -> None:
    solutions = [solution for scenario in pack.scenarios if (solution := pack.solution(scenario.id))]
    asked = {example.sql: example.answer or "" for example in pack.examples()}
    asked |= {solution.sql: solution.answer for solution in solutions}
    worker = SqlWorker(built, pack)
    try:
        results = [worker.run(sql).result(timeout=30) for sql in asked]
    finally:
        worker.close()
    assert [result.error for result in results if result.error] == []
    for result in results:
        assert compare(result.cas_min or "", asked[result.sql], dialect=pack.dialect).is_correct, result.sql


def test_a_copy_of_the_folder_is_the_same_domain(pack: Pack, built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "personnel"
    shutil.copytree(pack.folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
    elsewhere = load_pack(copy)
    assert elsewhere.examples() == pack.examples()
    assert content_sha256(database(elsewhere, cache=tmp_path / "cache")) == content_sha256(built)
