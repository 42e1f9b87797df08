"""The NL tool as the wizard's station sees it: drafts and previews as Futures, made in processes of their own.

Importing this module imports neither duckdb nor sqlglot nor numpy nor Qt. No call waits: what takes time happens on
threads of the service and in its children. Callbacks and the Futures' own callbacks run on these threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curtain.domain.reading import Pack

from .values import Draft, Example, Request

__all__ = ["OURS", "DraftService", "DraftSettings", "DrafterChoice", "Preview"]

OURS = "curtain"


@dataclass(frozen=True)
class DrafterChoice:
    """A drafter that is on: our own (`curtain`), the one that asks a served model (`chat`), or an entry point of the
    group `curtain.drafters`. `limit_s` is its time for one request, `start_s` its time to load; `options` are its own
    keys of study.toml."""

    name: str = OURS
    options: Mapping[str, Any] = field(default_factory=dict)
    limit_s: float = 2.0
    start_s: float = 60.0


@dataclass(frozen=True)
class DraftSettings:
    """Which drafters are on, how long the first drafts wait for the slower ones, and what a preview may take.
    `cache` is a folder for what a drafter worked out from examples; None means the user's own."""

    drafters: tuple[DrafterChoice, ...] = (DrafterChoice(),)
    patience_s: float = 0.3
    preview_rows: int = 3
    preview_s: float = 0.5
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a statement answers: how many rows there are, and the first ones as a person reads them. If it cannot be
    told in time or at all, `fault` is one plain sentence, `total` None and the rest empty."""

    sql: str
    total: int | None = None
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    numeric: tuple[bool, ...] = ()
    fault: str = ""


class DraftService:
    """Drafts for one request at a time, the newest. Made at once: the drafters load behind it.

    `on_ready()` is called once every drafter can draft or has failed to; `on_problem(sentence)` when a drafter fails,
    once for each kind of failure. Neither is ever for the subject.
    """

    def __init__(
        self,
        pack: Pack,
        db_path: Path,
        examples: Sequence[Example],
        settings: DraftSettings | None = None,
        on_ready: Callable[[], None] = lambda: None,
        on_problem: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        raise NotImplementedError

    def draft(
        self, request: Request, on_more: Callable[[tuple[Draft, ...]], None] | None = None
    ) -> Future[tuple[Draft, ...]]:
        """Up to `request.n` drafts, best first, each allowed by the SQL guard and good for the schema.

        An earlier request that is still waiting is cancelled, and so are its previews. The Future is resolved as soon
        as all drafters have answered, or at `patience_s` with what has come; it never raises. Drafts that come later
        go to `on_more`, which gets the whole new list: what was shown keeps its order.
        """
        raise NotImplementedError

    def preview(self, sql: str) -> Future[Preview]:
        """Row count and first rows of a statement, within `preview_s`; never raises. Cancelled by a new request."""
        raise NotImplementedError

    def learn(self, *examples: Example) -> None:
        """From now on these questions have been answered; an example with a known id takes the other's place."""
        raise NotImplementedError

    def withdraw(self, example_id: str) -> None:
        """Forget the example of this id. This is for the running drafters; `store.withdraw` keeps it."""
        raise NotImplementedError

    def close(self) -> None:
        """End the children; what is waiting is cancelled. Returns within a second."""
        raise NotImplementedError
