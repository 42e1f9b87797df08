"""Columns that can be exchanged without changing a table, so that one order of them stands for all."""

from collections import Counter
from collections.abc import Sequence

from ..values import Cell
from .columns import CellColumn
from .work import StepLimit

Cells = Sequence[Sequence[Cell]]


class Symmetry:
    """Classes of exchangeable columns on both sides.

    Columns of a placed class are placed in order of their numbers and get increasing columns; a member of an other
    side's class is tried only if those before it are taken. This loses no answer: of the mappings that exchanges carry
    into one another, the one least in the order of the search keeps both rules.
    """

    def __init__(self, placed: Sequence[int], others: Sequence[int]) -> None:
        self._placed = placed
        self._others = others

    def first_in_class(self, index: int, left: Sequence[int]) -> int:
        """The first of the columns left that can be exchanged with this one."""
        return next(one for one in left if self._placed[one] == self._placed[index]) if self._placed else index

    def is_first_free(self, other: int, taken: int) -> bool:
        """Whether all columns before this one that can be exchanged with it are among those taken (as bits)."""
        return all(taken >> one & 1 for one, kind in enumerate(self._others[:other]) if kind == self._others[other])

    def narrow(self, domains: list[int], index: int, other: int) -> None:
        """Leave the later columns of the placed class only what comes after the column that was just taken."""
        if self._placed:
            for twin in range(index + 1, len(domains)):
                if self._placed[twin] == self._placed[index]:
                    # Clears the bits up to and with `other`.
                    domains[twin] &= ~((2 << other) - 1)


NO_SYMMETRY = Symmetry((), ())


def find_symmetry(
    placed: Sequence[CellColumn], others: Sequence[CellColumn], kinds: Sequence[object], work: StepLimit
) -> Symmetry:
    """The exchangeable columns of two tables, each row of which stands there once.

    Other columns of different `kinds` are not exchangeable, whatever their cells are.
    """
    return Symmetry(
        exchange_classes([column.cells for column in placed], [None] * len(placed), work),
        exchange_classes([column.cells for column in others], kinds, work),
    )


def exchange_classes(columns: Cells, kinds: Sequence[object], work: StepLimit) -> list[int]:
    """For each column the first of its kind that it can be exchanged with (a transposition keeps the set of rows)."""
    rows = set(zip(*columns, strict=True))
    histograms = [(kind, Counter(column)) for kind, column in zip(kinds, columns, strict=True)]
    classes: list[int] = []
    for index in range(len(columns)):
        # One member stands for its class; columns of another kind, or with other counts of values, stay apart.
        earlier = (one for one in range(index) if classes[one] == one and histograms[one] == histograms[index])
        first = next((one for one in earlier if _exchangeable(columns, one, index, rows, work)), index)
        classes.append(first)
    return classes


def _exchangeable(columns: Cells, column: int, other: int, rows: set[tuple[Cell, ...]], work: StepLimit) -> bool:
    work.spend(3 * len(rows))
    exchanged = list(columns)
    exchanged[column], exchanged[other] = columns[other], columns[column]
    return rows.issuperset(zip(*exchanged, strict=True))
