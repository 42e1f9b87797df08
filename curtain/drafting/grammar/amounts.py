"""Numbers, times and dates in a query, each compared with the column that is meant."""

from __future__ import annotations

from dataclasses import replace

from curtain.domain.pack.names import split_name

from ..algebra.query import Constant
from ..language.english import Bound, english, stem
from ..language.recognise import Found
from .evidence import Claims
from .graph import Target
from .sketch import Compare, Times

_NEAR_BEFORE, _NEAR_BEHIND = 7, 3
_TURNED = {"gt": "lt", "lt": "gt", "gte": "lte", "lte": "gte"}
# What columns hold, in seconds.
_HELD = {"minute": 60.0, "second": 1.0, "millisecond": 0.001, "elapsed": 60.0}


def turned(op: str, sign: int = -1) -> str:
    """The operator for the contrary direction, if little of what is measured is meant."""
    return _TURNED[op] if sign < 0 else op


class Amounts(Claims):
    """Puts what is compared with numbers into the sketch."""

    def read_numbers(self) -> None:
        measures = [(number, one) for number, one in self._line.values.items() if one.is_measure]
        skip: set[int] = set()
        for place, (number, one) in enumerate(measures):
            if number in skip or not self._sketch.words.isdisjoint(range(one.first, one.last)):
                continue
            pair = measures[place + 1] if place + 1 < len(measures) else None
            if pair and self._is_range(one, pair[1]) and self._compare(number, one, pair):
                skip.add(pair[0])
            else:
                self._compare(number, one, None)

    def _is_range(self, one: Found, other: Found) -> bool:
        between = self._words[one.last : other.first]
        before = self._line.text(one.first - 1)
        return between in (["and"], ["to"], ["through"]) and (before in ("between", "from") or between != ["and"])

    def _compare(self, number: int, one: Found, pair: tuple[int, Found] | None) -> bool:
        bound = None if pair else self._bound(one)
        last = bound.last if bound and bound.last > one.last else one.last
        if pair is None and self._counts(number, one, bound, last):
            return True
        op = bound.op if bound and not (bound.weak and one.form("#new year")) else "eq"
        target, end = None, pair[1].last if pair else one.last
        measured = self.by_adjective(bound.adjective) if bound and bound.adjective else None
        if measured:
            target, op = measured[0], turned(op, measured[1])
        target = target or self.by_unit(end) or self._column_near(one, _kinds_of(one), bound) or self._only(one)
        if target is None:
            return False
        for mention in self._line.mentions:
            if 0 <= one.first - mention.last <= 4 and target in mention.targets:
                self.claim_name(mention)
        compare = self._as_compare(target, op, one, pair[1] if pair else None)
        if compare is None:
            return False
        if compare.measure == "years" and bound and bound.adjective:
            # Whoever is older was born earlier, but the number of years is compared as it is said.
            compare = replace(compare, op=turned(bound.op, 1 if bound.adjective in ("old", "long", "senior") else -1))
        if self.denied_at(bound.first if bound else one.first):
            compare = replace(compare, negated=True)
        first = min(bound.first, one.first) if bound else one.first - (1 if pair else 0)
        self.add(compare, first, pair[1].last if pair else last)
        if self._line.text(end) in english().units:
            self.claim(end, end + 1)
        self._sketch.values.update({number, pair[0]} if pair else {number})
        return True

    def _bound(self, one: Found) -> Bound | None:
        bound = english().bound_before(self._words, one.first) or english().bound_after(self._words, one.last)
        named = next((m for m in self._line.mentions if m.last == one.first and m.columns), None)
        if named is not None and (bound is None or bound.weak):
            # “Over level 20”: the comparison stands before the name.
            over = english().bound_before(self._words, named.first)
            return replace(over, last=one.first) if over and not over.weak else bound
        return bound

    def _counts(self, number: int, one: Found, bound: Bound | None, last: int) -> bool:
        """Whether a number counts rows: “more than 3 rentals”, “at least two dogs”."""
        mention = self._line.next_mention(last)
        text = one.form("#number")
        if text is None or mention is None or not mention.table:
            return False
        table, root = mention.table, self._sketch.root
        column = self.best(mention.columns, mention, ("number",))
        as_much = column is not None and mention.targets[column] >= mention.targets[Target(table)]
        if column is not None and as_much and not self._graph.is_key(column):
            return False
        if bound is None and (root == table or one.weak or self._line.text(one.first - 1) in ("top", "first", "last")):
            return False
        compares = bound is not None and not bound.weak
        if table == root and not self._sketch.group and not compares:
            return False
        op = bound.op if bound and compares else "eq"
        self.add(Times(table, op, Constant(text)), bound.first if bound else one.first, mention.last)
        self._sketch.values.add(number)
        return True

    def _column_near(self, found: Found, kinds: tuple[str, ...], bound: Bound | None) -> Target | None:
        """The column that a number is compared with, by the names around it."""
        first = min(bound.first, found.first) if bound else found.first
        last = max(bound.last, found.last) if bound else found.last
        behind = [one for one in self._line.mentions if last <= one.first < last + _NEAR_BEHIND][:1]
        if behind and {"and", "or"} & set(self._words[last : behind[0].first]):
            behind = []
        cut = max((place for place in range(first) if place in self._line.value_at), default=-1)
        before = [one for one in self._line.mentions_before(first, _NEAR_BEFORE) if one.first > cut and self.free(one)]
        years = found.form("#new year") and (bound is None or bound.weak)
        for one in (*behind, *before):
            columns = [c for c in one.columns if not self._graph.is_key(c) or one.targets[c] >= 1]
            if years:
                columns = [c for c in columns if self._is_dated(c)]
            target = self.best(columns, one, kinds)
            if target is not None:
                self.claim_name(one)
                return target
        return None

    def _is_dated(self, column: Target) -> bool:
        return "year" in column.column or self._graph.kind(column) == "date"

    def _only(self, one: Found) -> Target | None:
        """The column of the root that alone can be meant: of dates, of years, of amounts."""
        root = self._sketch.root
        columns = [Target(root, column) for column in self._graph.pack.tables.get(root, ())]
        dated = [c for c in columns if self._is_dated(c)]
        if dated and (one.form("#new year") or one.kind in ("date", "month")):
            return dated[0]
        before = self._line.mention_at(one.first - 1)
        named = [c for c in before.columns if c.table == root] if before else []
        if named:
            return named[0]
        if before and before.table == root and len(self._graph.key(root)) == 1:
            return Target(root, self._graph.key(root)[0])
        if one.kind in ("time", "period"):
            timed = (c for c in columns if "time" in c.column and self._graph.kind(c) in ("number", "time"))
            return next(timed, None)
        fits = [c for c in columns if self._graph.kind(c) in _kinds_of(one) and self._graph.is_measure(c)]
        priced = (c for c in fits if any(word in c.column for word in english().units["dollars"]))
        return fits[0] if len(fits) == 1 else next(priced, None)

    def _as_compare(self, target: Target, op: str, one: Found, other: Found | None) -> Compare | None:
        kind = self._graph.kind(target)
        if kind == "date":
            return _dated(target, op, one, other, self._line.text(one.last))
        prefer = self._line.prefers(one.first)
        if one.form("#begin") and ("time" in target.column or kind == "time"):
            ends = [one.form("#begin") or "", one.form("#end") or ""]
            clocks = tuple(
                Constant(f"{int(end) // 100:02d}:00", True) if kind == "time" else Constant(end) for end in ends
            )
            return Compare(target, "between" if self._included else "within", clocks, prefer=prefer)
        if kind == "time":
            clock = one.form("#clock")
            return Compare(target, op, (Constant(clock, True),), prefer=prefer) if clock else None
        forms = ("#time", "#number") if "time" in target.column else ("#year", "#number", "#age")
        values = [each for each in (one, other) if each is not None]
        texts = [next((form for name in forms if (form := each.form(name))), "") for each in values]
        if not all(texts):
            return None
        if other is not None:
            return Compare(target, "between", tuple(Constant(text, kind == "text") for text in texts))
        text = self._in_its_unit(texts[0], one.last, target)
        return Compare(target, op, (Constant(text, kind == "text"),), prefer=prefer)

    def _in_its_unit(self, text: str, at: int, target: Target) -> str:
        """A number said in hours or minutes as the column holds it: minutes, seconds or milliseconds."""
        units = {"clock.hours": 3600, "clock.minutes": 60}
        seconds = next((size for name, size in units.items() if self._line.text(at) in english().words(name)), 0)
        per = next((size for unit, size in _HELD.items() if unit in map(stem, split_name(target.column))), 0.0)
        if not seconds or not per or not text.replace(".", "", 1).isdigit():
            return text
        return f"{float(text) * seconds / per:.10g}"


