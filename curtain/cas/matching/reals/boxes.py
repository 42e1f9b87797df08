"""Boxes for numbers on a logarithmic scale, wider than the tolerance.

Two numbers that are close lie in the same box or in neighbours, and `touched` names the boxes that can hold
anything close. What is found there is compared exactly; the boxes only make sure that nothing is missed.
"""

from collections.abc import Sequence
from math import floor, log, log1p

from ..columns import CellColumn

_POSITIVE = 1 << 30
_NIL_BOX = 1 << 32
SPAN = 1 << 33
"""All boxes lie between minus this and this."""

_SMALL = 1e-280

Boxes = list[int]


class Scale:
    """The boxes for one tolerance."""

    def __init__(self, ratio: float) -> None:
        # Beyond that, boxes would be so wide that nearly everything is a neighbour.
        self._is_useful = ratio < 0.5
        # A little more than the tolerance, for rounding in the logarithm.
        reach = -log1p(-ratio) * 1.001 + 1e-11 if self._is_useful else 1.0
        self._shift = 1 / 3
        # Numbers that are close lie a third of a box apart at most, so that what is close touches two boxes. The 1e-6
        # keeps the boxes of all floats, whose logarithms stay below 750, under _POSITIVE.
        self._factor = self._shift / max(reach, 1e-6)

    def fits(self, left: CellColumn, right: CellColumn) -> bool:
        """Whether all that is close in two columns lies in neighbouring boxes."""
        return self._is_useful and left.is_in_floats and right.is_in_floats

    def boxes(self, numbers: Sequence[float]) -> Boxes:
        """The box of each number; NaN has one of its own."""
        return self._shifted(numbers, 0.0)

    def touched(self, numbers: Sequence[float]) -> tuple[Boxes, Boxes]:
        """The lowest and the highest box (the same, or the next one) that may hold anything close to each number."""
        return self._shifted(numbers, -self._shift), self._shifted(numbers, self._shift)

    def _shifted(self, numbers: Sequence[float], shift: float) -> Boxes:
        factor, offset = self._factor, _POSITIVE + shift
        if all(map(_SMALL.__lt__, numbers)):  # the usual case, and NaN is not among them
            # The offset keeps the sum above 0, where int() is floor().
            return [int(one * factor + offset) for one in map(log, numbers)]
        return [self._box(number, shift) for number in numbers]

    def _box(self, number: float, shift: float) -> int:
        if number > 0:
            return floor(log(number) * self._factor + shift) + _POSITIVE
        if number < 0:
            return -floor(log(-number) * self._factor - shift) - _POSITIVE
        # Zero is close to nothing but zero: the tolerance is a share of the reference and less than 1.
        return 0 if number == 0 else _NIL_BOX
