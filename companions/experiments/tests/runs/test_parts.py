"""Parts of the runs, and what a report of very many leaves out."""

from dataclasses import replace

from curtain_experiments.report.experiment import experiment_of
from curtain_experiments.report.page import report_html
from curtain_experiments.runs import rerandomisation
from curtain_experiments.runs.run import MOST_LISTED, Query, RunRecord, chosen, drawn, grouped
from tests.support.printed_runs import printed_runs


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
