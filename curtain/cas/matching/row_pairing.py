"""Tables whose rows are paired: duplicates count, or each row has its place; and sets under an absolute tolerance.

Both tables start with their rows in common classes, one for each place. A pair of columns that is compared exactly
splits the classes further and must split both sides alike. As soon as each class has one reference row, the columns
left are independent. Numbers under tolerance rule pairs out class by class, and decide only where all columns are
placed: two columns that fit one by one may hold their numbers in different rows.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import repeat

from ..values import Cell
from .bipartite import assignment, bits
from .cached_property import once
from .columns import CellColumn
from .reals.compatibility import Nearness, are_tolerant
from .reals.tolerance import Tolerance, is_odd
from .work import StepLimit

_Number = tuple[int, float | Decimal, Cell]
"""The class of a row and its number in one column, with the cell."""


def rows_agree(
    shown: Sequence[CellColumn],
    wanted: Sequence[CellColumn],
    places: Sequence[int] | None,
    tolerance: Tolerance,
    work: StepLimit,
) -> bool:
    """Whether columns of the hypothesis, each used once, hold the rows of the reference.

    `places` has the place of each reference row, and the hypothesis must have as many rows; None compares sets. Exact;
    exponential only in columns that look alike. Raises OutOfWork.
    """
    heights = (len(shown[0].cells), len(wanted[0].cells))
    if len(shown) < len(wanted) or (places is not None and heights[0] != heights[1]):
        return False
    work.allow(len(shown) * heights[0] + len(wanted) * heights[1])
    if places is None:
        start = _Classes([0] * heights[0], [0] * heights[1], 1)
    else:
        start = _Classes(places, places, len(set(places)))
    return _Pairing(shown, wanted, start, places is None, tolerance, work).holds()


@dataclass(frozen=True)
class _Classes:
    """The class of each row of the hypothesis and of the reference, and how many classes there are."""

    left: Sequence[int]
    right: Sequence[int]
    number: int

    @property
    def are_single(self) -> bool:
        return self.number == len(self.right)


class _Pairing:
    """One search; columns of the hypothesis are numbered i, those of the reference j."""

    def __init__(
        self,
        shown: Sequence[CellColumn],
        wanted: Sequence[CellColumn],
        start: _Classes,
        as_sets: bool,
        tolerance: Tolerance,
        work: StepLimit,
    ) -> None:
        self._shown = shown
        self._wanted = wanted
        self._start = start
        self._as_sets = as_sets
        self._tolerance = tolerance
        self._nearness = Nearness(tolerance, placed_is_reference=True)
        self._work = work
        self._sparse: dict[int, bool] = {}
        self._replaced: dict[tuple[int, int], CellColumn] = {}
        self._near: set[tuple[int, int]] = set()
        self._tallies: dict[int, object] = {}
        self._numbers: dict[int, list[_Number]] = {}
        self._decimals: dict[Cell, Decimal] = {}

    def holds(self) -> bool:
        """Whether some mapping of the columns pairs all rows; depth first, without recursion."""
        width = range(len(self._shown))
        if self._start.are_single:
            return self._rest_agrees(self._start, [sum(1 << i for i in width)] * len(self._wanted))
        candidates = [sum(1 << i for i in width if self._may_pair(i, j)) for j in range(len(self._wanted))]
        if assignment(candidates) is None:
            return False
        if not self._near and all(domain.bit_count() == 1 for domain in candidates):
            return self._same_rows([domain.bit_length() - 1 for domain in candidates])
        order = sorted(range(len(candidates)), key=lambda j: self._rank(j, candidates[j]))
        waiting: list[tuple[list[int], _Classes]] = [([], self._start)]
        while waiting:
            used, classes = waiting.pop()
            self._work.spend(50 * len(order))
            if classes.are_single:
                left = [domain & ~sum(1 << i for i in used) for domain in candidates]
                for i, j in zip(used, order, strict=False):
                    left[j] = 1 << i
                if self._rest_agrees(classes, left):
                    return True
            elif len(used) == len(order):
                if self._numbers_pair(classes, [pair for pair in zip(used, order, strict=True) if pair in self._near]):
                    return True
            else:
                j = order[len(used)]
                # Of columns with the same cells the first one that is free stands for all.
                free = {self._twins[i]: i for i in reversed(bits(candidates[j])) if i not in used}
                for i in free.values():
                    split = self._split(classes, i, j)
                    if split is not None:
                        waiting.append(([*used, i], split))
        return False

    def _same_rows(self, mapping: list[int]) -> bool:
        """Whether the classes hold the same rows under a mapping that is exact."""
        self._work.spend(len(mapping) * (len(self._start.left) + len(self._start.right)))
        shown = [self._exact(i, j).cells for j, i in enumerate(mapping)]
        return self._counted(zip(self._start.left, *shown, strict=True)) == self._counted(
            zip(self._start.right, *(column.cells for column in self._wanted), strict=True)
        )

    def _exact(self, i: int, j: int) -> CellColumn:
        """A column of the hypothesis, its numbers replaced by those of the reference where that is certain."""
        return self._replaced.get((i, j), self._shown[i])

    def _rank(self, j: int, candidates: int) -> tuple[bool, int, int]:
        """Exact columns come first, since they split classes; then those with few candidates and many values."""
        near = any((i, j) in self._near for i in bits(candidates))
        return near, candidates.bit_count(), -len(self._wanted[j].distinct)

    @once
    def _twins(self) -> list[int]:
        first: dict[tuple[Cell, ...], int] = {}
        return [first.setdefault(column.cells, i) for i, column in enumerate(self._shown)]

    def _may_pair(self, i: int, j: int) -> bool:
        """Whether the classes at the start allow a pair of columns; notes how the pair is compared."""
        mine, its = self._shown[i], self._wanted[j]
        if not are_tolerant(mine, its):
            return self._tally(mine, self._start.left) == self._tally(its, self._start.right)
        if not self._nearness.may_pair(its, mine, exactly=True):
            return False
        if not self._is_sparse(j):
            self._near.add((i, j))
            return self._split(self._start, i, j) is not None
        # Each number of the hypothesis is close to one value of the reference at most, which replaces it.
        mates = self._nearness.partners(its, mine)
        self._work.spend(len(its.cells))
        if len(mates) < len(mine.distinct):
            return False
        replaced = self._replaced[i, j] = CellColumn(tuple(map(mates.__getitem__, mine.cells)))
        return self._tally(replaced, self._start.left) == self._tally(its, self._start.right)

    def _is_sparse(self, j: int) -> bool:
        if j not in self._sparse:
            self._sparse[j] = self._nearness.is_sparse(self._wanted[j])
        return self._sparse[j]

    def _tally(self, column: CellColumn, classes: Sequence[int]) -> object:
        """What the classes of the start show of a column; both sides must show the same."""
        if id(column) not in self._tallies:
            self._work.spend(len(classes))
            # In a single class, cells alone say it, and quicker.
            rows = column.cells if self._start.number == 1 else zip(classes, column.cells, strict=True)
            self._tallies[id(column)] = self._counted(rows)
        return self._tallies[id(column)]

    def _counted(self, rows: Iterable[object]) -> object:
        return set(rows) if self._as_sets else Counter(rows)

    def _split(self, classes: _Classes, i: int, j: int) -> _Classes | None:
        """The classes split further by a pair of columns; None if the pair contradicts them."""
        mine, its = self._exact(i, j).cells, self._wanted[j].cells
        near = (i, j) in self._near
        if near:
            if not (self._shown[i].odd or self._wanted[j].odd):
                return classes if self._numbers_agree(classes, i, j) else None
            mine, its = (tuple([cell if is_odd(cell) else "" for cell in cells]) for cells in (mine, its))
        self._work.spend(2 * (len(mine) + len(its)) + 50)
        keys = list(zip(classes.right, its, strict=True))
        number = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        left = list(map(number.get, zip(classes.left, mine, strict=True), repeat(-1)))
        right = list(map(number.__getitem__, keys))
        if self._counted(left) != self._counted(right):
            return None
        finer = _Classes(left, right, len(number))
        return finer if not near or self._numbers_agree(finer, i, j) else None

    def _numbers_agree(self, classes: _Classes, i: int, j: int) -> bool:
        """Whether the numbers of each class can be paired, whatever other columns say.

        Both ends of what a reference number accepts grow with it. So sorted numbers pair off in order, or not at all.
        """
        left, right = self._ordered(self._shown[i], classes.left), self._ordered(self._wanted[j], classes.right)
        self._work.spend(4 * (len(left) + len(right)))
        if not self._as_sets:
            return all(map(self._is_within, left, right))
        return all(any(self._is_within(x, r) for r in _around(right, x)) for x in left) and all(
            any(self._is_within(x, r) for x in _around(left, r)) for r in right
        )

    def _is_within(self, number: _Number, reference: _Number) -> bool:
        """Whether two numbers of a class are close, not asking whether both are integers."""
        value = float(reference[1])
        if abs(float(number[1]) - value) < self._tolerance.surely_within * abs(value):
            return True
        return self._tolerance.within(self._decimal(number[2]), self._decimal(reference[2]))

    def _ordered(self, column: CellColumn, classes: Sequence[int]) -> list[_Number]:
        """The numbers of a column class by class, each class in order; of a set each number once."""
        at_start = classes is self._start.left or classes is self._start.right
        if at_start and id(column) in self._numbers:
            return self._numbers[id(column)]
        self._work.spend(6 * len(classes))
        numbers: Sequence[float | Decimal] = column.numbers
        if not column.is_in_floats or len(column.ordered.numbers) < len(column.distinct) - len(column.odd):
            # Floats would put some of the numbers in any order.
            numbers = [Decimal(0) if is_odd(cell) else self._decimal(cell) for cell in column.cells]
        rows: Iterable[_Number] = zip(classes, numbers, column.cells, strict=True)
        if column.odd:
            rows = (row for row in rows if not is_odd(row[2]))
        ordered = sorted(set(rows) if self._as_sets else rows)
        if at_start:
            self._numbers[id(column)] = ordered
        return ordered

    def _decimal(self, cell: Cell) -> Decimal:
        number = self._decimals.get(cell)
        if number is None:
            number = self._decimals[cell] = Decimal(cell)
        return number

    def _rest_agrees(self, classes: _Classes, domains: list[int]) -> bool:
        """Whether columns can be chosen from the domains so that each row agrees with the one reference row of its
        class."""
        row_of = dict(zip(classes.right, range(len(classes.right)), strict=True))
        rows = list(map(row_of.__getitem__, classes.left))
        fitting = []
        for j, domain in enumerate(domains):
            self._work.spend(2 * len(rows))
            its = CellColumn(tuple(map(self._wanted[j].cells.__getitem__, rows)))
            agreeing = [i for i in bits(domain) if self._nearness.first_apart(its, self._shown[i]) is None]
            if not agreeing:
                return False
            fitting.append(sum(1 << i for i in agreeing))
        return assignment(fitting) is not None

    def _numbers_pair(self, classes: _Classes, near: list[tuple[int, int]]) -> bool:
        """Whether the rows of each class can be paired so that all columns with a tolerance agree."""
        if not near:
            return True
        mine, its = [self._shown[i] for i, _ in near], [self._wanted[j] for _, j in near]
        left = list(zip(classes.left, *(column.cells for column in mine), strict=True))
        right = list(zip(classes.right, *(column.cells for column in its), strict=True))
        self._work.spend(10 * (len(near) + 1) * (len(left) + len(right)))
        if self._counted(left) == self._counted(right):
            return True
        # Of one column whose numbers are in order nothing else is to be asked, unless two integers meet in it.
        if len(near) == 1 and (mine[0].is_all_real or its[0].is_all_real):
            return self._numbers_agree(classes, *near[0])
        members: dict[int, tuple[list[tuple[Cell, ...]], list[tuple[Cell, ...]]]] = {}
        for side, rows in enumerate((left, right)):
            for number, *cells in rows:
                members.setdefault(number, ([], []))[side].append(tuple(cells))
        return all(self._class_pairs(*rows) for rows in members.values())

    def _class_pairs(self, left: list[tuple[Cell, ...]], right: list[tuple[Cell, ...]]) -> bool:
        if self._as_sets:
            left, right = list(set(left)), list(set(right))
        partners = [list(self._close_rows(values, left)) for values in self._with_window(right, left)]
        if self._as_sets:
            return all(partners) and len(set().union(*partners)) == len(left)
        return all(partners) and _all_paired(partners)

    def _with_window(
        self, right: list[tuple[Cell, ...]], left: list[tuple[Cell, ...]]
    ) -> Iterator[tuple[tuple[Cell, ...], list[int]]]:
        """Each reference row with the hypothesis rows that are close in the column of most values."""
        widest = max(range(len(right[0])), key=lambda j: (not is_odd(right[0][j]), len({row[j] for row in right})))
        if is_odd(right[0][widest]):
            yield from ((values, list(range(len(left)))) for values in right)
            return
        order = sorted(range(len(left)), key=lambda i: self._decimal(left[i][widest]))
        keys = [self._decimal(left[i][widest]) for i in order]
        for values in right:
            low, high = self._tolerance.bounds(self._decimal(values[widest]))
            yield values, order[bisect_left(keys, low) : bisect_right(keys, high)]

    def _close_rows(self, row: tuple[tuple[Cell, ...], list[int]], left: list[tuple[Cell, ...]]) -> Iterator[int]:
        values, window = row
        self._work.spend(40 * len(window) + 60)
        for i in window:
            if all(map(self._tolerance.close, left[i], values)):
                yield i


def _around(numbers: list[_Number], number: _Number) -> list[_Number]:
    """The neighbours of a number in its class: what is close to any is close to one of these."""
    place = bisect_left(numbers, number[:2])  # a shorter tuple sorts before its like
    return [one for one in numbers[max(0, place - 1) : place + 1] if one[0] == number[0]]


def _all_paired(partners: list[list[int]]) -> bool:
    """Whether each row gets a partner of its own; decided in groups of rows that share candidates."""
    group: dict[int, int] = {}
    rows_of: dict[int, list[int]] = {}
    for row, candidates in enumerate(partners):
        together = [row]
        for number in {group[i] for i in candidates if i in group}:
            together += rows_of.pop(number)
        for member in together:
            group.update(dict.fromkeys(partners[member], row))
        rows_of[row] = together
    return all(_group_paired([partners[row] for row in rows]) for rows in rows_of.values())


def _group_paired(partners: list[list[int]]) -> bool:
    # Sets of bits are as long as the largest number, so each group counts from 0.
    bit = {i: 1 << place for place, i in enumerate(dict.fromkeys(i for row in partners for i in row))}
    return assignment([sum(bit[i] for i in row) for row in partners]) is not None
