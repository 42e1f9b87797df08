"""`curtain challenge ...` from its arguments to its exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curtain.commands.help_layout import HelpGroup
from curtain.commands.options import Overwrite

__all__ = ["challenge_app"]

challenge_app = typer.Typer(
    cls=HelpGroup,
    help="Collect hard questions, agree on their references, freeze them, and score systems for each phenomenon.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Argument(help="The folder of the challenge set.")]
Question = Annotated[str, typer.Argument(help="The question's id.")]
By = Annotated[str, typer.Option("--by", help="Who you are.")]


@challenge_app.command("new")
def new(folder: Folder, title: Annotated[str, typer.Option("--title", help="What the set is called.")] = "") -> None:
    """Begin a challenge set in a new folder."""
    from curtain.base.clock import Clock
    from curtain.evaluation.challenge import commands

    raise typer.Exit(commands.new(folder, title, Clock().wall_utc()))


@challenge_app.command("add")
def add(
    folder: Folder,
    question: Question,
    phenomenon: Annotated[str, typer.Option("--phenomenon", help="What makes it hard, in a word or two.")],
    why: Annotated[str, typer.Option("--why", help="Why it belongs in the set, in a sentence.")],
    by: By,
    study: Annotated[
        Path | None, typer.Option("--from", help="The study that has this utterance, with its reference.")
    ] = None,
    ref: Annotated[str | None, typer.Option("--ref", help="The minimum, a CAS answer, where no study has it.")] = None,
    maximum: Annotated[str | None, typer.Option("--max", help="The maximum, a CAS answer.")] = None,
    yes_no: Annotated[bool, typer.Option("--yes-no", help="The question is a yes/no question.")] = False,
    words: Annotated[str, typer.Option("--words", help="What is asked, in words; by default those of the study.")] = "",
    dialect: Annotated[
        str | None, typer.Option("--dialect", help="The dialect of --ref and --max: 1989, 1990 or 1992 (the default).")
    ] = None,
) -> None:
    """Propose a question, from an annotated study or with a reference of your own."""
    from curtain.base.clock import Clock
    from curtain.evaluation.challenge import commands
    from curtain.evaluation.challenge.challenge_set import BadChallenge, Proposal, StandaloneQuestion

    if (study is None) == (ref is None):
        raise BadChallenge("Give either --from, a study that has the utterance, or --ref, the minimum.")
    if not all(text.strip() for text in (phenomenon, why, by)):
        raise BadChallenge("Say who you are with --by, what makes it hard with --phenomenon, and why with --why.")
    if study is not None:
        if maximum is not None or yes_no or dialect is not None:
            raise BadChallenge("The study has the reference: leave --max, --yes-no and --dialect away.")
        asked = commands.question_in(study, question)
    else:
        asked = StandaloneQuestion(id=question, ref=ref or "", max=maximum, yes_no=yes_no, dialect=dialect)
    if not (words.strip() or asked.question):
        raise BadChallenge("Give what is asked, in words, with --words.")
    proposal = Proposal(
        id=asked.id, ref=asked.ref, max=asked.max, yes_no=asked.yes_no, dialect=asked.dialect,
        question=words.strip() or asked.question, phenomenon=phenomenon.strip(), why=why.strip(), by=by.strip(),
        at_utc=Clock().wall_utc(),
    )  # fmt: skip
    raise typer.Exit(commands.add(folder, proposal))


@challenge_app.command("agree")
def agree(folder: Folder, question: Question, by: By) -> None:
    """Agree to the reference of a question that somebody else proposed."""
    from curtain.base.clock import Clock
    from curtain.evaluation.challenge import commands

    raise typer.Exit(commands.agree(folder, question, by.strip(), Clock().wall_utc()))


@challenge_app.command("list")
def list_questions(folder: Folder) -> None:
    """List the questions with words and reference, who proposes them and who agrees."""
    from curtain.evaluation.challenge import commands

    raise typer.Exit(commands.list_questions(folder))


@challenge_app.command("freeze")
def freeze(folder: Folder) -> None:
    """Freeze a version of all questions whose references two people agree on."""
    from curtain.base.clock import Clock
    from curtain.evaluation.challenge import commands

    raise typer.Exit(commands.freeze(folder, Clock().wall_utc()))


@challenge_app.command("run")
def run(
    folder: Folder,
    answers: Annotated[Path, typer.Argument(help="A file of JSON lines {id, hyp}.")],
    out: Annotated[Path, typer.Option("--out", help="A folder for the page and the figures.")],
    version: Annotated[
        int | None, typer.Option("--version", help="The frozen version; the last one by default.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Score a system on a frozen version, in all and for each phenomenon."""
    from curtain.evaluation.challenge import commands

    raise typer.Exit(commands.run(folder, answers, out, version, overwrite))
