"""`curtain judge ...` and `curtain report` from their arguments to their exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.terminal import print_line
from curtain.commands.help_layout import HelpGroup

__all__ = ["judge_app", "report"]

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for a program to read.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of every random draw.")]

judge_app = typer.Typer(
    cls=HelpGroup,
    help="Have judges rate queries and responses, and measure how far they agree.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@judge_app.command("agreement")
def agreement(
    labels: Annotated[Path, typer.Option("--labels", help="A CSV file with the columns item, judge, question, label.")],
    as_json: AsJson = False,
    seed: Seed = 1992,
) -> None:
    """Measure how far judges agree: unanimity, kappa, alpha, AC1, with intervals."""
    from curtain.evaluation.judging.agreement import question_agreement
    from curtain.evaluation.judging.agreement_page import agreement_json, print_agreement
    from curtain.evaluation.judging.labels import label_sets, read_labels

    agreements = [question_agreement(one, seed=seed) for one in label_sets(read_labels(labels))]
    if as_json:
        print_line(json.dumps(agreement_json(agreements), ensure_ascii=False))
    else:
        print_agreement(agreements)


def report(
    out: Annotated[Path, typer.Option("--out", help="The folder for report.html, report.json and the CSV files.")],
    runs: Annotated[
        Path | None, typer.Option("--runs", help="Report on the runs of this CSV file, recorded elsewhere.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option("--labels", help="Labels of judges (CSV), for the section on agreement.")
    ] = None,
    partial: Annotated[
        str,
        typer.Option("--partial", help="Partially correct counts as: own_bucket, strict, lenient, half or excluded."),
    ] = "own_bucket",
    recruited: Annotated[int | None, typer.Option("--recruited", help="How many subjects were recruited.")] = None,
    title: Annotated[str, typer.Option("--title", help="The heading of the report.")] = "",
    seed: Seed = 1992,
) -> None:
    """Report end-to-end measures of runs, and compare two systems."""
    from curtain.evaluation.report.commands import ReportOptions, report_run

    raise typer.Exit(report_run(out, ReportOptions(runs, labels, partial, recruited, title, seed)))