def _kinds_of(one: Found) -> tuple[str, ...]:
    if one.kind in ("date", "month", "decade", "relative day"):
        return ("date", "number") if one.form("#year") else ("date",)
    if one.kind in ("time", "period"):
        return ("number", "time", "date") if one.form("#number") else ("number", "time")
    return ("number", "date") if one.form("#new year") or one.form("#number") else ("number",)


def _dated(target: Target, op: str, one: Found, other: Found | None, behind: str) -> Compare | None:
    """A comparison with a date; a year, a month or a decade is all its days."""
    day, first, last = one.form("#date"), one.form("#new year"), one.form("#last of year")
    if other is not None:
        ends = (day or first, other.form("#date") or other.form("#last of year"))
        return Compare(target, "between", tuple(Constant(str(e), True) for e in ends)) if all(ends) else None
    if day and one.form("#year"):
        return Compare(target, op, (Constant(day, True),))
    number, month = one.form("#number"), one.form("#month")
    if month and not one.form("#year") and not day:
        return Compare(target, op, (Constant(month),), measure="month")
    if number and (not first or behind in ("years", "year")):
        return Compare(target, op, (Constant(number),), measure="years")
    if not first or not last:
        return None
    if op == "eq":
        return Compare(target, "between", (Constant(first, True), Constant(last, True)))
    return Compare(target, op, (Constant(last if op in ("gt", "lte") else first, True),))
