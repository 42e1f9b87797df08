"""The quick way for small tables: whole columns compared as sets, before anything else is made of them.

It says yes if columns with the same values show the same rows, and no if there are no such columns and tolerance
could not make any; whatever is less plain it leaves to the general procedure.
"""

from collections.abc import Sequence
from itertools import pairwise

from ..values import Cell
from .bipartite import assignment, bits

_MOST_CELLS = 4_000
"""Larger tables have quicker ways."""

Cells = Sequence[tuple[Cell, ...]]


def decided_by_sets(placed: Cells, others: Cells, ratio: float) -> bool | None:
    """Whether `others`, on some of its columns, shows exactly the rows of `placed`; None if that is not plain.

    `ratio`: by which share of itself a number may be off.
    """
    if placed == others:
        return True
    if not placed or not others or len(others) * len(others[0]) > _MOST_CELLS:
        return None
    shown = _shown(placed, others)
    if shown is False and _may_have_reals(placed, others) and not _are_far_apart((*placed, *others), ratio):
        return None
    return shown


def _shown(placed: Cells, others: Cells) -> bool | None:
    """The same, as if no number were close to another one."""
    places: dict[frozenset[Cell], int] = {}
    for other, cells in enumerate(others):
        values = frozenset(cells)
        places[values] = places.get(values, 0) | 1 << other
    candidates = [places.get(frozenset(cells), 0) for cells in placed]
    if 0 in candidates:
        return False
    if len(placed) == 1:
        return True
    certain = [(one, domain.bit_length() - 1) for one, domain in enumerate(candidates) if domain.bit_count() == 1]
    if not certain:
        return _by_key(placed, others, candidates)
    # Two columns that want the same only partner.
    if len({other for _, other in certain}) < len(certain):
        return False
    wanted = list(zip(*[placed[one] for one, _ in certain], strict=True))
    shown_rows = list(zip(*[others[other] for _, other in certain], strict=True))
    if set(wanted) != set(shown_rows):
        return False
    if len(certain) == len(placed):
        return True
    return _rest_agrees(placed, others, candidates, wanted, shown_rows)


def _rest_agrees(
    placed: Cells,
    others: Cells,
    candidates: list[int],
    wanted: list[tuple[Cell, ...]],
    shown_rows: list[tuple[Cell, ...]],
) -> bool | None:
    """Whether the columns with a choice agree too, if the others (as rows) single out a partner for each row."""
    number = dict(zip(wanted, range(len(wanted)), strict=True))
    # Some rows are equal in the certain columns: their partners are not plain.
    if len(number) < len(wanted):
        return _by_key(placed, others, candidates)
    rows = [number[row] for row in shown_rows]
    fitting = [_fitting(placed[one], others, domain, rows) for one, domain in enumerate(candidates)]
    return assignment(fitting) is not None


def _by_key(placed: Cells, others: Cells, candidates: list[int]) -> bool | None:
    """Whether all columns agree for some partner of a column whose cells are all different.

    Without such a column False if the rows differ even in any order of their cells; else None.
    """
    keys = [one for one, cells in enumerate(placed) if len(set(cells)) == len(cells)]
    if not keys:
        # With no column to drop, a mapping only reorders the cells of each row.
        return False if len(placed) == len(others) and _unordered(placed) != _unordered(others) else None
    key = min(keys, key=lambda one: candidates[one].bit_count())
    number = dict(zip(placed[key], range(len(placed[key])), strict=True))
    places: dict[tuple[Cell, ...], int] = {}
    for other, cells in enumerate(others):
        places[cells] = places.get(cells, 0) | 1 << other
    for other in bits(candidates[key]):
        rows = [number[cell] for cell in others[other]]
        fitting: list[int] = []
        for cells in placed:
            fitting.append(places.get(tuple(map(cells.__getitem__, rows)), 0))
            if not fitting[-1]:
                break
        if fitting[-1] and assignment(fitting) is not None:
            return True
    return False


def _fitting(cells: tuple[Cell, ...], others: Cells, domain: int, rows: list[int]) -> int:
    """Which of a column's candidates have its cells in the order of these rows."""
    if domain.bit_count() == 1:
        return domain
    moved = tuple(map(cells.__getitem__, rows))
    return sum(1 << other for other, its in enumerate(others) if domain >> other & 1 and its == moved)


def _unordered(columns: Cells) -> list[list[Cell]]:
    return sorted(map(sorted, set(zip(*columns, strict=True))))


def _are_far_apart(columns: Cells, ratio: float) -> bool:
    """Whether no number of these columns could stand for another one, so that equality decides."""
    cells = {cell for column in columns for cell in column if cell[0] in "-0123456789"}
    numbers = sorted(map(float, cells))
    # Three times the tolerance is far beyond the floats' own error. Infinite and equal floats are never apart.
    return all(high - low > 3 * ratio * max(abs(low), abs(high)) for low, high in pairwise(numbers))


def _may_have_reals(placed: Cells, others: Cells) -> bool:
    return any("." in "".join(cells) for cells in (*placed, *others))
