"""What a single column shows; each fact is made when it is first asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import isnan

from ..notation.literals import NOT_FINITE
from ..values import NIL, Cell
from .cached_property import once
from .reals.tolerance import as_float, as_floats, is_odd

_INFINITY = float("inf")


class CellColumn:
    """A column of cells with the facts that are asked again and again."""

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        self.cells = cells

    @once
    def distinct(self) -> set[Cell]:
        """The different cells."""
        return set(self.cells)

    @once
    def is_number(self) -> bool:
        """Whether this is a column of numbers, perhaps with cells that are equal only to themselves: NIL, inf, nan."""
        return self._points >= 0

    @once
    def is_real(self) -> bool:
        """Whether this is a column of numbers, one of them or more written with a decimal point."""
        return self._points > 0

    @once
    def is_all_real(self) -> bool:
        """Whether each number is written with a decimal point."""
        return self._points == len(self.cells) - self._odd_cells

    @once
    def odd(self) -> set[Cell]:
        """The different cells of a column of numbers that are none."""
        together = "".join(self.cells)
        return {cell for cell in self.distinct if is_odd(cell)} if "N" in together or "{" in together else set()

    @once
    def _points(self) -> int:
        """How many numbers of the column have a decimal point; -1 if it is no column of numbers."""
        first = self.cells[0]
        if first[0] in "N{":
            first = next((cell for cell in self.cells if not is_odd(cell)), NIL)
        if is_odd(first):
            return -1
        # A text in CAS has one type a column, rows of Python values may mix them; each other type shows in a letter.
        together = "".join(self.cells)
        if not ("N" in together or "{" in together):
            self.odd = set()
        if '"' in together or "T" in together or "F" in together:
            return -1
        known = "{" not in together or all(cell == NIL or cell.startswith(NOT_FINITE) for cell in self.odd)
        return together.count(".") if known else -1

    @property
    def _odd_cells(self) -> int:
        return sum(map(self.cells.count, self.odd))

    @once
    def numbers(self) -> list[float]:
        """The cells as floats, row by row; NaN for what is no number and for what no float can hold."""
        return as_floats(self.cells)

    @once
    def is_in_floats(self) -> bool:
        """Whether floats hold all the numbers (nearly)."""
        return sum(map(isnan, self.numbers)) == self._odd_cells

    @once
    def span(self) -> tuple[float, float]:
        """The smallest and the largest number that floats hold; infinite if there is none."""
        numbers = [number for number in self.numbers if number == number] if self.odd else self.numbers
        return min(numbers, default=float("inf")), max(numbers, default=float("-inf"))

    @once
    def ordered(self) -> Sorted:
        """The numbers in order."""
        return Sorted(self)

    def has_more_than(self, values: int) -> bool:
        """Whether there are more different cells; a look at the first rows often is enough."""
        return len(set(self.cells[: 2 * values])) > values or len(self.distinct) > values


class Sorted:
    """The different numbers of a column as floats, in order, and the cells behind each of them."""

    def __init__(self, column: CellColumn) -> None:
        self._column = column
        self.numbers = sorted({number for number in column.numbers if number == number})

    @once
    def cell(self) -> dict[float, Cell]:
        """A cell with each number."""
        return dict(zip(self._column.numbers, self._column.cells, strict=True))

    @once
    def _all_cells(self) -> dict[float, list[Cell]]:
        by_value: dict[float, list[Cell]] = {}
        for cell in self._column.distinct:
            by_value.setdefault(as_float(cell), []).append(cell)
        return by_value

    def cells_of(self, number: float) -> list[Cell]:
        """The different cells with this number."""
        return self._all_cells[number]

    def neighbours(self, numbers: Sequence[float]) -> Iterator[tuple[float, float, float]]:
        """For each number the greatest below it and the smallest that is not; infinite where there is none."""
        bounded = [-_INFINITY, *self.numbers, _INFINITY]
        places = list(map(partial(bisect_left, self.numbers), numbers))
        below, above = map(bounded.__getitem__, places), map(bounded[1:].__getitem__, places)
        return zip(numbers, below, above, strict=True)

    def nearest(self, numbers: Sequence[float]) -> list[float]:
        """For each number the nearest one here, and any of them for NaN; there is at least one."""
        return list(map(self.numbers.__getitem__, map(partial(bisect_left, self._middles), numbers)))

    @once
    def _middles(self) -> list[float]:
        return [(low + high) / 2 for low, high in pairwise(self.numbers)]

    def around(self, number: float) -> list[Cell]:
        """The cells next to a number in order; all of them for NaN."""
        if number != number:
            return [cell for cells in self._all_cells.values() for cell in cells]
        # Both neighbours and the number itself: what is close to any cell is close to one next to it.
        place = bisect_left(self.numbers, number)
        return [cell for one in self.numbers[max(0, place - 1) : place + 2] for cell in self._all_cells[one]]


def rows_of(columns: Sequence[CellColumn]) -> set[tuple[Cell, ...]]:
    """The rows of a table, each once."""
    return set(zip(*(column.cells for column in columns), strict=True))


def distinct_rows(columns: Sequence[CellColumn]) -> list[CellColumn]:
    """The columns with each tuple once, in order of first appearance; themselves if that is so already."""
    rows = dict.fromkeys(zip(*(column.cells for column in columns), strict=True))
    if len(rows) == len(columns[0].cells):
        return list(columns)
    return [CellColumn(cells) for cells in zip(*rows, strict=True)]
