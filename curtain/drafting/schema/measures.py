"""Which columns a number, date or time of a query may measure, whatever is asked: by kinds, units and words beside it.
Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ..query.ages import AGES, FLIPPED
from ..query.column_words import is_verb, lemma, lemmas, words_in
from .marks import Question
from .numbers import YEARLY, Amount
from .pack_schema import Schema
from .words import JOINS, NEARBY, Mark

__all__ = ["HIRED", "Fit", "Measured"]

_LEAST = 0.02
_TAKEN = 0.1
HIRED = frozenset(lemmas(["hire", "join", "start", "employed"]))
"""Stems in the names of columns that tell since when somebody has been there."""

# “Flight 45” is that of this number; “people in 45” are not.
_APART = words_in("in of is are was were have has")


@dataclass(frozen=True, slots=True)
class Fit:
    """A column that may hold an amount, and the amount as it is meant of that column; how likely (`weight`) that is,
    and the places of words that say so. Of a table that is only reached from what is asked about, `by_words` counts."""

    column: str
    meant: Amount
    weight: float
    by_words: float
    covers: frozenset[int]


class Measured:
    """An amount of a query; what is found out of a table is kept, since many readings of the same query ask for it."""

    def __init__(self, question: Question, schema: Schema, amount: Amount) -> None:
        self.amount = amount
        self._question, self._schema = question, schema
        self._fits: dict[tuple[str, bool], tuple[Fit, ...]] = {}
        self._units = frozenset(lemmas(amount.units))

    @cached_property
    def beside(self) -> tuple[tuple[Mark, int], ...]:
        """Marks near the amount, and how many words lie between that say anything."""
        return tuple(self._marks())

    @cached_property
    def is_a_year(self) -> bool:
        """Whether a number is said with “in” or “before” and can be a year: “degrees in 1975” have no such number."""
        said = self._question.words[max(0, self.amount.first - 1) : self.amount.last]
        return self.amount.kind == "year" and not YEARLY.isdisjoint(said)

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The tables that words beside the amount, or its unit, speak of."""
        spoken = [one.table for mark, _ in self.beside for one in mark.senses if one.column]
        tables = self._schema.tables if self._units else ()
        return tuple(dict.fromkeys([*spoken, *(one for one in tables if self._schema.stems_of(one) & self._units)]))

    def is_told(self, tables: frozenset[str]) -> bool:
        """Whether the word right before a year says what was then, in one of these tables: “hired in 1975”."""
        schema = self._schema
        return any(
            schema.kind(sense.table, sense.column) == "date" or lemma("year") in schema.stems[sense.column]
            for mark, distance in self.beside
            if distance == 0 and mark.last <= self.amount.first
            for sense in mark.senses
            if sense.column and sense.table in tables
        )

    def fits(self, table: str, told: bool) -> tuple[Fit, ...]:
        """The columns of a table that may hold the amount; `told` says that words tell of which year it is."""
        key = table, told and self.is_a_year
        if key not in self._fits:
            self._fits[key] = tuple(self._fitting(table, told))
        return self._fits[key]

    def _marks(self) -> Iterator[tuple[Mark, int]]:
        first, last, words = self.amount.first, self.amount.last, self._question.words
        for mark in self._question.marks:
            behind = mark.first >= last
            if not behind and mark.last > first:
                yield mark, 0
                continue
            between = words[last : mark.first] if behind else words[mark.last : first]
            distance = sum(word not in JOINS for word in between)
            if distance <= NEARBY + 2:
                yield mark, distance + behind

    def _fitting(self, table: str, told: bool) -> Iterator[Fit]:
        aged = self._age_column(table)
        for column in self._schema.tables[table]:
            meant = replace(self.amount, adjective="old") if column == aged else self.amount
            by_words, covers = self._by_words(meant, table, column, told)
            weight = by_words or self._by_kind(meant, table, column)
            share = self._of_key(table, column)
            if weight * share > _LEAST:
                yield Fit(column, meant, weight * share, by_words * share, covers)

    def _of_key(self, table: str, column: str) -> float:
        key = self._schema.is_key(table, column) and not self._is_of_years(column)
        return 0.4 if key and self.amount.op != "=" else 1.0

    def _is_of_years(self, column: str) -> bool:
        return lemma("year") in self._schema.stems[column]

    def _age_column(self, table: str) -> str:
        """The column that tells an age, where the amount may be one and nothing says what is compared: “women over 50”,
        “clerks between 30 and 40” are said of people; else none."""
        amount, schema = self.amount, self._schema
        bare = amount.kind == "number" and not (amount.units or amount.adjective)
        sided = amount.op in FLIPPED or amount.op == "between"
        if not (bare and sided) or table not in schema.people:
            return ""
        years = all(text.isdigit() and int(text) in AGES for text in (amount.low, amount.high) if text)
        column = (schema.measured(table, "old") or ("",))[0]
        return column if years and not self._names_a_column(table) else ""

    def _names_a_column(self, people: str) -> bool:
        """Whether a word right before the amount names a column, or one right behind it a column of numbers, and not
        the people themselves or who stands above them: “phone numbers over 50” are no ages."""
        own = ("", self._schema.bosses.get(people, ""))
        for mark, distance in self.beside:
            named = [(one.table, one.column) for one in mark.senses if one.column]
            if distance == 0 and not any(one.table == people and one.column in own for one in mark.senses):
                before = mark.last <= self.amount.first and people in (table for table, _ in named)
                if before or any(self._schema.kind(*one) == "number" for one in named):
                    return True
        return False

    def _can_hold(self, meant: Amount, table: str, column: str) -> bool:
        kind = self._schema.kind(table, column)
        if meant.kind in ("date", "month", "whole month"):
            return kind == "date"
        if meant.kind in ("time", "period"):
            return kind == "time"
        if meant.kind == "year":
            key = self._schema.is_key(table, column) and not self._is_of_years(column)
            return kind in ("date", "number") and not (key and self.is_a_year)
        return kind == "number" or (kind == "date" and bool({"age", "birth"} & set(meant.units) or meant.adjective))

    def _by_words(self, meant: Amount, table: str, column: str, told: bool) -> tuple[float, frozenset[int]]:
        """How likely a column holds this amount by the words beside it and its unit, and those words."""
        schema = self._schema
        if not self._can_hold(meant, table, column):
            return 0.0, frozenset()
        weight, covers = 0.0, frozenset[int]()
        for mark, distance in self.beside:
            score = self._named(mark, distance, table, column)
            if score > weight:
                weight, covers = score, frozenset(range(mark.first, mark.last))
        if meant.adjective:
            measured = schema.measured(table, meant.adjective)
            weight = max(weight, 0.9 if measured and measured[0] == column else 0.0)
        if self._units & schema.stems[column]:
            weight = max(weight + 0.2, 0.7)
        if meant.served:
            weight = 0.9 if HIRED & schema.stems[column] else 0.0
        if self.is_a_year and self._is_of_years(column) and not told:
            weight = max(weight, 0.9)
        return weight, covers

    def _named(self, mark: Mark, distance: int, table: str, column: str) -> float:
        """How well a word names a column; that of a table also its numbers: “flight 45”."""
        schema, best = self._schema, 0.0
        for sense in mark.senses:
            if sense.table != table:
                continue
            if sense.column == column:
                of_people = mark.senses[0].table in schema.people and not mark.senses[0].column
                named = not (of_people and schema.is_key(table, column) and self._is_apart(mark))
            else:
                number = schema.keys.get(table, ())[:1] == (column,) or column.endswith("number")
                exact = distance == 0 and self.amount.op == "=" and not (self.amount.aged or self.is_a_year)
                named = not sense.column and number and exact and not self._is_apart(mark)
            if named:
                best = max(best, sense.weight * 0.85**distance * (1.1 if column.endswith("number") else 1.0))
        return best * (_TAKEN if self._is_of_another(mark) else 1.0)

    def _is_of_another(self, mark: Mark) -> bool:
        """Whether a word is the unit of another number: “15 gears under 500”, “12 kg under 500”."""
        word = self._question.words[mark.first]
        if is_verb(word) or word.endswith("ing"):
            return False
        others = (one for one in self._question.amounts if one.found != self.amount.found and one.kind == "number")
        return any(one.first <= mark.first <= one.last for one in others)

    def _is_apart(self, mark: Mark) -> bool:
        return not _APART.isdisjoint(self._question.words[mark.last : self.amount.first])

    def _by_kind(self, meant: Amount, table: str, column: str) -> float:
        """How likely a column holds such an amount where no words say so."""
        schema, amount = self._schema, self.amount
        kind = schema.kind(table, column)
        if not self._can_hold(meant, table, column):
            return 0.0
        if schema.is_key(table, column):
            return 0.03 if amount.op == "=" and not self.is_a_year else 0.0
        own = (one for one in schema.tables[table] if schema.kind(table, one) == kind)
        same = [one for one in own if not schema.is_key(table, one)]
        first = 1.0 if same[0] == column else 0.7
        if kind in ("date", "time"):
            return first * (0.4 if len(same) > 1 else 0.6)
        return first * (0.35 if len(same) == 1 else 0.2 if amount.op != "=" else 0.08)
