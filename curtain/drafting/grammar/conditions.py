"""The conditions in a query: values, numbers with comparisons, the most and the least, what is denied."""

from __future__ import annotations

from collections.abc import Iterator

from ..algebra.query import Constant
from ..language.english import english
from .amounts import Amounts
from .extremes import Extremes
from .named_values import NamedValues
from .sketch import Absent, Compare


class Conditions(Extremes, Amounts, NamedValues):
    """Finds the conditions of one query and puts them into the sketch."""

    def read_conditions(self) -> None:
        self.read_averages()
        self.read_superlatives()
        self.read_numbers()
        self.read_values()
        at = 0
        while at < len(self._words):
            size = 0
            if at not in self._sketch.words:
                size = self._line.phrase("asking.none", at) or english().negated(self._words, at)
            if size:
                self._deny(at, at + size)
            at += size or 1

    def _deny(self, at: int, last: int) -> None:
        """“Shops without bikes”, “customers who have no email”, “bikes that were never rented”."""
        mention = self._line.next_mention(last, english().words("asking.behind_none"))
        if mention is None:
            return
        root = self._sketch.root
        own = [c for c in mention.columns if c.table == root and c.column not in self._graph.key(root)]
        table = next((table for table in mention.tables if table != root), "")
        near = set(self._graph.neighbours(root)) - {root}
        if table:
            self.add(Absent(table, tuple(self._inside(table))), at, mention.last)
        elif own and self._graph.is_measure(own[0]):
            self.add(Compare(own[0], "eq", (Constant("0"),)), at, mention.last)
        elif own:
            self.add(Compare(own[0], "null"), at, mention.last)
        elif others := [c.table for c in mention.columns if c.table in near]:
            self.add(Absent(others[0]), at, mention.last)

    def _inside(self, table: str) -> Iterator[Compare]:
        """The conditions that are said of the rows that are not there."""
        for one in list(self._sketch.conditions):
            if isinstance(one, Compare) and one.target.table == table:
                self._sketch.conditions.remove(one)
                yield Compare(one.target, one.op, one.literals, False, one.prefer)
