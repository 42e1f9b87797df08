"""The report as files: complete, the same bytes twice, safe against what is in the names, and in plain sentences."""

import json
import re
from dataclasses import replace

import pytest

from curtain.base.errors import CurtainError
from curtain_experiments.commands.report import ReportOptions, report_run
from curtain_experiments.report.experiment import experiment_of
from curtain_experiments.report.page import report_html
from curtain_experiments.report.tables import finding, tables_of
from curtain_experiments.runs.run import Query, RunRecord, runs_csv
from curtain_score.score_page import typeset
from curtain_score.score_tables import DASH

OPTIONS = ReportOptions(runs=None, recruited=29, title="", seed=1992)


def some_runs(subjects=6):
    return [
        RunRecord(
            f"s{number}", scenario, ("robust", "full")[(number + int(scenario)) % 2], session=f"s{number}-01",
            position=int(scenario), completion_s=100.0 + 10 * number + 50 * int(scenario),
            solution="correct" if number % 3 else "none", stated=bool(number % 3), queries=4.0 + number % 2,
            no_answer=float(number % 3), correct=3.0, incorrect=1.0, scores={"sus": 70.0 + number},
        )
        for number in range(subjects)
        for scenario in "12"
    ]  # fmt: skip


@pytest.fixture
def runs_file(tmp_path):
    path = tmp_path / "pilot.csv"
    path.write_text("".join(runs_csv(some_runs())), "utf-8")
    return path


def test_the_same_runs_give_the_same_bytes(tmp_path, runs_file):
    for name in ("one", "two"):
        report_run(tmp_path / name, replace(OPTIONS, runs=runs_file), say=lambda line: None)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert {"queries.csv", "report.html", "report.json", "runs.csv", "table-contrasts.csv"} <= {*files}
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_page_needs_nothing_else_and_every_link_leads_somewhere():
    queries = [
        Query(
            "", "s0-01", "s0", "1", "full", "s0-01-001", 1, "show flights", None, "answer", None, 7.5, *[None] * 2,
            *[False] * 3,
        )
    ]  # fmt: skip
    page = report_html(experiment_of(some_runs(), queries=queries, seed=1992))

    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", page)
    targets = set(re.findall(r'id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page)) | set(re.findall(r'xlink:href="#((?:run|turns)-[^"]+)"', page))
    assert {"runs-1-robust", "run-1", "turns-1"} <= links
    assert links <= targets


def test_names_from_a_file_cannot_become_part_of_the_page():
    runs = [replace(run, condition=f"<b>{run.condition}</b>", scenario='"><script>x</script>') for run in some_runs()]
    page = report_html(experiment_of(runs, seed=1992))
    assert "<script>x" not in page
    assert "<b>robust" not in page


def test_subjects_who_are_left_out_are_in_the_flow_and_in_no_figure(tmp_path):
    runs = [replace(run, excluded="test material") if run.subject == "s5" else run for run in some_runs()]
    experiment = experiment_of(runs, recruited=29, seed=1992)
    assert (experiment.flow.recruited, experiment.flow.ran, experiment.flow.analysed) == (29, 6, 5)
    assert experiment.flow.excluded == (("test material", 1),)
    assert all(run.subject != "s5" for cell in experiment.cells for run in cell.runs)
    assert "test material" in report_html(experiment)


@pytest.mark.parametrize("runs", [[RunRecord("s", "1")], [RunRecord("s", "1", "a"), RunRecord("s", "1", "b")]])
def test_a_single_run_without_any_measure_makes_a_page_too(runs):
    assert "1 subject ran, 1 analysed" in report_html(experiment_of(runs, seed=1992))


def test_studies_stand_side_by_side(tmp_path):
    runs = [replace(run, study=study) for study in ("north", "south") for run in some_runs()]
    experiment = experiment_of(runs, seed=1992)
    assert experiment.flow.ran == 12


def test_the_figures_are_in_the_json_unrounded(tmp_path, runs_file):
    report_run(tmp_path / "out", replace(OPTIONS, runs=runs_file), say=lambda line: None)
    figures = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert figures["comparisons"][0]["contrasts"][0]["test"]["exact"] is True
    assert {cell["scenario"] for cell in figures["cells"]} == {"1", "2", "All"}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [({"seed": -1}, "--seed -1 cannot be"), ({}, "Name a study, or a file of runs with --runs.")],
)
def test_options_that_cannot_be_are_refused_in_one_sentence(tmp_path, changes, sentence):
    with pytest.raises(CurtainError, match=sentence):
        report_run(tmp_path / "out", replace(OPTIONS, **changes))


