"""From other libraries' tables to a relation, without importing any of them: they are known by what they can do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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
    Raises CasError as `from_rows` does, and for anything that is no table.
    """
    # By what a table can do, not by its class: none of these libraries is imported or needed.
    if hasattr(table, "itertuples") and hasattr(table, "isna"):
        return from_columns(_pandas_columns(table), dialect)
    if hasattr(table, "to_pydict") and hasattr(table, "columns"):
        return from_columns([column.to_pylist() for column in table.columns], dialect)
    if hasattr(table, "fetchall"):
        return from_rows(table.fetchall(), dialect)
    if callable(getattr(table, "rows", None)):
        return from_rows(table.rows(), dialect)
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
        columns.append(list(values))
    if len(set(map(len, columns))) > 1:
        sizes = ", ".join(f"“{name}” has {len(column)}" for name, column in zip(table, columns, strict=True))
        raise CasError(f"The columns of a table are equally long, but of these {sizes} values.")
    return columns


def _pandas_columns(table: Any) -> list[Sequence[object]]:
    # By position: two columns of a join may share a name, and pandas then gives both for it.
    return [_pandas_column(table.iloc[:, index]) for index in range(table.shape[1])]


def _pandas_column(column: Any) -> list[object]:
    missing, values = column.isna().tolist(), column.tolist()
    if any(missing) and _were_integers(column.dtype, [v for v, gone in zip(values, missing, strict=True) if not gone]):
        values = [value if gone else int(value) for value, gone in zip(values, missing, strict=True)]
    return [None if absent else value for value, absent in zip(values, missing, strict=True)]


def _were_integers(dtype: Any, values: Sequence[float]) -> bool:
    """Whether a column of floats holds whole numbers only: pandas turns integers with a gap into floats.

    As reals, the ids 100001 and 100002 would be within the tolerance of one another.
    """
    return getattr(dtype, "kind", "") == "f" and all(float(value).is_integer() for value in values)
