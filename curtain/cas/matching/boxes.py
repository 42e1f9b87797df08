"""Rows found again by their numbers, nearly: boxes on a logarithmic scale, wider than the tolerance.

Two numbers that are close lie in the same box or in neighbours, and `touched` names all boxes that can hold
anything close. What is found is compared exactly by the caller; the boxes only make sure that nothing is missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isnan, log, log1p

from ..values import NIL, Cell

_POSITIVE = 1 << 40
_NIL_BOX = 1 << 50

Boxes = list[int]


class Scale:
    """The boxes for one tolerance."""

    def __init__(self, ratio: float) -> None:
        self._reach = -log1p(-ratio) * 1.001 + 1e-11 if ratio < 0.5 else 0.0
        self._width = 3 * self._reach

    def boxes(self, cells: Sequence[Cell], numbers: Sequence[float]) -> Boxes:
        """The box of each number; all the same if the numbers cannot be told apart this way."""
        if not self._fits(cells, numbers):
            return [0] * len(cells)
        return [self._box(number, 0.0) for number in numbers]

    def touched(self, cells: Sequence[Cell], numbers: Sequence[float]) -> tuple[Boxes, Boxes]:
        """The lowest and the highest box (at most the next one) that may hold something close to each number."""
        if not self._fits(cells, numbers):
            return [0] * len(cells), [0] * len(cells)
        low = [self._box(number, -self._reach) for number in numbers]
        return low, [self._box(number, self._reach) for number in numbers]

    def _fits(self, cells: Sequence[Cell], numbers: Sequence[float]) -> bool:
        if not self._reach:
            return False
        return all(cell == NIL for cell, number in zip(cells, numbers, strict=True) if isnan(number))

    def _box(self, number: float, shift: float) -> int:
        if number > 0:
            return floor((log(number) + shift) / self._width) + _POSITIVE
        if number < 0:
            return -floor((log(-number) - shift) / self._width) - _POSITIVE
        return 0 if number == 0 else _NIL_BOX
