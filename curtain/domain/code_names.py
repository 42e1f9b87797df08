"""What the codes of a database mean, as its pack says: `DL` is DELTA AIR LINES. Imports no duckdb."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from curtain.base.sql_names import quoted

from .pack.keys import Keys

CodeNames = dict[str, dict[str, str]]
"""For each `table.column` the names of its codes."""

_MOST = 2_000


def code_names(codes: Mapping[str, Any], keys: Keys, rows_of: Callable[[str], Sequence[Sequence[Any]]]) -> CodeNames:
    """The names by columns, those that refer to a column of codes included; `codes` are the pack's, and `rows_of` runs
    a SELECT. A name that is its code again says nothing and is left out."""
    names: CodeNames = {}
    for column, meaning in codes.items():
        table, name = column.split(".")
        pairs: Iterable[Sequence[Any]] = meaning.items() if isinstance(meaning, Mapping) else ()
        if isinstance(meaning, str) and meaning.split(".")[0] == table:
            columns = f"{quoted(name)}, {quoted(meaning.split('.')[1])}"
            pairs = rows_of(f"SELECT {columns} FROM {quoted(table)} LIMIT {_MOST}")
        names[column] = {str(code): str(text) for code, text in pairs if text and str(code) != str(text)}
    for reference in keys.references:
        there = names.get(f"{reference.to_table}.{reference.to_columns[0]}", {})
        if len(reference.columns) == 1 and there:
            names.setdefault(f"{reference.table}.{reference.columns[0]}", there)
    return names


def named_code(code: str, name: str) -> str:
    """A code with its name beside it."""
    return f"{code} ({name})"
