"""Rules that benchmarks of SQL use beside those of the CAS: order, duplicates, absolute tolerance, case, text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from curtain.cas.notation.literals import in_mixed_column

from .errors import CasError
from .notation.cells import number_cell
from .values import Cell, Relation


class RowRule(Enum):
    """What rows are to a table: a set, as in the CAS; a multiset, whose duplicates count; or a sequence."""

    SET = "set"
    MULTISET = "multiset"
    ORDERED = "ordered"


@dataclass(frozen=True)
class Options:
    """How a comparison departs from the CAS; the defaults are the CAS.

    `ties`: with `ORDERED`, one value for each row of the reference. Neighbours with equal values, as an ORDER BY leaves
    them, may stand in any order. Without it each row has its place.
    `absolute`: a number is right also if it is this near the reference and one of the two has a decimal point.
    `ignore_case`: strings are equal in any case. `text_numbers`: a string that is a number counts as the number.
    """

    rows: RowRule = RowRule.SET
    ties: Sequence[object] | None = None
    absolute: Decimal | str | float = "0"
    ignore_case: bool = False
    text_numbers: bool = False

    def normal(self, table: Relation) -> Relation:
        """The table as these options read its strings."""
        if not (self.ignore_case or self.text_numbers):
            return table
        return Relation(tuple(self._normal_column(cells) for cells in table.columns))

    def places(self, height: int) -> list[int] | None:
        """For each row of a reference of this height the number of its place; rows of one place may change places.

        None if rows are a set. Raises CasError if there are not as many ties as rows.
        """
        if self.rows is RowRule.SET:
            return None
        if self.rows is RowRule.MULTISET:
            return [0] * height
        if self.ties is None:
            return list(range(height))
        if len(self.ties) != height:
            raise CasError(f"There are {len(self.ties)} ties for {height} rows of the reference; give one for each.")
        # By neighbours, not by value: the same value further down would be another place.
        places: list[int] = []
        for row, tie in enumerate(self.ties):
            places.append(places[-1] + (tie != self.ties[row - 1]) if row else 0)
        return places

    def _normal_column(self, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        if self.ignore_case:
            cells = tuple([cell.casefold() if cell[0] == '"' else cell for cell in cells])
        if not self.text_numbers:
            return cells
        read = tuple([(cell[0] == '"' and number_cell(cell[1:-1])) or cell for cell in cells])
        # A number beside a string makes a column of two types, which compares exactly.
        return tuple(map(in_mixed_column, read)) if any(cell[0] == '"' for cell in read) else read
