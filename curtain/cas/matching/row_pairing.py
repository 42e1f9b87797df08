"""Tables whose rows are paired: duplicates count, or each row has its place; and sets under an absolute tolerance.

Both tables start with their rows in common classes, one for each place. A column that is compared exactly splits the
classes further and must split both sides alike. A column of reals is tested class by class, in the order of its
numbers. Where all columns are placed, rows of one class are paired off, or, in a set, each looks for a partner.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ..values import NIL, Cell
from .bipartite import assignment, bits
from .columns import CellColumn
from .reals.tolerance import Tolerance
from .work import StepLimit

# A class of both sides: the rows of the hypothesis and those of the reference in it.
_Class = tuple[list[int], list[int]]


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
    rows = (len(shown[0].cells), len(wanted[0].cells))
    if len(shown) < len(wanted) or (places is not None and rows[0] != rows[1]):
        return False
    members: dict[int, _Class] = {}
    for side, height in enumerate(rows):
        for row in range(height):
            members.setdefault(0 if places is None else places[row], ([], []))[side].append(row)
    return _Pairing(shown, wanted, places is None, tolerance, work).holds(list(members.values()))


@dataclass
class _Pairing:
    """One search: the tables, whether rows are sets, and the limits."""

    shown: Sequence[CellColumn]
    wanted: Sequence[CellColumn]
    as_sets: bool
    tolerance: Tolerance
    work: StepLimit
    _decimals: dict[Cell, Decimal] = field(default_factory=dict)

    def holds(self, classes: list[_Class]) -> bool:
        """Whether some mapping of the columns pairs all rows; depth first, without recursion."""
        candidates = [self._partners(column, classes) for column in self.wanted]
        if assignment(candidates) is None:
            return False
        # Columns with few candidates first, and exact ones before reals: they split classes and cost little.
        order = sorted(range(len(self.wanted)), key=lambda j: (self.wanted[j].is_number, candidates[j].bit_count()))
        waiting: list[tuple[list[int], list[_Class]]] = [([], classes)]
        while waiting:
            used, parts = waiting.pop()
            if len(used) == len(order):
                if self._rows_pair(parts, [(self.shown[i], self.wanted[j]) for i, j in zip(used, order, strict=True)]):
                    return True
                continue
            place = order[len(used)]
            for i in reversed([i for i in bits(candidates[place]) if i not in used]):
                split = self._split(parts, self.shown[i], self.wanted[place])
                if split is not None:
                    waiting.append(([*used, i], split))
        return False

    def _partners(self, column: CellColumn, classes: list[_Class]) -> int:
        split = (self._split(classes, other, column) is not None for other in self.shown)
        return sum(1 << i for i, fits in enumerate(split) if fits)

    def _split(self, classes: list[_Class], mine: CellColumn, its: CellColumn) -> list[_Class] | None:
        """The classes told further apart by a pair of columns; None if the pair cannot be."""
        near = _is_near(mine, its)
        parts: list[_Class] = []
        for hypothesis, reference in classes:
            self.work.spend(len(hypothesis) + len(reference) + 5)
            finer: dict[str, _Class] = {}
            for side, (rows, cells) in enumerate(((hypothesis, mine.cells), (reference, its.cells))):
                for row in rows:
                    code = cells[row] if not near or cells[row] == NIL else ""
                    finer.setdefault(code, ([], []))[side].append(row)
            for rows, others in finer.values():
                if not self._balanced(rows, others):
                    return None
            if near and "" in finer and not self._numbers_agree(*finer[""], mine, its):
                return None
            parts.extend(finer.values())
        return parts

    def _balanced(self, rows: list[int], others: list[int]) -> bool:
        return bool(rows and others) if self.as_sets else len(rows) == len(others)

    def _numbers_agree(self, rows: list[int], others: list[int], mine: CellColumn, its: CellColumn) -> bool:
        """Whether the numbers of a class can be paired, whatever other columns say.

        Both ends of what a reference number accepts grow with it. So sorted numbers pair off in order, or not at all.
        """
        left = sorted([self._decimal(mine.cells[row]) for row in rows])
        right = sorted([self._decimal(its.cells[row]) for row in others])
        self.work.spend(4 * len(left))
        within = self.tolerance.within
        if not self.as_sets:
            return all(map(within, left, right))
        return all(any(within(x, r) for r in _around(right, x)) for x in left) and all(
            any(within(x, r) for x in _around(left, r)) for r in right
        )

    def _decimal(self, cell: Cell) -> Decimal:
        number = self._decimals.get(cell)
        if number is None:
            number = self._decimals[cell] = Decimal(cell)
        return number

    def _rows_pair(self, classes: list[_Class], pairs: list[tuple[CellColumn, CellColumn]]) -> bool:
        near = [(mine, its) for mine, its in pairs if _is_near(mine, its)]
        # What single columns say was tested; one column without integers needs no more.
        if not near or (len(near) == 1 and near[0][0].is_all_real and near[0][1].is_all_real):
            return True
        return all(self._class_pairs(hypothesis, reference, near) for hypothesis, reference in classes)

    def _class_pairs(
        self, hypothesis: list[int], reference: list[int], near: list[tuple[CellColumn, CellColumn]]
    ) -> bool:
        left = [tuple(mine.cells[row] for mine, _ in near) for row in hypothesis]
        right = [tuple(its.cells[row] for _, its in near) for row in reference]
        self.work.spend(len(left) + len(right))
        if Counter(left) == Counter(right):
            return True
        partners = [list(self._close_rows(values, left)) for values in self._with_window(right, left)]
        if self.as_sets:
            return all(partners) and len(set().union(*partners)) == len(left)
        return all(partners) and _all_paired(partners)

    def _with_window(
        self, right: list[tuple[Cell, ...]], left: list[tuple[Cell, ...]]
    ) -> Iterator[tuple[tuple[Cell, ...], list[int]]]:
        """Each reference row with the hypothesis rows that are close in the column of most values."""
        widest = max(range(len(right[0])), key=lambda j: (right[0][j] != NIL, len({row[j] for row in right})))
        if right[0][widest] == NIL:
            yield from ((values, list(range(len(left)))) for values in right)
            return
        order = sorted(range(len(left)), key=lambda i: self._decimal(left[i][widest]))
        keys = [self._decimal(left[i][widest]) for i in order]
        for values in right:
            low, high = self.tolerance.bounds(self._decimal(values[widest]))
            yield values, order[bisect_left(keys, low) : bisect_right(keys, high)]

    def _close_rows(self, row: tuple[tuple[Cell, ...], list[int]], left: list[tuple[Cell, ...]]) -> Iterator[int]:
        values, window = row
        self.work.spend(10 * len(window) + 10)
        for i in window:
            if all(map(self.tolerance.close, left[i], values)):
                yield i


def _is_near(mine: CellColumn, its: CellColumn) -> bool:
    """Whether a pair of columns has a tolerance: both are numbers, and one has a decimal point."""
    return mine.is_number and its.is_number and (mine.is_real or its.is_real)


def _around(numbers: list[Decimal], number: Decimal) -> list[Decimal]:
    """The neighbours of a number among sorted ones: what is close to any is close to one of these."""
    place = bisect_left(numbers, number)
    return numbers[max(0, place - 1) : place + 1]


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
