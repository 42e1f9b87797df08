"""Counts, averages and other aggregates that a query asks for."""

from __future__ import annotations

from dataclasses import replace

from ..language.english import english
from .graph import Target
from .mentions import Line, Mention, best, best_measure
from .sketch import Shown, Sketch

_AGGREGATES = {"average": "avg", "total": "sum", "maximum": "max", "minimum": "min"}


def read_aggregates(line: Line, sketch: Sketch) -> Sketch:
    """“The average age”, “total price”, “the highest salary”."""
    for at in range(len(line.words)):
        kind, size = ("", 0) if at in sketch.words else aggregate_at(line, sketch, at)
        mention = line.next_mention(at + size) if size else None
        bound = english().bound_before(line.words, at)
        # “Above the average price” only compares.
        if mention and (bound is None or bound.weak):
            kept = [c for c in mention.columns if line.graph.kind(c) in ("number", "date", "time")]
            target = best(line, sketch, [c for c in kept if not line.graph.is_key(c)], mention)
            if target is not None:
                dated = line.graph.kind(target) == "date" and kind == "avg"
                sketch = sketch.show([Shown(target, "avg years" if dated else kind)], at, mention.last)
    return sketch


def aggregate_at(line: Line, sketch: Sketch, at: int) -> tuple[str, int]:
    """The aggregate that is said here and how many words say it; none: empty and 0."""
    if at >= len(line.words) or line.phrase("asking.count", at) or _is_column(line, at):
        return "", 0
    for name, kind in _AGGREGATES.items():
        size = line.phrase(f"asking.{name}", at)
        if size:
            return ("", 0) if kind in ("max", "min") and _has_thing(line, sketch, at) else (kind, size)
    sup = english().superlative(line.words, at)
    if sup and sup[0] == 1 and (not sup[2] or sup[2] in english().generic) and not _has_thing(line, sketch, at):
        mention = line.next_mention(at + 1)
        asked = line.words[0] in english().words("asking.for_a_number")
        if asked and best_measure(line, sketch, mention) and mention and not mention.tables:
            return ("max" if sup[1] > 0 else "min"), 1
    return "", 0


def _is_column(line: Line, at: int) -> bool:
    """Whether a word such as “total” is the name of a column of amounts here."""
    one, behind = line.mention_at(at), line.next_mention(at + 1)
    own = one is not None and any(one.targets[c] >= 0.9 and line.graph.is_measure(c) for c in one.columns)
    other = behind and any(line.graph.is_measure(c) and behind.targets[c] >= 0.6 for c in behind.columns)
    return own and not other


def _has_thing(line: Line, sketch: Sketch, at: int) -> bool:
    """Whether a thing or a column was named before, so that the most or least is a condition on it."""
    return any(one.last <= at and sketch.free(*one.span) for one in line.mentions)


def read_counts(line: Line, sketch: Sketch) -> Sketch:
    """“How many bikes”, “the number of different models”."""
    for at in range(len(line.words)):
        size = line.phrase("asking.count", at)
        if at in sketch.words or not size or (at and english().superlative(line.words, at - 1)):
            continue
        last, distinct = at + size, False
        while line.text(last) in ("of", "the", "total", "all") or line.phrase("asking.distinct", last):
            distinct = distinct or bool(line.phrase("asking.distinct", last))
            last += 1
        mention = line.next_mention(last) or _behind_value(line, last)
        if mention is not None and sketch.free(*mention.span):
            item = _counted(line, sketch, mention, distinct, "total" in line.words[at:last])
            sketch = sketch.show([item], at, at + size).claim(*mention.span) if item else sketch
        elif at <= 3 and not sketch.items:
            sketch = sketch.show([Shown(Target(sketch.root), "count")], at, at + size)
    return sketch


def _behind_value(line: Line, at: int) -> Mention | None:
    """The name behind a value: “how many red bikes”."""
    while at in line.value_at or line.text(at) in ("or", "and", "not", "non"):
        at += 1
    return line.next_mention(at)


def _counted(line: Line, sketch: Sketch, mention: Mention, distinct: bool, total: bool) -> Shown | None:
    table = next((table for table in mention.tables if mention.targets[Target(table)] >= 0.5), "")
    columns = [c for c in mention.columns if mention.targets[c] >= 0.6 and not line.graph.is_key(c)]
    column = best(line, sketch, columns, mention)
    if column is not None and (not table or (distinct and column.table == sketch.root)):
        measure = line.graph.is_measure(column) and not distinct
        return Shown(column, ("sum" if total else "") if measure else "distinct")
    return Shown(Target(table), "count") if table else None


def read_behind(line: Line, sketch: Sketch) -> Sketch:
    """“How much do they make on average”: the aggregate stands behind what it is of."""
    for at in range(len(line.words)):
        if line.words[at : at + 2] == ["on", "average"] or (at and line.words[at:] == ["altogether"]):
            kind = "avg" if line.words[at] == "on" else "sum"
            items = (
                replace(one, aggregate=kind) if not one.aggregate and line.graph.is_measure(one.target) else one
                for one in sketch.items
            )
            sketch = replace(sketch, items=tuple(items)).claim(at, at + 2)
    return sketch
