"""Runs from the journals of sessions, against what the toy corpus is known to hold."""

from dataclasses import replace
from functools import partial

import duckdb
import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.exports.run import export
from curtain.corpus.exports.tables.parquet_table import sessions_in
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.solution_rulings import SolutionRuling, add_ruling
from curtain_experiments.runs.journal_runs import JournalRuns, preferred_condition, remarks_on
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS


@pytest.fixture(scope="module")
def found(toy):
    labels = {
        ("e00-01-002", "correctness"): "correct", ("e00-01-003", "correctness"): "partially correct",
        ("e00-01-007", "correctness"): "system error message", ("e00-01-002", "clarity"): "clear",
    }  # fmt: skip
    return runs_of(toy, labels)


def runs_of(study, labels=(), **filters):
    recorded = JournalRuns()
    recorded.add(open_corpus([study], Filters(live=True, **filters)).sessions(), dict(labels), "toy")
    return recorded


@pytest.fixture
def run(found):
    return next(run for run in found.runs if run.session == "e00-01" and run.scenario == "balance")


def test_queries_are_counted_without_practice_and_without_cancelled_ones(run):
    """Turn 1 is practice, turn 9 was cancelled, turns 7 and 11 got a message that counts as no answer."""
    assert (run.queries, run.cancelled, run.no_answer) == (10, 1, 2)
    assert run.answered == run.queries - run.no_answer


def test_the_stated_answer_is_judged_by_the_pack(run):
    # The subject stated 52000; this scenario asks for a department.
    assert (run.stated, run.solution) == (True, "incorrect")


def test_whoever_rules_that_a_run_is_solved_has_heard_a_solution(tmp_path):
    own = make_toy(tmp_path / "toy")
    before = runs_of(own).runs
    silent = next(run for run in before if not run.stated)
    place = (silent.session, silent.position)
    ruling = SolutionRuling(
        session_id=silent.session, scenario_id=silent.scenario, verdict="correct", reason="said later", by="w",
        at_utc="2026-03-01",
    )  # fmt: skip
    add_ruling(own, ruling)
    after = runs_of(own).runs
    assert [(run.stated, run.solution) for run in after if (run.session, run.position) == place] == [(True, "correct")]


def test_the_utterance_table_of_a_study_gives_its_runs_in_any_order_of_rows(toy, tmp_path):
    export(open_corpus([toy], Filters(live=True, practice=True)), "parquet", tmp_path / "out")
    of_study = runs_of(toy, practice=True)
    # What stands in no row: where the turns lie, and the forms.
    runs = [replace(one, turns="", scores={}, preference="") for one in of_study.runs]
    table, shuffled = tmp_path / "out" / "utterances.parquet", tmp_path / "shuffled.parquet"
    duckdb.execute(f"COPY (FROM '{table}' ORDER BY hash(utterance_id)) TO '{shuffled}'")
    for path, in_order in ((table, list), (shuffled, partial(sorted, key=lambda one: one.session))):
        of_table = JournalRuns()
        of_table.add(sessions_in(path), {}, "toy")
        assert list(of_table.runs) == in_order(runs)
        assert list(of_table.queries) == in_order(of_study.queries)
    odd = tmp_path / "odd.parquet"
    odd.write_bytes(b"PAR1")
    with pytest.raises(CurtainError, match="no utterance table"):
        next(sessions_in(odd))
    for query, sentence in (
        (f"FROM '{table}' UNION ALL FROM '{table}'", "the utterance .* stands twice; keep one row"),
        (f"SELECT * REPLACE (nullif(turn, 2) AS turn) FROM '{table}'", "no utterance table .*got `null`"),
    ):
        duckdb.execute(f"COPY ({query}) TO '{odd}'")
        with pytest.raises(CurtainError, match=sentence):
            list(sessions_in(odd))


def test_canned_messages_are_counted_by_id(run):
    assert run.messages == {"not_a_query": 1, "too_vague": 1}


def test_labels_of_judges_fill_the_buckets_of_the_run_and_class_x_is_in_no_percentage(run):
    """Turns 7 and 11 are class X by an annotator, so what judges said of turn 7 does not count."""
    assert (run.correct, run.partial, run.unanswered, run.incorrect) == (1, 1, 0, 0)
    assert (run.class_x, run.evaluable) == (2, 2)


def test_every_query_of_a_run_is_in_the_table_of_queries(found, run):
    queries = [query for query in found.queries if query.session == "e00-01"]
    assert len(queries) == run.queries + run.cancelled
    assert queries[0].clarity == "clear"
    assert [query.utterance for query in queries] == sorted(query.utterance for query in queries)


def test_a_scenario_without_a_solution_is_a_run_and_one_sentence(tmp_path):
    sittings = [replace(one, scenario="unheard-of") for one in SITTINGS if one.scenario == "balance"]
    study = make_toy(tmp_path / "toy", sittings=sittings)
    found = runs_of(study)
    sentence = "no solution is written down for it, so its answer is neither correct nor incorrect."
    assert [remark for remark in remarks_on(found.runs) if "unheard-of" in remark] == [
        f"e00-01, scenario unheard-of: {sentence}"
    ]
    (run,) = [run for run in found.runs if run.scenario == "unheard-of"]
    assert (run.stated, run.solution, run.queries) == (True, None, 10)


def test_subjects_and_sessions_are_kept_apart(found):
    assert {run.session for run in found.runs} >= {"e00-01", "e00-02", "0a1-01"}
    assert {run.subject for run in found.runs} >= {"e00", "0a1"}
    assert all(run.study == "toy" for run in found.runs)


@pytest.mark.parametrize(
    ("choice", "conditions", "preferred"),
    [
        ("first", ("strict", "strict", "robust"), "strict"), ("second", ("strict", "strict", "robust"), "robust"),
        ("none", ("strict", "robust"), "none"), ("second", ("strict",), ""), ("first", ("a", "b", "c"), ""),
        ("first", (), ""), ("", ("strict", "robust"), ""),
    ],
)  # fmt: skip
def test_first_and_second_become_conditions(choice: str, conditions: tuple[str, ...], preferred: str) -> None:
    assert preferred_condition([("debriefing.preferred", choice)], conditions) == preferred
