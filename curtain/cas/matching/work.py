"""The limit on work: the worst cases are hard in principle, and an honest "undecided" beats waiting for ever."""

from __future__ import annotations

DEFAULT_LIMIT = 6_000_000
"""In steps of about a tenth of a microsecond, each of them one row looked at: the worst ends within a second."""

_STEPS_PER_CELL = 40  # ordinary tables, however large, need one to some twenty-five


class OutOfWork(Exception):
    """The limit was reached before the question was decided."""


class OutOfNodes(Exception):
    """A search branched more often than it was allowed to."""


class StepLimit:
    """Counts the steps of one comparison; with a `whole`, those of an attempt in it that may be given up."""

    def __init__(self, limit: int = DEFAULT_LIMIT, whole: StepLimit | None = None) -> None:
        self.left = limit
        self._whole = whole

    def allow(self, cells: int) -> None:
        """Add what ordinary tables of so many cells need: the limit is for the search."""
        self.spend(-_STEPS_PER_CELL * cells)

    def spend(self, steps: int) -> None:
        """Note the steps about to be made, in the whole too; raises OutOfWork beyond a limit."""
        self.left -= steps
        if self._whole is not None:
            self._whole.spend(steps)
        if self.left < 0:
            raise OutOfWork
