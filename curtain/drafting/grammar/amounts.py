"""Numbers, times and dates in a query, each compared with the column that is meant."""

from __future__ import annotations

from dataclasses import replace

from curtain.domain.pack.names import split_name

from ..algebra.query import Constant
from ..language.english import Bound, english, stem
from ..language.recognise import Found
from .graph import Target
from .mentions import Line, best, by_adjective, denial, near_tables
from .sketch import Compare, Sketch

_NEAR_BEFORE, _NEAR_BEHIND = 7, 3
_TURNED = {"gt": "lt", "lt": "gt", "gte": "lte", "lte": "gte"}
# What columns hold, in seconds.
_HELD = {"minute": 60.0, "second": 1.0, "millisecond": 0.001, "elapsed": 60.0}


def turned(op: str, sign: int = -1) -> str:
    """The operator for the contrary direction, if little of what is measured is meant."""
    return _TURNED[op] if sign < 0 else op


def read_numbers(line: Line, sketch: Sketch) -> Sketch:
    """“Under 400 dollars”, “between 8 and 10”, “born before 1980”, “more than 3 rentals”."""
    measures = [(number, one) for number, one in line.values.items() if one.is_measure]
    for (number, one), pair in zip(measures, [*measures[1:], None], strict=False):
        if pair and _is_range(line, one, pair[1]):
            sketch = _compared(line, sketch, number, one, pair)
        if number not in sketch.values:
            sketch = _compared(line, sketch, number, one, None)
    return sketch


def _is_range(line: Line, one: Found, other: Found) -> bool:
    between = line.words[one.last : other.first]
    before = line.text(one.first - 1)
    return between in (["and"], ["to"], ["through"]) and (before in ("between", "from") or between != ["and"])


def _compared(line: Line, sketch: Sketch, number: int, one: Found, pair: tuple[int, Found] | None) -> Sketch:
    """With a number, or two, compared with the column that is meant; only names are claimed if there is none."""
    bound = None if pair else _bound(line, one)
    last = bound.last if bound and bound.last > one.last else one.last
    counted = None if pair else _counted(line, sketch, number, one, bound, last)
    if counted:
        return counted
    op = bound.op if bound and not (bound.weak and one.form("#new year")) else "eq"
    target, end = None, pair[1].last if pair else one.last
    measured = by_adjective(line, sketch, bound.adjective) if bound and bound.adjective else None
    if measured:
        target, op = measured[0], turned(op, measured[1])
    target = target or _by_unit(line, sketch, end)
    if target is None:
        target, sketch = _column_near(line, sketch, one, bound)
    compare = _as_compare(line, target, op, one, pair[1] if pair else None) if target else None
    if compare is None:
        target = _only(line, sketch, one)
        compare = _as_compare(line, target, op, one, pair[1] if pair else None) if target else None
    if target is None or compare is None:
        return sketch
    for mention in line.mentions:
        if 0 <= one.first - mention.last <= 4 and target in mention.targets:
            sketch = sketch.claim(*mention.span)
    if compare.measure == "years" and bound and bound.adjective:
        # Whoever is older was born earlier, but the number of years is compared as it is said.
        compare = replace(compare, op=turned(bound.op, 1 if bound.adjective in ("old", "long", "senior") else -1))
    denied = denial(line, bound.first if bound else one.first)
    if denied:
        compare, sketch = replace(compare, negated=True), sketch.claim(*denied)
    first = min(bound.first, one.first) if bound else one.first - (1 if pair else 0)
    sketch = sketch.add(compare, first, pair[1].last if pair else last)
    if line.text(end) in english().units:
        sketch = sketch.claim(end, end + 1)
    return sketch.use(number, pair[0]) if pair else sketch.use(number)


def _bound(line: Line, one: Found) -> Bound | None:
    bound = english().bound_before(line.words, one.first) or english().bound_after(line.words, one.last)
    named = next((m for m in line.mentions if m.last == one.first and m.columns), None)
    if named is not None and (bound is None or bound.weak):
        # “Over level 20”: the comparison stands before the name.
        over = english().bound_before(line.words, named.first)
        return replace(over, last=one.first) if over and not over.weak else bound
    return bound


def _counted(line: Line, sketch: Sketch, number: int, one: Found, bound: Bound | None, last: int) -> Sketch | None:
    """With a number that counts rows: “more than 3 rentals”, “at least two dogs”; None if it counts none."""
    mention = line.next_mention(last)
    text = one.form("#number")
    if text is None or mention is None or not mention.table:
        return None
    table, root = mention.table, sketch.root
    compares = bound is not None and not bound.weak
    if not compares and (table == root or one.weak or line.text(one.first - 1) in ("top", "first", "last")):
        return None
    op = bound.op if bound and compares else "eq"
    times = Compare(Target(table), op, (Constant(text),), measure="count")
    return sketch.add(times, bound.first if bound else one.first, mention.last).use(number)


