"""Both journals of a session, each read once however many ask."""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property
from pathlib import Path

from curtain.session.journal.lines import JournalReading, read_journal

SUBJECT = "subject.events.jsonl"
WIZARD = "wizard.events.jsonl"


class Journals:
    """The journals in a folder as they were when they were first asked for. Both raise JournalUnreadable."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def subject(self) -> JournalReading:
        """The journal of the subject's station. Raises JournalUnreadable."""
        return read_journal(self._folder / SUBJECT)

    @cached_property
    def wizard(self) -> JournalReading:
        """The journal of the wizard's station. Raises JournalUnreadable."""
        return read_journal(self._folder / WIZARD)

    def named(self, name: str) -> JournalReading:
        """The one of this file name."""
        return self.subject if name == SUBJECT else self.wizard

    def only(self, kinds: Container[str]) -> Journals:
        """The same readings without the lines of other types: a corpus keeps no more of a session that went by.
        Raises JournalUnreadable."""
        kept = Journals(self._folder)
        vars(kept).update(subject=self.subject.without_lines(kinds), wizard=self.wizard.without_lines(kinds))
        return kept

    @property
    def size(self) -> int:
        """Bytes of both files; one that is not there has none."""
        paths = (self._folder / name for name in (SUBJECT, WIZARD))
        return sum(path.stat().st_size for path in paths if path.is_file())
