"""What a writer of an export format is."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from curtain.corpus.model.utterance import Corpus

CONTEXT_NOT_KNOWN = "nobody has said whether it needs earlier questions"
"""The reason of formats of single questions against what nobody has annotated."""


@dataclass
class ExportProgress:
    """What a writer reports while it works. `utterances` counts what was written; `dropped` counts, by reason in plain
    words, what the format cannot hold; `notes` are sentences on where the utterances are."""

    utterances: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def wrote(self, utterances: int = 1) -> None:
        """Count utterances that are in the export."""
        self.utterances += utterances

    def dropped_one(self, reason: str) -> None:
        """Count an utterance that the format cannot hold; `reason` is printed as it stands."""
        self.dropped[reason] += 1


Write = Callable[[Corpus, Path, ExportProgress], None]
"""Writes the corpus into a folder that exists and is empty. Raises CurtainError; the folder is then thrown away."""
