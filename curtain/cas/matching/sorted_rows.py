"""Answers that are asked for in an order (000, section 3.3): by stated keys, in which equal rows are free.

The keys are columns of the reference. Each row of the hypothesis has the places of the reference's keys that its own
are equal or close to; its rows stand in order if a place can be chosen for each so that none comes before an earlier
one. What no key orders is left to the comparison of sets: `marked` makes it map the keys to the columns chosen here.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product

from ..notation.literals import NOT_FINITE, as_written
from ..values import NIL, Cell
from .columns import CellColumn
from .reals.compatibility import Nearness, are_tolerant
from .reals.tolerance import Tolerance, is_odd
from .work import StepLimit

Columns = Sequence[CellColumn]
Keys = Sequence[tuple[int, bool]]
"""Columns of the reference, from 0, the most important first; whether each is descending."""
_Row = tuple[Cell, ...]

_MONTHS = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"


def choices_in_order(
    shown: Columns, wanted: Columns, keys: Keys, dates: bool, tolerance: Tolerance, work: StepLimit
) -> Iterator[tuple[int, ...]]:
    """Choices of a column of the hypothesis for each key under which its rows stand in order. Raises OutOfWork.

    `dates`: strings like "04-JUL-89" are dates.
    """
    nearness = Nearness(tolerance, placed_is_reference=True)
    its = [wanted[column] for column, _ in keys]
    fitting = [[i for i, mine in enumerate(shown) if _may_stand(mine, key, nearness)] for key in its]
    orders = [_places(its, keys, dates, nil_first) for nil_first in _conventions(its)]
    for chosen in product(*fitting):
        if len(set(chosen)) == len(chosen):
            mine = [shown[i] for i in chosen]
            work.spend((2 + len(chosen)) * len(mine[0].cells))
            if any(_stand_in_order(mine, its, places, tolerance, work) for places in orders):
                yield chosen


def sorted_rows(wanted: Columns, keys: Keys, dates: bool) -> Iterator[tuple[list[CellColumn], list[int]]]:
    """The reference in its order, with the place of each row; twice if NIL may stand first or last."""
    its = [wanted[column] for column, _ in keys]
    for nil_first in _conventions(its):
        places = _places(its, keys, dates, nil_first)
        place_of = [places[row] for row in _rows(its)]
        order = sorted(range(len(place_of)), key=place_of.__getitem__)
        yield ([CellColumn(tuple(map(column.cells.__getitem__, order))) for column in wanted], sorted(place_of))


def marked(columns: Columns, chosen: Sequence[int]) -> list[CellColumn]:
    """The table with one more row, in which the chosen columns have marks: only what is marked alike can be mapped."""
    marks = {one: number for number, one in enumerate(chosen, 1)}
    return [CellColumn((*column.cells, f"{NOT_FINITE}key {marks.get(i, 0)}}}")) for i, column in enumerate(columns)]


def _may_stand(mine: CellColumn, its: CellColumn, nearness: Nearness) -> bool:
    if are_tolerant(mine, its):
        return nearness.may_pair(its, mine, exactly=True)
    return mine.distinct == its.distinct


def _conventions(its: Columns) -> tuple[bool, ...]:
    # Databases put missing values first or last, and no paper says which: either is right, for all keys alike.
    return (False, True) if any(NIL in column.distinct for column in its) else (False,)


def _rows(columns: Columns) -> Iterator[_Row]:
    return zip(*(column.cells for column in columns), strict=True)


def _places(its: Columns, keys: Keys, dates: bool, nil_first: bool) -> dict[_Row, int]:
    """The place of each row of keys, from 0; rows whose keys have equal values share one."""
    ranks = [_ranks(column, descending, dates, nil_first) for column, (_, descending) in zip(its, keys, strict=True)]
    rank_of = {row: tuple(rank[cell] for rank, cell in zip(ranks, row, strict=True)) for row in _rows(its)}
    number = {rank: place for place, rank in enumerate(sorted(set(rank_of.values())))}
    return {row: number[rank] for row, rank in rank_of.items()}


def _ranks(column: CellColumn, descending: bool, dates: bool, nil_first: bool) -> dict[Cell, int]:
    values = {cell: _value(cell, dates) for cell in column.distinct - {NIL}}
    rank = {value: place for place, value in enumerate(sorted(set(values.values()), reverse=descending))}
    # The row with the units comes first on both sides, whatever the direction.
    first = {cell: -2 for cell in values if cell.startswith(f"{NOT_FINITE}[")}
    return {cell: rank[value] for cell, value in values.items()} | {NIL: -1 if nil_first else len(rank)} | first


def _value(cell: Cell, dates: bool) -> tuple[int, Decimal, str]:
    """What a cell is sorted by: numbers by size, dates of 1989 by day, all else by its signs."""
    cell = as_written(cell)
    if not is_odd(cell):
        return 0, Decimal(cell), ""
    if cell in ("{float: inf}", "{float: -inf}"):
        return 0, Decimal(cell[8:-1]), ""
    if dates and len(cell) == 11 and cell[4:7] in _MONTHS and cell[3] == cell[7] == "-":
        return 1, Decimal(0), f"{cell[8:10]}{_MONTHS.index(cell[4:7]):02}{cell[1:3]}"
    return 1, Decimal(0), cell[1:-1] if cell[0] == '"' else cell


def _stand_in_order(
    mine: Columns, its: Columns, places: dict[_Row, int], tolerance: Tolerance, work: StepLimit
) -> bool:
    """Whether each row can take a place that is not before that of the row above it."""
    candidates = _candidates(mine, its, places, tolerance, work)
    last = 0
    for row in _rows(mine):
        possible = candidates.get(row, ())
        at = bisect_left(possible, last)
        if at == len(possible):
            return False
        last = possible[at]
    return True


def _candidates(
    mine: Columns, its: Columns, places: dict[_Row, int], tolerance: Tolerance, work: StepLimit
) -> dict[_Row, Sequence[int]]:
    """For each row of the hypothesis's keys the places of those that it is equal or close to, in order."""
    near = [number for number, pair in enumerate(zip(mine, its, strict=True)) if are_tolerant(*pair)]
    if not near:
        return {row: (place,) for row, place in places.items()}
    # By the column of most values: the fewest rows then are near a reference row.
    widest = max(near, key=lambda number: len(its[number].distinct))
    rows = set(_rows(mine))
    numbers = sorted((Decimal(row[widest]), row) for row in rows if not is_odd(row[widest]))
    values = [number for number, _ in numbers]
    candidates: dict[_Row, set[int]] = {row: set() for row in rows}
    for wanted, place in places.items():
        if is_odd(wanted[widest]):
            window = [row for row in rows if row[widest] == wanted[widest]]
        else:
            low, high = tolerance.bounds(Decimal(wanted[widest]))
            window = [row for _, row in numbers[bisect_left(values, low) : bisect_right(values, high)]]
        work.spend(20 + 20 * len(window))
        for row in window:
            if all(map(tolerance.close, row, wanted)):
                candidates[row].add(place)
    return {row: sorted(possible) for row, possible in candidates.items()}
