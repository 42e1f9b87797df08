"""From a line to a sketch: the readers in their order, and what a query asks to see."""

from __future__ import annotations

from dataclasses import replace

from ..language.english import english
from .aggregates import read_aggregates, read_behind, read_counts
from .amounts import read_numbers
from .extremes import read_absences, read_averages, read_superlatives
from .graph import Target
from .mentions import Line, Mention, best, by_adjective
from .named_values import read_values
from .sketch import Compare, Extreme, Related, Shown, Sketch
from .subject_table import find_root, read_groups, read_order


def sketched(line: Line) -> Sketch | None:
    """What the query asks for; None if it is about no table. Each reader finds what those before it left."""
    sketch = Sketch(line.root or find_root(line))
    for read in READERS if sketch.root else ():
        sketch = read(line, sketch)
    return sketch if sketch.root else None


def _end_of_asking(line: Line) -> int:
    """Where the words end that say what to show."""
    relative = english().words("asking.relative")
    for at in range(2, len(line.words)):
        if line.words[at] in relative and line.text(at + 1) not in ("their", "its"):
            return at
    return len(line.words)


def read_listed(line: Line, sketch: Sketch) -> Sketch:
    """“The name and the color of the bikes”: the columns that are named among what to show."""
    end = _end_of_asking(line)
    for one in line.mentions:
        form = english().adjective(line.words[one.first])
        # “The cheapest”, where “cheapest” is said of a column, compares.
        if one.first >= end or not sketch.free(*one.span) or (form is not None and form[1] > 1):
            continue
        column = best(line, sketch, [c for c in one.columns if one.targets[c] >= 0.4], one)
        table = one.table
        if table == sketch.root and (column is None or one.targets[Target(table)] >= one.targets[column]):
            sketch = sketch.claim(*one.span)
        elif column is not None:
            sketch = _column(line, sketch, one, column)
    return sketch


def _column(line: Line, sketch: Sketch, one: Mention, column: Target) -> Sketch:
    words, graph, span = line.words, line.graph, one.span
    own = column.table == sketch.root
    thing = _referred(line, column, one)
    if thing and not graph.curated:
        valued = one.last in line.value_at or one.first - 1 in line.value_at
        return sketch if valued else sketch.show(_rows(line, thing), *span)
    if own and line.text(one.first - 1) == "a" and line.text(one.first - 2) in ("have", "has", "had", "with"):
        return sketch.add(Compare(column, "null", negated=True), *span)
    if not own and one.table and one.targets[Target(one.table)] > one.targets[column]:
        return sketch
    if _is_verb(line, sketch, one):
        return sketch.claim(*span)
    aged = {"age", "old", "ages"} & set(words[one.first : one.last]) and graph.kind(column) == "date"
    items = [Shown(column, "years")] if aged else [Shown(each) for each in _whole_name(line, one, column)]
    distinct = sketch.distinct or bool(line.phrase("asking.distinct", one.first - 1))
    return replace(sketch, distinct=distinct).show(items, *span)


def _rows(line: Line, table: str) -> list[Shown]:
    """What is shown of the rows of a table."""
    return [Shown(Target(table, name)) for name in line.graph.shown(table)]


def _referred(line: Line, column: Target, one: Mention) -> str:
    """The table that a column refers to, if the words name it."""
    steps = (s for s in line.graph.steps.get(column.table, ()) if s.column == column.column and not s.many)
    return next((step.to_table for step in steps if Target(step.to_table) in one.targets), "")


def _whole_name(line: Line, one: Mention, column: Target) -> list[Target]:
    """“Name” of people is both parts of it."""
    called = line.graph.called(column.table)
    plain = line.words[one.first : one.last] in (["name"], ["names"]) and "name" not in line.graph.pack.vague
    return [Target(column.table, name) for name in called] if plain and len(called) == 2 else [column]


def _is_verb(line: Line, sketch: Sketch, one: Mention) -> bool:
    """Whether a name is only a word for what is done: it is shown where the query asks when, where or how much."""
    asks = line.words[0] in english().words("asking.of_a_verb") and not sketch.items and one.first > 1
    return not asks and line.words[one.first] in english().words("verbs.words")


def read_implied(line: Line, sketch: Sketch) -> Sketch:
    """What “when”, “where” and “how old” ask for without naming it."""
    graph, first = line.graph, line.words[0]
    if sketch.items:
        return sketch
    columns = [Target(sketch.root, name) for name in graph.pack.tables[sketch.root]]
    form = english().adjective(line.text(1)) if first == "how" else None
    measured = by_adjective(line, sketch, form[0]) if form else None
    if measured:
        return sketch.show([Shown(measured[0], "years" if graph.kind(measured[0]) == "date" else "")], 0, 2)
    asked: list[Target] = []
    if first == "when":
        asked = [c for c in columns if graph.kind(c) == "date" or c.column == "year"]
    elif first == "where":
        asked = [c for stem in english().listed("asking.where") for c in columns if stem in c.column]
    return sketch.show(map(Shown, asked[:1]), 0, 0)


