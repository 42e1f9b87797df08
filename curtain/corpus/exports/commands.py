"""What `curtain export` does: opens the corpus, shows how far it is, tells what came out."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from curtain.corpus.corpus import open_corpus
from curtain.corpus.exports.registry import FORMATS, find
from curtain.corpus.exports.run import Done, Watch, export
from curtain.corpus.exports.whole import ensure_free
from curtain.corpus.filters import Filters
from curtain.errors import CurtainError

__all__ = ["Incomplete", "list_formats", "run"]


class Incomplete(CurtainError):
    """An option is missing."""


def list_formats(as_json: bool) -> None:
    """The formats, by name."""
    if as_json:
        print(json.dumps([{"name": one.name, "title": one.title} for one in FORMATS], ensure_ascii=False))
        return
    for one in FORMATS:
        print(f"{one.name:<12} {one.title}")


def run(
    bundles: Sequence[Path],
    format_name: str | None,
    out: Path | None,
    filters: Filters,
    *,
    title: str = "",
    licence: str = "",
    blind: bool = False,
    as_json: bool = False,
) -> None:
    """Export sessions' folders and studies. Raises CurtainError."""
    if not bundles or format_name is None or out is None:
        raise Incomplete("“curtain export” takes sessions or studies, “--format” and “--out”; “--list” shows formats.")
    find(format_name)
    ensure_free(out)
    corpus = open_corpus(bundles, filters, title=title, licence=licence, blind=blind)
    with _bar(len(corpus.sources)) as watch:
        done = export(
            corpus, format_name, out, filters=_told(filters), left_out=lambda: corpus.counts.dropped, watch=watch
        )
    _print(done, as_json)


def _told(filters: Filters) -> dict[str, Any]:
    """Those filters that were set, as they stand in EXPORT.json."""
    unset = dataclasses.asdict(Filters())
    chosen = {name: value for name, value in dataclasses.asdict(filters).items() if value != unset[name]}
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in chosen.items()}


def _print(done: Done, as_json: bool) -> None:
    if as_json:
        told: Mapping[str, Any] = {"out": str(done.out), "kept": done.kept, "dropped": dict(done.dropped)}
        print(json.dumps(told, ensure_ascii=False))
        return
    print(f"{done.kept} utterances are in {done.out}.")
    for reason, count in sorted(done.dropped.items()):
        print(f"left out: {count} ({reason})")


@contextmanager
def _bar(sessions: int) -> Iterator[Watch]:
    """A progress bar on standard error while the work goes on, where that is a terminal."""
    columns = (TextColumn("{task.fields[done]} utterances"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=sessions, done=0)
        yield lambda gone_through, utterances: progress.update(task, completed=gone_through, done=utterances)
