"""From other libraries' tables to a relation, without importing any of them: they are known by what they can do."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import CasError
from .rows import from_columns, from_rows
from .values import Relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def from_table(table: Any, dialect: str = "1992") -> Relation:
    """The relation of a pandas, Arrow or polars table, of a DuckDB result or a database cursor, or of rows.

    Column names and a pandas index are no part of an answer; what pandas counts as missing is NIL.
    Raises CasError as `from_rows` does, and for anything that is no table.
    """
    if hasattr(table, "itertuples") and hasattr(table, "isna"):
        return from_columns(_pandas_columns(table), dialect)
    if hasattr(table, "to_pydict") and hasattr(table, "columns"):
        return from_columns([column.to_pylist() for column in table.columns], dialect)
    if hasattr(table, "fetchall"):
        return from_rows(table.fetchall(), dialect)
    if callable(getattr(table, "rows", None)):
        return from_rows(table.rows(), dialect)
    try:
        rows = [tuple(row) for row in table]
    except TypeError:
        raise CasError(f"A value of type {type(table).__name__} is no table that can become an answer.") from None
    return from_rows(rows, dialect)


def _pandas_columns(table: Any) -> list[Sequence[object]]:
    return [_pandas_column(table.iloc[:, index]) for index in range(table.shape[1])]


def _pandas_column(column: Any) -> list[object]:
    missing = column.isna().tolist()
    return [None if absent else value for value, absent in zip(column.tolist(), missing, strict=True)]
