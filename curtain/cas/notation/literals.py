"""Cells for values that the notation cannot say: they compare exactly, and `write` refuses them.

A result of a database may hold infinity, bytes, lists or structures, a string may hold a double quote, and one column
may hold two types. None of that may stop a comparison, so each value gets a cell: a string keeps its quotes, any other
value becomes `{type: value}`, which no text of the notation can be.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from ..notation.cells import common_kind, kind_of, unit_of
from ..notation.dialects import Dialect
from ..values import NIL, Cell

NOT_FINITE = "{float: "
"""How the cells of infinity and NaN begin: a column of numbers may have them, each equal only to itself. So do the
marks that the Comparator puts into rows of their own."""

_EXACT = "{real: "

# A list may contain itself, and would be written for ever.
_DEEPEST = 50


def literal(value: object) -> Cell:
    """The cell of a value that has no notation; equal values have equal cells. Raises nothing."""
    if isinstance(value, float | Decimal):
        # Only what is not finite comes here; a signalling NaN refuses to become a float.
        return f"{{float: {'nan' if isinstance(value, Decimal) and value.is_nan() else float(value)}}}"
    if isinstance(value, bytes | bytearray | memoryview):
        kind = "bytes"
    elif isinstance(value, Sequence) or hasattr(value, "tolist"):
        kind = "list"
    else:
        kind = "dict" if isinstance(value, Mapping) else type(value).__name__
    return f"{{{kind}: {_text(value, 0)}}}"


def _text(value: object, depth: int) -> str:
    if depth > _DEEPEST:
        return "..."
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    # Here, so that whoever only reads and compares answers does not wait for the calendar.
    from datetime import date

    if isinstance(value, date):
        # Arrays hold a list of days as midnights, whether the database had days or times.
        return value.isoformat().removesuffix("T00:00:00")
    if isinstance(value, float | Decimal):
        return str(value)
    if hasattr(value, "tolist"):
        return _text(value.tolist(), depth + 1)
    if isinstance(value, Mapping):
        # Mappings and sets have no order of their own, and equal ones must get equal cells.
        items = sorted((_text(key, depth + 1), _text(item, depth + 1)) for key, item in value.items())
        return f"{{{', '.join(f'{key}: {item}' for key, item in items)}}}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(_text(item, depth + 1) for item in value))}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(_text(item, depth + 1) for item in value)}]"
    try:
        return repr(value)
    except Exception:  # a value of another library may fail in any way; it then equals only itself
        return f"at {id(value):x}"


def problem_with(cells: Sequence[Cell], dialect: Dialect) -> tuple[int, str] | None:
    """The first row of a column that the notation cannot say, from 0, and why; None if it can say all of it."""
    if common_kind(cells, dialect) is not None and not _has_odd_signs("".join(cells), len(cells) - cells.count(NIL)):
        return None
    expected = "NIL"
    for row, cell in enumerate(cells):
        if why := _unsayable(cell, dialect):
            return row, why
        kind = kind_of(cell, dialect)
        if "NIL" not in (kind, expected) and kind != expected:
            return row, f"expected a {expected} as above in this column, found a {kind}"
        expected = kind if expected == "NIL" else expected
    return None


def _has_odd_signs(joined: str, values: int) -> bool:
    """Whether a column that is all strings, or holds none, has a quote inside a string, or a NUL."""
    return "\0" in joined or joined.count('"') not in (0, 2 * values)


def _unsayable(cell: Cell, dialect: Dialect) -> str | None:
    if not dialect.units and unit_of(cell):
        return "a number with a unit cannot be written in this dialect"
    # Only `literal` begins a cell with a brace: no token of the notation does, not even a bare string once it is a
    # cell.
    if cell[0] == "{":
        return _unsayable_literal(*cell[1:-1].split(": ", 1))
    if cell[0] == '"' and '"' in cell[1:-1]:
        return "a string with a double quote cannot be written in an answer"
    if cell[0] == '"' and "\0" in cell:
        return "a string with a NUL character cannot be written in an answer"
    return None


def _unsayable_literal(kind: str, shown: str) -> str:
    if kind == "float":
        return f"{shown} is no number that can be said in an answer"
    if kind == "date":
        return f"the year of {shown} cannot be written with two digits, as CAS 1989 does"
    return f"a value of type {kind} cannot be written in an answer"


def types_among(cells: Sequence[Cell]) -> set[str]:
    """The types in a column, as the first characters of a cell show them; NIL is of any."""
    first = {"-" if cell[0] in "-0123456789" or cell.startswith(NOT_FINITE) else cell[0] for cell in set(cells)}
    return {"T" if one == "F" else one for one in first - {"N"}}


def in_mixed_column(cell: Cell) -> Cell:
    """A cell of a column of several types: there a whole real is its integer, and any other real is equal or not.

    As a literal no part of the comparison takes it for a number with a tolerance; `as_written` shows it again.
    """
    if "." not in cell or cell[0] not in "-0123456789":
        return cell
    return cell[:-2] if cell.endswith(".0") else f"{_EXACT}{cell}}}"


def as_written(cell: Cell) -> str:
    """A cell as a reason shows it."""
    if cell.startswith("{failure: "):
        return f"{cell[len('{failure: ') : -1]}-failure"
    if cell.startswith(f"{NOT_FINITE}["):  # what the numbers of a column measure
        return cell[len(NOT_FINITE) + 1 : -2] or "no unit"
    return cell[len(_EXACT) : -1] if cell.startswith(_EXACT) else cell
