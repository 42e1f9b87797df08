"""`curtain test-set ...` from its arguments to its exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from curtain.commands.help_layout import HelpGroup
from curtain.commands.options import AsJson, Overwrite

__all__ = ["test_set_app"]

test_set_app = typer.Typer(
    cls=HelpGroup,
    help="Run a blind test: release inputs, score answers, take reports on references, score again.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Argument(help="The folder of the test set.")]
Utterance = Annotated[str, typer.Argument(help="The utterance's id.")]
By = Annotated[str, typer.Option("--by", help="Who you are.")]
Why = Annotated[str, typer.Option("--why", help="The reason, in a sentence.")]


@test_set_app.command("release")
def release(
    bundles: Annotated[list[Path], typer.Argument(help="Sessions' folders or study folders.")],
    out: Annotated[Path, typer.Option("--out", help="A new folder for the test set.")],
    format_name: Annotated[str, typer.Option("--format", help="The format of the inputs.")] = "parquet",
    without_consent: Annotated[
        bool, typer.Option("--without-consent", help="Take sessions without a consent too.")
    ] = False,
    pilot: Annotated[bool, typer.Option("--pilot", help="Include pilot sessions.")] = False,
    practice: Annotated[bool, typer.Option("--practice", help="Include practice turns.")] = False,
    include_live: Annotated[
        bool, typer.Option("--include-live", help="Include turns that nobody has transcribed and classed yet.")
    ] = False,
) -> None:
    """Write the inputs of a test without any answer, and the key beside them."""
    from curtain.base.clock import Clock
    from curtain.corpus.model.filters import Filters
    from curtain.evaluation.blind_test import commands

    filters = Filters(with_consent=not without_consent, live=include_live, pilot=pilot, practice=practice)
    raise typer.Exit(commands.release(bundles, out, format_name, filters, Clock().wall_utc()))


@test_set_app.command("score")
def score(
    folder: Folder,
    answers: Annotated[Path, typer.Argument(help="A file of JSON lines {id, hyp}.")],
    out: Annotated[Path, typer.Option("--out", help="A folder for the results, preliminary and final.")],
    final: Annotated[bool, typer.Option("--final", help="Apply the rulings on reported references.")] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Score answers: preliminary results first, final ones when every report has its ruling."""
    from curtain.evaluation.blind_test import commands

    raise typer.Exit(commands.score(folder, answers, out, final=final, as_json=as_json, overwrite=overwrite))


@test_set_app.command("report")
def report(folder: Folder, utterance: Utterance, by: By, why: Why) -> None:
    """Report a reference that you hold to be wrong."""
    from curtain.base.clock import Clock
    from curtain.evaluation.blind_test import commands

    raise typer.Exit(commands.report(folder, utterance, by=by, why=why, at_utc=Clock().wall_utc()))


@test_set_app.command("rule")
def rule(
    folder: Folder,
    utterance: Utterance,
    decision: Annotated[str, typer.Argument(help="keep, replace or withdraw.")],
    by: By,
    why: Why,
    ref: Annotated[str | None, typer.Option("--ref", help="The new minimum, a CAS answer.")] = None,
    maximum: Annotated[str | None, typer.Option("--max", help="The new maximum, a CAS answer.")] = None,
) -> None:
    """Decide about a reported reference; the released key never changes."""
    from curtain.base.clock import Clock
    from curtain.evaluation.blind_test import commands
    from curtain.evaluation.blind_test.test_set import BadTestSet, Decision, ReferenceRuling

    if decision not in get_args(Decision):
        raise BadTestSet(f"A ruling is one of {', '.join(get_args(Decision))}, not “{decision}”.")
    ruling = ReferenceRuling(
        id=utterance, decision=cast(Decision, decision), by=by, why=why, at_utc=Clock().wall_utc(), ref=ref, max=maximum
    )
    raise typer.Exit(commands.rule(folder, ruling))


@test_set_app.command("reports")
def reports(folder: Folder) -> None:
    """List what was reported, and what was decided."""
    from curtain.evaluation.blind_test import commands

    raise typer.Exit(commands.list_reports(folder))
