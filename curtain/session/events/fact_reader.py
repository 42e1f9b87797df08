"""How a line of a journal becomes a fact of its type."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from curtain.session.journal.lines import JournalEntry, UnreadableFact


def fact_kinds(base: type[msgspec.Struct]) -> dict[str, type[msgspec.Struct]]:
    """The classes of facts below `base` by the type that their lines name."""
    kinds: dict[str, type[msgspec.Struct]] = {}
    for kind in base.__subclasses__():
        kinds |= {str(kind.__struct_config__.tag): kind, **fact_kinds(kind)}
    return kinds


def fact_reader(kinds: Mapping[str, type[msgspec.Struct]], author: str) -> Callable[[JournalEntry], Any]:
    """A function that reads the facts of one author by the types of their lines; `author` is a word for it.

    The function gives None for a type of the future. Fields of the future are left aside; the journal's line keeps
    them. It raises UnreadableFact.
    """

    def read(entry: JournalEntry) -> Any:
        # The one type, not a union of them: msgspec would put the union together anew for every line.
        kind = kinds.get(entry.type)
        if kind is None:
            return None
        try:
            return msgspec.convert({**entry.data, "type": entry.type}, type=kind)
        except msgspec.ValidationError as error:
            raise UnreadableFact(f"Line {entry.seq} ({entry.type}) of the {author}'s journal: {error}.") from error

    return read
