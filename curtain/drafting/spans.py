"""Numbers that cannot be meant of a column: 1985 is a year, and nobody's salary where all are above 10,000; 200 dollars
are no flight number."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from .column_words import UNITS, lemma
from .pack_schema import Schema
from .statements import Column, Hole, Part, Statement, Sub, table_of

__all__ = ["Spans", "spans_of"]

_MONEY = frozenset(map(lemma, (*UNITS["dollars"], "refund", "revenue", "budget", "tax", "bonus", "earnings")))
_EARLIEST, _LATEST = 1800, 2100
_COMPARES = re.compile(r"\s*(<>|[<>]=?|=|(NOT )?BETWEEN|AND|(NOT )?IN \(|,)\s*")


@dataclass(frozen=True)
class Spans:
    """The least and the greatest value of each column of numbers, by `table.column`, years themselves left out; and the
    columns that hold sums of money."""

    ends: Mapping[str, tuple[float, float]]
    money: frozenset[str] = frozenset()

    def misread(self, statement: Statement, prices: Collection[str] = ()) -> bool:
        """Whether a year is compared with a column of which all numbers are of another size, or one of these sums of
        money with one that holds none."""
        pairs = list(_compared(statement))
        mispriced = any(hole.text in prices and _name(column) not in self.money for column, hole in pairs)
        return (mispriced and bool(self.money)) or any(self._beyond(column, hole) for column, hole in pairs)

    def _beyond(self, column: Column, hole: Hole) -> bool:
        ends = self.ends.get(_name(column))
        is_year = hole.text.isdigit() and _EARLIEST <= int(hole.text) <= _LATEST
        return ends is not None and is_year and not ends[0] <= int(hole.text) <= ends[1]


def spans_of(schema: Schema, db_path: Path) -> Spans:
    """Looks them up; raises duckdb.Error if the database cannot be read."""
    found: dict[str, tuple[float, float]] = {}
    money: set[str] = set()
    with duckdb.connect(str(db_path), read_only=True) as database:
        for table, columns in schema.tables.items():
            numbers = [column for column in columns if schema.kind(table, column) == "number"]
            if numbers:
                listed = ", ".join(f'min("{one}"), max("{one}")' for one in numbers)
                row = database.execute(f'SELECT {listed} FROM "{table}"').fetchone() or ()
                money |= {
                    f"{table}.{one}" for one in numbers if _MONEY & schema.stems[one] and not schema.is_key(table, one)
                }
                for column, low, high in zip(numbers, row[::2], row[1::2], strict=True):
                    if low is not None and not _EARLIEST <= low <= high <= _LATEST:
                        found[f"{table}.{column}"] = float(low), float(high)
    return Spans(found, frozenset(money))


def _name(column: Column) -> str:
    return f"{table_of(column.node)}.{column.name}"


def _compared(statement: Statement) -> Iterator[tuple[Column, Hole]]:
    for clause in statement.clauses:
        yield from _in(clause.parts)


def _in(parts: tuple[Part, ...]) -> Iterator[tuple[Column, Hole]]:
    """Each column with the literals that it is compared with as it is: a twelfth of it is another matter."""
    column: Column | None = None
    for part in parts:
        if isinstance(part, Column):
            column = part
        elif isinstance(part, Hole):
            if column is not None:
                yield column, part
        elif isinstance(part, Sub):
            yield from _compared(part.statement)
        elif not _COMPARES.fullmatch(part):
            column = None
