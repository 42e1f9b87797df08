"""Columns that are never compared alone, such as the year of a date without its month."""

from __future__ import annotations

from collections import Counter

from ..algebra.query import Statement, literals_of

__all__ = ["Company"]

_OFTEN = 20
_ALWAYS = 0.95


class Company:
    """Which columns of a table answered statements always compare together."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._beside: dict[str, Counter[str]] = {}

    def add(self, query: Statement) -> None:
        """One more answered statement."""
        columns = {column for column, _ in literals_of(query)}
        self._seen.update(columns)
        for column in columns:
            table = column.partition(".")[0]
            self._beside.setdefault(column, Counter()).update(
                other for other in columns if other != column and other.partition(".")[0] == table
            )

    def lacks(self, query: Statement) -> bool:
        """Whether a column of the statement lacks one that it always has beside it."""
        columns = {column for column, _ in literals_of(query)}
        return any(
            many >= _ALWAYS * self._seen[column] and other not in columns
            for column in columns
            if self._seen[column] >= _OFTEN
            for other, many in self._beside[column].items()
        )
