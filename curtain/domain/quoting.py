"""Names of tables and columns as SQL needs them."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["quoted", "sql_name"]

# DuckDB's reserved words, as duckdb_keywords() lists them.
_RESERVED = frozenset(
    re.findall(
        r"\w+",
        """
        all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
        default deferrable desc describe distinct do else end except false fetch for foreign from group having in
        initially intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer
        pivot_wider placing primary qualify references returning select show some summarize symmetric table then to
        trailing true union unique unpivot using variadic when where window with
        """,
    )
)


def quoted(name: str) -> str:
    """A name as SQL writes it, whatever it is and whichever database reads it."""
    return '"' + name.replace('"', '""') + '"'


@lru_cache(maxsize=4096)
def sql_name(name: str) -> str:
    """A name in a statement that a person reads: in quotes only where DuckDB would take it for something else."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) and name.lower() not in _RESERVED
    return name if plain else quoted(name)