def _by_unit(line: Line, sketch: Sketch, at: int) -> Target | None:
    """The column that holds amounts of the unit at this place."""
    for table in near_tables(line, sketch):
        for unit in english().units.get(line.text(at), ()):
            for column in line.graph.pack.tables[table]:
                if unit in column.lower() and line.graph.is_measure(Target(table, column)):
                    return Target(table, column)
    return None


def _column_near(line: Line, sketch: Sketch, found: Found, bound: Bound | None) -> tuple[Target | None, Sketch]:
    """The column that a number is compared with, by the names around it; its name is then explained."""
    first = min(bound.first, found.first) if bound else found.first
    last = max(bound.last, found.last) if bound else found.last
    behind = [one for one in line.mentions if last <= one.first < last + _NEAR_BEHIND][:1]
    if behind and {"and", "or"} & set(line.words[last : behind[0].first]):
        behind = []
    cut = max((place for place in range(first) if place in line.value_at), default=-1)
    before = [m for m in line.mentions_before(first, _NEAR_BEFORE) if m.first > cut and sketch.free(*m.span)]
    years = found.form("#new year") and (bound is None or bound.weak)
    for one in (*behind, *before):
        columns = [c for c in one.columns if not line.graph.is_key(c) or one.targets[c] >= 1]
        if years:
            columns = [c for c in columns if _is_dated(line, c)]
        target = best(line, sketch, columns, one, _kinds_of(found))
        if target is not None:
            return target, sketch.claim(*one.span)
    return None, sketch


def _is_dated(line: Line, column: Target) -> bool:
    return "year" in column.column or line.graph.kind(column) == "date"


def _only(line: Line, sketch: Sketch, one: Found) -> Target | None:
    """The column of the root that alone can be meant: of dates, of years, of amounts."""
    root, graph = sketch.root, line.graph
    columns = [Target(root, column) for column in graph.pack.tables.get(root, ())]
    dated = [c for c in columns if _is_dated(line, c)]
    if dated and (one.form("#new year") or one.kind in ("date", "month", "decade", "relative day")):
        return dated[0]
    before = line.mention_at(one.first - 1)
    named = [c for c in before.columns if c.table == root] if before else []
    if named:
        return named[0]
    if before and before.table == root and len(graph.key(root)) == 1:
        return Target(root, graph.key(root)[0])
    if one.kind in ("time", "period"):
        timed = (c for c in columns if "time" in c.column and graph.kind(c) in ("number", "time"))
        return next(timed, None)
    fits = [c for c in columns if graph.kind(c) in _kinds_of(one) and graph.is_measure(c)]
    priced = (c for c in fits if any(word in c.column for word in english().units["dollars"]))
    return fits[0] if len(fits) == 1 else next(priced, None)


def _as_compare(line: Line, target: Target, op: str, one: Found, other: Found | None) -> Compare | None:
    kind = line.graph.kind(target)
    if kind == "date":
        return _dated(target, op, one, other, line.text(one.last))
    prefer, timed = line.prefers(one.first), "time" in target.column or kind == "time"
    forms = ("#clock",) if kind == "time" else ("#time", "#number") if timed else ("#year", "#number")
    values = [each for each in (one, other) if each is not None]
    texts = [next((form for name in forms if (form := each.form(name))), "") for each in values]
    period = [end for name in ("#begin", "#end") if timed and (end := one.form(name))]
    if period:
        texts = [f"{int(end) // 100:02d}:{int(end) % 100:02d}" if kind == "time" else end for end in period]
    if not all(texts):
        return None
    if len(texts) == 1:
        text = _in_its_unit(line, texts[0], one.last, target)
        return Compare(target, op, (Constant(text, kind != "number"),), prefer=prefer)
    # What ends earlier than it begins goes over midnight: it lies not between its end and its beginning.
    over = timed and int(texts[0].replace(":", "")) > int(texts[1].replace(":", ""))
    ends = tuple(Constant(text, kind != "number") for text in (reversed(texts) if over else texts))
    return Compare(target, "between" if (line.included or not period) != over else "within", ends, over, prefer)


def _in_its_unit(line: Line, text: str, at: int, target: Target) -> str:
    """A number said in hours or minutes as the column holds it: minutes, seconds or milliseconds."""
    units = {"clock.hours": 3600, "clock.minutes": 60}
    seconds = next((size for name, size in units.items() if line.text(at) in english().words(name)), 0)
    per = next((size for unit, size in _HELD.items() if unit in map(stem, split_name(target.column))), 0.0)
    if not seconds or not per or not text.replace(".", "", 1).isdigit():
        return text
    return f"{float(text) * seconds / per:.10g}"


def _kinds_of(one: Found) -> tuple[str, ...]:
    if one.kind in ("date", "month", "decade", "relative day", "span"):
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
    weekday = one.form("#weekday")
    if weekday:
        return Compare(target, op, (Constant(weekday, True),), measure="dayname")
    if day and (one.form("#year") or one.kind == "relative day"):
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
