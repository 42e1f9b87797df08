"""The conditions in a query: values, numbers with comparisons, the most and the least, what is denied."""

from __future__ import annotations

from collections.abc import Iterator

from ..algebra.query import Constant
from ..language.english import english
from .amounts import Amounts
from .extremes import Extremes
from .mentions import Mention
from .named_values import NamedValues
from .sketch import Absent, Compare

__all__ = ["Conditions"]


class Conditions(Extremes, Amounts, NamedValues):
    """Finds the conditions of one query and puts them into a sketch. `flips` chooses other meanings of values."""

    def find(self) -> None:
        """All of them."""
        self.read_averages()
        self.read_superlatives()
        self.read_numbers()
        self.read_values()
        self._denied()

    def _denied(self) -> None:
        """“Shops without bikes”, “customers who have no email”, “bikes that were never rented”."""
        at = 0
        while at < len(self._words):
            size = 0 if at in self.claimed else english().phrase_at("asking.none", self._words, at)
            if size == 0 and at not in self.claimed and english().negated(self._words, at):
                size = 1
            if size:
                self._deny(at, at + size)
            at += size or 1

    def _deny(self, at: int, last: int) -> None:
        passed = frozenset({"any", "a", "an", "the", "have", "been", "had", "yet", "some", "in", "to", "for", "by"})
        mention = self._line.next_mention(last, passed | {"made", "placed", "bought", "got", "participate", "belong"})
        if mention is None:
            return
        root = self._sketch.root
        own = [
            target for target in mention.columns if target.table == root and target.column not in self._graph.key(root)
        ]
        tables = [target.table for target in mention.tables if target.table != root]
        others = [
            target.table
            for target in mention.columns
            if target.table != root and target.table in set(self._graph.neighbours(root))
        ]
        if tables:
            self._sketch.conditions.append(Absent(tables[0], tuple(self._inside(mention, tables[0]))))
        elif own and self._graph.is_measure(own[0]):
            self._sketch.conditions.append(Compare(own[0], "eq", (Constant("0", False),)))
        elif own:
            self._sketch.conditions.append(Compare(own[0], "null"))
        elif others:
            self._sketch.conditions.append(Absent(others[0]))
        else:
            return
        self.claim(at, mention.last)

    def _inside(self, mention: Mention, table: str) -> Iterator[Compare]:
        """The conditions that are said of the rows that are not there."""
        for one in list(self._sketch.conditions):
            if isinstance(one, Compare) and one.target.table == table:
                self._sketch.conditions.remove(one)
                yield Compare(one.target, one.op, one.literals, False, one.prefer)
