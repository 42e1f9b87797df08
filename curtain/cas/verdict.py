"""What the Comparator says."""

from __future__ import annotations

from dataclasses import dataclass

CORRECT = "correct"
INCORRECT = "incorrect"
ANSWERED_NOTHING = "no_answer"
MALFORMED = "malformed"
UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """The outcome, one of `correct, incorrect, no_answer, malformed, undecided`, and why, in a few words."""

    outcome: str
    reason: str = ""

    @property
    def is_correct(self) -> bool:
        """Whether the hypothesis counts as right."""
        return self.outcome == CORRECT
