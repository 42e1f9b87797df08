"""What a single column tells: its distinct cells, and whether tolerance may concern it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..values import NIL, Cell


class Column:
    """A column of cells with the facts that are asked again and again."""

    __slots__ = ("cells", "distinct", "is_number", "is_real")

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells
        self.distinct = set(cells)
        self.is_number = is_number_column(self.distinct)
        self.is_real = self.is_number and "." in "".join(self.distinct)


def is_number_column(cells: Iterable[Cell]) -> bool:
    """Whether the cells are numbers; a column has one type."""
    return next((cell for cell in cells if cell != NIL), NIL)[0] in "-0123456789"


def distinct_rows(columns: Sequence[Sequence[Cell]]) -> list[tuple[Cell, ...]]:
    """The columns again, with each tuple once, in order of first appearance."""
    return list(zip(*dict.fromkeys(zip(*columns, strict=True)), strict=True))
