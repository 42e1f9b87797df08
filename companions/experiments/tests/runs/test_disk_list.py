"""A list on the disk against one in memory: the same records, and the same figures made of them."""

import tempfile
from dataclasses import replace

import pytest

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain_experiments.report.experiment import experiment_of
from curtain_experiments.report.page import report_html, report_json
from curtain_experiments.report.tables import method_sentences
from curtain_experiments.runs import rerandomisation, word_errors
from curtain_experiments.runs.disk_list import MOST_LISTED, DiskList, chosen, drawn, grouped
from curtain_experiments.runs.measures import ALL
from curtain_experiments.runs.run import Query, RunRecord, WordErrors
from tests.support.printed_runs import printed_runs


def queries_of(runs):
    return [
        Query(
            run.study, run.session, run.subject, run.scenario, run.condition, f"{run.session}-{turn}", turn, "who",
            "hew", "answer", None, 1.5, None, None, False, False, False, "edited", WordErrors(3, turn, 0),
        )
        for run in runs for turn in (1, 2)
    ]  # fmt: skip


RUNS = [replace(run, messages={"too_vague": 2.0}, scores={"sus": 0.1}) for run in printed_runs()]


def test_records_come_back_as_they_were_from_any_place():
    kept = DiskList(RunRecord, RUNS[:7])
    assert (list(kept), kept[-1], len(kept)) == (RUNS[:7], RUNS[6], 7)
    # Added after a reading.
    kept.extend(RUNS[7:])
    assert (list(kept), kept[2], list(kept[5:60:11])) == (RUNS, RUNS[2], RUNS[5:60:11])
    with pytest.raises(IndexError):
        kept[len(RUNS)]
    wanted = chosen(kept, lambda run: run.scenario in "12")
    assert list(wanted) == [run for run in RUNS if run.scenario in "12"]
    groups = grouped(wanted, lambda run: run.condition)
    assert [list(groups[name]) for name in groups] == [
        [run for run in wanted if run.condition == name] for name in dict.fromkeys(run.condition for run in wanted)
    ]
    assert list(drawn(kept, len(RUNS))) == RUNS
    some = list(drawn(kept, 20))
    assert len(some) == 20 and some == [run for run in RUNS if run in some] != RUNS[:60:3]


def test_a_full_disk_is_one_sentence(small_disk, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    with pytest.raises(CurtainError, match="temporary files cannot be written: the disk is full"):
        DiskList(RunRecord, RUNS * 20)
    with pytest.raises(OSError, match="No space left"):
        replace_file(small_disk / "runs.csv", bytes(400_000))
    assert not [*small_disk.iterdir()]


def test_the_report_from_the_disk_is_that_from_memory():
    in_memory = experiment_of(RUNS, queries=queries_of(RUNS), seed=1)
    on_disk = experiment_of(DiskList(RunRecord, RUNS), queries=DiskList(Query, queries_of(RUNS)), seed=1)
    assert report_json(on_disk) == report_json(in_memory)
    assert report_html(on_disk) == report_html(in_memory)


def test_what_is_left_out_of_a_large_report_is_said(monkeypatch):
    monkeypatch.setattr(rerandomisation, "MOST_SUBJECTS", 10)
    monkeypatch.setattr(word_errors, "MOST_LISTED", 9)
    experiment = experiment_of(RUNS, queries=queries_of(RUNS), seed=1)
    assert len([line for line in experiment.hearing if line.speaker != ALL]) == 9
    assert "The tables of words have 9 speakers, drawn by the seed, and then all." in method_sentences(experiment)
    assert "Re-randomisation takes 10 of the 15 subjects, drawn by the seed." in experiment.comparisons[0].limits
    many = [RunRecord(f"s{number}", "1", session=f"{number}", completion_s=1.0) for number in range(MOST_LISTED + 1)]
    page = report_html(experiment_of(many, queries=queries_of([many[0], many[-1]]), seed=1))
    assert "The page lists the first 3,000 of 3,001 runs" in page
    assert (page.count('id="run-'), page.count('id="turns-')) == (3000, 1)
