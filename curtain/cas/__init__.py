"""Answers in the Common Answer Specification: read, write, compare. Pure: no files, no clock."""

from .comparator import compare
from .errors import CasError
from .reading import parse
from .rows import from_rows, from_value
from .values import (
    FALSE,
    NIL,
    NO_ANSWER,
    TRUE,
    Alternatives,
    Answer,
    Cell,
    NoAnswer,
    Relation,
    Scalar,
    python_value,
)
from .verdict import Verdict
from .writing import write

__all__ = [
    "FALSE",
    "NIL",
    "NO_ANSWER",
    "TRUE",
    "Alternatives",
    "Answer",
    "CasError",
    "Cell",
    "NoAnswer",
    "Relation",
    "Scalar",
    "Verdict",
    "compare",
    "from_rows",
    "from_value",
    "parse",
    "python_value",
    "write",
]
