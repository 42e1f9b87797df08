"""Counts, averages and other aggregates that a query asks for."""

from __future__ import annotations

from ..language.english import english
from .graph import Target
from .mentions import Mention
from .sketch import Shown
from .subject_table import AskedTable

__all__ = ["Aggregates"]

_AGGREGATES = {"average": "avg", "total": "sum", "maximum": "max", "minimum": "min"}


class Aggregates(AskedTable):
    """Puts aggregates into what is shown."""

    def read_aggregates(self) -> None:
        """“The average and maximum age”, “total price”, “the highest salary”."""
        at = 0
        while at < len(self._words):
            kinds, last = self._aggregates_at(at)
            mention = self._line.next_mention(last) if kinds else None
            if mention is None or at in self._conditions.claimed or self._compares(at):
                at += 1
                continue
            columns = [c for c in mention.columns if self._graph.kind(c) in ("number", "date", "time")]
            target = self._conditions.best([c for c in columns if not self._graph.is_key(c)], mention)
            if target is None:
                at += 1
                continue
            dated = self._graph.kind(target) == "date"
            self._sketch.items += [Shown(target, "avg years" if dated and kind == "avg" else kind) for kind in kinds]
            self.claim(at, mention.last)
            at = self._further(mention.last, kinds)

    def _further(self, at: int, kinds: list[str]) -> int:
        """“The average age and height”: further columns of one aggregate."""
        while self._words[at : at + 1] == ["and"]:
            mention = self._line.mention_at(at + 1)
            fits = [c for c in mention.columns if self._graph.is_measure(c)] if mention else []
            target = self._conditions.best(fits, mention) if mention and len(kinds) == 1 else None
            if target is None or mention is None:
                return at
            self._sketch.items.append(Shown(target, kinds[0]))
            self.claim(at, mention.last)
            at = mention.last
        return at

    def _aggregates_at(self, at: int) -> tuple[list[str], int]:
        kinds: list[str] = []
        last = at
        while last < len(self._words):
            kind, size = self.aggregate_at(last)
            if not kind:
                break
            kinds.append(kind)
            last += size
            joined = last
            while joined < len(self._words) and self._words[joined] in ("and", "the", "as", "well"):
                joined += 1
            if joined > last and self.aggregate_at(joined)[0]:
                last = joined
        return kinds, last

    def aggregate_at(self, at: int) -> tuple[str, int]:
        if at >= len(self._words) or english().phrase_at("asking.count", self._words, at) or self._is_column(at):
            return "", 0
        for name, kind in _AGGREGATES.items():
            size = english().phrase_at(f"asking.{name}", self._words, at)
            if size:
                if kind in ("max", "min") and self._has_thing(at):
                    return "", 0
                return kind, size
        sup = english().superlative(self._words, at)
        if sup and sup[0] == 1 and (not sup[2] or sup[2] in english().generic) and not self._has_thing(at):
            mention = self._line.next_mention(at + 1, frozenset())
            columns = [c for c in mention.columns if self._graph.is_measure(c)] if mention else []
            if (
                mention
                and columns
                and not mention.tables
                and self._words[0] in ("what", "whats", "show", "find", "give", "tell")
            ):
                return ("max" if sup[1] > 0 else "min"), 1
        return "", 0

    def _is_column(self, at: int) -> bool:
        """Whether a word such as “total” is the name of a column of amounts here."""
        one = self._line.mention_at(at)
        columns = [c for c in one.columns if one.targets[c] >= 0.9 and self._graph.is_measure(c)] if one else []
        behind = self._line.next_mention(at + 1)
        other = behind is not None and any(
            self._graph.is_measure(c) and behind.targets[c] >= 0.6 for c in behind.columns
        )
        return bool(columns) and not other

    def _has_thing(self, at: int) -> bool:
        """Whether a thing or a column was named before, so that the most or least is a condition on it."""
        return any(one.last <= at and self.free(one) for one in self._line.mentions)

    def _compares(self, at: int) -> bool:
        """Whether an average is only compared with."""
        bound = english().bound_before(self._words, at)
        return bound is not None and not bound.weak

    def read_counts(self) -> None:
        for at in range(len(self._words)):
            if at in self._conditions.claimed:
                continue
            size = english().phrase_at("asking.count", self._words, at)
            if not size or english().superlative(self._words, at - 1) if at else not size:
                continue
            last, distinct = at + size, False
            while last < len(self._words) and (
                self._words[last] in ("of", "the", "total", "all")
                or english().phrase_at("asking.distinct", self._words, last)
            ):
                distinct = distinct or bool(english().phrase_at("asking.distinct", self._words, last))
                last += 1
            mention = self._line.next_mention(last) or self._behind_value(last)
            if mention is None or not self.free(mention):
                if at <= 3 and not self._sketch.items:
                    self._sketch.items.append(Shown(Target(self._sketch.root), "count"))
                    self.claim(at, at + size)
                continue
            total = "total" in self._words[at:last]
            self._count(at, at + size, mention, distinct, total)

    def _behind_value(self, at: int) -> Mention | None:
        """The name behind a value: “how many red bikes”."""
        while at < len(self._words) and (at in self._line.value_at or self._words[at] in ("or", "and", "not", "non")):
            at += 1
        return self._line.next_mention(at)

    def _count(self, at: int, last: int, mention: Mention, distinct: bool, total: bool) -> None:
        tables = [t.table for t in mention.tables if mention.targets[t] >= 0.5]
        columns = [c for c in mention.columns if mention.targets[c] >= 0.6 and not self._graph.is_key(c)]
        column = self._conditions.best(columns, mention)
        if column is not None and (not tables or (distinct and column.table == self._sketch.root)):
            measure = self._graph.is_measure(column) and not distinct
            item = Shown(column, "sum" if total else "") if measure else Shown(column, "distinct")
        elif tables:
            item = Shown(Target(tables[0]), "count")
        else:
            return
        self._sketch.items.append(item)
        self.claim(at, last)
        self.claim(mention.first, mention.last)
