"""`curtain judge ...` and `curtain report` from their arguments to their exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from curtain.commands.help_layout import HelpGroup
from curtain.commands.options import AsJson, Output, Overwrite, TextSize, Theme

__all__ = ["judge_app", "report"]

WithoutConsent = Annotated[bool, typer.Option("--without-consent", help="Take sessions without a consent too.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of every random draw.")]


class JudgeGroup(HelpGroup):
    """`curtain judge PACKET` opens the window: what is no command names a packet."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the arguments name; `open` if the first of them names none."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = ["open", *args]
        return super().resolve_command(ctx, args)


judge_app = typer.Typer(
    cls=JudgeGroup,
    help="Have judges rate queries and responses, and measure how far they agree.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@judge_app.command("open")
def judge_open(
    packet: Annotated[Path, typer.Argument(help="The packet that you were given.")],
    output: Output = None,
    theme: Theme = "system",
    text_size: TextSize = 100,
) -> None:
    """Judge the pairs of a packet; “curtain judge PACKET” does the same."""
    from curtain.evaluation.judging.packet import Packet

    # Refused here: a window without a pair would tell the judge nothing to do. For writing, as the window opens it.
    Packet(packet).close()
    _open_judge(["--packet", str(packet)], output, theme, text_size)


@judge_app.command("adjudicate")
def judge_adjudicate(
    folder: Annotated[Path, typer.Argument(help="The folder of an evaluation, after a merge.")],
    by: Annotated[str, typer.Option("--by", help="Who rules; you by default.")] = "",
    output: Output = None,
    theme: Theme = "system",
    text_size: TextSize = 100,
) -> None:
    """Rule on the pairs on which judges differ; what they said is hidden until you ask for it."""
    from curtain.evaluation.judging.evaluation import open_evaluation

    # Refused here: the window would only open to close again.
    open_evaluation(folder).open_to_ruling()
    _open_judge(["--rule", str(folder), "--by", by], output, theme, text_size)


def _open_judge(options: list[str], output: str | None, theme: str, text_size: int) -> None:
    from curtain.commands.windows import appearance_options, open_window

    options += appearance_options(theme, text_size)
    options += ["--output", output] if output is not None else []
    raise typer.Exit(open_window("curtain.review.judge", options))


@judge_app.command("new")
def judge_new(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    judges: Annotated[str, typer.Option("--judges", help="The names of the judges, separated by commas.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to make for the packets and what comes back.")],
    items: Annotated[
        str, typer.Option("--items", help="Which pairs, as scenario=2,condition=robust; all by default.")
    ] = "",
    experts: Annotated[
        str, typer.Option("--experts", help="Those of the judges who know the rules of the reference answers.")
    ] = "",
    seed: Seed = 1992,
    without_consent: WithoutConsent = False,
) -> None:
    """Make a packet for each judge: pairs of query and response, without a word on the condition."""
    from curtain.evaluation.judging.commands import NewEvaluation, run_new

    raise typer.Exit(run_new(study, out, NewEvaluation(judges, experts, items, seed, without_consent)))


@judge_app.command("merge")
def judge_merge(
    packets: Annotated[list[Path], typer.Argument(help="Packets that came back from the judges.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder of the evaluation; that of the first packet by default.")
    ] = None,
) -> None:
    """Bring the labels of packets together, and say how far each judge has come."""
    from curtain.evaluation.judging.commands import run_merge

    raise typer.Exit(run_merge(packets, out))


@judge_app.command("agreement")
def agreement(
    folder: Annotated[Path | None, typer.Argument(help="The folder of an evaluation, after a merge.")] = None,
    labels: Annotated[
        Path | None, typer.Option("--labels", help="A CSV file of any tool: item, judge, question, label.")
    ] = None,
    as_json: AsJson = False,
    seed: Seed = 1992,
) -> None:
    """Measure how far judges agree: unanimity, kappa, alpha, AC1, with intervals."""
    from curtain.evaluation.judging.commands import run_agreement

    raise typer.Exit(run_agreement(folder, labels, seed=seed, as_json=as_json))


def report(
    studies: Annotated[list[Path] | None, typer.Argument(help="Study folders; several stand side by side.")] = None,
    *,
    out: Annotated[Path, typer.Option("--out", help="The folder for report.html, report.json and the CSV files.")],
    runs: Annotated[
        Path | None, typer.Option("--runs", help="Report on the runs of this CSV file, recorded elsewhere.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option("--labels", help="Labels of judges (CSV), for the section on agreement.")
    ] = None,
    judged: Annotated[
        list[Path] | None,
        typer.Option("--judged", help="The folder of an evaluation by judges, after a merge; may stand several times."),
    ] = None,
    pilot: Annotated[bool, typer.Option("--pilot", help="Report on trial sessions too.")] = False,
    without_consent: WithoutConsent = False,
    partial: Annotated[
        str,
        typer.Option("--partial", help="Partially correct counts as: own_bucket, strict, lenient, half or excluded."),
    ] = "own_bucket",
    recruited: Annotated[int | None, typer.Option("--recruited", help="How many subjects were recruited.")] = None,
    title: Annotated[str, typer.Option("--title", help="The heading of the report.")] = "",
    mixed: Annotated[bool, typer.Option("--mixed", help="Add a linear mixed model (the extra “stats”).")] = False,
    copies: Annotated[
        Path | None,
        typer.Option("--copies", help="Altered copies of the database: run what was sent beside the annotations."),
    ] = None,
    seed: Seed = 1992,
    overwrite: Overwrite = False,
) -> None:
    """Report end-to-end measures of runs, and compare two systems."""
    from curtain.evaluation.report.commands import ReportOptions, report_run

    options = ReportOptions(
        runs, labels, partial, recruited, title, seed, tuple(studies or ()), tuple(judged or ()), pilot,
        without_consent, mixed, overwrite, copies,
    )  # fmt: skip
    raise typer.Exit(report_run(out, options))
