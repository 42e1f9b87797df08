"""Runs as CSV: what is written is read back, or refused with its line; and their parts, where there are very many."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_experiments.report.experiment import experiment_of
from curtain_experiments.report.page import report_html
from curtain_experiments.runs import rerandomisation
from curtain_experiments.runs.measures import credit
from curtain_experiments.runs.run import MOST_LISTED, Query, RunRecord, chosen, drawn, grouped, read_runs, runs_csv
from curtain_score.files.json_lines import BadFile
from tests.support.printed_runs import printed_runs

names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=8)
counts = st.none() | st.integers(0, 500).map(float)


@given(
    st.lists(
        st.builds(
            RunRecord,
            subject=names,
            scenario=names,
            condition=st.just("") | names,
            completion_s=counts,
            queries=counts,
            stated=st.just(True),
            solution=st.sampled_from(["correct", "incorrect"]),
            scores=st.dictionaries(st.sampled_from(["sus", "ueq"]), st.integers(-3, 100).map(float)),
            plan=st.lists(st.tuples(names, names), max_size=3).map(tuple),
            messages=st.dictionaries(st.sampled_from(["wait", "repeat"]), st.integers(1, 9).map(float)),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_what_is_written_is_read_back(tmp_path_factory, runs):
    path = tmp_path_factory.mktemp("runs") / "runs.csv"
    path.write_text("".join(runs_csv(runs)), "utf-8")
    assert read_runs(path) == runs


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (",1,a", "line 2 has no subject"),
        ("s,1,a,fast", "line 2: completion_s is fast; give a number of 0 or more, or nothing."),
        ("s,1,a,-1", "completion_s is -1"),
        ("s,1,a,nan", "completion_s is nan"),
        ("s,1,a,,maybe", "stated is maybe; give yes, no, or nothing."),
        ("s,1,a,,,,a;b", "plan is a;b; give all runs of the session in the order that was planned, such as 1=robust;"),
        ("s,1,a,,,,1=", "plan is 1="),
        ("s,1,a,,,right", "solution is right; give correct, incorrect, none, or nothing."),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_its_line(tmp_path, line, sentence):
    path = tmp_path / "runs.csv"
    path.write_text(f"subject,scenario,condition,completion_s,stated,solution,plan\n{line}\n")
    with pytest.raises(BadFile, match=sentence):
        read_runs(path)


def test_a_partially_correct_answer_is_a_class_of_its_own():
    run = RunRecord("s", "1", queries=12, class_x=2, correct=6, partial=2, incorrect=1, unanswered=1)
    counted = credit(run)
    assert (counted.correct, counted.partial, counted.incorrect, run.evaluable) == (6, 2, 1, 10)


def queries_of(runs):
    return [
        Query(
            run.study, run.session, run.subject, run.scenario, run.condition, f"{run.session}-{turn}", turn, "who",
            "hew", "answer", None, 1.5, None, None, False, False, False, "edited",
        )
        for run in runs for turn in (1, 2)
    ]  # fmt: skip


RUNS = [replace(run, messages={"too_vague": 2.0}, scores={"sus": 0.1}) for run in printed_runs()]


def test_parts_keep_the_order_of_the_runs():
    wanted = chosen(RUNS, lambda run: run.scenario in "12")
    assert wanted == [run for run in RUNS if run.scenario in "12"]
    groups = grouped(wanted, lambda run: run.condition)
    assert list(groups.items()) == [
        (name, [run for run in wanted if run.condition == name])
        for name in dict.fromkeys(run.condition for run in wanted)
    ]
    assert drawn(RUNS, len(RUNS)) == RUNS
    some = drawn(RUNS, 20)
    assert len(some) == 20 and some == [run for run in RUNS if run in some] != RUNS[:60:3]


def test_what_is_left_out_of_a_large_report_is_said(monkeypatch):
    monkeypatch.setattr(rerandomisation, "MOST_SUBJECTS", 10)
    experiment = experiment_of(RUNS, queries=queries_of(RUNS), seed=1)
    assert "Re-randomisation takes 10 of the 15 subjects, drawn by the seed." in experiment.comparisons[0].limits
    many = [RunRecord(f"s{number}", "1", session=f"{number}", completion_s=1.0) for number in range(MOST_LISTED + 1)]
    page = report_html(experiment_of(many, queries=queries_of([many[0], many[-1]]), seed=1))
    assert "The page lists the first 3,000 of 3,001 runs" in page
    assert (page.count('id="run-'), page.count('id="turns-')) == (3000, 1)
