"""From rows or columns of Python values to a relation.

A whole column of one ordinary type is written at once; a column with anything else in it goes cell by cell,
which also finds the place of what cannot be said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal

from .cells import WHITE_SPACE, has_date, kind_of, number_cell, quoted_cell
from .dialects import Dialect, dialect_named
from .errors import CasError
from .values import FALSE, NIL, TRUE, Cell, Relation, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


def from_rows(rows: Iterable[Sequence[object]], dialect: str = "1992") -> Relation:
    """The relation of rows of int, float, Decimal, str, bool, date, time, datetime or None.

    A float or a Decimal with places is a real, None is NIL, a date is "04-JUL-89" in 1989 and "1989-07-04" later.
    Raises CasError naming row and column for what the notation cannot say: a string with a double quote or a NUL,
    infinity, NaN, another type, two types in one column, rows of different length.
    """
    table = rows if isinstance(rows, list | tuple) else list(rows)
    _check_widths(table)
    return from_columns(list(zip(*table, strict=True)), dialect)


def from_columns(columns: Sequence[Sequence[object]], dialect: str = "1992") -> Relation:
    """The relation of columns of equal length, as `from_rows` takes rows."""
    rules = dialect_named(dialect)
    if not any(map(len, columns)):
        return Relation()
    return Relation(tuple(_column(values, index, rules) for index, values in enumerate(columns)))


def from_value(value: object, dialect: str = "1992") -> Scalar:
    """The scalar of one Python value; raises CasError as `from_rows` does."""
    return Scalar(_written(value, dialect_named(dialect), 0, 0))


def _check_widths(table: Sequence[Sequence[object]]) -> None:
    if len(set(map(len, table))) > 1:
        width = len(table[0])
        row, odd = next((row, len(values)) for row, values in enumerate(table) if len(values) != width)
        raise CasError(f"row {row + 1} has {odd} values, the first row has {width}", row + 1, min(odd, width) + 1)
    if table and not table[0]:
        raise CasError("row 1 has no values; a row of an answer has at least one", 1, 1)


def _column(values: Sequence[Any], index: int, dialect: Dialect) -> tuple[Cell, ...]:
    types = set(map(type, values))
    if len(types) == 2 and type(None) in types:
        known = [value for value in values if value is not None]
        cells = _at_once(known, dialect)
        if cells is not None:
            following = iter(cells)
            return tuple([NIL if value is None else next(following) for value in values])
    elif len(types) == 1 and (cells := _at_once(values, dialect)) is not None:
        return tuple(cells)
    return tuple(_cell_by_cell(values, index, dialect))


def _at_once(values: Sequence[Any], dialect: Dialect) -> list[Cell] | None:
    """The cells of values of one type; None if there is anything out of the ordinary."""
    write = _AT_ONCE.get(type(values[0]))
    return write(values, dialect) if write else None


def _strings(values: Sequence[str], dialect: Dialect) -> list[Cell] | None:
    text = "".join(values)
    if '"' in text or "\0" in text:
        return None
    cells = [f'"{value.strip(WHITE_SPACE)}"' for value in values]
    return None if dialect.dates and has_date("".join(cells)) else cells


def _integers(values: Sequence[int], dialect: Dialect) -> list[Cell] | None:
    try:
        return list(map(str, values))
    except ValueError:  # Python's limit on the digits of an int
        return None


def _floats(values: Sequence[float], dialect: Dialect) -> list[Cell] | None:
    cells = list(map(repr, values))
    text = "".join(cells)
    ordinary = "e" not in text and "n" not in text and "-0.0" not in cells  # 1e+22, inf, nan
    return cells if ordinary else None


def _decimals(values: Sequence[Decimal], dialect: Dialect) -> list[Cell] | None:
    cells = {text: number_cell(text) for text in set(map(str, values))}
    found = [cells[str(value)] for value in values]
    return None if None in found else found  # type: ignore[return-value]  # no None in it


def _booleans(values: Sequence[bool], dialect: Dialect) -> list[Cell]:
    return [TRUE if value else FALSE for value in values]


def _nothing(values: Sequence[None], dialect: Dialect) -> list[Cell]:
    return [NIL] * len(values)


_AT_ONCE: dict[type, Callable[..., list[Cell] | None]] = {
    str: _strings,
    int: _integers,
    float: _floats,
    Decimal: _decimals,
    bool: _booleans,
    type(None): _nothing,
}


def _cell_by_cell(values: Sequence[object], index: int, dialect: Dialect) -> list[Cell]:
    cells = [_written(value, dialect, row, index) for row, value in enumerate(values)]
    expected = "NIL"
    for row, cell in enumerate(cells):
        kind = kind_of(cell, dialect)
        if expected == "NIL":
            expected = kind
        elif kind not in ("NIL", expected):
            raise CasError.in_cell(row, index, f"expected a {expected} as above in this column, found a {kind}")
    return cells


def _written(value: object, dialect: Dialect, row: int, index: int) -> Cell:
    """One cell; a scalar of an array library is taken for the Python value it holds."""
    plain = value.item() if hasattr(value, "item") else value
    for kind, written in _WRITTEN:
        if isinstance(plain, kind):
            try:
                return written(plain, dialect)
            except ValueError as error:
                raise CasError.in_cell(row, index, str(error)) from None
    raise CasError.in_cell(row, index, f"a value of type {type(value).__name__} cannot be said in an answer")


def _string(value: str, dialect: Dialect) -> Cell:
    if '"' in value:
        raise ValueError("a string with a double quote cannot be said in an answer")
    if "\0" in value:
        raise ValueError("a string with a NUL character cannot be said in an answer")
    return quoted_cell(f'"{value}"', dialect)


def _number(value: int | float | Decimal, dialect: Dialect) -> Cell:
    exact = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        raise ValueError(f"{value} is no number that can be said in an answer")
    digits = format(exact, "f")
    if isinstance(value, float) and "." not in digits:
        digits += "."
    return number_cell(digits) or NIL


def _date(value: date, dialect: Dialect) -> Cell:
    if not dialect.dates:
        return f'"{value.isoformat()}"'
    if not 1900 <= value.year <= 1999:
        raise ValueError(f"the year of {value.isoformat()} cannot be said with two digits, as CAS 1989 does")
    return f'"{value.day:02}-{_MONTHS[value.month - 1]}-{value.year % 100:02}"'


_WRITTEN: tuple[tuple[type | tuple[type, ...], Callable[..., Cell]], ...] = (
    (type(None), lambda value, dialect: NIL),
    (str, _string),
    (bool, lambda value, dialect: TRUE if value else FALSE),
    ((int, float, Decimal), _number),
    ((datetime, time), lambda value, dialect: f'"{value}"'),
    (date, _date),
)
