"""Columns of numbers under tolerance: which values may stand for which, seen over whole columns.

Both ends of what a reference value accepts grow with it. So the smallest (largest) values of two matching columns
accept each other, and if any value of a column is close to a number, then its neighbour in sorted order is.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import compress, pairwise
from operator import eq, ne, not_

from ...values import Cell
from ..columns import CellColumn, Sorted
from .tolerance import Tolerance

Close = Callable[[Cell, Cell], bool]


def are_tolerant(mine: CellColumn, its: CellColumn) -> bool:
    """Whether a pair of columns has a tolerance: both are numbers, and one has a decimal point."""
    return mine.is_number and its.is_number and (mine.is_real or its.is_real)


class Nearness:
    """Closeness of a placed column's cells to another column's, whichever of the two is the reference's."""

    def __init__(self, tolerance: Tolerance, placed_is_reference: bool) -> None:
        self.tolerance = tolerance
        self.placed_is_reference = placed_is_reference

    def close(self, mine: Cell, its: Cell) -> bool:
        """Whether a placed cell and another one may stand for one another."""
        return self.tolerance.close(its, mine) if self.placed_is_reference else self.tolerance.close(mine, its)

    def close_in_reverse(self, its: Cell, mine: Cell) -> bool:
        """As `close`, asked from the other side."""
        return self.close(mine, its)

    def first_apart(self, mine: CellColumn, its: CellColumn) -> int | None:
        """The first row in which a placed cell is neither equal nor close to the other column's; None if all are."""
        if mine.cells == its.cells:
            return None
        tolerant = are_tolerant(mine, its)
        different = self._not_surely_close(mine, its) if tolerant else map(ne, mine.cells, its.cells)
        rows = compress(range(len(mine.cells)), different)
        close = self.close if tolerant else eq
        return next((row for row in rows if not close(mine.cells[row], its.cells[row])), None)

    def _not_surely_close(self, mine: CellColumn, its: CellColumn) -> Iterable[bool]:
        if not (mine.is_all_real or its.is_all_real):
            return map(ne, mine.cells, its.cells)
        within = self.tolerance.surely_within
        # Written so that NaN, which stands for what is no float, goes to the exact comparison.
        return [not abs(one - two) < within * abs(one) for one, two in zip(mine.numbers, its.numbers, strict=True)]

    def may_pair(self, mine: CellColumn, its: CellColumn, exactly: bool) -> bool:
        """Whether what is no number, and the smallest and largest numbers, let two columns stand for one another."""
        if mine.odd != its.odd if exactly else not mine.odd <= its.odd:
            return False
        if not (mine.is_in_floats and its.is_in_floats):
            return True
        (low, high), (lowest, highest) = mine.span, its.span
        # A span the wrong way round has no number in it.
        if low > high or lowest > highest:
            return low > high and (lowest > highest or not exactly)
        if exactly:
            return self._may_be_close(low, lowest) and self._may_be_close(high, highest)
        return (low >= lowest or self._may_be_close(low, lowest)) and (
            high <= highest or self._may_be_close(high, highest)
        )

    def _may_be_close(self, left: float, right: float) -> bool:
        # Written so that NaN, which an infinite share of 0 is, rules nothing out.
        return not abs(left - right) > self.tolerance.never_beyond * abs(left) + self.tolerance.least * 1.001

    def covers(self, mine: CellColumn, its: CellColumn, exactly: bool) -> bool | None:
        """Whether each placed value is close to one of the other column's, and the other way round if `exactly`.

        None if neighbours in sorted order do not decide it: integers among the reals, or numbers beyond floats.
        """
        if not (mine.is_all_real or its.is_all_real) or self.tolerance.ratio >= 0.5:
            return None
        if not (mine.is_in_floats and its.is_in_floats):
            return None
        if not self.may_pair(mine, its, exactly):
            return False
        left, right = mine.ordered, its.ordered
        if not self._all_near(left, right, self.close):
            return False
        return not exactly or self._all_near(right, left, self.close_in_reverse)

    def _all_near(self, left: Sorted, right: Sorted, close: Close) -> bool:
        """Whether each number of the left column is close to a neighbour in the right one."""
        within = self.tolerance.surely_within
        unsure = [
            number
            for number, below, above in right.neighbours(left.numbers)
            if not (number - below < within * abs(number) or above - number < within * abs(number))
        ]
        return all(self._have_close_neighbour(left.cells_of(number), right.around(number), close) for number in unsure)

    def _have_close_neighbour(self, cells: Sequence[Cell], others: Sequence[Cell], close: Close) -> bool:
        return all(any(close(cell, other) for other in others) for cell in cells)

    def shared(self, mine: CellColumn, its: CellColumn, some: int) -> int:
        """How many of the first cells of a placed column of reals are about as large as one of the other column's."""
        numbers = [number for number in mine.numbers[:some] if number == number]
        return sum(
            self._may_be_close(number, below) or self._may_be_close(number, above)
            for number, below, above in its.ordered.neighbours(numbers)
        )

    def is_sparse(self, column: CellColumn) -> bool:
        """Whether the values lie so far apart that no number of the other side is close to two of them."""
        # Two neighbours accept at most twice the ratio of the larger one; the rest is room for the floats' own error.
        ratio = 2.5 * self.tolerance.ratio
        if ratio > 0.25 or not column.is_in_floats:
            return False
        ordered = column.ordered
        if len(ordered.numbers) < len(column.distinct) - len(column.odd):
            return False
        least = 2.5 * self.tolerance.least + 1e-290
        return all(high - low > ratio * max(abs(low), abs(high)) + least for low, high in pairwise(ordered.numbers))

    def partners(self, mine: CellColumn, its: CellColumn) -> dict[Cell, Cell]:
        """For each value of the other column the one value of a sparse placed column close to it, if there is one."""
        number_of = dict(zip(its.cells, its.numbers, strict=True))
        for odd in its.odd:
            del number_of[odd]
        cells, numbers = list(number_of), list(number_of.values())
        nearest = mine.ordered.nearest(numbers)
        within = self.tolerance.surely_within if mine.is_all_real or its.is_all_real else -1.0
        sure = [abs(one - two) < within * abs(one) for one, two in zip(numbers, nearest, strict=True)]
        mates = map(mine.ordered.cell.__getitem__, compress(nearest, sure))
        partner_of = dict(zip(compress(cells, sure), mates, strict=True))
        for cell in compress(cells, map(not_, sure)):
            around = mine.ordered.around(number_of[cell])
            partner_of.update((cell, mate) for mate in around if self.close(mate, cell))
        return partner_of | {odd: odd for odd in mine.odd & its.odd}
