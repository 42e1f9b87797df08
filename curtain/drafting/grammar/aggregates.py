"""Counts, averages and other aggregates that a query asks for."""

from __future__ import annotations

from ..language.english import english
from .extremes import Conditions
from .graph import Target
from .mentions import Mention
from .sketch import Shown

_AGGREGATES = {"average": "avg", "total": "sum", "maximum": "max", "minimum": "min"}
_JOINING = ("and", "the", "as", "well")


class Aggregates(Conditions):
    """Puts aggregates into what is shown."""

    def read_aggregates(self) -> None:
        """“The average and maximum age”, “total price”, “the highest salary”."""
        at = 0
        while at < len(self._words):
            kinds, last = self._aggregates_at(at)
            mention = self._line.next_mention(last) if kinds else None
            target, bound = None, english().bound_before(self._words, at)
            # “Above the average price” only compares.
            if mention and at not in self._sketch.words and (bound is None or bound.weak):
                kept = [c for c in mention.columns if self._graph.kind(c) in ("number", "date", "time")]
                target = self.best([c for c in kept if not self._graph.is_key(c)], mention)
            if mention is None or target is None:
                at += 1
                continue
            dated = self._graph.kind(target) == "date"
            self._sketch.items += [Shown(target, "avg years" if dated and kind == "avg" else kind) for kind in kinds]
            self.claim(at, mention.last)
            at = mention.last

    def _aggregates_at(self, at: int) -> tuple[list[str], int]:
        kinds: list[str] = []
        place = at
        while (found := self.aggregate_at(place))[0]:
            kinds.append(found[0])
            at = place = place + found[1]
            while self._line.text(place) in _JOINING:
                place += 1
        return kinds, at

    def aggregate_at(self, at: int) -> tuple[str, int]:
        """The aggregate that is said here and how many words say it; none: empty and 0."""
        if at >= len(self._words) or self._line.phrase("asking.count", at) or self._is_column(at):
            return "", 0
        for name, kind in _AGGREGATES.items():
            size = self._line.phrase(f"asking.{name}", at)
            if size:
                return ("", 0) if kind in ("max", "min") and self._has_thing(at) else (kind, size)
        sup = english().superlative(self._words, at)
        if sup and sup[0] == 1 and (not sup[2] or sup[2] in english().generic) and not self._has_thing(at):
            mention = self._line.next_mention(at + 1)
            asked = self._words[0] in english().words("asking.for_a_number")
            if asked and self.best_measure(mention) and mention and not mention.tables:
                return ("max" if sup[1] > 0 else "min"), 1
        return "", 0

    def _is_column(self, at: int) -> bool:
        """Whether a word such as “total” is the name of a column of amounts here."""
        one, behind = self._line.mention_at(at), self._line.next_mention(at + 1)
        own = one is not None and any(one.targets[c] >= 0.9 and self._graph.is_measure(c) for c in one.columns)
        other = behind and any(self._graph.is_measure(c) and behind.targets[c] >= 0.6 for c in behind.columns)
        return own and not other

    def _has_thing(self, at: int) -> bool:
        """Whether a thing or a column was named before, so that the most or least is a condition on it."""
        return any(one.last <= at and self.free(one) for one in self._line.mentions)

    def read_counts(self) -> None:
        for at in range(len(self._words)):
            size = self._line.phrase("asking.count", at)
            if at in self._sketch.words or not size or (at and english().superlative(self._words, at - 1)):
                continue
            last, distinct = at + size, False
            while self._line.text(last) in ("of", "the", "total", "all") or self._line.phrase("asking.distinct", last):
                distinct = distinct or bool(self._line.phrase("asking.distinct", last))
                last += 1
            mention = self._line.next_mention(last) or self._behind_value(last)
            if mention is not None and self.free(mention):
                self._count(at, mention, distinct, "total" in self._words[at:last])
            elif at <= 3 and not self._sketch.items:
                self.show(Shown(Target(self._sketch.root), "count"), at, at + size)

    def _behind_value(self, at: int) -> Mention | None:
        """The name behind a value: “how many red bikes”."""
        while at in self._line.value_at or self._line.text(at) in ("or", "and", "not", "non"):
            at += 1
        return self._line.next_mention(at)

    def _count(self, at: int, mention: Mention, distinct: bool, total: bool) -> None:
        table = next((table for table in mention.tables if mention.targets[Target(table)] >= 0.5), "")
        columns = [c for c in mention.columns if mention.targets[c] >= 0.6 and not self._graph.is_key(c)]
        column = self.best(columns, mention)
        if column is not None and (not table or (distinct and column.table == self._sketch.root)):
            measure = self._graph.is_measure(column) and not distinct
            item = Shown(column, ("sum" if total else "") if measure else "distinct")
        elif table:
            item = Shown(Target(table), "count")
        else:
            return
        self.show(item, at, at + self._line.phrase("asking.count", at))
        self.claim_name(mention)
