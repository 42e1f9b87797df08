"""Whether two numbers are close enough, decided in decimal.

Right is `|hyp - ref| <= epsilon * |ref|`, bounds included, as soon as one of the two is written with a decimal
point (000, S-9; 001, appendix A). Floats are only asked first: they say "inside" or "outside" with a margin far
above their own error, and what lies in that margin is computed exactly.
"""

import decimal
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from ...errors import CasError
from ...notation.cells import LONGEST
from ...values import Cell

# Python's default context rounds to 28 digits, and a difference at the bound would come out on either side.
_EXACT = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
_NAN = float("nan")


def as_float(cell: Cell) -> float:
    """The number in a cell, nearly; NaN for what is no number and for numbers that no float can hold."""
    return float(cell) if not is_odd(cell) and len(cell) <= LONGEST else _NAN


def is_odd(cell: Cell) -> bool:
    """Whether a cell is no number: in a column of numbers NIL, infinity or NaN."""
    return cell[0] not in "-0123456789"


def as_floats(cells: Sequence[Cell]) -> list[float]:
    """The numbers of a column, nearly; see `as_float`."""
    try:
        if len(max(cells, key=len)) <= LONGEST:
            return list(map(float, cells))
    except ValueError:  # there is a NIL or an infinity
        pass
    return list(map(as_float, cells))


class Tolerance:
    """Decides closeness for one epsilon, a share of the reference number: 0 or more, less than 1.

    `absolute` widens what a reference number accepts to at least this distance. The bounds below are
    those of the share alone, and the steps that `matching.row_pairing` does not use know nothing else.
    """

    def __init__(self, epsilon: Decimal | str | float, absolute: Decimal | str | float = "0") -> None:
        self.epsilon = _decimal(epsilon)
        self.absolute = _distance(absolute)
        self.least = float(self.absolute)
        self.ratio = ratio = float(epsilon)
        self.never_beyond = ratio / (1 - ratio) * 1.001 + 1e-12 if ratio < 0.5 else float("inf")
        """No two numbers whose distance is a larger share of either of them are close."""
        # Below 1e-6 the millionth left as margin is too near the floats' own error: then nothing is sure.
        self.surely_within = ratio / (1 + ratio) * 0.999999 if ratio > 1e-6 else -1.0
        """Any two numbers, one of them a real, whose distance is a smaller share of either of them are close."""

    def close(self, hyp: Cell, ref: Cell) -> bool:
        """Whether a hypothesis cell may stand for a reference cell; both are numbers, or equal only to themselves."""
        if hyp == ref:
            return True
        return self.close_numbers(hyp, ref, as_float(hyp), as_float(ref))

    def close_numbers(self, hyp: Cell, ref: Cell, hyp_float: float, ref_float: float) -> bool:
        """As `close`, for cells that are different and whose floats are known."""
        gap = abs(hyp_float - ref_float)
        allowed = max(self.ratio * abs(ref_float), self.least)
        margin = 1e-15 * (abs(hyp_float) + abs(ref_float)) + 1e-300
        if gap > allowed + margin:
            return False
        # Two integers are exact at any size: flight 100002 is not flight 100001 (001, appendix A).
        if is_odd(hyp) or is_odd(ref) or not ("." in hyp or "." in ref):
            return False
        return gap < allowed - margin or self.within(Decimal(hyp), Decimal(ref))

    def within(self, hyp: Decimal, ref: Decimal) -> bool:
        """Whether two numbers are close, not asking whether both are integers."""
        return _EXACT.abs(_EXACT.subtract(hyp, ref)) <= self._allowed(ref)

    def bounds(self, ref: Decimal) -> tuple[Decimal, Decimal]:
        """The least and the greatest number that is close to a reference number."""
        allowed = self._allowed(ref)
        return _EXACT.subtract(ref, allowed), _EXACT.add(ref, allowed)

    def _allowed(self, ref: Decimal) -> Decimal:
        return max(_EXACT.multiply(self.epsilon, _EXACT.abs(ref)), self.absolute)


@lru_cache(maxsize=16)
def tolerance_of(epsilon: Decimal | str | float, absolute: Decimal | str | float = "0") -> Tolerance:
    """The tolerance of an epsilon and an absolute distance, made once. Raises CasError for what is none."""
    return Tolerance(epsilon, absolute)


def _decimal(epsilon: Decimal | str | float) -> Decimal:
    try:
        value = Decimal(str(epsilon))
    except decimal.InvalidOperation:
        value = Decimal("NaN")
    if not _is_share(value):
        raise CasError(f"The tolerance {epsilon!r} is no number from 0 to 1; 0.0001 is the usual one.")
    return value


def _is_share(value: Decimal) -> bool:
    """0 or more and less than 1, with at most 30 places: the comparison is exact, and would carry them all."""
    places = value.as_tuple().exponent
    return value.is_finite() and 0 <= value < 1 and isinstance(places, int) and places >= -30


def _distance(absolute: Decimal | str | float) -> Decimal:
    try:
        value = Decimal(str(absolute))
    except decimal.InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or value < 0 or not -30 <= value.adjusted() <= 30:
        raise CasError(f"The absolute tolerance {absolute!r} is no number of 0 or more; 0 is none.")
    return value
