"""One table as the near columns see it, and its rows found again by class and boxes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import compress, product

from ..columns import CellColumn
from ..state import Codes
from ..work import StepLimit
from .boxes import SPAN, Boxes, Scale
from .compatibility import Close
from .tolerance import Tolerance

_MOST_BOXED = 3
_SAMPLE = 1_000
_CROWDED = 3.0
_FIRST_ROWS = 64
_MOST_PAIRS = 20_000
_REMEMBERED = 1 << 16


class TableSide:
    """The classes of a table's rows and its columns."""

    def __init__(self, columns: Sequence[CellColumn], classes: Codes) -> None:
        self.columns = columns
        self.classes = classes
        self.rows = len(classes)


class RowIndex:
    """The rows of a table by class and, if a column is given, by its boxes."""

    def __init__(self, side: TableSide, column: int | None, scale: Scale) -> None:
        self._scale = None if column is None else scale
        self._rows: defaultdict[int, list[int]] = defaultdict(list)
        keys = side.classes if column is None else _joined(side.classes, scale.boxes(side.columns[column].numbers))
        for row, key in enumerate(keys):
            self._rows[key].append(row)

    def near(self, row_class: int, number: float) -> list[int]:
        """The rows of a class that may be close to a number."""
        if self._scale is None:
            return self._rows.get(row_class, [])
        keys = {_joined([row_class], boxes)[0] for boxes in self._scale.touched([number])}
        return [row for key in keys for row in self._rows.get(key, ())]


def _joined(keys: Sequence[int], boxes: Boxes) -> list[int]:
    """Keys and boxes as one number each."""
    # Boxes lie within SPAN on both sides of 0, so that no two pairs share a number.
    return [key * (2 * SPAN) + box for key, box in zip(keys, boxes, strict=True)]


def thinning(classes: Codes, columns: Sequence[CellColumn], scale: Scale) -> list[int]:
    """Which columns of a table (as positions) to index: those that thin the rows out, as few as do.

    Judged by how many pairs in a sample of rows share their boxes.
    """
    step = max(1, len(classes) // _SAMPLE)
    sample = [scale.boxes(column.numbers[::step]) for column in columns]
    chosen: list[int] = []
    keys = classes[::step]
    while len(chosen) < min(len(columns), _MOST_BOXED) and _crowd(keys) * len(classes) > _CROWDED:
        left = [one for one in range(len(columns)) if one not in chosen]
        best = min(left, key=lambda one: _crowd(_joined(keys, sample[one])))
        keys = _joined(keys, sample[best])
        chosen.append(best)
    return chosen


def _crowd(keys: Sequence[int]) -> float:
    """How likely it is that two rows share a key."""
    pairs = sum(count * (count - 1) for count in Counter(keys).values())
    return pairs / (len(keys) * (len(keys) - 1)) if len(keys) > 1 else 0.0


class RowSearch:
    """Looks for close rows of one table for the rows of another, under one mapping of their columns.

    `close` is asked about a cell of the seekers and one of the targets.
    """

    def __init__(
        self,
        seekers: TableSide,
        columns: Sequence[int],
        targets: TableSide,
        target_columns: Sequence[int],
        close: Close,
        tolerance: Tolerance,
        work: StepLimit,
    ) -> None:
        self._seekers = seekers
        self._targets = targets
        self._pairs = [
            (seekers.columns[mine], targets.columns[its]) for mine, its in zip(columns, target_columns, strict=True)
        ]
        self._close = lru_cache(_REMEMBERED)(close)
        self._tolerance = tolerance
        self._scale = Scale(tolerance.ratio)
        self._work = work

    def first_lonely(self, rows: Sequence[int], matched: set[int] | None = None) -> int | None:
        """The first of the rows that has no close row; what the rows before it are close to is added to `matched`.

        The last row of the same box is looked at first. Where it is not close, all rows of boxes that touch are.
        """
        matched = set() if matched is None else matched
        self._work.spend(10 * (self._seekers.rows + self._targets.rows) + 1_000)
        fitting = [pair for pair in self._pairs if self._scale.fits(*pair)]
        chosen = thinning(self._targets.classes, [its for _, its in fitting], self._scale)
        boxed = [fitting[at][0] for at in chosen]
        keys: Sequence[int] = self._targets.classes
        for at in chosen:
            keys = _joined(keys, self._scale.boxes(fitting[at][1].numbers))
        row_of = dict(zip(keys, range(len(keys)), strict=True))
        # A wrong mapping shows in a few rows.
        for some in (rows[:_FIRST_ROWS], rows[_FIRST_ROWS:]):
            [own_keys] = self._keys(some, boxed, lambda numbers: [self._scale.boxes(numbers)])
            boxed_too = [row for row, key in zip(some, own_keys, strict=True) if key in row_of]
            done = self._close_pairs(boxed_too, [row_of[key] for key in own_keys if key in row_of], matched)
            rest = [row for row in some if row not in done]
            touched = list(map(set, zip(*self._keys(rest, boxed, self._scale.touched), strict=True)))
            lonely = self._first_lonely(rest, touched, keys, matched)
            if lonely is not None:
                return lonely
        return None

    def _keys(
        self, rows: Sequence[int], boxed: Sequence[CellColumn], boxes: Callable[[list[float]], Iterable[Boxes]]
    ) -> list[Codes]:
        """The class and boxes of some seekers as one number each, for each choice of their boxes."""
        variants = [[self._seekers.classes[row] for row in rows]]
        for column in boxed:
            choices = boxes([column.numbers[row] for row in rows])
            variants = [_joined(keys, choice) for keys, choice in product(variants, choices)]
        return variants

    def _first_lonely(
        self, rows: Sequence[int], touched: Sequence[set[int]], keys: Sequence[int], matched: set[int]
    ) -> int | None:
        """The first of some rows that is close to none of the rows with a key that it touches."""
        wanted = set().union(*touched)
        with_key: defaultdict[int, list[int]] = defaultdict(list)
        for row, key in enumerate(keys):
            if key in wanted:
                with_key[key].append(row)
        asked, seekers, others = Codes(), Codes(), Codes()
        for row, its_keys in zip(rows, touched, strict=True):
            asked.append(row)
            others += [one for key in its_keys for one in with_key.get(key, ())]
            seekers += [row] * (len(others) - len(seekers))
            if len(others) > _MOST_PAIRS or row == rows[-1]:
                self._work.spend(5 * len(others) + 10 * len(asked))
                done = self._close_pairs(seekers, others, matched)
                lonely = next((one for one in asked if one not in done), None)
                if lonely is not None:
                    return lonely
                asked, seekers, others = [], [], []
        return None

    def _close_pairs(self, rows: list[int], others: list[int], matched: set[int]) -> set[int]:
        """The seekers that are close to their target in all columns; those targets are added to `matched`."""
        never_beyond, close = self._tolerance.never_beyond, self._close
        for mine, its in self._pairs:
            left, right = mine.cells, its.cells
            surely_within = self._tolerance.surely_within if mine.is_all_real or its.is_all_real else -1.0
            numbers = map(mine.numbers.__getitem__, rows), map(its.numbers.__getitem__, others)
            # Written so that NaN, which stands for what is no float, goes to the exact comparison.
            kept = [
                not (gap := abs(x - y)) > never_beyond * (size := abs(x))
                and (gap < surely_within * size or close(left[row], right[other]))
                for row, other, x, y in zip(rows, others, *numbers, strict=True)
            ]
            rows, others = list(compress(rows, kept)), list(compress(others, kept))
        matched.update(others)
        return set(rows)
