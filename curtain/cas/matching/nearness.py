"""Columns of numbers under tolerance: which values may stand for which, seen over whole columns.

Both ends of what a reference value accepts grow with it, so the reference values that accept a given number are
neighbours in sorted order, and the smallest (largest) values of two matching columns accept each other.
"""

from __future__ import annotations

import decimal
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import compress, pairwise
from math import isnan
from operator import not_

from ..values import NIL, Cell
from .columns import Column, is_number_column
from .tolerance import LONGEST, Tolerance, all_real, as_floats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SAMPLE = 16
_WIDE = decimal.Context(prec=40, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


class Nearness:
    """Closeness of a placed column's cells to another column's, whichever of the two is the reference's."""

    def __init__(self, tolerance: Tolerance, placed_is_reference: bool) -> None:
        self.tolerance = tolerance
        self.placed_is_reference = placed_is_reference
        self._sorted: dict[int, tuple[list[Any], list[Cell]]] = {}

    def close(self, mine: Cell, its: Cell) -> bool:
        """Whether a placed cell and another one may stand for one another."""
        return self.tolerance.close(its, mine) if self.placed_is_reference else self.tolerance.close(mine, its)

    def close_in_reverse(self, its: Cell, mine: Cell) -> bool:
        """As `close`, asked from the other side."""
        return self.close(mine, its)

    def all_close(self, mine: Sequence[Cell], its: Sequence[Cell]) -> bool:
        """Whether each placed cell is equal or close to its partner in the other column."""
        if not (is_number_column(mine) and is_number_column(its)) or "." not in "".join(mine) + "".join(its):
            return False
        pairs: Iterator[tuple[Cell, Cell]] = zip(mine, its, strict=True)
        if all_real(mine) or all_real(its):
            within = self.tolerance.surely_within
            numbers = zip(as_floats(mine), as_floats(its), strict=True)
            # Written so that NaN, which stands for what is no float, goes to the exact comparison.
            sure = [abs(one - two) < within * abs(one) for one, two in numbers]
            pairs = compress(pairs, map(not_, sure))
        return all(one == two or self.close(one, two) for one, two in pairs)

    def in_order(self, column: Column) -> tuple[list[Any], list[Cell]]:
        """The distinct numbers of a column in order (decimals, if floats cannot hold them all) and their cells."""
        key = id(column)
        if key not in self._sorted:
            cells = [cell for cell in column.distinct if cell != NIL]
            numbers: list[Any] = as_floats(cells) if cells else []
            if any(map(isnan, numbers)):
                numbers = list(map(Decimal, cells))
            pairs = sorted(zip(numbers, cells, strict=True))
            self._sorted[key] = [number for number, _ in pairs], [cell for _, cell in pairs]
        return self._sorted[key]

    def may_pair(self, mine: Column, its: Column, exactly: bool) -> bool:
        """Whether a few values, the extremes among them, find partners in the other column."""
        if NIL in mine.distinct and NIL not in its.distinct:
            return False
        if exactly and NIL in its.distinct and NIL not in mine.distinct:
            return False
        if not all(self._has_partner(cell, its) for cell in self._some(mine)):
            return False
        return not exactly or all(self._has_partner(cell, mine, reverse=True) for cell in self._some(its))

    def shared(self, mine: Column, its: Column) -> tuple[int, bool]:
        """How many of a few values of each column have partners in the other, and whether both are numbers."""
        if not (mine.is_number and its.is_number and (mine.is_real or its.is_real)):
            some, others = sorted(mine.distinct)[:_SAMPLE], sorted(its.distinct)[:_SAMPLE]
            shared = sum(cell in its.distinct for cell in some) + sum(cell in mine.distinct for cell in others)
            return shared, mine.is_number == its.is_number
        forth = sum(self._has_partner(cell, its) for cell in self._some(mine))
        return forth + sum(self._has_partner(cell, mine, reverse=True) for cell in self._some(its)), True

    def _some(self, column: Column) -> list[Cell]:
        cells = self.in_order(column)[1]
        step = max(1, len(cells) // _SAMPLE)
        return cells[::step] + cells[-1:]

    def _has_partner(self, cell: Cell, among: Column, reverse: bool = False) -> bool:
        return next(self._partners_of(cell, among, reverse), None) is not None

    def _partners_of(self, cell: Cell, among: Column, reverse: bool = False) -> Iterator[Cell]:
        """The values of a column close to a placed cell (or, in reverse, to one of the other side)."""
        numbers, cells = self.in_order(among)
        low, high = 0, len(cells)
        if self.tolerance.ratio < 0.5:
            lowest, highest = self._window(cell)
            low, high = bisect_left(numbers, lowest), bisect_right(numbers, highest)
        return (one for one in cells[low:high] if (self.close(one, cell) if reverse else self.close(cell, one)))

    def _window(self, cell: Cell) -> tuple[Any, Any]:
        """Bounds beyond which nothing is close to the number, whichever side is the reference; floats if possible."""
        ratio = self.tolerance.ratio
        factor = 1.001 * ratio / (1 - ratio)
        if len(cell) <= LONGEST:
            number = float(cell)
            reach = abs(number) * factor + 1e-290
            return number - reach, number + reach
        exact = Decimal(cell)
        distance = _WIDE.multiply(_WIDE.abs(exact), Decimal(factor))
        return _WIDE.subtract(exact, distance), _WIDE.add(exact, distance)

    def is_sparse(self, column: Column) -> bool:
        """Whether the values lie so far apart that no number of the other side is close to two of them."""
        numbers = self.in_order(column)[0]
        ratio = 2.5 * self.tolerance.ratio
        if ratio > 0.25 or (numbers and isinstance(numbers[0], Decimal)):
            return False
        steps = pairwise(numbers)
        return all(high - low > ratio * max(abs(low), abs(high)) + 1e-290 for low, high in steps)

    def partners(self, mine: Column, its: Column) -> dict[Cell, Cell]:
        """For each value of the other column the one placed value close to it, if there is one."""
        found = {NIL: NIL} if NIL in mine.distinct and NIL in its.distinct else {}
        for cell in self.in_order(its)[1]:
            mate = next(self._partners_of(cell, mine, reverse=True), None)
            if mate is not None:
                found[cell] = mate
        return found
