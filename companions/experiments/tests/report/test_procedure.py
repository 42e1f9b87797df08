"""From a study to the report, twice with the same bytes; what was declared before the data, and what is exploratory."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from curtain.base.errors import CurtainError
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal, write_line
from curtain.session.study.analysis import Analysis
from curtain.session.study.study import study_of
from curtain_experiments.commands.report import ReportOptions, report_run
from curtain_experiments.runs.run import read_runs
from curtain_judge.command import NewEvaluation, run_merge, run_new
from curtain_judge.evaluation import JudgedRuling, open_evaluation
from curtain_judge.packet import GivenLabel, Packet
from tests.corpus.toy import make_toy
from tests.support.judging_by_commands import JUDGES, REPORT_FILES, judged_and_reported

NOW = "2026-03-01T09:30:00.000Z"


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    return make_toy(tmp_path_factory.mktemp("procedure") / "toy")


def judged(study: Path, folder: Path) -> Path:
    """An evaluation by three judges, of whom one differs on every fifth pair and another stops half-way."""
    said: list[str] = []
    options = NewEvaluation(JUDGES, "", 1992, without_consent=True)
    run_new(study, folder, options, say=said.append)
    for judge in JUDGES:
        with Packet(folder / f"{judge}.packet") as packet:
            items = sorted(packet.items, key=lambda item: item.id)
            for place, item in enumerate(items[: len(items) // 2] if judge == "cy" else items):
                label = "incorrect" if judge == "ben" and place % 5 == 0 else "correct"
                packet.add(GivenLabel(item.id, "clarity", "clear", 4.0, NOW))
                packet.add(GivenLabel(item.id, "correctness", item.content["filled"] or label, 4.0, NOW))
    run_merge([folder / f"{judge}.packet" for judge in JUDGES], None, say=said.append)
    assert any("the packet is not finished" in sentence for sentence in said)
    evaluation = open_evaluation(folder)
    for item, question in evaluation.dissent():
        evaluation.rule(JudgedRuling(item, question, "partially correct", "dee", "half of it is there", NOW))
    return folder


def reported(study: Path, judging: Path, out: Path) -> list[str]:
    said: list[str] = []
    options = ReportOptions(studies=(study,), judged=(judging,), without_consent=True, recruited=5)
    assert report_run(out, options, say=said.append) == 0
    return said


@pytest.fixture(scope="module")
def twice(study: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two folders, each with an evaluation and its report; to be read only."""
    made = [tmp_path_factory.mktemp("twice") / number for number in ("one", "two")]
    for folder in made:
        reported(study, judged(study, folder / "judging"), folder / "report")
    return made


def test_the_whole_procedure_twice_gives_the_same_bytes(twice: list[Path]) -> None:
    for name in REPORT_FILES:
        first, second = ((folder / "report" / name).read_bytes() for folder in twice)
        assert first == second, name


@pytest.mark.soak
@pytest.mark.stations
def test_commands_and_keys_alone_give_the_same_bytes_twice(study: Path, tmp_path: Path) -> None:
    first, said = judged_and_reported(study, tmp_path / "one", JUDGES, "--without-consent")
    second, _ = judged_and_reported(study, tmp_path / "two", JUDGES, "--without-consent")
    for name in REPORT_FILES:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name
    assert "Judges differ on" in said[1]
    assert sum(run.partial or 0 for run in read_runs(first / "runs.csv")) > 0


def test_rulings_reach_the_runs_and_what_waits_for_one_is_named(study: Path, twice: list[Path], tmp_path: Path) -> None:
    judging = Path(shutil.copytree(twice[0] / "judging", tmp_path / "judging"))
    (judging / "rulings.jsonl").unlink()
    shown = reported(study, judging, tmp_path / "report")
    ruled, left_open = (
        sum(run.partial or 0 for run in read_runs(folder / "report" / "runs.csv")) for folder in (twice[0], tmp_path)
    )
    assert ruled > 0 == left_open
    waiting = next(one for one in shown if "nobody has ruled on them" in one)
    assert waiting.startswith("judging: judges differ on ")
    assert waiting in (tmp_path / "report" / "report.html").read_text("utf-8")


def test_no_utterance_counts_twice(study: Path, twice: list[Path], tmp_path: Path) -> None:
    both = tuple(folder / "judging" for folder in twice)
    with pytest.raises(CurtainError, match=r"is judged in .*judging and in .*judging; name the one that counts"):
        report_run(tmp_path / "both", ReportOptions(studies=(study,), judged=both, without_consent=True))


def test_a_study_named_twice_is_refused_also_as_a_copy_or_as_its_table(study: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(study, tmp_path / "copy"))
    export(open_corpus([study], Filters(live=True)), "parquet", tmp_path / "table")
    sentences = {
        study: "stands twice; name each source once",
        copy: "toy and copy hold the same session 0a1-01; name one of them",
        tmp_path / "table" / "utterances.parquet": "toy and utterances hold the same session 0a1-01; name one of them",
    }
    for again, sentence in sentences.items():
        with pytest.raises(CurtainError, match=sentence):
            report_run(tmp_path / "report", ReportOptions(studies=(study, again), without_consent=True))


def test_every_judged_query_leads_from_the_report_to_its_turn(twice: list[Path]) -> None:
    page = (twice[0] / "report" / "report.html").read_text("utf-8")
    assert "Agreement of the judges" in page
    turns = set(re.findall(r'id="(turns-\d+)"', page))
    assert turns
    assert all(f'href="#{name}"' in page for name in turns)


def test_a_run_without_an_end_is_named_and_not_lost(study: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    shutil.copytree(study, cut)
    (session,) = [path for path in (cut / "sessions").iterdir() if path.name == "e00-01"]
    journal = session / "wizard.events.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    end = next(place for place, line in enumerate(lines) if b'"scenario_ended"' in line and b"balance" in line)
    # As a session that was ended so.
    journal.write_bytes(b"".join(lines[:end]))
    Bundle(session).write_manifest()

    said = reported(cut, judged(cut, tmp_path / "judging"), tmp_path / "report")

    assert any("e00-01, scenario balance: it has no end" in sentence for sentence in said)
    assert any(run.session == "e00-01" for run in read_runs(tmp_path / "report" / "runs.csv"))


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
