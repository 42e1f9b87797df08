"""The quick way for ordinary tables: one column that distinguishes all rows gives each row its one partner.

Then every other pair of columns is decided on its own, row by row, and nothing has to be searched or counted.
The answer is exact; where there is no such column there is none, and the general procedure decides.
"""

from collections.abc import Iterator, Sequence
from itertools import repeat

from .bipartite import assignment
from .columns import CellColumn
from .evidence import MismatchEvidence, row_of
from .reals.compatibility import Nearness
from .work import StepLimit

Columns = Sequence[CellColumn]

_HEAD = 32
# Enough to pass over most columns that repeat; one that repeats later is found when its rows are numbered.
_SAMPLE = 256


def decided_by_key(
    placed: Columns, others: Columns, exactly: bool, nearness: Nearness, evidence: MismatchEvidence, work: StepLimit
) -> bool | None:
    """Whether `others` contains `placed` (see `contains`); None if no single column decides it."""
    key = _identifying_column(placed)
    if key is None:
        return None
    conclusive = True
    tried: list[list[int]] = []
    for rows in _placed_rows(placed[key], others) if exactly else _other_rows(placed[key], others):
        if rows is None:
            conclusive = False
        # Columns with the same cells give the same partners.
        elif rows not in tried:
            if _RowByRow(placed, others, exactly, rows, nearness, evidence, work).has_mapping():
                return True
            tried.append(rows)
    return False if conclusive and is_exact_key(placed[key], others, exactly, nearness) else None


def _identifying_column(columns: Columns) -> int | None:
    """A column whose first values are all different and no reals."""
    for index, column in enumerate(columns):
        head = CellColumn(column.cells[:_SAMPLE])
        if len(head.distinct) == len(head.cells) and not head.is_real:
            return index
    return None


def is_exact_key(key: CellColumn, others: Columns, exactly: bool, nearness: Nearness) -> bool:
    """Whether no tolerance can pair the key with another column, so that equality decides.

    Two columns of integers are equal or not. A column of reals is out where its values alone keep it from the key's.
    """
    if not key.is_number:
        return True
    if key.is_real:
        return False
    reals = (column for column in others if column.is_real)
    return not any(_may_stand_for(key, column, exactly, nearness) for column in reals)


def _may_stand_for(key: CellColumn, column: CellColumn, exactly: bool, nearness: Nearness) -> bool:
    return nearness.may_pair(key, column, exactly) and nearness.covers(key, column, exactly) is not False


def _placed_rows(key: CellColumn, others: Columns) -> Iterator[list[int] | None]:
    """For each column with the key's values: for each of its cells the row of the key; None if the key is none."""
    number = dict(zip(key.cells, range(len(key.cells)), strict=True))
    if len(number) < len(key.cells):
        yield None
        return
    for column in others:
        if all(map(number.__contains__, column.cells[:_HEAD])):
            rows = list(map(number.get, column.cells, repeat(-1)))
            # Each row of the key must be met, or the hypothesis lacks one.
            if -1 not in rows and len(set(rows)) == len(number):
                yield rows


def _other_rows(key: CellColumn, others: Columns) -> Iterator[list[int] | None]:
    """For each column that has the key's values: for each cell of the key its row; None if there are several."""
    for column in others:
        if all(cell in column.cells for cell in key.cells[:2]):
            number = dict(zip(column.cells, range(len(column.cells)), strict=True))
            rows = list(map(number.get, key.cells, repeat(-1)))
            if -1 not in rows:
                yield rows if len(number) == len(column.cells) else None


class _RowByRow:
    """Two tables whose rows have one partner each: for each row of the leading table a row of the other.

    The other table's rows lead if all of them must find their place (`exactly`), the placed table's otherwise.
    """

    def __init__(
        self,
        placed: Columns,
        others: Columns,
        exactly: bool,
        rows: list[int],
        nearness: Nearness,
        evidence: MismatchEvidence,
        work: StepLimit,
    ) -> None:
        self._placed = placed
        self._others = others
        self._exactly = exactly
        self._rows = rows
        self._nearness = nearness
        self._evidence = evidence
        self._work = work
        self._following: dict[int, CellColumn] = {}

    def has_mapping(self) -> bool:
        """Whether the columns can be mapped so that all partners agree."""
        candidates = []
        for index in range(len(self._placed)):
            self._work.spend(len(self._rows))
            fitting = sum(1 << other for other in range(len(self._others)) if self._agree(index, other))
            if not fitting:
                self._note_difference(index)
                return False
            candidates.append(fitting)
        return assignment(candidates) is not None

    def _note_difference(self, index: int) -> None:
        """Note the rows in which a column differs from the first one that begins like it."""
        likely = (other for other in range(len(self._others)) if self._head_agrees(index, other))
        for other in likely:
            row = self._nearness.first_apart(*self._in_order(index, other))
            if row is not None:
                self._note_rows(row)
                return

    def _note_rows(self, row: int) -> None:
        """Note a leading row unlike its partner, and the partner too if no other row could be like it."""
        if not self._exactly:
            self._evidence.note(placed=row_of(self._placed, row))
            return
        alone = len(self._rows) == len(self._placed[0].cells)
        partner = row_of(self._placed, self._rows[row]) if alone else None
        self._evidence.note(placed=partner, others=row_of(self._others, row))

    def _agree(self, index: int, other: int) -> bool:
        """Whether two columns agree row by row, asked of the first rows first."""
        if not self._head_agrees(index, other):
            return False
        mine, its = self._in_order(index, other)
        if self._placed[index].is_number and not self._others[other].is_number:
            # A column of several types has no tolerance, not even where the rows that are met hold numbers alone.
            return mine.cells == its.cells
        return self._close(mine, its)

    def _head_agrees(self, index: int, other: int) -> bool:
        mine, its, rows = self._placed[index].cells, self._others[other].cells, self._rows[:_HEAD]
        if self._exactly:
            return self._close(CellColumn(tuple(map(mine.__getitem__, rows))), CellColumn(its[:_HEAD]))
        return self._close(CellColumn(mine[:_HEAD]), CellColumn(tuple(map(its.__getitem__, rows))))

    def _in_order(self, index: int, other: int) -> tuple[CellColumn, CellColumn]:
        """Both columns, that of the table which follows in the order of the leading rows."""
        if self._exactly:
            return self._moved(index, self._placed[index]), self._others[other]
        return self._placed[index], self._moved(other, self._others[other])

    def _moved(self, index: int, column: CellColumn) -> CellColumn:
        if index not in self._following:
            self._following[index] = CellColumn(tuple(map(column.cells.__getitem__, self._rows)))
        return self._following[index]

    def _close(self, mine: CellColumn, its: CellColumn) -> bool:
        """Whether all cells of a placed column are equal or close to those of another."""
        return self._nearness.first_apart(mine, its) is None
