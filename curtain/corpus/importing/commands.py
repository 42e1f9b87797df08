"""What `curtain import` does: reads a tree, shows how far it is, tells what came in."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from curtain.corpus.importing.run import Imported, Watch, import_tree

__all__ = ["run"]


def run(tree: Path, out: Path, domain: str | None, *, as_json: bool = False) -> None:
    """Import an ATIS tree into a study. Raises CurtainError."""
    if domain is not None:
        from curtain.domain.pack import load_pack

        load_pack(domain)
    with _bar() as watch:
        done = import_tree(tree, out, domain, watch=watch)
    _print(done, as_json)


@contextmanager
def _bar() -> Iterator[Watch]:
    columns = (TextColumn("Import"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("Import", total=None)

        def watch(sessions: int) -> Callable[[int], None]:
            progress.update(bar, total=sessions)
            return lambda more: progress.advance(bar, more)

        yield watch


def _print(done: Imported, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**dataclasses.asdict(done), "study": str(done.study)}, ensure_ascii=False))
        return
    print(f"{done.sessions} sessions with {done.utterances} utterances are in {done.study}.")
    if done.already_there:
        print(f"{done.already_there} sessions were there from an earlier import.")
    if done.others:
        print(f"{done.others} files that belong to no session are in {done.study / 'imported'}.")
    if done.left:
        print(f"{done.left} links or special files of the tree were left where they are.")
