"""What was found on the way to a "no", so that it can be reported without looking for it again."""

from collections.abc import Sequence

from ..values import Cell
from .columns import CellColumn

Row = tuple[Cell, ...]


class MismatchEvidence:
    """Rows without a partner under the mapping of columns that went furthest; the first find is kept."""

    def __init__(self) -> None:
        self.placed: Row | None = None
        """A row of the placed table that the other table lacks."""
        self.others: Row | None = None
        """A row of the other table that has no place in the placed one."""

    def note(self, placed: Row | None = None, others: Row | None = None) -> None:
        """Keep these rows, unless some are known already."""
        if self.placed is None and self.others is None:
            self.placed, self.others = placed, others


def row_of(columns: Sequence[CellColumn], row: int) -> Row:
    """One row of a table."""
    return tuple(column.cells[row] for column in columns)
