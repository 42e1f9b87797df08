"""The rules of comparison, word for word and as slow as that makes them: every mapping is tried.

It shares no code with the Comparator. A table is a list of rows; a cell is a pair (type, value): ("string", "TAI"),
("integer", Fraction), ("real", Fraction), ("boolean", True) or ("NIL", None).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

Cell = tuple[str, object]
Row = tuple[Cell, ...]
Table = list[Row]


def is_right(hypothesis: Table, reference: Table, maximum: Table | None, epsilon: Fraction) -> bool:
    """Whether the hypothesis holds the minimum and keeps to the maximum."""
    if not holds(hypothesis, reference, epsilon):
        return False
    return maximum is None or keeps_to(hypothesis, maximum, epsilon)


def holds(hypothesis: Table, reference: Table, epsilon: Fraction) -> bool:
    """000, section 4: project the hypothesis on every choice of columns, compare the sets of tuples."""
    if not hypothesis or not reference:
        return not hypothesis and not reference
    for mapping in permutations(range(len(hypothesis[0])), len(reference[0])):
        projected = [tuple(row[column] for column in mapping) for row in hypothesis]
        forth = all(any(same_row(row, wanted, epsilon) for wanted in reference) for row in projected)
        back = all(any(same_row(row, wanted, epsilon) for row in projected) for wanted in reference)
        if forth and back:
            return True
    return False


def keeps_to(hypothesis: Table, maximum: Table, epsilon: Fraction) -> bool:
    """001, section 2.2.2: all columns of the hypothesis are columns of the maximum, its tuples projections."""
    if not hypothesis:
        return True
    if not maximum:
        return False
    for mapping in permutations(range(len(maximum[0])), len(hypothesis[0])):
        projected = [tuple(row[column] for column in mapping) for row in maximum]
        if all(any(same_row(row, most, epsilon) for most in projected) for row in hypothesis):
            return True
    return False


def same_row(row: Row, reference: Row, epsilon: Fraction) -> bool:
    """Cell for cell."""
    return all(same(cell, wanted, epsilon) for cell, wanted in zip(row, reference, strict=True))


def same(cell: Cell, wanted: Cell, epsilon: Fraction) -> bool:
    """000, S-9, and 001, appendix A: a tolerance for reals, none for integers."""
    kind, value = cell
    wanted_kind, wanted_value = wanted
    if "real" in (kind, wanted_kind) and {kind, wanted_kind} <= {"real", "integer"}:
        assert isinstance(value, Fraction) and isinstance(wanted_value, Fraction)
        return abs(value - wanted_value) <= epsilon * abs(wanted_value)
    return kind == wanted_kind and value == wanted_value