@pytest.mark.parametrize(
    ("lines", "options", "sentence"),
    [
        (["s1,1,a,e1,no,correct,,,"], {}, "line 2: stated is no, and solution is correct"),
        (["s1,1,a,e1,,,3,9,"], {}, "line 2: 9 queries are correct, partial, incorrect, unanswered or class X, of 3"),
        (["s1,1,a,e1,,,3,,", "s1,1,a,e1,,,3,,"], {}, "The run of session e1, scenario 1 stands twice"),
        (["s1,1,a,e1,,,3,,", "s2,1,a,e2,,,3,,"], {"recruited": 1}, "--recruited 1 cannot be: 2 subjects ran"),
    ],
)
def test_runs_that_cannot_be_are_refused_in_one_sentence(tmp_path, lines, options, sentence):
    runs = tmp_path / "runs.csv"
    headings = "subject,scenario,condition,session,stated,solution,queries,correct,incorrect"
    runs.write_text("\n".join([headings, *lines]) + "\n", "utf-8")
    with pytest.raises(CurtainError, match=sentence):
        report_run(tmp_path / "out", replace(OPTIONS, runs=runs, **options), say=lambda line: None)


def test_runs_that_nobody_judged_are_in_no_percentage_beside_judged_ones():
    """Of two judged queries one got no answer; four others are only known to have a message."""
    judged = RunRecord("s1", "1", "a", session="e1", queries=2, judged=2, correct=1, incorrect=0, unanswered=1)
    unjudged = RunRecord("s2", "1", "a", session="e2", queries=4, no_answer=4)
    cell = experiment_of([judged, unjudged], seed=1).cells[-1]
    assert (cell.correct.total, cell.no_answer.total, cell.no_answer.percent) == (2, 2, 50)
    alone = experiment_of([unjudged], seed=1).cells[-1]
    assert (alone.no_answer.total, alone.no_answer.percent) == (4, 100)


def table_of(runs: list[RunRecord], name: str) -> list[tuple[str, ...]]:
    return list(tables_of(experiment_of(runs, seed=1))[name].table.rows)


def test_a_form_that_was_asked_once_a_session_stands_once_and_one_for_each_task_by_condition() -> None:
    runs = [
        RunRecord(subject=who, session=f"{who}-01", scenario=f"s{number}", condition=condition, queries=1.0,
                  scores={"sus": sus, "workload": sus + number})
        for who, sus in (("e00", 70.0), ("e01", 80.0))
        for number, condition in enumerate(("base", "new"))
    ]  # fmt: skip
    each = "after a scenario"
    assert [row[:5] for row in table_of(runs, "scores")] == [
        ("sus", "once a session", "all", "2", "75.0"),
        ("workload", each, "base", "2", "75.0"), ("workload", each, "new", "2", "76.0"),
    ]  # fmt: skip


def test_a_scenario_in_which_nobody_asked_stands_among_the_queries() -> None:
    runs = [RunRecord(subject="e00", scenario=name, queries=queries, no_answer=0.0)
            for name, queries in (("s1", 3.0), ("s2", 0.0))]  # fmt: skip
    rows = {row[0]: row[1] for row in table_of(runs, "queries")}
    assert (rows["s1"], rows["s2"]) == ("3", "0")


def test_waits_of_typed_queries_stand_apart_from_those_of_spoken_ones() -> None:
    runs = [RunRecord(subject=f"e0{number}", scenario="s", queries=2.0, typed=typed, wizard_latency_s=wait)
            for number, (typed, wait) in enumerate(((0.0, 9.0), (None, 7.0), (2.0, 3.0), (1.0, 5.0)))]  # fmt: skip
    rows = [(row[0], row[2], float(row[3])) for row in table_of(runs, "latency")]
    assert rows == [(DASH, "2", 8.0), ("typed", "1", 3.0), ("spoken and typed", "1", 5.0)]


def test_one_sentence_says_what_the_primary_test_found():
    runs = [replace(run, solution="none") if run.condition == "full" else run for run in some_runs(8)]
    experiment = experiment_of(runs, seed=1992)
    (comparison,) = experiment.comparisons
    sentence = finding(experiment, comparison)
    assert "Correct solutions: 0.0 % with full, 62.5 percentage points lower than the 62.5 % with robust" in sentence
    assert sentence.endswith("p = .086. The data do not show a difference, nor do they exclude one.")
    alike = experiment_of(some_runs(6), seed=1992)
    assert "the same as the" in finding(alike, alike.comparisons[0])
    page = report_html(experiment)
    assert page.index(typeset(sentence)) < page.index("<figure>") < page.index("For the methods section")


def test_the_columns_of_table_4_stand_in_its_order():
    (headings,) = [one.table.headings for name, one in tables_of(experiment_of(some_runs(), seed=1)).items()
                   if name == "results"]  # fmt: skip
    assert headings == (
        "scenario", "condition", "solution %", "correct solution %", "time s", "queries",
        "correct %", "incorrect %", "no answer %", "score",
    )  # fmt: skip
