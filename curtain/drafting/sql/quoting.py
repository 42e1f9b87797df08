"""Names of tables and columns as SQL needs them."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["quoted"]

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


@lru_cache(maxsize=4096)
def quoted(name: str) -> str:
    """The name, in quotes where it would be taken for something else."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) and name.lower() not in _RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'
