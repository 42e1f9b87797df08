"""Runs as CSV: what is written is read back, and a value that cannot be is refused with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_experiments.runs.measures import credit
from curtain_experiments.runs.run import RunRecord, read_runs, runs_csv
from curtain_score.files.json_lines import BadFile

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


@pytest.mark.parametrize(
    ("policy", "correct", "incorrect", "total"),
    [
        ("own_bucket", 6, 1, 10), ("strict", 6, 3, 10), ("lenient", 8, 1, 10), ("half", 7, 2, 10),
        ("excluded", 6, 1, 8),
    ],
)  # fmt: skip
def test_partial_credit_is_a_named_policy(policy, correct, incorrect, total):
    run = RunRecord("s", "1", queries=12, class_x=2, correct=6, partial=2, incorrect=1, unanswered=1)
    counted = credit(run, policy)
    assert (counted.correct, counted.incorrect, counted.total) == (correct, incorrect, total)


def test_a_run_that_nobody_judged_has_no_percentages():
    assert credit(RunRecord("s", "1", queries=5), "own_bucket").correct is None
