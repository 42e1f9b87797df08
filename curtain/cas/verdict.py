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
    """The outcome, one of `correct, incorrect, no_answer, malformed, undecided`, and why, in a few words.

    As a condition it is true only if it is `correct`, so `assert compare(...)` says what it seems to say.
    """

    outcome: str
    reason: str = ""

    @property
    def is_correct(self) -> bool:
        """Whether the hypothesis counts as right."""
        return self.outcome == CORRECT

    def __bool__(self) -> bool:
        return self.is_correct
