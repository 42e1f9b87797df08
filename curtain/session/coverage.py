"""How far the NL tool reached: unaided, and with the wizard's revision (papers/000 section 6.2: from 67 to 94 %)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from curtain.session.turns import Turn

__all__ = ["Coverage", "coverage_of"]


@dataclass(frozen=True)
class Coverage:
    """Turns that were answered from the database, right or wrong, by how: with a draft sent unchanged (`first` of them
    with the first draft), with a draft and the wizard's revision, without any draft. `drafted` is how many had drafts
    to choose from.
    """

    unaided: int = 0
    revised: int = 0
    by_hand: int = 0
    first: int = 0
    drafted: int = 0

    @property
    def answered(self) -> int:
        return self.unaided + self.revised + self.by_hand

    def percent(self, part: int) -> float:
        """Of the answered turns; 0 if there are none."""
        return 100 * part / self.answered if self.answered else 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "answered": self.answered,
            "unaided": self.unaided,
            "with_revision": self.unaided + self.revised,
            "by_hand": self.by_hand,
            "first_draft": self.first,
            "drafted": self.drafted,
            "unaided_percent": round(self.percent(self.unaided), 1),
            "with_revision_percent": round(self.percent(self.unaided + self.revised), 1),
        }

    def sentence(self) -> str:
        """For the session's summary; "" where no drafts were shown or nothing was answered."""
        if not self.answered or not self.drafted:
            return ""
        together = self.unaided + self.revised
        return (
            f"SQL drafts: of n = {self.answered} {_turns(self.answered)} answered from the database, they reached "
            f"{self._share(self.unaided)} unaided and {self._share(together)} with the wizard's revision; "
            f"{self.by_hand} {_were(self.by_hand)} written by hand. This counts what was sent; whether it was right, "
            "nobody has judged."
        )

    def _share(self, part: int) -> str:
        return f"{part} ({self.percent(part):.0f} %)"


def coverage_of(turns: Iterable[Turn]) -> Coverage:
    """Over the turns of one session or of many; practice is left out."""
    counted = [turn.drafts for turn in turns if not turn.practice and turn.outcome == "answer"]
    ways = Counter(trail.way for trail in counted)
    return Coverage(
        unaided=ways["unaided"],
        revised=ways["revised"],
        by_hand=ways["by_hand"],
        first=sum(trail.way == "unaided" and trail.taken is not None and trail.taken.place == 1 for trail in counted),
        drafted=sum(trail.lists > 0 for trail in counted),
    )


def _turns(number: int) -> str:
    return "turn" if number == 1 else "turns"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
