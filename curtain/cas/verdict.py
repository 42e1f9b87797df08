"""What the Comparator says."""

from __future__ import annotations

from collections.abc import Callable

CORRECT = "correct"
INCORRECT = "incorrect"
ANSWERED_NOTHING = "no_answer"
MALFORMED = "malformed"
UNDECIDED = "undecided"


class Verdict:
    """The outcome, one of `correct, incorrect, no_answer, malformed, undecided`, and why, in a few words.

    As a condition it is true only if it is `correct`, so `assert compare(...)` says what it seems to say.
    A verdict never changes. Its reason is found when it is first asked for; until then the verdict keeps both tables.
    """

    __slots__ = ("_outcome", "_reason")

    def __init__(self, outcome: str, reason: str | Callable[[], str] = "") -> None:
        self._outcome = outcome
        self._reason = reason

    @property
    def outcome(self) -> str:
        """What was decided."""
        return self._outcome

    @property
    def reason(self) -> str:
        """Why; empty if there is nothing to say."""
        if not isinstance(self._reason, str):
            self._reason = self._reason()
        return self._reason

    @property
    def is_correct(self) -> bool:
        """Whether the hypothesis counts as right."""
        return self._outcome == CORRECT

    def __bool__(self) -> bool:
        return self.is_correct

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdict):
            return NotImplemented
        return (self._outcome, self.reason) == (other.outcome, other.reason)

    def __hash__(self) -> int:
        return hash((self._outcome, self.reason))

    def __repr__(self) -> str:
        return f"Verdict(outcome={self._outcome!r}, reason={self.reason!r})"

    def __reduce__(self) -> tuple[type[Verdict], tuple[str, str]]:
        # For another process: the tables stay here.
        return Verdict, (self._outcome, self.reason)
