"""One table as the near columns see it, and its rows found again by class and boxes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from ..columns import CellColumn
from ..state import Codes
from ..work import StepLimit
from .boxes import SPAN, Boxes, Scale
from .tolerance import Closeness

_MOST_BOXED = 3
_SAMPLE = 1_000
_CROWDED = 3.0
_FEW = 8

Find = Callable[[int], list[int]]


class TableSide:
    """The classes of a table's rows and its columns."""

    def __init__(self, columns: Sequence[CellColumn], classes: Codes) -> None:
        self.columns = columns
        self.classes = classes
        self.rows = len(classes)


class RowIndex:
    """The rows of a table by class and by the boxes of some of its columns."""

    def __init__(self, side: TableSide, columns: Sequence[int], scale: Scale) -> None:
        self._scale = scale
        self._rows: defaultdict[int, list[int]] = defaultdict(list)
        keys = side.classes
        for column in columns:
            keys = _joined(keys, scale.boxes(side.columns[column].numbers))
        for row, key in enumerate(keys):
            self._rows[key].append(row)

    def finder(self, seekers: TableSide, columns: Sequence[int]) -> Find:
        """Finds, for a row of another table, the rows that may be close in these of its columns."""
        rows = self._rows.get
        variants = [seekers.classes]
        for column in columns:
            low, high = self._scale.touched(seekers.columns[column].numbers)
            variants = [_joined(keys, boxes) for keys, boxes in product(variants, (low, high))]

        nothing: list[int] = []

        def find(row: int) -> list[int]:
            keys = {keys[row] for keys in variants}
            if len(keys) == 1:
                return rows(keys.pop(), nothing)
            return [one for key in keys for one in rows(key, ())]

        return find


def _joined(keys: Sequence[int], boxes: Boxes) -> list[int]:
    """Keys and boxes as one number each."""
    # Boxes lie within SPAN on both sides of 0, so that no two pairs share a number.
    return [key * (2 * SPAN) + box for key, box in zip(keys, boxes, strict=True)]


def thinning(side: TableSide, columns: Sequence[int], scale: Scale) -> list[int]:
    """Which of the columns (as positions) to index: those that thin the rows out, as few as do.

    Judged by how many pairs in a sample of rows share their boxes.
    """
    step = max(1, side.rows // _SAMPLE)
    sample = [scale.boxes(side.columns[column].numbers[::step]) for column in columns]
    chosen: list[int] = []
    keys = side.classes[::step]
    while len(chosen) < min(len(columns), _MOST_BOXED) and _crowd(keys) * side.rows > _CROWDED:
        left = [one for one in range(len(columns)) if one not in chosen]
        best = min(left, key=lambda one: _crowd(_joined(keys, sample[one])))
        keys = _joined(keys, sample[best])
        chosen.append(best)
    return chosen


def _crowd(keys: Sequence[int]) -> float:
    """How likely it is that two rows share a key."""
    pairs = sum(count * (count - 1) for count in Counter(keys).values())
    return pairs / (len(keys) * (len(keys) - 1)) if len(keys) > 1 else 0.0


Test = tuple[list[float], list[float], tuple[str, ...], tuple[str, ...], float]


class RowSearch:
    """Looks for close rows of one table for the rows of another, under one mapping of their columns."""

    def __init__(
        self,
        seekers: TableSide,
        columns: Sequence[int],
        targets: TableSide,
        target_columns: Sequence[int],
        closeness: Closeness,
        work: StepLimit,
    ) -> None:
        self._seekers = seekers
        self._columns = columns
        self._targets = targets
        self._target_columns = target_columns
        self._closeness = closeness
        self._tolerance = closeness.tolerance
        self._work = work

    def first_lonely(self, rows: Iterable[int], matched: set[int] | None = None) -> int | None:
        """The first of the rows that has no close row; what the rows before it are close to is added to `matched`.

        Of few possible partners all are looked at, so that `matched` lacks hardly any row that has a partner.
        """
        find, tests = self._finder(), self._tests()
        decide, never_beyond = self._closeness.decide, self._tolerance.never_beyond
        matched = set() if matched is None else matched
        for row in rows:
            lonely, possible = True, find(row)
            for candidate in possible:
                for xs, ys, left, right, surely_within in tests:
                    x, y = xs[row], ys[candidate]
                    gap, size = abs(x - y), abs(x)
                    # Written so that NaN, which stands for what is no float, goes to the exact comparison.
                    if gap > never_beyond * size:
                        break
                    if not gap < surely_within * size:
                        cell, other = left[row], right[candidate]
                        if cell != other and not decide(cell, other, x, y):
                            break
                else:
                    lonely = False
                    matched.add(candidate)
                    # One partner is enough for this row; many more would cost more than looking them up from the other
                    # side.
                    if len(possible) > _FEW:
                        break
            if lonely:
                return row
            self._work.spend(5 * len(possible) + 10)
        return None

    def _finder(self) -> Find:
        self._work.spend(10 * (self._seekers.rows + self._targets.rows) + 1_000)
        scale = Scale(self._tolerance.ratio)
        pairs = [
            (mine, its)
            for mine, its in zip(self._columns, self._target_columns, strict=True)
            if scale.fits(self._seekers.columns[mine], self._targets.columns[its])
        ]
        chosen = [pairs[one] for one in thinning(self._targets, [its for _, its in pairs], scale)]
        index = RowIndex(self._targets, [its for _, its in chosen], scale)
        return index.finder(self._seekers, [mine for mine, _ in chosen])

    def _tests(self) -> list[Test]:
        """The columns of both sides as numbers and cells, and the share of a number within which all is close."""
        tests = []
        for mine, its in zip(self._columns, self._target_columns, strict=True):
            left, right = self._seekers.columns[mine], self._targets.columns[its]
            within = self._tolerance.surely_within if left.is_all_real or right.is_all_real else -1.0
            tests.append((left.numbers, right.numbers, left.cells, right.cells, within))
        return tests
