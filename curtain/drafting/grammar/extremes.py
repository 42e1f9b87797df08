"""The most and the least in a query, what is compared with an average, what is denied; and all conditions together."""

from __future__ import annotations

from collections.abc import Iterator

from ..algebra.query import Constant
from ..language.english import english
from .amounts import Amounts, turned
from .evidence import Claims
from .graph import Target
from .named_values import NamedValues
from .sketch import Compare, Extreme, Ranked, Related, Shown

_LAST = {"last": 1, "first": -1, "latest": 1, "earliest": -1}
_AGGREGATES = {"average": "avg", "mean": "avg", "total": "sum"}
_MOST_ASKED = 100


class Extremes(Claims):
    """Puts superlatives and averages into the sketch."""

    def read_averages(self) -> None:
        """“Above the average price”, “heavier than average”."""
        for at, word in enumerate(self._words):
            bound = english().bound_before(self._words, at) if word in ("average", "mean") else None
            if bound is None or bound.op in ("eq", "neq") or bound.weak:
                continue
            mention = self._line.next_mention(at + 1)
            target = self.best(mention.columns, mention, ("number",)) if mention else None
            op = bound.op
            measured = self.by_adjective(bound.adjective) if bound.adjective else None
            if measured and target in (None, measured[0]):
                target, op = measured[0], turned(op, measured[1])
            before = self._line.mentions_before(bound.first)
            for one in before:
                target = target or self.best_measure(one)
            if target is not None:
                last = mention.last if mention and target in mention.targets else at + 1
                self.add(Compare(target, op, measure="average"), bound.first, last)
                if before and target in before[0].targets:
                    self.claim_name(before[0])

    def read_superlatives(self) -> None:
        at = 0
        while at < len(self._words):
            sup = english().superlative(self._words, at) or self._last(at)
            valued = at in self._line.value_at and not self._line.is_weak(at)
            if sup and not valued and at not in self._sketch.words:
                self._superlative(at, *sup)
                at += sup[0]
            else:
                at += 1

    def _last(self, at: int) -> tuple[int, int, str] | None:
        """“Hired last”, “leaves first”: the greatest or least of what was named before."""
        sign = _LAST.get(self._words[at], 0)
        if sign and self._line.text(at + 1) in ("one", "ones"):
            return 1, sign, "late" if sign > 0 else "early"
        columns = [c for one in self._line.mentions if one.last == at for c in one.columns]
        dated = any(self._graph.kind(c) in ("date", "time") or "time" in c.column for c in columns)
        return (1, sign, "") if sign and dated else None

    def _superlative(self, at: int, size: int, sign: int, adjective: str) -> None:
        limit, last = self._limit(at, at + size)
        if self._line.text(last) in english().words("popular.words"):
            self._popular(at, last, sign, limit)
            return
        aggregate = _AGGREGATES.get(self._line.text(last), "")
        mention = self._line.next_mention(last + bool(aggregate), frozenset({"of", "the", "total", "number"}))
        column = self.best_measure(mention) if aggregate else None
        if column and mention:
            self.add(Ranked(Shown(column, aggregate), sign, limit), at, mention.last)
            return
        own = self._line.mention_at(at)
        if own is not None and adjective and own.columns and (meant := self.best(own.columns, own)):
            # Whether much or little of what it mostly measures is meant.
            self.add(Extreme(meant, sign * english().adjectives[adjective][0][1], limit), at, last)
            return
        if mention is not None and (not adjective or adjective in english().generic):
            column = self.best([c for c in mention.columns if self._is_amount(c)], mention)
            table = mention.table
            if column is not None and not (table and mention.targets[Target(table)] >= mention.targets[column]):
                self.add(Extreme(column, sign, limit), at, mention.last)
                return
            if table and table != self._sketch.root and not (adjective and self._graph.measured(table, adjective)):
                self.add(Ranked(Shown(Target(table), "count"), sign, limit), at, mention.last)
                return
        if adjective:
            near = self._graph.measured(mention.table, adjective) if mention and mention.table else None
            measured = (Target(mention.table, near[0]), near[1]) if mention and near else self.by_adjective(adjective)
            if measured:
                self.add(Extreme(*measured, limit), at, last)
        elif mention is None or not mention.columns:
            for one in self._line.mentions_before(at):
                column = self.best([c for c in one.columns if self._is_amount(c)], one)
                if column is not None:
                    self.add(Extreme(column, sign, limit), one.first, last)
                    return

    def _is_amount(self, target: Target) -> bool:
        return self._graph.kind(target) in ("date", "time") or self._graph.is_measure(target)

    def _popular(self, at: int, last: int, sign: int, limit: int) -> None:
        behind = self._line.next_mention(last + 1, frozenset({"among", "of", "in", "the", "all", "for"}))
        table = behind.table if behind else ""
        item = Shown(Target(table or self._sketch.root), "count")
        self.add(Ranked(item, sign, limit), at, behind.last if behind and table else last + 1)

    def _limit(self, at: int, last: int) -> tuple[int, int]:
        """How many are asked for beside a superlative: “the 3 cheapest”, “top five”; and where the words end."""
        for place, behind in ((at - 1, False), (last, True)):
            number = self._line.value_at.get(place)
            limit = self._taken(number) if number is not None else 0
            if number is not None and limit:
                return limit, self._line.values[number].last if behind else last
        for number, one in self._line.values.items():
            # “The five students with the highest grade”.
            mention = self._line.mention_at(one.last)
            if mention and self._sketch.root in mention.tables and one.first <= 2 and one.last < at:
                return self._taken(number) or 1, last
        return 1, last

    def _taken(self, number: int) -> int:
        """The number that a value says, if it can say how many are asked for."""
        one = self._line.values[number]
        text = one.form("#number") or ""
        if not text.isdigit() or not 0 < int(text) <= _MOST_ASKED:
            return 0
        self._sketch.values.add(number)
        self.claim(one.first, one.last)
        return int(text)


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
            self.add(Related(table, True, tuple(self._inside(table))), at, mention.last)
        elif own and self._graph.is_measure(own[0]):
            self.add(Compare(own[0], "eq", (Constant("0"),)), at, mention.last)
        elif own:
            self.add(Compare(own[0], "null"), at, mention.last)
        elif others := [c.table for c in mention.columns if c.table in near]:
            self.add(Related(others[0], True), at, mention.last)

    def _inside(self, table: str) -> Iterator[Compare]:
        """The conditions that are said of the rows that are not there."""
        for one in list(self._sketch.conditions):
            if isinstance(one, Compare) and one.target.table == table:
                self._sketch.conditions.remove(one)
                yield Compare(one.target, one.op, one.literals, False, one.prefer)
