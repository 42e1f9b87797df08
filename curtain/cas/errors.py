"""The one problem of this room: a text or a table that is no answer."""

from __future__ import annotations

from ..base.errors import CurtainError


class CasError(CurtainError):
    """A text or a table that is no answer, with the place and what was expected there.

    `line` and `column` count from 1; for a table they are the row and the column of the cell.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, expected: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.expected = expected

    @classmethod
    def at(cls, text: str, offset: int, expected: str, actual: str = "") -> CasError:
        """The error at a character of a text: `line 2, column 7: expected ")", found "("`."""
        line = text.count("\n", 0, offset) + 1
        column = offset - text.rfind("\n", 0, offset)
        ending = f", found {actual}" if actual else ""
        return cls(f"line {line}, column {column}: expected {expected}{ending}", line, column, expected)

    @classmethod
    def in_cell(cls, row: int, column: int, problem: str) -> CasError:
        """The error in one cell of a table; row and column count from 0 here and from 1 in the message."""
        return cls(f"row {row + 1}, column {column + 1}: {problem}", row + 1, column + 1)
