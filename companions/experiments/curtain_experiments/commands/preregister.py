"""`curtain study preregister`: what a study is to show, as a text for OSF or AsPredicted."""

from __future__ import annotations

from typing import Annotated

import typer

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.plural import count_of
from curtain.base.python_process import app_version
from curtain.base.terminal import print_line
from curtain.cas.scoring.score import SEED
from curtain.commands.options import Overwrite, StudyFolder, ensure_free_file
from curtain.commands.purposes import OutFile
from curtain.commands.run.check_experiment import offered_scenarios
from curtain.ports.result import end_with
from curtain.session.study.analysis import Analysis, Measure
from curtain.session.study.conditions import Condition
from curtain.session.study.design import Design, balance_fault, cycle_length
from curtain.session.study.study import Study, load_study
from curtain.session.turns.past_runs import past_runs
from curtain_experiments.report.tables import ESTIMAND
from curtain_score.by_subject import power_of

_DEFINED: dict[Measure, str] = {
    "correct solutions": "the percentage of runs of a scenario in which the subject stated a correct solution, as the "
    "accepted wordings of the scenario or a ruling decide",
    "stated solutions": "the percentage of runs of a scenario in which the subject stated a solution, right or wrong",
    "completion time": "the seconds from the start of a scenario to its end, without pauses",
    "queries": "the number of queries in a run of a scenario, without cancelled ones",
    "correct queries": "the percentage of queries with a correct answer, as judges decide",
    "incorrect queries": "the percentage of queries with an incorrect answer, as judges decide",
    "queries without an answer": "the percentage of queries that got a message in place of an answer",
    "score": "the percentage of correct queries less that of incorrect ones, as judges decide",
}
_ORDERS = {
    "fixed": "All subjects have the same order.",
    "alternate": "Subjects with odd numbers have the conditions as listed, those with even numbers the reverse.",
    "latin_square": "The orders are the rows of a Williams square, by the number of the subject.",
    "random": "The orders are drawn, each condition equally often in each place within a block of subjects.",
}
_MISSING = (
    "Trial sessions, and sessions whose subject withdrew or gave no consent, are left out. A run that is missing "
    "leaves the planned order of its subject as it was. [Add your own rules here.]"
)


