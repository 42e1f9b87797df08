"""What a statement is made of, as far as the rules of a domain ask; plain values, without a parser."""

import msgspec


class OutputColumn(msgspec.Struct, frozen=True, kw_only=True):
    """One column of the result: the column `table.name` that it is or is made of, or an empty text."""

    column: str = ""
    computed: bool = False


class ColumnBound(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on a column: `column operator value`; BETWEEN is two of them. The value as it is written."""

    column: str
    operator: str
    value: str


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """`columns` are all that the statement names, as `table.name`; `counted` says that its rows stand for many;
    `arithmetic` are the operators and functions with which it computes. `ordered` and `limited` count nested SELECTs,
    too; `cut_anyhow` says that a LIMIT has no ORDER BY to say which rows it keeps, `judged` that each of its rows says
    yes or no of itself."""

    tables: list[str] = []
    columns: list[str] = []
    shown: list[OutputColumn] = []
    bounds: list[ColumnBound] = []
    arithmetic: list[str] = []
    counted: bool = False
    ordered: bool = False
    limited: bool = False
    cut_anyhow: bool = False
    judged: bool = False
