"""The personnel pack as Curtain uses it: loaded, built by a child process, asked through the guarded worker."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
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
    worker = SqlWorker(built, pack, with_spare=False)
    try:
        results = [worker.run(sql).result(timeout=30) for sql in asked]
    finally:
        worker.close()
    assert [result.error for result in results if result.error] == []
    for result in results:
        assert compare(result.cas_min or "", asked[result.sql], dialect=pack.dialect).is_correct, result.sql


@pytest.fixture(scope="module")
def ours(built: Path, pack: Pack) -> Iterator[SqlWorker]:
    """A worker that answers in the dialect of our own."""
    worker = SqlWorker(built, replace(pack, dialect="curtain"), with_spare=False)
    yield worker
    worker.close()


FEMALE_MANAGERS = "sex = 'F' AND employee_id IN (SELECT supervisor_id FROM employee)"


@pytest.mark.parametrize(
    ("condition", "failure", "without"),
    [
        # papers/000, 3.3: “the female managers who make more than $50000”, of a department that has none.
        (f"{FEMALE_MANAGERS} AND department = 45 AND salary > 50000", "contingent-failure", "salary > 50000"),
        ("job_title = 'ASTRONAUT' AND salary > 1 AND level < 99", "contingent-failure", "salary > 1, level < 99"),
        # “the female men”
        ("sex = 'F' AND 'M' = sex", "necessary-failure", ""),
        # An ordinary empty answer (papers/000, appendix B): programmers there are, and members of department 20.
        ("job_title LIKE '%PROGRAMMER%' AND department = 20", "", ""),
        (f"{FEMALE_MANAGERS} AND salary > 99999999", "", ""),
        ("employee_id = 0", "", ""),
        # It is not empty.
        ("sex = 'F' AND salary > 50000", "", ""),
    ],
)
def test_an_empty_answer_may_be_a_presupposition_failure(
    ours: SqlWorker, condition: str, failure: str, without: str
) -> None:
    statement = f"SELECT employee_id FROM employee WHERE {condition}"
    result = ours.run(statement).result(timeout=30)
    assert (result.error, result.failure, result.without) == (None, failure, without)
    # Not of a yes/no question, which asks whether there are any.
    assert ours.run(statement, yes_no=True).result(timeout=30).failure == ""


def test_the_dialects_of_the_papers_have_no_word_for_a_failure(built: Path, pack: Pack) -> None:
    """papers/000, S-8: such questions are left out."""
    worker = SqlWorker(built, pack, with_spare=False)
    result = worker.run("SELECT employee_id FROM employee WHERE sex = 'F' AND sex = 'M'").result(timeout=30)
    worker.close()
    assert (result.cas_min, result.failure) == ("()", "")


def test_a_copy_of_the_folder_is_the_same_domain(pack: Pack, built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "personnel"
    shutil.copytree(pack.folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
    elsewhere = load_pack(copy)
    assert elsewhere.examples() == pack.examples()
    assert content_sha256(database(elsewhere, cache=tmp_path / "cache")) == content_sha256(built)