def preregister(
    study: StudyFolder,
    out: Annotated[OutFile | None, typer.Option("--out", help="The file to write.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Print the text, or write it into a file. Raises CurtainError: nothing is declared, or the file is there."""
    text = text_of(load_study(study))
    if out is None:
        return print_line(text)
    ensure_free_file(out, overwrite)
    with os_errors_as(f"{out} cannot be written", CurtainError, " Name another file with --out."):
        replace_file(out, f"{text}\n".encode())
    end_with(f"The text is in {out}. Fill in what stands in brackets before you register it.", [out])


def text_of(study: Study) -> str:
    """Markdown under the questions of AsPredicted. Raises CurtainError where no primary measure is declared."""
    analysis, scenarios = study.analysis, offered_scenarios(study)
    if not analysis.primary or len(study.conditions) < 2:
        raise CurtainError(
            f"{study.folder / 'study.toml'} declares no analysis. Add two [[conditions]], and a table [analysis] with "
            "primary; docs/evaluation.md names the measures."
        )
    if fault := balance_fault(study.design, study.conditions, scenarios):
        raise CurtainError(fault)
    parts = {
        "Data collection": _data(study),
        "Hypothesis": _hypothesis(study),
        "Dependent variables": "\n".join(_measure(analysis, name) for name in (analysis.primary, *analysis.secondary)),
        "Conditions": _conditions(study, scenarios),
        "Analyses": _analyses(study),
        "Exclusions and missing data": _MISSING,
        "Sample size": _sample(study, scenarios),
        "Anything else": f"Sessions and analyses are those of Curtain {app_version()}; each session keeps this plan.",
    }
    sections = (f"## {number}. {title}\n\n{text}" for number, (title, text) in enumerate(parts.items(), 1))
    return "\n\n".join((f"# Preregistration: {study.folder.name}", *sections))


def _data(study: Study) -> str:
    sessions = len({run.session_id for run in past_runs(study)})
    if not sessions:
        return "No session has been recorded, apart from trials."
    return f"{count_of(sessions, 'session')} had been recorded when this text was made, apart from trials."


def _pair(study: Study) -> tuple[str, str]:
    first, second, *_ = study.analysis.contrast or [one.id for one in study.conditions]
    return first, second


def _hypothesis(study: Study) -> str:
    first, second = _pair(study)
    analysis = study.analysis
    if analysis.alternative != "two-sided":
        way = "higher" if analysis.alternative == "greater" else "lower"
        return f"The primary measure ({analysis.primary}) is {way} with {first} than with {second}. [Say why.]"
    which = f"{first} and {second}" if len(study.conditions) == 2 or analysis.contrast else "any two conditions"
    return f"The primary measure ({analysis.primary}) differs between {which}. [Say what you expect, and why.]"


def _measure(analysis: Analysis, name: Measure | str) -> str:
    rank = "Primary" if name == analysis.primary else "Secondary"
    return f"- {rank}: {name}, {next(text for key, text in _DEFINED.items() if key == name)}."


def _conditions(study: Study, scenarios: list[str]) -> str:
    lines = map(_condition, study.conditions)
    length = cycle_length(study.design, study.conditions, scenarios)
    return "\n".join((
        "Each subject works under every condition, on different scenarios.",
        "",
        *lines,
        "",
        f"Scenarios: {', '.join(scenarios)} (order: {study.design.scenario_order}). {_order(study.design)} "
        f"The plans begin anew after {count_of(length, 'subject')}.",
    ))  # fmt: skip


def _condition(condition: Condition) -> str:
    who = "a wizard" if condition.who == "wizard" else f"the system {condition.system} ({condition.who})"
    return f"- {condition.id}: answered by {who}" + (f"; {condition.notes}" if condition.notes else "")


def _order(design: Design) -> str:
    return _ORDERS[design.order] + (f" Seed {design.seed}." if design.order == "random" else "")


def _analyses(study: Study) -> str:
    analysis = study.analysis
    several = len(study.conditions) > 2
    holm = " Holm's method adjusts the primary measure over all pairs." if several and not analysis.contrast else ""
    side = analysis.alternative if analysis.alternative == "two-sided" else "one-sided"
    others = " The effects of other conditions are estimated and removed." if several else ""
    return (
        f"{ESTIMAND} The difference is tested by re-randomisation: the planned orders are exchanged among "
        f"subjects in all ways, or in 20,000 drawn ones (seed {SEED}) where there are more than 200,000.{others} The "
        f"test of the primary measure is {side}, alpha = {analysis.alpha:g}; the interval holds the differences that "
        f"the test does not reject.{holm} Secondary "
        "measures are tested in the same way, two-sided and without adjustment; all others are exploratory."
    )


def _sample(study: Study, scenarios: list[str]) -> str:
    analysis = study.analysis
    if not analysis.subjects:
        return "[How many subjects, and why. “subjects”, “difference” and “spread” in [analysis] give the power.]"
    planned = f"{count_of(analysis.subjects, 'subject')} are planned."
    if rest := analysis.subjects % cycle_length(study.design, study.conditions, scenarios):
        planned += f" [The orders are not equally frequent: {rest} beyond whole cycles of the design.]"
    if not analysis.difference or not analysis.spread:
        return f"{planned} [Add “difference” and “spread” to [analysis] for the power.]"
    power = 100 * power_of(analysis, SEED)
    return (
        f"{planned} A difference of {analysis.difference:g} with a standard deviation of {analysis.spread:g} within "
        f"subjects is found in {power:.0f} % of simulated studies of this size."
    )
