"""The rows of the maximum as the subject reads them, and the check that nothing else is among them. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import prod
from typing import Any

from .plan import ReadingPlan

Row = tuple[Any, ...]
Cell = tuple[Any, ...]
"""The values that one cell shows: several where an entity has several, as an airport may serve two cities."""

_MOST_IN_A_CELL = 6


class OutsideMaximum(Exception):
    """What would be shown is not part of the maximum answer."""


@dataclass(frozen=True)
class ReadRows:
    """Rows of cells, in the order in which they are shown."""

    plan: ReadingPlan
    rows: list[list[Cell]]


def read_rows(plan: ReadingPlan, rows: Sequence[Row], minimum: Sequence[Row], ordered: bool = True) -> ReadRows:
    """The rows of a maximum under a plan: in the order of the minimum's rows, or by what is shown, from left to right,
    where the statement has not `ordered` them."""
    placed = rows if rows is minimum else _in_order_of(rows, minimum)
    shown = [cells for group in _groups(plan, placed) for cells in _merged(group)]
    return ReadRows(plan, shown if ordered else sorted(shown, key=lambda cells: [*map(_order, chain(*cells))]))


def in_order(rows: Sequence[Row]) -> list[Row]:
    """The rows by their columns from left to right; a missing value comes last."""
    return sorted(rows, key=lambda row: [*map(_order, row)])


def _in_order_of(rows: Sequence[Row], minimum: Sequence[Row]) -> list[Row]:
    place: dict[Row, int] = {}
    for number, row in enumerate(minimum):
        place.setdefault(row, number)
    width = len(minimum[0]) if minimum else 0
    # Joined tables may come in any order, and answers must be the same tomorrow.
    return sorted(rows, key=lambda row: (place.get(row[:width], len(place)), *map(_order, row)))


def ensure_within(shown: Iterable[Sequence[Cell]], plan: ReadingPlan, rows: Iterable[Row]) -> None:
    """Each combination of the values of a shown row must be part of a row of the maximum (001, section 2.2.2).

    It is looked at anew, from the rows alone, so that a problem in a plan cannot show more than may be shown.
    Raises OutsideMaximum.
    """
    numbers = [column.number for column in plan.columns]
    allowed = {tuple(map(row.__getitem__, numbers)) for row in rows}
    if not all(combination in allowed for cells in shown for combination in product(*cells)):
        raise OutsideMaximum


def _groups(plan: ReadingPlan, rows: Sequence[Row]) -> Iterable[list[Row]]:
    """The distinct projections of the rows that are one row to the subject."""
    numbers = [column.number for column in plan.columns]
    projected = (tuple(map(row.__getitem__, numbers)) for row in rows)
    if not plan.rows_by:
        return ([row] for row in projected)
    groups: dict[Row, dict[Row, None]] = {}
    for row, part in zip(rows, projected, strict=True):
        groups.setdefault(tuple(map(row.__getitem__, plan.rows_by)), {})[part] = None
    return map(list, groups.values())


def _merged(group: list[Row]) -> Iterable[list[Cell]]:
    """One row, if the group is every combination of a few values; else its rows as they are."""
    cells = [tuple(dict.fromkeys(column)) for column in zip(*group, strict=True)]
    few = all(len(cell) <= _MOST_IN_A_CELL for cell in cells)
    if few and prod(map(len, cells)) == len(group):
        return [cells]
    return [[(value,) for value in row] for row in group]


def _order(value: object) -> tuple[bool, str, Any, Any]:
    # None and NaN have no order among values; within a column all others are of one type.
    unordered = value is None or value != value
    # People look for “de la Cruz” beside DELANEY.
    plain = value.casefold() if isinstance(value, str) else 0
    return unordered, type(value).__name__, plain, 0 if unordered else value
