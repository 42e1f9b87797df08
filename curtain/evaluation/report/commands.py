"""`curtain report` from its arguments to its exit code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.base.terminal import print_line
from curtain.evaluation.judging.agreement import QuestionAgreement, question_agreement
from curtain.evaluation.judging.labels import label_sets, read_labels
from curtain.evaluation.report.experiment import Experiment, experiment_of
from curtain.evaluation.report.page import write_report
from curtain.evaluation.report.tables import comparison_sentences, flow_sentence
from curtain.evaluation.runs.measures import ALL, POLICIES, Policy
from curtain.evaluation.runs.run import read_runs
from curtain.evaluation.score_tables import rounded

__all__ = ["ReportOptions", "report_run"]


class BadReport(CurtainError):
    """Options that do not go together."""


@dataclass(frozen=True)
class ReportOptions:
    """The rest of the command line."""

    runs: Path | None
    labels: Path | None
    partial: str
    recruited: int | None
    title: str
    seed: int


def report_run(out: Path, options: ReportOptions, tell: Callable[[str], object] = print_line) -> int:
    """Writes the report and prints its main figures; the exit code, 0. Raises BadFile, BadReport, CannotWrite."""
    policy = _policy(options.partial)
    if options.seed < 0:
        raise BadReport(f"--seed {options.seed} cannot be; give a whole number of 0 or more.")
    if options.runs is None:
        raise BadReport("Name a study, or a file of runs with --runs.")
    experiment = experiment_of(
        read_runs(options.runs),
        recruited=options.recruited,
        agreement=_agreement(options),
        title=options.title or options.runs.stem,
        sources=(options.runs.name,),
        policy=policy,
        seed=options.seed,
    )
    write_report(experiment, out)
    for sentence in _summary(experiment):
        tell(sentence)
    tell(f"The report is {out / 'report.html'}; runs.csv, queries.csv and report.json are beside it.")
    return 0


def _policy(name: str) -> Policy:
    for policy in POLICIES:
        if name == policy:
            return policy
    raise BadReport(f"--partial {name} cannot be; give one of {', '.join(POLICIES)}.")


def _agreement(options: ReportOptions) -> list[QuestionAgreement]:
    if options.labels is None:
        return []
    return [question_agreement(one, seed=options.seed) for one in label_sets(read_labels(options.labels))]


def _summary(experiment: Experiment) -> list[str]:
    sentences = [f"{count_of(len(experiment.runs), 'run')}. {flow_sentence(experiment)}"]
    for cell in experiment.cells:
        if cell.scenario == ALL:
            name = f"{cell.condition}: " if cell.condition else ""
            sentences.append(
                f"{name}{rounded(cell.stated.percent, 0)} % with a solution, {rounded(cell.solved.percent, 0)} % "
                f"correct, {rounded(cell.time.mean, 0)} s, {rounded(cell.queries.mean)} queries, "
                f"score {rounded(cell.score.percent, 0)}"
            )
    for comparison in experiment.comparisons:
        sentences += comparison_sentences(comparison)
    return sentences
