"""What a query is about, how its answer is grouped, and in which order it comes."""

from __future__ import annotations

from dataclasses import replace

from ..language.english import english
from .aggregates import aggregate_at
from .graph import Target
from .mentions import Line, Mention, best
from .sketch import Shown, Sketch


def find_root(line: Line) -> str:
    """The likeliest table, or the next one if `flips` says so; empty without one."""
    options = _options(line)
    place = line.flips.get("root", 0)
    return options[place] if place < len(options) else ""


def _options(line: Line) -> list[str]:
    tables = [(_weight(line, one, table), one.first, table) for one in line.mentions for table in one.tables]
    tables.sort(key=lambda option: -option[0])
    options = list(dict.fromkeys(table for _, _, table in tables))
    likeliest = [_table_of(form) for one in line.values.values() for form in one.meanings[0].forms]
    valued = [table for table in likeliest if table in line.graph.pack.tables]
    if tables and tables[0][0] < 0.3:
        options = list(dict.fromkeys([*valued, *options]))
    if "who" in line.words[:2] or {"anybody", "anyone", "people", "person"} & set(line.words[:6]):
        # Those first of which something is said.
        named = [target.table for one in line.mentions for target in one.targets]
        people = sorted(line.graph.people, key=lambda table: -2 * (table in valued) - named.count(table))
        doubtful = not options or tables[0][1] > 3 or tables[0][0] < 0.5
        options = [*people, *options] if doubtful else [*options, *people]
    named = [c.table for one in line.mentions for c in one.columns]
    return options or list(dict.fromkeys(named or valued))


def _weight(line: Line, one: Mention, table: str) -> float:
    """How likely a name says what is asked about."""
    weight, before = one.targets[Target(table)], one.first - 1
    columns = max((one.targets[c] for c in one.columns), default=0.0)
    if line.words[one.first] in english().words("verbs.words"):
        weight -= 0.8
    if one.first == 1 and line.words[0] == "who":
        weight += 0.5
    if set(line.words[max(0, one.first - 2) : one.first]) & english().words("asking.no_subject_behind"):
        weight -= 0.8
    if before in line.value_at and line.values[line.value_at[before]].is_measure:
        weight -= 0.5
    beside = {line.value_at[place] for place in (before, one.last) if place in line.value_at}
    forms = (form for number in beside for meaning in line.values[number].meanings for form in meaning.forms)
    if any(_table_of(form) == table for form in forms):
        weight -= 0.6
    return weight - (0.3 if columns >= weight else 0.0) - 0.02 * one.first


def _table_of(form: str) -> str:
    return form.lstrip("%").split(".")[0]


def read_groups(line: Line, sketch: Sketch) -> Sketch:
    """“For each city”; also “average price by city”."""
    for at in range(len(line.words)):
        size = line.phrase("asking.each", at) or _by_group(line, sketch, at)
        mention = line.next_mention(at + size) if size else None
        target = _group_target(line, sketch, mention) if mention and sketch.free(*mention.span) else None
        if mention and target:
            return replace(sketch, group=(target,)).claim(at, mention.last)
    return sketch


def _by_group(line: Line, sketch: Sketch, at: int) -> int:
    """One word, if an aggregate or a count stands before."""
    before = range(at) if line.words[at] == "by" else ()
    return int(any(aggregate_at(line, sketch, n)[0] or line.phrase("asking.count", n) for n in before))


def _group_target(line: Line, sketch: Sketch, mention: Mention) -> Target | None:
    root, table = sketch.root, mention.table
    column = best(line, sketch, [target for target in mention.columns if mention.targets[target] >= 0.5], mention)
    other = table not in ("", root) and (column is None or column.table != root or line.graph.is_key(column))
    return Target(table) if table and (other or column is None) else column


def read_order(line: Line, sketch: Sketch) -> Sketch:
    """“Ordered by price”; also “by price, most expensive first”."""
    descending = english().has("asking.descending", line.words)
    for at, word in enumerate(line.words):
        size = line.phrase("asking.order", at) or int(word == "by" and line.words[-1] == "first")
        if not size:
            continue
        last = at + size + (line.text(at + size) == "the")
        count = line.phrase("asking.count", last) or line.phrase("asking.count", at + size)
        mention = line.next_mention(last + count)
        target = best(line, sketch, mention.columns, mention) if mention else None
        shown = Shown(target) if target else None
        if mention and count and mention.table:
            shown = Shown(Target(mention.table), "count")
        if mention and shown:
            sketch = replace(sketch, order=(shown, descending)).claim(at, mention.last)
    for name in ("asking.descending", "asking.ascending"):
        for at in range(len(line.words)):
            sketch = sketch.claim(at, at + line.phrase(name, at))
    return sketch
