"""The most and the least in a query, what is compared with an average, and what is absent."""

from __future__ import annotations

from dataclasses import replace

from ..algebra.query import Constant
from ..language.english import english
from .amounts import turned
from .graph import Target
from .mentions import Line, best, best_measure, by_adjective
from .sketch import Compare, Extreme, Related, Shown, Sketch

_LAST = {"last": 1, "first": -1, "latest": 1, "earliest": -1}
_AGGREGATES = {"average": "avg", "mean": "avg", "total": "sum"}
_MOST_ASKED = 100


def read_averages(line: Line, sketch: Sketch) -> Sketch:
    """“Above the average price”, “heavier than average”."""
    for at, word in enumerate(line.words):
        bound = english().bound_before(line.words, at) if word in ("average", "mean") else None
        if bound is None or bound.op in ("eq", "neq") or bound.weak:
            continue
        mention = line.next_mention(at + 1)
        target = best(line, sketch, mention.columns, mention, ("number",)) if mention else None
        op = bound.op
        measured = by_adjective(line, sketch, bound.adjective) if bound.adjective else None
        if measured and target in (None, measured[0]):
            target, op = measured[0], turned(op, measured[1])
        before = line.mentions_before(bound.first)
        for one in before:
            target = target or best_measure(line, sketch, one)
        if target is not None:
            last = mention.last if mention and target in mention.targets else at + 1
            sketch = sketch.add(Compare(target, op, measure="average"), bound.first, last)
            if before and target in before[0].targets:
                sketch = sketch.claim(*before[0].span)
    return sketch


def read_superlatives(line: Line, sketch: Sketch) -> Sketch:
    """“The 3 cheapest bikes”, “the shop with the most rentals”, “hired last”."""
    at = 0
    while at < len(line.words):
        sup = english().superlative(line.words, at) or _last(line, at)
        valued = at in line.value_at and not line.is_weak(at)
        if sup and not valued and at not in sketch.words:
            sketch = _superlative(line, sketch, at, *sup)
            at += sup[0]
        else:
            at += 1
    return sketch


def _last(line: Line, at: int) -> tuple[int, int, str] | None:
    """“Hired last”, “leaves first”: the greatest or least of what was named before."""
    sign = _LAST.get(line.words[at], 0)
    columns = [c for one in line.mentions if one.last == at for c in one.columns]
    dated = any(line.graph.kind(c) in ("date", "time") or "time" in c.column for c in columns)
    return (1, sign, "") if sign and dated else None


def _superlative(line: Line, sketch: Sketch, at: int, size: int, sign: int, adjective: str) -> Sketch:
    limit, last, sketch = _limit(line, sketch, at, at + size)
    if line.text(last) in english().words("popular.words"):
        return _popular(line, sketch, at, last, sign, limit)
    aggregate = _AGGREGATES.get(line.text(last), "")
    mention = line.next_mention(last + bool(aggregate), frozenset({"of", "the", "total", "number"}))
    column = best_measure(line, sketch, mention) if aggregate else None
    if column and mention:
        return sketch.add(Extreme(Shown(column, aggregate), sign, limit), at, mention.last)
    if mention is not None and (not adjective or adjective in english().generic):
        column = best(line, sketch, [c for c in mention.columns if _is_amount(line, c)], mention)
        table = mention.table
        if column is not None and not (table and mention.targets[Target(table)] >= mention.targets[column]):
            return sketch.add(Extreme(Shown(column), sign, limit), at, mention.last)
        if table and table != sketch.root and not (adjective and line.graph.measured(table, adjective)):
            return sketch.add(Extreme(Shown(Target(table), "count"), sign, limit), at, mention.last)
    if adjective:
        measured = by_adjective(line, sketch, adjective)
        return sketch.add(Extreme(Shown(measured[0]), sign * measured[1], limit), at, last) if measured else sketch
    if mention is None or not mention.columns:
        for one in line.mentions_before(at):
            column = best(line, sketch, [c for c in one.columns if _is_amount(line, c)], one)
            if column is not None:
                return sketch.add(Extreme(Shown(column), sign, limit), one.first, last)
    return sketch


def _is_amount(line: Line, target: Target) -> bool:
    return line.graph.kind(target) in ("date", "time") or line.graph.is_measure(target)


def _popular(line: Line, sketch: Sketch, at: int, last: int, sign: int, limit: int) -> Sketch:
    behind = line.next_mention(last + 1, frozenset({"among", "of", "in", "the", "all", "for"}))
    table = behind.table if behind else ""
    item = Shown(Target(table or sketch.root), "count")
    return sketch.add(Extreme(item, sign, limit), at, behind.last if behind and table else last + 1)


def _limit(line: Line, sketch: Sketch, at: int, last: int) -> tuple[int, int, Sketch]:
    """How many are asked for beside a superlative: “the 3 cheapest”, “top five”; and where the words end."""
    for place, behind in ((at - 1, False), (last, True)):
        number = line.value_at.get(place)
        limit = _how_many(line, number) if number is not None else 0
        if number is not None and limit:
            return limit, line.values[number].last if behind else last, _use(line, sketch, number)
    for number, one in line.values.items():
        # “The five students with the highest grade”.
        mention = line.mention_at(one.last)
        if mention and sketch.root in mention.tables and one.first <= 2 and one.last < at:
            limit = _how_many(line, number)
            return limit or 1, last, _use(line, sketch, number) if limit else sketch
    return 1, last, sketch


def _how_many(line: Line, number: int) -> int:
    """The number that a value says, if it can say how many are asked for, else 0."""
    text = line.values[number].form("#number") or ""
    return int(text) if text.isdigit() and 0 < int(text) <= _MOST_ASKED else 0


def _use(line: Line, sketch: Sketch, number: int) -> Sketch:
    one = line.values[number]
    return sketch.claim(one.first, one.last).use(number)


def read_absences(line: Line, sketch: Sketch) -> Sketch:
    """“Shops without bikes”, “customers who have no email”, “bikes that were never rented”."""
    at = 0
    while at < len(line.words):
        size = 0
        if at not in sketch.words:
            size = line.phrase("asking.none", at) or english().negated(line.words, at)
        if size:
            sketch = _absent(line, sketch, at, at + size)
        at += size or 1
    return sketch


def _absent(line: Line, sketch: Sketch, at: int, last: int) -> Sketch:
    mention = line.next_mention(last, english().words("asking.behind_none"))
    if mention is None:
        return sketch
    root = sketch.root
    own = [c for c in mention.columns if c.table == root and c.column not in line.graph.key(root)]
    table = next((table for table in mention.tables if table != root), "")
    near = set(line.graph.neighbours(root)) - {root}
    if table:
        # The conditions on its rows are said of the rows that are not there.
        inside = [c for c in sketch.conditions if isinstance(c, Compare) and c.target.table == table]
        sketch = replace(sketch, conditions=tuple(c for c in sketch.conditions if c not in inside))
        plain = (Compare(c.target, c.op, c.literals, False, c.prefer) for c in inside)
        return sketch.add(Related(table, True, tuple(plain)), at, mention.last)
    if own and line.graph.is_measure(own[0]):
        return sketch.add(Compare(own[0], "eq", (Constant("0"),)), at, mention.last)
    if own:
        return sketch.add(Compare(own[0], "null"), at, mention.last)
    others = [c.table for c in mention.columns if c.table in near]
    return sketch.add(Related(others[0], True), at, mention.last) if others else sketch
