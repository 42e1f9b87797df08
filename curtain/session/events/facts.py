"""The lines of both journals with their facts, each read once."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from curtain.session.events import subject_events, wizard_events
from curtain.session.journal.lines import JournalEntry, UnreadableFact


class FactLine(NamedTuple):
    """A line with its fact, which is None for a type of the future and for a line whose fields are not its type's."""

    entry: JournalEntry
    fact: Any
    damaged: bool = False


def subject_lines(entries: Iterable[JournalEntry]) -> list[FactLine]:
    """The lines of a subject's journal in their order."""
    return _lines(entries, subject_events.read)


def wizard_lines(entries: Iterable[JournalEntry]) -> list[FactLine]:
    """The lines of a wizard's journal in their order."""
    return _lines(entries, wizard_events.read)


def _lines(entries: Iterable[JournalEntry], read: Callable[[JournalEntry], Any]) -> list[FactLine]:
    lines = []
    for entry in entries:
        try:
            lines.append(FactLine(entry, read(entry)))
        except UnreadableFact:
            lines.append(FactLine(entry, None, damaged=True))
    return lines
