"""One table as the near columns see it, and its rows found again by class and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from ..values import Cell
from .boxes import Scale
from .state import Codes
from .tolerance import Tolerance, all_real, as_floats
from .work import Work

_MOST_BOXED = 3
_CROWDED = 4


class Side:
    """The classes of a table's rows, and its columns as cells, numbers and boxes, each made when asked for."""

    def __init__(self, cells: Sequence[Sequence[Cell]], classes: Codes, scale: Scale) -> None:
        self.cells = cells
        self.classes = classes
        self._scale = scale
        self._numbers: dict[int, list[float]] = {}
        self._boxes: dict[int, list[int]] = {}
        self._touched: dict[int, tuple[list[int], list[int]]] = {}

    def numbers(self, column: int) -> list[float]:
        """A column as floats, NaN for NIL."""
        if column not in self._numbers:
            self._numbers[column] = as_floats(self.cells[column])
        return self._numbers[column]

    def boxes(self, column: int) -> list[int]:
        """The box of each cell of a column."""
        if column not in self._boxes:
            self._boxes[column] = self._scale.boxes(self.cells[column], self.numbers(column))
        return self._boxes[column]

    def touched(self, column: int) -> tuple[list[int], list[int]]:
        """The lowest and the highest box that can hold anything close to each cell of a column."""
        if column not in self._touched:
            self._touched[column] = self._scale.touched(self.cells[column], self.numbers(column))
        return self._touched[column]


class RowIndex:
    """The rows of a table by class and by the boxes of some of its columns."""

    def __init__(self, side: Side, columns: Sequence[int]) -> None:
        self._rows: dict[tuple[int, ...], list[int]] = {}
        for row, key in enumerate(zip(side.classes, *map(side.boxes, columns), strict=True)):
            self._rows.setdefault(key, []).append(row)

    def finder(self, seekers: Side, columns: Sequence[int]) -> Finder:
        """Finds, for a row of another table, the rows that may be close in these of its columns."""
        return Finder(self._rows, seekers, columns)


class Finder:
    """Looks rows of one table up in another."""

    def __init__(self, rows: dict[tuple[int, ...], list[int]], seekers: Side, columns: Sequence[int]) -> None:
        self._rows = rows
        self._classes = seekers.classes
        self._touched = [seekers.touched(column) for column in columns]

    def __call__(self, row: int) -> Iterator[int]:
        spans = [(low[row],) if low[row] == high[row] else (low[row], high[row]) for low, high in self._touched]
        for key in product((self._classes[row],), *spans):
            yield from self._rows.get(key, ())


def thinning(side: Side, columns: Sequence[int]) -> list[int]:
    """Which of the columns (as positions) to index: those with most boxes, as few as thin the rows out."""
    order = sorted(range(len(columns)), key=lambda one: -len(set(side.boxes(columns[one]))))
    chosen: list[int] = []
    for position in order[:_MOST_BOXED]:
        chosen.append(position)
        boxes = (side.boxes(columns[one]) for one in chosen)
        if len(side.classes) <= _CROWDED * len(set(zip(side.classes, *boxes, strict=True))):
            break
    return chosen


Test = tuple[list[float], list[float], Sequence[Cell], Sequence[Cell], float]


class RowSearch:
    """Looks for close rows of one table for the rows of another, under one mapping of their columns."""

    def __init__(
        self,
        seekers: Side,
        columns: Sequence[int],
        targets: Side,
        target_columns: Sequence[int],
        close: Callable[[Cell, Cell], bool],
        tolerance: Tolerance,
        work: Work,
    ) -> None:
        self._seekers = seekers
        self._columns = columns
        self._targets = targets
        self._target_columns = target_columns
        self._close = close
        self._tolerance = tolerance
        self._work = work

    def partners(self, rows: Iterable[int]) -> set[int] | None:
        """The first close row found for each of the rows; None if one of them has none."""
        found: set[int] = set()
        return found if self._first_lonely(rows, found) is None else None

    def first_lonely(self, rows: Iterable[int]) -> int | None:
        """The first of the rows that has no close row."""
        return self._first_lonely(rows, set())

    def _first_lonely(self, rows: Iterable[int], found: set[int]) -> int | None:
        """As `first_lonely`; the partners of the rows before are added to `found`."""
        find, tests = self._finder(), self._tests()
        close, never_beyond = self._close, self._tolerance.never_beyond
        for row in rows:
            steps = 0
            for one in find(row):
                steps += 1
                for xs, ys, left, right, surely_within in tests:
                    x = xs[row]
                    gap, size = abs(x - ys[one]), abs(x)
                    # Written so that NaN, which stands for what is no float, goes to the exact comparison.
                    if gap > never_beyond * size:
                        break
                    if not gap < surely_within * size and not close(left[row], right[one]):
                        break
                else:
                    found.add(one)
                    break
            else:
                return row
            self._work.spend(steps)
        return None

    def _finder(self) -> Finder:
        self._work.spend(10 * (len(self._seekers.classes) + len(self._targets.classes)))
        positions = thinning(self._targets, self._target_columns)
        index = RowIndex(self._targets, [self._target_columns[one] for one in positions])
        return index.finder(self._seekers, [self._columns[one] for one in positions])

    def _tests(self) -> list[Test]:
        """The columns of both sides as numbers and cells, and the share of a number within which all is close."""
        tests = []
        for mine, its in zip(self._columns, self._target_columns, strict=True):
            left, right = self._seekers.cells[mine], self._targets.cells[its]
            reals = all_real(left) or all_real(right)
            within = self._tolerance.surely_within if reals else -1.0
            tests.append((self._seekers.numbers(mine), self._targets.numbers(its), left, right, within))
        return tests
