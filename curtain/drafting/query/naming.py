"""Words of a question that name tables and columns, or ask for the most or the least, against what a statement does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["Names", "asks_for", "names_in", "stem"]

_MOST = frozenset(
    [
        "most",
        "largest",
        "biggest",
        "highest",
        "longest",
        "greatest",
        "maximum",
        "max",
        "latest",
        "last",
        "tallest",
        "oldest",
        "top",
        "best",
        "heaviest",
        "fastest",
    ]
)
_LEAST = frozenset(
    [
        "least",
        "smallest",
        "lowest",
        "shortest",
        "fewest",
        "minimum",
        "min",
        "earliest",
        "first",
        "cheapest",
        "youngest",
        "slowest",
        "lightest",
        "soonest",
    ]
)
_DULL = frozenset(
    ["code", "name", "number", "id", "type", "to", "from", "of", "info", "date", "day", "time", "description"]
)

Names = frozenset[str]


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without its plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=16384)
def names_in(text: str) -> Names:
    """The words in names of tables and columns."""
    return frozenset(stem(word) for word in re.findall(r"[a-z]+", text.lower()) if word not in _DULL)


def asks_for(words: Iterable[str]) -> tuple[bool, bool]:
    """Whether words ask for the most, and whether for the least."""
    own = set(words)
    return bool(own & _MOST), bool(own & _LEAST)


def gives(sql_key: str) -> tuple[bool, bool]:
    """Whether a statement looks for a greatest, and whether for a least value."""
    return "MAX(" in sql_key or " DESC" in sql_key, "MIN(" in sql_key or " ASC" in sql_key
