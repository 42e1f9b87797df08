"""Both journals of a session, each read once however many ask."""

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
