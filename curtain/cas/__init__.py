"""Answers in the Common Answer Specification: read, write, compare. Pure: no files, no clock.

    compare("((4456 \\"TAI\\" \\"PAUL\\"))", "((4456 \\"TAI\\"))").outcome == "correct"

What takes time to import (the Comparator, the makers of answers from tables) is imported when first asked for.
"""

from __future__ import annotations

from importlib import import_module

from .errors import CasError
from .notation.reader import parse
from .notation.writer import write
from .values import FALSE, NIL, NO_ANSWER, TRUE, Alternatives, Answer, Cell, NoAnswer, Relation, Scalar, python_value
from .verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .comparator import compare
    from .frames import from_table
    from .options import ColumnRule, Options, RowRule
    from .rows import from_rows, from_value

_LATER = {
    "compare": "comparator",
    "ColumnRule": "options",
    "Options": "options",
    "RowRule": "options",
    "from_rows": "rows",
    "from_table": "frames",
    "from_value": "rows",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    attribute: object = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = attribute
    return attribute


__all__ = [
    "FALSE",
    "NIL",
    "NO_ANSWER",
    "TRUE",
    "Alternatives",
    "Answer",
    "CasError",
    "Cell",
    "ColumnRule",
    "NoAnswer",
    "Options",
    "Relation",
    "RowRule",
    "Scalar",
    "Verdict",
    "compare",
    "from_rows",
    "from_table",
    "from_value",
    "parse",
    "python_value",
    "write",
]
