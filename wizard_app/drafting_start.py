"""Starts the NL tool over a study: what it knows from the start, and what was withdrawn. For a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from curtain.domain.pack import Pack
from curtain.domain.reading import Example as PackExample
from curtain.drafting.service import DraftService
from curtain.drafting.settings import read_settings
from curtain.drafting.values import Asked, Example
from curtain.session.study import Study


class WithdrawnInMemory:
    """Until a study keeps them: forgotten with the station."""

    def withdraw(self, example: Example) -> None: ...

    def restore(self, example: Example) -> None: ...


def start(
    study: Study, pack: Pack, database: Path, on_ready: Callable[[], None], on_problem: Callable[[str], None]
) -> tuple[DraftService, WithdrawnInMemory]:
    """The service, which loads behind this call. Raises CurtainError: BadDrafters, PackError."""
    examples = list(of_pack(pack.examples()))
    settings = read_settings(study.drafters)
    return DraftService(pack, database, examples, settings, on_ready, on_problem), WithdrawnInMemory()


def of_pack(examples: Iterable[PackExample]) -> Iterator[Example]:
    """The answered questions of a pack; those that lean on earlier ones with these, as far as they are answered."""
    known: dict[str, str] = {}
    for number, one in enumerate(examples, 1):
        earlier = tuple(Asked(question, known[question]) for question in one.context if question in known)
        known[one.question] = one.sql
        yield Example(one.question, one.sql, earlier, f"pack-{number}", "pack")
