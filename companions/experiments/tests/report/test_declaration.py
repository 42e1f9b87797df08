"""What a study declared before its data: sessions carry it, and the page says when, and what it makes exploratory."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from curtain.base.errors import CurtainError
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal, write_line
from curtain.session.study.analysis import Analysis
from curtain.session.study.study import load_study, study_of
from curtain_experiments.commands.report import ReportOptions, report_run
from curtain_experiments.runs.run import read_runs

CONDITIONS = """
[[conditions]]
id = "robust"
who = "typist"
system = "drafts-robust"

[[conditions]]
id = "full"
who = "typist"
system = "drafts-strict"
"""
DECLARED = CONDITIONS + '[analysis]\nprimary = "queries"\nsecondary = ["completion time"]\nalternative = "less"\n'
NEW = {"analysis": to_builtins(Analysis(primary="queries", secondary=("completion time",), alternative="less"))}
OLD = {"analysis": to_builtins(Analysis(primary="score"))}


def sessions_of(study: Path) -> list[Bundle]:
    return [Bundle(path) for path in sorted((study / "sessions").iterdir())]


def change(bundle: Bundle, opened: dict[str, Any], plan: dict[str, str]) -> None:
    """What the session was opened with, and under which condition each scenario of its plan ran."""
    entries = read_journal(bundle.wizard_journal).entries
    for entry in entries:
        if entry.type == "session_opened":
            runs = [{"scenario_id": name, "condition_id": condition} for name, condition in plan.items()]
            entry.data.update(opened | {"plan": {"number": 1, "runs": runs}})
        elif entry.type == "scenario_started":
            entry.data["condition_id"] = plan.get(entry.data["scenario_id"])
    bundle.wizard_journal.write_bytes(b"".join(map(write_line, entries)))
    if bundle.manifest.is_file():
        bundle.write_manifest()


@pytest.mark.parametrize(
    ("settings", "carried", "sentence"),
    [
        (CONDITIONS, [{}], "No primary measure was declared before the data were recorded, so all of this is"),
        (DECLARED, [NEW], "Primary measure: queries; secondary: completion time. Declared before the first session of"),
        (DECLARED, [OLD, NEW], "Declared while sessions were being recorded: the first with it is"),
        (DECLARED, [OLD], "Declared after the last session, so all of this is exploratory."),
    ],
    ids=["never", "before", "amid", "after"],
)
def test_the_page_says_when_the_primary_measure_was_declared(
    toy: Path, tmp_path: Path, settings: str, carried: list[dict[str, Any]], sentence: str
) -> None:
    study = Path(shutil.copytree(toy, tmp_path / "study"))
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(settings)
    plan = {"balance": "robust", "wallet": "full", "call-list": "full", "span": "robust", "neighbour": "full"}
    for number, bundle in enumerate(sessions_of(study)):
        change(bundle, carried[min(number, len(carried) - 1)], plan)
    said: list[str] = []
    report_run(tmp_path / "out", ReportOptions(studies=(study,), without_consent=True), say=said.append)
    assert any(sentence in one for one in said)
    assert sentence in (tmp_path / "out" / "report.html").read_text("utf-8")
    runs = [run for run in read_runs(tmp_path / "out" / "runs.csv") if run.condition]
    assert runs and all(run.plan == tuple(plan.items()) for run in runs), "a run that did not take place is planned too"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ('primary = "speed"', "“primary” is “speed”; it must be one of"),
        ('secondary = ["score"]', "“primary” is missing; name the measure that decides"),
        ('primary = "score"\ncontrast = ["robust"]', "“contrast” must be two conditions"),
        ('primary = "score"\ncontrast = ["robust", "best"]', "names “best”, which is no condition; its conditions are"),
        ('primary = "score"\nalpha = 0.9', "alpha” must be a number between 0 and 0.5"),
    ],
)
def test_an_analysis_that_cannot_be_is_refused_in_one_sentence(table: str, sentence: str) -> None:
    with pytest.raises(CurtainError, match=sentence):
        study_of(Path("study.toml"), f"{CONDITIONS}[analysis]\n{table}\n")


def test_a_study_without_the_table_declares_nothing(toy: Path) -> None:
    assert load_study(toy).analysis == Analysis()
