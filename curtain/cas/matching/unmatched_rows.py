"""Which rows have no partner under a given mapping of columns: to explain why tables differ."""

from collections.abc import Sequence

from ..values import Cell
from .columns import CellColumn, rows_of
from .reals.compatibility import Nearness, are_tolerant
from .reals.row_index import RowSearch, TableSide
from .reals.tolerance import Tolerance
from .work import StepLimit

Columns = Sequence[CellColumn]

_SAMPLE = 20


def likely_mapping(placed: Columns, others: Columns, tolerance: Tolerance, placed_is_reference: bool) -> list[int]:
    """For each placed column the other one that shares most of a few values with it, each taken once."""
    nearness = Nearness(tolerance, placed_is_reference)
    free = dict(enumerate(others))
    mapping = []
    for mine in placed:
        # The last one left is taken without a look.
        likeness = {one: _likeness(mine, its, nearness) for one, its in free.items() if len(free) > 1}
        best = max(likeness or free, key=lambda one: likeness.get(one, (0, True)))
        mapping.append(best)
        del free[best]
    return mapping


def _likeness(mine: CellColumn, its: CellColumn, nearness: Nearness) -> tuple[int, bool]:
    """How many of a few values two columns share, nearly, and whether they are of one kind."""
    if are_tolerant(mine, its):
        return nearness.shared(mine, its, _SAMPLE), True
    shared = sum(map(its.distinct.__contains__, mine.cells[:_SAMPLE]))
    return shared + sum(map(mine.distinct.__contains__, its.cells[:_SAMPLE])), mine.is_number == its.is_number


def first_lonely(seekers: Columns, targets: Columns, tolerance: Tolerance, targets_are_reference: bool) -> int | None:
    """The first row that no row of the other table, column for column, is equal or close to."""
    target_rows = rows_of(targets)
    rows = zip(*(column.cells for column in seekers), strict=True)
    apart = [row for row, cells in enumerate(rows) if cells not in target_rows]
    if not apart:
        return None
    near = [one for one in range(len(seekers)) if are_tolerant(seekers[one], targets[one])]
    if not near:
        return apart[0]
    exact = [one for one in range(len(seekers)) if one not in near]
    classes: dict[tuple[Cell, ...], int] = {}
    sides = [_side(table, exact, classes) for table in (seekers, targets)]
    nearness = Nearness(tolerance, placed_is_reference=targets_are_reference)
    # A limit of its own: the verdict stands already, and this only looks for a row to show.
    work = StepLimit()
    work.allow(sides[0].rows + sides[1].rows)
    return RowSearch(sides[0], near, sides[1], near, nearness.close_in_reverse, tolerance, work).first_lonely(apart)


def _side(table: Columns, exact: Sequence[int], classes: dict[tuple[Cell, ...], int]) -> TableSide:
    """A table whose rows are classed by their exact columns."""
    keys = zip(*(table[one].cells for one in exact), strict=True) if exact else ((),) * len(table[0].cells)
    return TableSide(table, [classes.setdefault(key, len(classes)) for key in keys])