def read_present(line: Line, sketch: Sketch) -> Sketch:
    """Tables that are only named: their rows are there, or what is named of them is shown."""
    end = _end_of_asking(line)
    used = {sketch.root} | {item.target.table for item in sketch.items} | {one.table for one in sketch.group}
    used |= {one.table for one in sketch.conditions if isinstance(one, Related)}
    used |= {one.target.table for one in sketch.conditions if isinstance(one, Compare)}
    used |= {one.item.target.table for one in sketch.conditions if isinstance(one, Extreme)}
    for one in line.mentions:
        table = next((t for t in one.tables if one.targets[Target(t)] >= 0.9), "")
        if not sketch.free(*one.span):
            continue
        if used & set(one.tables):
            sketch = sketch.claim(*one.span)
        elif table and line.graph.path(sketch.root, table) is not None:
            beside = bool(sketch.items) and line.text(one.first - 1) in ("and", "their", "its")
            shows = one.first < end and (beside or (bool(line.root) and not sketch.items))
            sketch = sketch.show(_rows(line, table), *one.span) if shows else sketch.add(Related(table), *one.span)
            used.add(table)
    return sketch


def settle_groups(line: Line, sketch: Sketch) -> Sketch:
    """What groups and counts mean together: “how many bikes does each shop have”, “colors and number of bikes”."""
    counts = [item.target.table for item in sketch.items if item.aggregate == "count"]
    plain = tuple(item for item in sketch.items if not item.aggregate)
    if sketch.group:
        return _grouped(line, sketch, sketch.group[0], counts, plain)
    if not counts or line.root:
        return sketch
    if not plain:
        return replace(sketch, root=counts[0])
    first = plain[0].target.table
    keys = line.graph.key(first) if first != counts[0] else ()
    return replace(sketch, group=(*(Target(first, key) for key in keys), *(item.target for item in plain)))


def _grouped(line: Line, sketch: Sketch, key: Target, counts: list[str], plain: tuple[Shown, ...]) -> Sketch:
    shown = [Shown(key)] if key.column else _rows(line, key.table)
    if len(plain) == len(sketch.items):
        most = not plain or any(isinstance(one, Extreme) and not one.item.aggregate for one in sketch.conditions)
        return replace(sketch, group=(), items=(*(one for one in shown if most and one not in plain), *plain))
    sketch = replace(sketch, items=(*([] if plain else shown), *sketch.items))
    if not key.column:
        keys = tuple(Target(key.table, name) for name in line.graph.key(key.table))
        sketch = replace(sketch, group=keys or tuple(one.target for one in shown))
    moves = counts and key.table != sketch.root != counts[0]
    return replace(sketch, root=counts[0]) if moves else sketch


def settle_absences(line: Line, sketch: Sketch) -> Sketch:
    """What is said of rows that are not there is said of the same rows: “no women at level 20”."""
    for one in sketch.conditions:
        if not isinstance(one, Compare) or not one.negated or one.target.table == sketch.root:
            continue
        path = line.graph.path(sketch.root, one.target.table)
        if path is not None and path[1]:
            mates = [c for c in sketch.conditions if isinstance(c, Compare) and c.target.table == one.target.table]
            others = (c for c in sketch.conditions if c not in mates)
            absent = Related(one.target.table, True, tuple(replace(c, negated=False) for c in mates))
            sketch = replace(sketch, conditions=(*others, absent))
    return sketch


def settle_ranks(line: Line, sketch: Sketch) -> Sketch:
    """What is counted by rows of the table itself is counted for each of what is shown: “the most popular color”."""
    own = Shown(Target(sketch.root), "count")
    popular = [one for one in sketch.conditions if isinstance(one, Extreme) and one.item == own]
    times = any(isinstance(one, Compare) and one.target == own.target for one in sketch.conditions)
    if sketch.group or not (popular or times):
        return sketch
    group = tuple(item.target for item in sketch.items if not item.aggregate)
    kept = tuple(one for one in sketch.conditions if group or one not in popular)
    return replace(sketch, group=group, conditions=kept)


def settle_yes_no(line: Line, sketch: Sketch) -> Sketch:
    """“Are there red bikes” asks for yes or no, where the pack answers so."""
    asks = line.words[0] in english().words("asking.yes_no") and not sketch.items
    return replace(sketch, yes_no=asks and line.graph.pack.yes_no == "boolean")


READERS = (
    read_groups,
    read_order,
    read_aggregates,
    read_counts,
    read_averages,
    read_superlatives,
    read_numbers,
    read_values,
    read_absences,
    read_listed,
    read_implied,
    read_behind,
    read_present,
    settle_groups,
    settle_absences,
    settle_ranks,
    settle_yes_no,
)
