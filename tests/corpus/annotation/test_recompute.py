"""Answers made anew from the SQL of an annotation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from curtain.corpus.annotation.recompute import Recomputer, open_recomputer
from curtain.corpus.model.reader import read_session
from tests.corpus.toy_answers import ANSWERS, computed


@pytest.fixture(scope="module")
def recomputer(toy: Path) -> Iterator[Recomputer]:
    with open_recomputer(read_session(toy / "sessions" / "e00-01")) as made:
        yield made


def test_a_statement_gives_minimum_and_derived_maximum(recomputer: Recomputer) -> None:
    done = recomputer.run("SELECT salary FROM employee WHERE employee_id = 4431")
    assert done.error is None and done.reference is not None
    assert done.reference.cas_min == "((52000))"
    assert done.reference.cas_max is not None and "SMITH" in done.reference.cas_max


def test_a_maximum_written_by_hand_is_run_as_it_stands(recomputer: Recomputer) -> None:
    sql_max = "SELECT salary, level FROM employee WHERE employee_id = 4431"
    done = recomputer.run("SELECT salary FROM employee WHERE employee_id = 4431", sql_max)
    assert (done.reference.sql_max, done.reference.cas_max) == (sql_max, "((52000 21))")


def test_a_yes_no_question_is_answered_as_one(recomputer: Recomputer) -> None:
    done = recomputer.run("SELECT COUNT(*) > 0 FROM employee WHERE sex = 'F'", yes_no=True)
    assert done.reference is not None and (done.reference.cas_min or "").strip("()").upper() in ("TRUE", "YES")


@pytest.mark.parametrize("sql", ["SELECT", "DELETE FROM employee", "SELECT nothing FROM employee", ""])
def test_a_bad_statement_is_one_sentence_and_no_reference(recomputer: Recomputer, sql: str) -> None:
    done = recomputer.run(sql)
    assert done.reference is None and done.error is not None and done.error.endswith(".")


def test_a_database_with_other_content_is_known(recomputer: Recomputer, toy: Path) -> None:
    assert not recomputer.is_database_of(read_session(toy / "sessions" / "e00-01"))


@pytest.mark.soak
def test_the_answers_of_the_toy_are_those_of_the_database() -> None:
    import json

    assert computed() == [json.loads(line) for line in ANSWERS.read_text("utf-8").splitlines()]
