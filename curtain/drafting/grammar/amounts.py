"""Numbers, times and dates in a query, each compared with the column that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curtain.domain.pack.names import split_name

from ..algebra.query import Constant
from ..language.english import Bound, english
from ..language.english import stem as lemma_of
from ..language.recognise import Found
from .evidence import Claims
from .graph import Target
from .sketch import Compare, Times

__all__ = ["Amounts", "turned"]

_NEAR_BEFORE, _NEAR_BEHIND = 7, 3


class Amounts(Claims):
    """Puts what is compared with numbers into the sketch."""

    def _column_near(self, found: Found, kinds: tuple[str, ...], bound: Bound | None) -> Target | None:
        """The column that a number is compared with, by the names around it."""
        first, last = (
            (min(bound.first, found.first), max(bound.last, found.last)) if bound else (found.first, found.last)
        )
        behind = [one for one in self._line.mentions if last <= one.first < last + _NEAR_BEHIND]
        before = [one for one in self._line.mentions if first - _NEAR_BEFORE <= one.first and one.last <= first]
        cut = max((place for place in range(first) if place in self._line.value_at), default=-1)
        before = [one for one in before if one.first > cut]
        years = found.form("#new year") and (bound is None or bound.weak)
        for one in (*behind[:1], *reversed(before)):
            if self.claimed.isdisjoint(range(one.first, one.last)) or one in behind[:1]:
                columns = [
                    target for target in one.columns if not self._graph.is_key(target) or one.targets[target] >= 1
                ]
                if years:
                    columns = [c for c in columns if "year" in c.column or self._graph.kind(c) == "date"]
                target = self.best(columns, one, kinds)
                if (
                    one in behind[:1]
                    and target is not None
                    and any(w in ("and", "or") for w in self._words[last : one.first])
                ):
                    continue
                if target is not None:
                    self.claim(one.first, one.last)
                    return target
        return None

    def read_numbers(self) -> None:
        measures = list(self._line.measures())
        skip: set[int] = set()
        for place, (number, one) in enumerate(measures):
            if number in skip or not self.claimed.isdisjoint(range(one.first, one.last)):
                continue
            pair = measures[place + 1] if place + 1 < len(measures) else None
            if pair and self._is_range(one, pair[1]) and self._compare(number, one, pair):
                skip.add(pair[0])
            else:
                self._compare(number, one, None)

    def _is_range(self, one: Found, other: Found) -> bool:
        between = self._words[one.last : other.first]
        before = self._words[one.first - 1] if one.first else ""
        return between in (["and"], ["to"], ["through"]) and (before in ("between", "from") or between != ["and"])

    def _compare(self, number: int, one: Found, pair: tuple[int, Found] | None) -> bool:
        bound = (
            None
            if pair
            else english().bound_before(self._words, one.first) or english().bound_after(self._words, one.last)
        )
        named = next((m for m in self._line.mentions if m.last == one.first and m.columns), None)
        if named is not None and pair is None and (bound is None or bound.weak):
            # “Over level 20”: the comparison stands before the name.
            over = english().bound_before(self._words, named.first)
            bound = Bound(over.first, one.first, over.op, over.adjective, False) if over and not over.weak else bound
        last = bound.last if bound and bound.last > one.last else one.last
        if pair is None and self._counts(number, one, bound, last):
            return True
        kinds = _kinds_of(one)
        target, op = None, bound.op if bound else "eq"
        if bound and bound.weak and one.form("#new year"):
            op = "eq"
        if bound and bound.adjective:
            measured = self.by_adjective(bound.adjective)
            if measured:
                target = measured[0]
                op = turned(op) if measured[1] < 0 else op
        end = pair[1].last if pair else one.last
        target = target or self.by_unit(end) or self._column_near(one, kinds, bound) or self._only(kinds, one)
        if target is None:
            return False
        for mention in self._line.mentions:
            if 0 <= one.first - mention.last <= 4 and target in mention.targets:
                self.claim(mention.first, mention.last)
        compare = self._as_compare(target, op, one, pair[1] if pair else None)
        if compare is None:
            return False
        if compare.measure == "years" and bound and bound.adjective:
            compare = replace(
                compare, op=bound.op if bound.adjective in ("old", "long", "senior") else turned(bound.op)
            )
        if self.denied_at(bound.first if bound else one.first):
            compare = replace(compare, negated=True)
        self._sketch.conditions.append(compare)
        first = min(bound.first, one.first) if bound else one.first - (1 if pair else 0)
        self.claim(first, pair[1].last if pair else last)
        if end < len(self._words) and self._words[end] in english().units:
            self.claim(end, end + 1)
        self._sketch.values.update({number} | ({pair[0]} if pair else set()))
        return True

    def _counts(self, number: int, one: Found, bound: Bound | None, last: int) -> bool:
        """Whether a number counts rows: “more than 3 rentals”, “at least two dogs”."""
        mention = self._line.next_mention(last)
        if one.form("#number") is None or mention is None or not mention.tables:
            return False
        table = mention.tables[0].table
        column = self.best(mention.columns, mention, ("number",)) if mention.columns else None
        if (
            column is not None
            and mention.targets[column] >= mention.targets[mention.tables[0]]
            and not self._graph.is_key(column)
        ):
            return False
        before = self._words[one.first - 1] if one.first else ""
        if bound is None and before in ("top", "first", "last"):
            return False
        if bound is None and (self._sketch.root == table or one.weak):
            return False
        if table == self._sketch.root and not self._sketch.group and not (bound and not bound.weak):
            return False
        op = bound.op if bound and not bound.weak else "eq"
        self._sketch.conditions.append(Times(table, op, Constant(one.form("#number") or "0", False)))
        self.claim(bound.first if bound else one.first, mention.last)
        self._sketch.values.add(number)
        return True

    def _only(self, kinds: tuple[str, ...], one: Found) -> Target | None:
        """The column of the root that alone can be meant: of dates, of years, of amounts."""
        root = self._sketch.root
        columns = [Target(root, column) for column in self._graph.pack.tables.get(root, ())]
        if one.form("#new year") or one.kind in ("date", "month"):
            dated = [c for c in columns if self._graph.kind(c) == "date" or "year" in c.column]
            if dated:
                return dated[0]
        before = self._line.mention_at(one.first - 1) if one.first else None
        named = [c for c in before.columns if c.table == root] if before else []
        if named:
            return named[0]
        if before and before.tables and before.tables[0].table == root and len(self._graph.key(root)) == 1:
            return Target(root, self._graph.key(root)[0])
        fits = [c for c in columns if self._graph.kind(c) in kinds and self._graph.is_measure(c)]
        if one.kind in ("time", "period"):
            timed = [c for c in columns if "time" in c.column and self._graph.kind(c) in ("number", "time")]
            return timed[0] if timed else None
        priced = [c for c in fits if any(stem in c.column for stem in english().units["dollars"])]
        return fits[0] if len(fits) == 1 else priced[0] if priced else None

    def _as_compare(self, target: Target, op: str, one: Found, other: Found | None) -> Compare | None:
        kind = self._graph.kind(target)
        prefer = self._line.prefers(one.first)
        if kind == "date":
            return _dated(target, op, one, other, self._words[one.last : one.last + 1])
        if one.form("#begin") and "time" in target.column:
            ends = tuple(Constant(one.form(name) or "", False) for name in ("#begin", "#end"))
            return Compare(target, "between" if self._included else "within", ends, prefer=prefer)
        if one.form("#begin") and kind == "time":
            clocks = tuple(Constant(f"{int(one.form(name) or 0) // 100:02d}:00", True) for name in ("#begin", "#end"))
            return Compare(target, "between" if self._included else "within", clocks, prefer=prefer)
        if kind == "time":
            clock = one.form("#clock")
            return Compare(target, op, (Constant(clock, True),), prefer=prefer) if clock else None
        forms = ["#time", "#number"] if "time" in target.column else ["#year", "#number", "#age"]
        if other is not None:
            texts = [next((form for name in forms if (form := each.form(name))), None) for each in (one, other)]
            return (
                None
                if None in texts
                else Compare(target, "between", tuple(Constant(str(t), kind == "text") for t in texts))
            )
        text = next((form for name in forms if (form := one.form(name))), None)
        if text is None:
            return None
        text = self._in_its_unit(text, one.last, target)
        return Compare(target, op, (Constant(text, kind == "text"),), prefer=prefer)

    def _in_its_unit(self, text: str, at: int, target: Target) -> str:
        """A number said in hours or minutes as the column holds it: minutes, seconds or milliseconds."""
        unit = self._words[at] if at < len(self._words) else ""
        seconds = (
            3600 if unit in english().words("clock.hours") else 60 if unit in english().words("clock.minutes") else 0
        )
        held = {"minute": 60.0, "second": 1.0, "millisecond": 0.001, "elapsed": 60.0}
        per = next((size for stem, size in held.items() if stem in map(lemma_of, split_name(target.column))), 0.0)
        if not seconds or not per or not text.replace(".", "", 1).isdigit():
            return text
        return f"{float(text) * seconds / per:.10g}"


def _kinds_of(one: Found) -> tuple[str, ...]:
    if one.kind in ("date", "month", "decade", "relative day"):
        return ("date", "number") if one.form("#year") else ("date",)
    if one.kind in ("time", "period"):
        return ("number", "time") if one.form("#number") is None else ("number", "time", "date")
    if one.form("#new year"):
        return ("number", "date")
    return ("number", "date") if one.form("#number") else ("number",)


def turned(op: str) -> str:
    return {"gt": "lt", "lt": "gt", "gte": "lte", "lte": "gte"}[op]


def _dated(target: Target, op: str, one: Found, other: Found | None, behind: Sequence[str]) -> Compare | None:
    """A comparison with a date; a year, a month or a decade is all its days."""
    day, first, last = one.form("#date"), one.form("#new year"), one.form("#last of year")
    if other is not None:
        ends = (day or first, other.form("#date") or other.form("#last of year"))
        return Compare(target, "between", tuple(Constant(str(e), True) for e in ends)) if all(ends) else None
    if day and one.form("#year"):
        return Compare(target, op, (Constant(day, True),))
    number, month = one.form("#number"), one.form("#month")
    if month and not one.form("#year") and not day:
        return Compare(target, op, (Constant(month, False),), measure="month")
    if number and (not first or behind in (["years"], ["year"])):
        # Whoever is older was born earlier, but the number of years is compared as it is said.
        return Compare(target, op, (Constant(number, False),), measure="years")
    if not first or not last:
        return None
    if op == "eq":
        return Compare(target, "between", (Constant(first, True), Constant(last, True)))
    return Compare(target, op, (Constant(last if op in ("gt", "lte") else first, True),))
