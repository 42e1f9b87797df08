"""From other libraries' tables to a relation, without importing any of them: they are known by what they can do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time

from .errors import CasError
from .rows import from_columns, from_rows
from .values import Relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def from_table(table: Any, dialect: str = "1992") -> Relation:
    """The relation of a pandas, Arrow or polars table, of a DuckDB result or a database cursor, or of rows.

    Rows may be mappings, as dictionary cursors give them; a mapping of names to columns is a table by columns.
    Column names and a pandas index are no part of an answer; what pandas counts as missing is NIL.
    A column of floats that are all whole, in a pandas table or an array, holds integers: both libraries turn them so.
    Raises CasError as `from_rows` does, and for anything that is no table.
    """
    # By what a table can do, not by its class: none of these libraries is imported or needed.
    if hasattr(table, "itertuples") and hasattr(table, "isna"):
        return from_columns(_pandas_columns(table), dialect)
    if hasattr(table, "read_all"):
        table = table.read_all()
    if hasattr(table, "to_pydict") and hasattr(table, "columns"):
        return from_columns([column.to_pylist() for column in table.columns], dialect)
    if hasattr(table, "fetchall"):
        return from_rows(table.fetchall(), dialect)
    if callable(getattr(table, "rows", None)):
        return from_rows(table.rows(), dialect)
    names = getattr(getattr(table, "dtype", None), "names", None)
    if names:
        table = {name: table[name] for name in names}
    if isinstance(table, Mapping):
        return from_columns(_columns_of(table), dialect)
    if isinstance(table, str | bytes | bytearray | set | frozenset) or not isinstance(table, Iterable):
        raise CasError(f"A value of type {type(table).__name__} is no table that can become an answer.")
    return from_rows(table, dialect)


def _columns_of(table: Mapping[Any, Any]) -> list[list[object]]:
    columns = []
    for name, values in table.items():
        if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Iterable):
            raise CasError(f"The column “{name}” is a value of type {type(values).__name__}, not a list of values.")
        columns.append(_array_column(values) if hasattr(values, "tolist") else list(values))
    if len(set(map(len, columns))) > 1:
        sizes = ", ".join(f"“{name}” has {len(column)}" for name, column in zip(table, columns, strict=True))
        raise CasError(f"The columns of a table are equally long, but of these {sizes} values.")
    return columns


def _pandas_columns(table: Any) -> list[Sequence[object]]:
    # By position: two columns of a join may share a name, and pandas then gives both for it.
    return [_pandas_column(table.iloc[:, index]) for index in range(table.shape[1])]


def _pandas_column(column: Any) -> list[object]:
    missing = column.isna().tolist()
    values = [None if absent else value for value, absent in zip(column.tolist(), missing, strict=True)]
    return _undone(values, getattr(column.dtype, "kind", ""))


def _array_column(column: Any) -> list[object]:
    """The values of an array; what a mask hides, or pandas misses, is None."""
    if hasattr(column, "isna"):
        return _pandas_column(column)
    kind = getattr(getattr(column, "dtype", None), "kind", "")
    if kind in "mM" and kind and hasattr(column, "astype"):
        # In nanoseconds they would come as plain integers.
        column = column.astype(f"{kind}8[us]")
    return _undone(column.tolist(), kind)


def _undone(values: list[Any], kind: str) -> list[object]:
    """The values of a column of arrays as the database had them.

    Arrays of floats hold integers with a gap and large sums too: as reals, the ids 100001 and 100002 would be within
    the tolerance of one another. Arrays of times hold dates, each with a time of midnight.
    """
    given = [value for value in values if value is not None]
    if kind == "f" and all(float(value).is_integer() for value in given):
        return [None if value is None else int(value) for value in values]
    if kind == "O":
        # Beside strings and other objects, NaN stands for what is missing.
        return [None if isinstance(value, float) and value != value else value for value in values]
    if kind == "M" and all(isinstance(one, datetime) and one.time() == time() and not one.tzinfo for one in given):
        return [None if value is None else value.date() for value in values]
    return values
