"""The limit on work: the worst cases are hard in principle, and an honest "undecided" beats waiting for ever."""

from __future__ import annotations

DEFAULT_LIMIT = 60_000_000
"""In steps of about a tenth of a microsecond, each of them one row looked at: some five to ten seconds."""


class OutOfWork(Exception):
    """The limit was reached before the question was decided."""


class OutOfNodes(Exception):
    """A search branched more often than it was allowed to."""


class StepLimit:
    """Counts the steps of one comparison."""

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self._left = limit

    def spend(self, steps: int) -> None:
        """Note the steps about to be made; raises OutOfWork beyond the limit."""
        self._left -= steps
        if self._left < 0:
            raise OutOfWork

    def part(self, limit: int) -> StepLimit:
        """A smaller limit for an attempt that may be given up; what it spends is not counted here."""
        return StepLimit(min(limit, self._left))
