"""`curtain import`: reads a tree, shows how far it is, reports what came in."""

import dataclasses
from collections.abc import Sequence
from typing import Annotated

import typer

from curtain.base.plural import are, count_of
from curtain.base.progress_bar import counting, progress_bar
from curtain.base.terminal import print_json, print_line
from curtain.commands.options import AsJson
from curtain.commands.purposes import InFolder, OutFolder
from curtain.ports.result import end_with
from curtain_corpora.importing.run import import_tree

_SHOWN = 10


def run(
    tree: Annotated[InFolder, typer.Argument(help="The folder of an ATIS tree.")],
    out: Annotated[OutFolder, typer.Option("--out", help="The study folder to make or extend.")],
    domain: Annotated[
        str | None, typer.Option("--domain", help="A bundled database (personnel, atis) or a pack's folder.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Import an ATIS tree into a study. Raises CurtainError."""
    if domain is not None:
        from curtain.domain.pack.pack import named_pack

        named_pack(domain)
    with progress_bar() as report:
        done = import_tree(tree, out, domain, watch=lambda sessions: counting(report, "Import", sessions))
    if as_json:
        print_json({**dataclasses.asdict(done), "study": str(done.study)})
        return
    sessions, utterances = done.sessions, done.utterances
    end_with(f"The imported study is {done.study}. Sessions: {sessions}, utterances: {utterances}.", [done.study])
    if done.already_there:
        print_line(f"{count_of(done.already_there, 'session')} had come with an earlier import.")
    if done.forgotten:
        print_line(f"Left out: {count_of(done.forgotten, 'session')} of speakers whom this study has erased.")
    if done.others:
        what = are(done.others, "file that belongs to no session", "files that belong to no session")
        print_line(f"{what} in {done.study / 'imported'}.")
    if done.others and done.forgotten:
        print_line("Look whether something there names a speaker who was erased.")
    if done.left:
        what = count_of(done.left, "link or special file", "links or special files")
        print_line(f"Left where they are in the tree: {what}.")
    _print_damaged(done.damaged)


def _print_damaged(damaged: Sequence[str]) -> None:
    if damaged:
        what = are(len(damaged), "answer or category", "answers or categories")
        print_line(f"{what} not in the notation, and not taken; the files are kept as they came.")
    for sentence in damaged[:_SHOWN]:
        print_line(f"  {sentence}")
    if len(damaged) > _SHOWN:
        print_line(f"  and {len(damaged) - _SHOWN} more, which --json lists")
