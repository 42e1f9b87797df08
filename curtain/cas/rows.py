"""From rows or columns of Python values to a relation.

A whole column of one ordinary type is written at once; a column with anything else in it goes cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

from .errors import CasError
from .notation.cells import WHITE_SPACE, has_date, number_cell, quoted_cell
from .notation.dialects import Dialect, dialect_named
from .notation.literals import literal, types_among
from .values import FALSE, NIL, TRUE, Cell, Relation, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


def from_rows(rows: Iterable[Sequence[object]], dialect: str = "1992") -> Relation:
    """The relation of rows of int, float, Decimal, str, bool, date, time, datetime or None.

    A float or a Decimal with places is a real, None is NIL, a date is "04-JUL-89" in 1989 and "1989-07-04" later.
    A row may be a mapping: its values count, in the order of the first row's names. Nothing is lost: what the notation
    cannot say (a double quote, infinity, bytes, two types in one column) is kept, compares exactly, and is refused
    only by `write`. Raises CasError, naming the row, for rows of different length or names and for what is no row.
    """
    table = [_row(row, number) for number, row in enumerate(_in_order(rows))]
    _check_widths(table)
    return from_columns(list(zip(*table, strict=True)), dialect)


def from_columns(columns: Sequence[Sequence[object]], dialect: str = "1992") -> Relation:
    """The relation of columns of equal length, as `from_rows` takes rows."""
    rules = dialect_named(dialect)
    if not any(map(len, columns)):
        # Columns without rows are the empty relation: it has no width (001, appendix A).
        return Relation()
    written = [_column(values, rules) for values in columns]
    return Relation(tuple(written), any(map(_mixes_types, columns, written)))


def from_value(value: object, dialect: str = "1992") -> Scalar:
    """The scalar of one Python value, as `from_rows` takes the values of its rows."""
    return Scalar(_written(value, dialect_named(dialect)))


def _in_order(rows: Iterable[object]) -> Iterator[object]:
    """The rows, a mapping as its values in the order of the first one's names; raises CasError for other names."""
    if isinstance(rows, str | bytes | bytearray | Mapping | set | frozenset):
        # Its keys or letters would pass for rows.
        raise CasError(f"A value of type {type(rows).__name__} is no list of rows; `from_table` takes columns by name.")
    names: list[object] | None = None
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping):
            # A mapping may come in another order each time, but a column must stay a column.
            names = list(row) if names is None else names
            if len(row) != len(names) or any(name not in row for name in names):
                raise CasError(f"row {number} has other names than the first row", number)
            yield tuple(row[name] for name in names)
        else:
            yield row


def _row(row: object, number: int) -> Sequence[object]:
    if type(row) in (tuple, list):
        return row  # type: ignore[return-value]  # its type was just asked
    # A text is a sequence of characters and a set has no order: neither can have been meant as a row.
    if isinstance(row, str | bytes | bytearray | set | frozenset) or not isinstance(row, Iterable):
        raise CasError(f"row {number + 1} is a value of type {type(row).__name__}, not a row of values", number + 1)
    return tuple(row)


def _check_widths(table: Sequence[Sequence[object]]) -> None:
    if len(set(map(len, table))) > 1:
        width = len(table[0])
        row, odd = next((row, len(values)) for row, values in enumerate(table) if len(values) != width)
        raise CasError(f"row {row + 1} has {odd} values, the first row has {width}", row + 1, min(odd, width) + 1)
    if table and not table[0]:
        raise CasError("row 1 has no values; a row of an answer has at least one", 1, 1)


def _column(values: Sequence[Any], dialect: Dialect) -> tuple[Cell, ...]:
    types = set(map(type, values))
    if len(types) == 2 and type(None) in types:
        values_given = [value for value in values if value is not None]
        cells = _at_once(values_given, dialect)
        if cells is not None:
            following = iter(cells)
            return tuple([NIL if value is None else next(following) for value in values])
    elif len(types) == 1 and (cells := _at_once(values, dialect)) is not None:
        return tuple(cells)
    return tuple([_written(value, dialect) for value in values])


def _at_once(values: Sequence[Any], dialect: Dialect) -> list[Cell] | None:
    """The cells of values of one type; None if there is anything out of the ordinary."""
    write = _AT_ONCE.get(type(values[0]))
    return write(values, dialect) if write else None


def _strings(values: Sequence[str], dialect: Dialect) -> list[Cell] | None:
    # One look at the joined text is many times quicker than a look at each value.
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
    decimals = [cells[str(value)] for value in values]
    return None if None in decimals else decimals  # type: ignore[return-value]  # no None in it


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


def _mixes_types(values: Sequence[object], cells: Sequence[Cell]) -> bool:
    return len(set(map(type, values))) > 1 and len(types_among(cells)) > 1


def _written(value: object, dialect: Dialect) -> Cell:
    """One cell; a scalar of an array library is taken for the Python value it holds."""
    plain = _plain(value)
    for kind, written in _WRITTEN:
        if isinstance(plain, kind):
            return written(plain, dialect)
    return literal(plain)


def _plain(value: Any) -> object:
    """The Python value in a scalar, an array or an interval of another library; what is missing there is None."""
    kind = type(value)
    if kind.__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "to_pytimedelta"):
        return value.to_pytimedelta()
    if kind.__name__ == "MonthDayNano":
        # As database drivers give an interval: a month of 30 days.
        return timedelta(days=30 * value.months + value.days, microseconds=value.nanoseconds // 1000)
    if not hasattr(value, "tolist"):
        return value
    if getattr(value, "dtype", None) is not None and value.dtype.kind in "mM":
        # In nanoseconds they would come as plain integers.
        value = value.astype(value.dtype.str[:2] + "8[us]") if "ns" in value.dtype.str else value
    plain: object = value.tolist()
    # A float of more digits than Python's stays what it is.
    return float(value) if type(plain).__name__ == "longdouble" else plain


def _string(value: str, dialect: Dialect) -> Cell:
    return f'"{value.strip(WHITE_SPACE)}"' if '"' in value else quoted_cell(f'"{value}"', dialect)


def _number(value: int | float | Decimal, dialect: Dialect) -> Cell:
    # Decimal(0.1) would carry the binary error; repr gives the shortest digits that mean the same float.
    exact = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        return literal(value)
    digits = format(exact, "f")
    if isinstance(value, float) and "." not in digits:
        # 1e22 has no fraction to write, but as a float it stays a real, which has a tolerance.
        digits += "."
    return number_cell(digits) or NIL


def _date(value: date, dialect: Dialect) -> Cell:
    # CAS 1989 writes two digits of the year; a year beyond 1999 has no notation there.
    if not dialect.dates:
        return f'"{value.isoformat()}"'
    if not 1900 <= value.year <= 1999:
        return literal(value)
    return f'"{value.day:02}-{_MONTHS[value.month - 1]}-{value.year % 100:02}"'


# The narrower type comes first: bool is an int, and datetime is a date.
_WRITTEN: tuple[tuple[type | tuple[type, ...], Callable[..., Cell]], ...] = (
    (type(None), lambda value, dialect: NIL),
    (str, _string),
    (bool, lambda value, dialect: TRUE if value else FALSE),
    ((int, float, Decimal), _number),
    ((datetime, time, timedelta, UUID), lambda value, dialect: f'"{value}"'),
    (date, _date),
)
