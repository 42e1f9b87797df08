"""The most and the least in a query, and what is compared with an average."""

from __future__ import annotations

from ..language.english import english
from .amounts import turned
from .evidence import Claims
from .graph import Target
from .sketch import Average, Extreme, Most, Ranked, Shown

__all__ = ["Extremes"]


class Extremes(Claims):
    """Puts superlatives and averages into the sketch."""

    def read_averages(self) -> None:
        """“Above the average price”, “heavier than average”."""
        for at, word in enumerate(self._words):
            if word not in ("average", "mean"):
                continue
            bound = english().bound_before(self._words, at)
            if bound is None or bound.op not in ("gt", "lt", "gte", "lte") or bound.weak:
                continue
            mention = self._line.next_mention(at + 1)
            target = self.best(mention.columns, mention, ("number",)) if mention else None
            op = bound.op
            measured = self.by_adjective(bound.adjective) if bound.adjective else None
            if measured and (target is None or target == measured[0]):
                target, op = measured[0], turned(op) if measured[1] < 0 else op
            before = [one for one in self._line.mentions if bound.first - 4 <= one.first and one.last <= bound.first]
            for one in reversed(before):
                target = target or self.best([c for c in one.columns if self._graph.is_measure(c)], one)
            if target is not None:
                self._sketch.conditions.append(Average(target, op))
                for one in before[-1:]:
                    if target in one.targets:
                        self.claim(one.first, one.last)
                self.claim(bound.first, mention.last if mention and target in mention.targets else at + 1)

    def read_superlatives(self) -> None:
        at = 0
        while at < len(self._words):
            sup = english().superlative(self._words, at) or self._last(at)
            if sup is None or (at in self._line.value_at and not self._line._weak(at)) or at in self.claimed:
                at += 1
                continue
            size, sign, adjective = sup
            self._superlative(at, size, sign, adjective)
            at += size

    def _last(self, at: int) -> tuple[int, int, str] | None:
        """“Hired last”, “leaves first”: the greatest or least of what was named before."""
        sign = {"last": 1, "first": -1, "latest": 1, "earliest": -1}.get(self._words[at], 0)
        if sign and self._words[at + 1 : at + 2] in (["one"], ["ones"]):
            return 1, sign, "late" if sign > 0 else "early"
        before = next((one for one in self._line.mentions if one.last == at), None)
        dated = before is not None and any(
            self._graph.kind(c) in ("date", "time") or "time" in c.column for c in before.columns
        )
        return (1, sign, "") if sign and dated else None

    def _superlative(self, at: int, size: int, sign: int, adjective: str) -> None:
        limit, last = self._limit(at, at + size)
        words = self._words[last : last + 1]
        if words and words[0] in english().words("popular.words"):
            self._popular(at, last, sign, limit)
            return
        if words == ["number"] and self._words[last + 1 : last + 2] == ["of"]:
            last += 2
        aggregate = {"average": "avg", "mean": "avg", "total": "sum"}.get(words[0] if words else "")
        mention = self._line.next_mention(last + (1 if aggregate else 0), frozenset({"of", "the", "total", "number"}))
        if (
            aggregate
            and mention
            and (column := self.best([c for c in mention.columns if self._graph.is_measure(c)], mention))
        ):
            self._sketch.conditions.append(Ranked(Shown(column, aggregate), sign, limit))
            self.claim(at, mention.last)
            return
        own = self._line.mention_at(at)
        if own is not None and adjective and own.columns and (said := self.best(own.columns, own)):
            self._add_extreme(said, sign * self._sign(adjective), limit, at, last)
            return
        specific = bool(adjective) and adjective not in english().generic
        if mention is not None and not specific:
            columns = [c for c in mention.columns if self._graph.kind(c) in ("number", "date", "time")]
            column = self.best(
                [c for c in columns if self._graph.is_measure(c) or self._graph.kind(c) != "number"], mention
            )
            table = next((t.table for t in mention.tables), "")
            if column is not None and not (table and mention.targets[Target(table)] >= mention.targets[column]):
                self._add_extreme(column, sign, limit, at, mention.last)
                return
            if table and table != self._sketch.root and not (adjective and self._graph.measured(table, adjective)):
                self._sketch.conditions.append(Most(table, sign, limit))
                self.claim(at, mention.last)
                return
        tables = [mention.tables[0].table] if mention and mention.tables else []
        for table in (*tables, self._sketch.root):
            measured = self._graph.measured(table, adjective) if adjective and table else None
            if measured:
                self._add_extreme(Target(table, measured[0]), measured[1], limit, at, last)
                return
        if not adjective and (mention is None or not mention.columns):
            before = [one for one in self._line.mentions if at - 4 <= one.first and one.last <= at]
            for one in reversed(before):
                column = self.best([c for c in one.columns if self._is_amount(c)], one)
                if column is not None:
                    self._add_extreme(column, sign, limit, one.first, last)
                    return
        measured_near = self.by_adjective(adjective) if adjective and self._sketch.root else None
        if measured_near:
            self._add_extreme(measured_near[0], measured_near[1], limit, at, last)

    @staticmethod
    def _sign(adjective: str) -> int:
        """Whether much or little of what it mostly measures is meant."""
        return english().adjectives[adjective][0][1]

    def _is_amount(self, target: Target) -> bool:
        kind = self._graph.kind(target)
        return kind in ("date", "time") or self._graph.is_measure(target)

    def _popular(self, at: int, last: int, sign: int, limit: int) -> None:
        behind = self._line.next_mention(last + 1, frozenset({"among", "of", "in", "the", "all", "for"}))
        table = next((t.table for t in behind.tables), "") if behind else ""
        self._sketch.conditions.append(Most(table or self._sketch.root, sign, limit))
        self.claim(at, behind.last if behind and table else last + 1)

    def _add_extreme(self, target: Target, sign: int, limit: int, first: int, last: int) -> None:
        self._sketch.conditions.append(Extreme(target, sign, limit))
        self.claim(first, last)

    def _limit(self, at: int, last: int) -> tuple[int, int]:
        """How many are asked for beside a superlative: “the 3 cheapest”, “top five”; and where the words end."""
        for place, behind in ((at - 1, False), (last, True)):
            number = self._line.value_at.get(place)
            text = self._line.values[number].form("#number") if number is not None else None
            if text and text.isdigit() and 0 < int(text) <= 100:
                self._sketch.values.add(number or 0)
                one = self._line.values[number or 0]
                self.claim(one.first, one.last)
                return int(text), one.last if behind else last
        return self._counted_before(at), last

    def _counted_before(self, at: int) -> int:
        """“The five students with the highest grade”: how many are asked for before a superlative."""
        for number, one in self._line.values.items():
            mention = self._line.mention_at(one.last)
            text = one.form("#number")
            about = mention is not None and any(t.table == self._sketch.root for t in mention.tables)
            if about and text and text.isdigit() and one.last < at and one.first <= 2 and 1 < int(text) <= 100:
                self._sketch.values.add(number)
                self.claim(one.first, one.last)
                return int(text)
        return 1
