"""Answers as frozen values.

A cell is held as its own notation in normal form, so that two cells the rules call the same are equal texts:
`"TAI"` for a string (outer white space gone), `920` for an integer, `5.0` for a real, `TRUE`, `FALSE`, `NIL`.
No cell can be taken for one of another type, which Python's `True == 1 == Decimal("1.0")` would invite.
A value that the notation cannot say has a cell all the same, `{bytes: 0a}`: see `literals`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

Cell = str
PythonValue = str | int | bool | Decimal | None

NIL: Cell = "NIL"
TRUE: Cell = "TRUE"
FALSE: Cell = "FALSE"
FAILURES = {f"{kind}-failure": f"{{failure: {kind}}}" for kind in ("contingent", "necessary")}
"""The answers that a question presupposes what is not so, each with its cell: because the world is so, or by
definition (papers/000, section 3.3)."""


@dataclass(frozen=True)
class Scalar:
    """A single value; the Comparator takes it for the table with this one cell."""

    cell: Cell

    @property
    def value(self) -> PythonValue:
        """The value in Python: str, int, Decimal for a real, bool, or None for NIL."""
        return python_value(self.cell)


@dataclass(frozen=True)
class Relation:
    """A table, column by column; all columns have the same length, at least 1. The empty one has no columns."""

    columns: tuple[tuple[Cell, ...], ...] = ()
    mixes_types: bool = field(default=False, compare=False, repr=False)
    """Whether a column may hold several types; no text of the notation does, rows of Python values may."""

    @property
    def width(self) -> int:
        """How many columns; 0 for the empty table."""
        return len(self.columns)

    @property
    def height(self) -> int:
        """How many rows, repeated ones too."""
        return len(self.columns[0]) if self.columns else 0

    @property
    def is_boolean(self) -> bool:
        """One boolean, however often it is repeated: rows are a set."""
        return self.width == 1 and self.columns[0][0] in (TRUE, FALSE) and len(set(self.columns[0])) == 1

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """The tuples, as cells."""
        return zip(*self.columns, strict=True)

    def values(self) -> Iterator[tuple[PythonValue, ...]]:
        """The tuples, as Python values: str, int, Decimal for a real, bool, or None for NIL."""
        return zip(*(map(python_value, column) for column in self.columns), strict=True)


@dataclass(frozen=True)
class NoAnswer:
    """The system says that it has no answer."""


NO_ANSWER = NoAnswer()


@dataclass(frozen=True)
class Alternatives:
    """`( a OR b ... )`: two or more answers, each of them acceptable; nested ones are held flat."""

    answers: tuple[Scalar | Relation | NoAnswer, ...]


Answer = Scalar | Relation | NoAnswer | Alternatives


def python_value(cell: Cell) -> PythonValue:
    """A cell as a Python value: str, int, Decimal for a real, bool, or None for NIL.

    A literal, and a number with a unit, stay texts.
    """
    if cell[0] == '"':
        return cell[1:-1]
    if cell[0] == "{" or cell[-1] == "]":
        return cell
    if cell in (TRUE, FALSE, NIL):
        return {TRUE: True, FALSE: False, NIL: None}[cell]
    number = Decimal(cell)
    return number if "." in cell else int(number)
