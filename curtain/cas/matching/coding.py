"""The cells of two tables as small numbers, made when they are first asked for."""

from __future__ import annotations

from collections.abc import Sequence

from .columns import CellColumn, distinct_rows
from .pairing import Pairing
from .state import Codes

# Most pairs that differ do so in their first rows; a look at these saves a pass over all.
_HEAD = 32


class Coding:
    """Two tables with the codes that a pairing gives their cells.

    Each row of a table stands there once, except where near columns forbid counting rows in any case.
    """

    def __init__(self, pairing: Pairing, placed: Sequence[CellColumn], others: Sequence[CellColumn]) -> None:
        self.pairing = pairing
        self.placed_columns = placed
        self.other_columns = others
        self.placed_rows = len(placed[0].cells)
        self.other_rows = len(others[0].cells)
        self.size = pairing.size
        self._placed: dict[int, Codes] = {}
        self._others: dict[tuple[object, int], Codes] = {}

    def restricted(self, kept: Sequence[int]) -> Coding:
        """With some of the other columns only, and each of their rows once."""
        others = [self.other_columns[one] for one in kept]
        rows = others if self.pairing.near else distinct_rows(others)
        return Coding(self.pairing.restricted(kept), self.placed_columns, rows)

    @property
    def surplus(self) -> int | None:
        """How many more distinct rows the other side has; None where tolerance forbids to count rows.

        Different placed rows need different other rows, so there can be no mapping if it is negative.
        """
        return None if self.pairing.is_tolerant else self.other_rows - self.placed_rows

    def placed(self, index: int) -> Codes:
        """The codes of a placed column."""
        if index not in self._placed:
            self._placed[index] = self.pairing.placed_codes(index, self.placed_columns[index].cells)
        return self._placed[index]

    def other(self, index: int, other: int) -> Codes:
        """The codes of another column as a candidate for a placed one."""
        key = self.pairing.code_of(index, other), other
        if key not in self._others:
            self._others[key] = self.pairing.other_codes(index, other, self.other_columns[other].cells)
        return self._others[key]

    def is_uniform(self, index: int) -> bool:
        """Whether all candidates of a placed column have codes, and codes of one kind."""
        return not self.pairing.near_candidates(index) and self.pairing.is_uniform(index)

    @property
    def is_all_uniform(self) -> bool:
        """Whether all placed columns are uniform."""
        return all(map(self.is_uniform, range(len(self.placed_columns))))

    def agree(self, index: int, other: int, mine: Codes, its: Codes) -> bool:
        """Whether two columns agree in all pairs of rows (placed, other)."""
        if (index, other) in self.pairing.near:
            placed, other_cells = self.placed_columns[index].cells, self.other_columns[other].cells
            first, second = tuple(map(placed.__getitem__, mine)), tuple(map(other_cells.__getitem__, its))
            return self.pairing.nearness.first_apart(CellColumn(first), CellColumn(second)) is None
        left, right = self.placed(index), self.other(index, other)
        head = slice(_HEAD)
        if [left[row] for row in mine[head]] != [right[row] for row in its[head]]:
            return False
        return list(map(left.__getitem__, mine)) == list(map(right.__getitem__, its))
