"""Values that cannot be meant of a column: 1985 is a year, and nobody's salary where all are above 10,000; 200 dollars
are no flight number; the code of an aircraft is no type of aircraft."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import duckdb

from curtain.base.sql_names import quoted

from ..learned.memory import Role
from ..query.clock_words import EARLIEST_YEAR, LATEST_YEAR, is_year
from ..query.column_words import UNITS, lemma
from ..query.recognise import Found
from ..schema.pack_schema import Schema
from ..sql.align import unquoted
from ..sql.edits import bounded
from ..sql.statements import Clause, Column, Hole, Part, Statement, Sub, table_of

__all__ = ["Holdings", "holdings_of"]

_MONEY = frozenset(map(lemma, (*UNITS["dollars"], "refund", "revenue", "budget", "tax", "bonus", "earnings")))
_SHORTEST = 1000
_MOST_NAMES = 5000
_NUMBER = re.compile(r"\d+(\.\d+)?")
_SECONDS = frozenset(["second", "seconds", "sec", "secs"])
_NO_UNITS: Mapping[str, str] = {}
_SIDED = frozenset(["<", "<=", ">", ">=", "between"])
_COMPARES = re.compile(r"\s*(<>|[<>]=?|=|(NOT )?BETWEEN|AND|(NOT )?IN \(|,)\s*")

_IS_VALUE = re.compile(r"(\S+)\.(\w+) = <(\w+\.\w+)>")


@dataclass(frozen=True)
class Holdings:
    """What columns hold, by `table.column`: the least and the greatest value of those of numbers, years themselves left
    out; those that hold sums of money, and those that may hold numbers of a unit (“minutes”); all names in those of
    text. `holders` are the columns that hold a name, `years` those whose numbers are all years."""

    ends: Mapping[str, tuple[float, float]]
    money: frozenset[str]
    measures: Mapping[str, frozenset[str]]
    names: Mapping[str, frozenset[str]]
    holders: Mapping[str, tuple[str, ...]]
    years: frozenset[str] = frozenset()

    def misread(self, statement: Statement, prices: Collection[str] = (), units: Mapping[str, str] = _NO_UNITS) -> bool:
        """Whether a year is compared with a column of which all numbers are of another size, or 75 with one of years;
        one of these sums of money or numbers of a unit with a column that holds none; or a name with one that holds
        names of another kind."""
        pairs = [(_name(column), hole) for column, hole in _compared(statement)]
        mispriced = any(hole.text in prices and column not in self.money for column, hole in pairs)
        return (
            (mispriced and bool(self.money))
            or any(
                self._beyond(column, hole)
                or self._elsewhere(column, hole.text)
                or self._unmeasured(column, hole, units)
                for column, hole in pairs
            )
            or self._cut_short(statement, pairs)
        )

    def _cut_short(self, statement: Statement, pairs: Sequence[tuple[str, Hole]]) -> bool:
        """Whether a number that can be no year stands for one: 75 is not 1975."""
        years = [*(hole.text for column, hole in pairs if column in self.years), *_years_of_dates(statement)]
        return any(_NUMBER.fullmatch(text) and float(text) < _SHORTEST for text in years)

    def _unmeasured(self, column: str, hole: Hole, units: Mapping[str, str]) -> bool:
        measures = self.measures.get(units.get(hole.text, ""), frozenset())
        return bool(measures) and column not in measures

    def outside(self, clauses: Sequence[Clause], named: Collection[str]) -> bool:
        """Whether a number is less or greater than all of the column that it is compared with, and that is not one of
        the columns `named` by the query: nobody asks for levels above 50,000."""
        pairs = _compared(Statement("", (), tuple(clauses)))
        return any(column.name not in named and self._is_off(_name(column), hole.text) for column, hole in pairs)

    def far_off(self, statement: Statement, named: Collection[str], told: Collection[str]) -> bool:
        """Whether a statement asks for more or less than a number that is outside, as `outside` has it; of numbers that
        are `told` to be money or the like, words say enough. That words name what is averaged does not say that they
        compare it: “the average salary of people over 50”."""
        bounds = (bounded(clause) for clause in statement.clauses)
        worked_out = {part for part in statement.head if isinstance(part, Column)} if _works_out(statement) else set()
        sided = [
            one
            for one in bounds
            if one and one.op in _SIDED and (one.column.name not in named or one.column in worked_out)
        ]
        return any(
            all(self._is_off(_name(one.column), text) and text not in told for text in one.values) for one in sided
        )

    def _is_off(self, column: str, text: str) -> bool:
        if not _NUMBER.fullmatch(text):
            return False
        if column in self.years:
            return not EARLIEST_YEAR <= float(text) <= LATEST_YEAR
        low, high = self.ends.get(column, (float(text), float(text)))
        return not low <= float(text) <= high

    def in_its_unit(self, statement: Statement, lasting: Mapping[str, int]) -> Statement:
        """The statement with these numbers, each of so many minutes, in the unit of a column: in seconds if it is
        called so, else hours as minutes, where all its numbers are greater than the hours, and not all are greater than
        so many minutes."""

        def put(column: Column | None, hole: Hole) -> Hole:
            if column is None or hole.text not in lasting:
                return hole
            minutes = lasting[hole.text] * float(hole.text)
            if _SECONDS & {*column.name.split("_")}:
                return replace(hole, text=f"{60 * minutes:g}")
            ends = self.ends.get(_name(column))
            fits = ends is not None and float(hole.text) < ends[0] <= minutes
            return replace(hole, text=f"{minutes:g}") if fits else hole

        return replace(statement, clauses=tuple(Clause(_mapped(clause.parts, put)) for clause in statement.clauses))

    def suits(self, role: Role, value: Found) -> bool:
        """Whether a value can do this: a code is not compared with a column of names."""
        return not any(
            self._elsewhere(column, f"'{text}'")
            for name in role
            for column, form in _crossing(name)
            if (text := value.form(form)) is not None
        )

    def _beyond(self, column: str, hole: Hole) -> bool:
        ends = self.ends.get(column)
        return ends is not None and is_year(hole.text) and not ends[0] <= int(hole.text) <= ends[1]

    def _elsewhere(self, column: str, literal: str) -> bool:
        """Whether this column does not hold the name, and those that do have little in common with it: that no flight
        goes to a city is an answer."""
        name = unquoted(literal).upper()
        own, holders = self.names.get(column), self.holders.get(name)
        if not own or not holders or name in own or not literal.startswith("'"):
            return False
        return all(2 * len(own & self.names[other]) < len(own) for other in holders)


def holdings_of(schema: Schema, db_path: Path) -> Holdings:
    """Looks them up; raises duckdb.Error if the database cannot be read."""
    with duckdb.connect(str(db_path), read_only=True) as database:
        ends, money, years = _numbers(schema, database)
        names = dict(_names(schema, database))
    holders: dict[str, list[str]] = {}
    for column, own in names.items():
        for name in own:
            holders.setdefault(name, []).append(column)
    places = {name: tuple(columns) for name, columns in holders.items()}
    return Holdings(ends, money, _measures(schema), names, places, years)


def _numbers(
    schema: Schema, database: duckdb.DuckDBPyConnection
) -> tuple[dict[str, tuple[float, float]], frozenset[str], frozenset[str]]:
    found: dict[str, tuple[float, float]] = {}
    years: set[str] = set()
    money: set[str] = set()
    for table, columns in schema.tables.items():
        numbers = [column for column in columns if schema.kind(table, column) == "number"]
        if numbers:
            listed = ", ".join(f"min({quoted(one)}), max({quoted(one)})" for one in numbers)
            row = database.execute(f"SELECT {listed} FROM {quoted(table)}").fetchone() or ()
            money |= {
                f"{table}.{one}" for one in numbers if _MONEY & schema.stems[one] and not schema.is_key(table, one)
            }
            for column, low, high in zip(numbers, row[::2], row[1::2], strict=True):
                if low is not None and EARLIEST_YEAR <= low <= high <= LATEST_YEAR:
                    years.add(f"{table}.{column}")
                elif low is not None:
                    found[f"{table}.{column}"] = float(low), float(high)
    return found, frozenset(money), frozenset(years)


def _measures(schema: Schema) -> dict[str, frozenset[str]]:
    """For each unit the columns of numbers whose names go with it, keys left out."""
    columns = [
        (f"{table}.{one}", schema.stems[one])
        for table, own in schema.tables.items()
        for one in own
        if schema.kind(table, one) in ("number", "time") and not schema.is_key(table, one)
    ]
    wanted = {unit: frozenset(map(lemma, said)) for unit, said in UNITS.items()}
    return {unit: frozenset(name for name, stems in columns if stems & own) for unit, own in wanted.items()}


def _names(schema: Schema, database: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, frozenset[str]]]:
    """The names in each column of text that has not too many, in capitals."""
    for table, columns in schema.tables.items():
        for column in columns:
            if schema.kind(table, column) == "text":
                rows = database.execute(
                    f"SELECT DISTINCT upper({quoted(column)}::VARCHAR) FROM {quoted(table)} "
                    f"WHERE {quoted(column)} IS NOT NULL LIMIT {_MOST_NAMES + 1}"
                ).fetchall()
                if len(rows) <= _MOST_NAMES:
                    yield f"{table}.{column}", frozenset(name for (name,) in rows)


@cache
def _crossing(name: str) -> tuple[tuple[str, str], ...]:
    """In the name of a condition each column that is compared with the spelling of a value of another one."""
    pairs = ((f"{table_of(node)}.{column}", form) for node, column, form in _IS_VALUE.findall(name))
    return tuple((column, form) for column, form in pairs if column != form)


def _years_of_dates(statement: Statement) -> Iterator[str]:
    """What the years of dates are compared with: “YEAR(hire_date) = 75”."""
    for clause in statement.clauses:
        for opening, _, sign, hole in zip(*(clause.parts[n:] for n in range(4)), strict=False):
            if isinstance(sign, str) and sign.startswith(")") and isinstance(hole, Hole) and opening == "YEAR(":
                yield hole.text


def _works_out(statement: Statement) -> bool:
    return statement.head[:1] in (("AVG(",), ("SUM(",))


def _name(column: Column) -> str:
    return f"{table_of(column.node)}.{column.name}"


def _compared(statement: Statement) -> Iterator[tuple[Column, Hole]]:
    """Each column with the literals that it is compared with as it is: a twelfth of it is another matter."""
    found: list[tuple[Column, Hole]] = []

    def note(column: Column | None, hole: Hole) -> Hole:
        if column is not None:
            found.append((column, hole))
        return hole

    for clause in statement.clauses:
        _mapped(clause.parts, note)
    return iter(found)


def _mapped(parts: tuple[Part, ...], put: Callable[[Column | None, Hole], Hole]) -> tuple[Part, ...]:
    """The parts with each literal changed, which is handed over with the column that it is compared with as it is."""
    column: Column | None = None
    out: list[Part] = []
    for part in parts:
        if isinstance(part, Column):
            column = part
        elif isinstance(part, Hole):
            part = put(column, part)
        elif isinstance(part, Sub):
            inner = part.statement
            part = Sub(replace(inner, clauses=tuple(Clause(_mapped(one.parts, put)) for one in inner.clauses)))
        elif not _COMPARES.fullmatch(part):
            column = None
        out.append(part)
    return tuple(out)
