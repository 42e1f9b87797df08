"""From a line to a sketch: what a query is about and asks to see, and the readers in their order."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from ..algebra.query import Arg, Column, Constant, Statement, call, columns_of
from ..language.english import english
from ..language.recognise import Reading
from .building import Builder, Unjoined, count_rows, counted_table
from .conditions import read_numbers, read_superlatives, read_values
from .graph import Graph, RuleDraft, Sketch
from .mentions import Line, Mention, best, measured_by

_AGGREGATES = {"average": "avg", "total": "sum", "maximum": "max", "minimum": "min"}


def sketched(line: Line, second: int | None = None) -> Sketch | None:
    """What the query asks for, with the second likeliest meaning of one value; None if it is about no table. Each
    reader finds what those before it left."""
    sketch = Sketch(line.root or find_root(line), second=second)
    for read in READERS if sketch.root else ():
        sketch = read(line, sketch)
    return sketch if sketch.root else None


def find_root(line: Line) -> str:
    """The likeliest table; empty without one."""
    named = [(_weight(line, one, table), table) for one in line.mentions for table in one.tables]
    named.sort(key=lambda option: -option[0])
    valued = [form.lstrip("%").split(".")[0] for one in line.values.values() for form in one.meanings[0].forms]
    valued = [table for table in valued if table in line.graph.pack.tables]
    options = [table for _, table in named]
    if named and named[0][0] < 0.3:
        options = [*valued, *options]
    if "who" in line.words[:2] or {"anybody", "anyone", "people", "person"} & set(line.words[:6]):
        people = sorted(line.graph.people, key=lambda table: table not in valued)
        options = [*options, *people] if named and named[0][0] >= 0.5 else [*people, *options]
    options = options or [c.table for one in line.mentions for c in one.columns] or valued
    return next(iter(options), "")


def _weight(line: Line, one: Mention, table: str) -> float:
    """How likely a name says what is asked about."""
    weight = one.targets[Column(table)]
    columns = max((one.targets[c] for c in one.columns), default=0.0)
    silent = set(line.words[max(0, one.first - 2) : one.first]) & english().words("asking.no_subject_behind")
    if line.words[one.first] in english().words("verbs.words") or silent:
        weight -= 0.8
    beside = {line.value_at[place] for place in (one.first - 1, one.last) if place in line.value_at}
    forms = (form for number in beside for meaning in line.values[number].meanings for form in meaning.forms)
    if any(form.lstrip("%").split(".")[0] == table for form in forms):
        weight -= 0.6
    return weight - (0.3 if columns >= weight else 0.0) - 0.02 * one.first


def read_groups(line: Line, sketch: Sketch) -> Sketch:
    """“For each city”; also “average price by city”."""
    for at in range(len(line.words)):
        by = line.words[at] == "by" and any(_aggregate(line, n)[0] or line.phrase("asking.count", n) for n in range(at))
        size = line.phrase("asking.each", at) or int(by)
        mention = line.next_mention(at + size) if size else None
        if mention:
            columns = [target for target in mention.columns if mention.targets[target] >= 0.5]
            column = best(line, sketch, columns, mention)
            other = mention.table not in ("", sketch.root)
            other = other and (column is None or column.table != sketch.root or line.graph.is_key(column))
            target = Column(mention.table) if mention.table and (other or column is None) else column
            if target:
                return replace(sketch, group=(target,)).claim(at, mention.last)
    return sketch


def read_aggregates(line: Line, sketch: Sketch) -> Sketch:
    """“The average age”, “total price”, “what is the highest salary”."""
    for at in range(len(line.words)):
        kind, size = ("", 0) if at in sketch.words else _aggregate(line, at)
        mention = line.next_mention(at + size) if size else None
        shown = [column for column, text in line.spoken_of.items() if size and not text]
        amounts = [*filter(line.graph.is_amount, mention.columns if mention else shown)]
        if amounts:
            target = best(line, sketch, amounts, mention) if mention else amounts[0]
            if target is not None:
                dated = line.graph.kind(target) == "date" and kind == "avg"
                item = _age(line.graph, target, average=True) if dated else call(kind, target)
                sketch = sketch.show([item], at, mention.last if mention else at + size)
    return sketch


def _aggregate(line: Line, at: int) -> tuple[str, int]:
    """The aggregate that is said here and how many words say it; none: empty and 0."""
    if line.phrase("asking.count", at):
        return "", 0
    for name, kind in _AGGREGATES.items():
        if size := line.phrase(f"asking.{name}", at):
            return kind, size
    sup, mention = english().superlative(line.words, at), line.next_mention(at + 1)
    if sup and sup[0] == 1 and (not sup[2] or sup[2] in english().generic) and mention and not mention.tables:
        before = any(one.last <= at for one in line.mentions)
        asked = line.text(line.begin) in english().words("asking.for_a_number") and not before
        return ("max" if sup[1] > 0 else "min", 1) if asked else ("", 0)
    return "", 0


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
        while line.mention_at(last) is None and (last in line.value_at or line.text(last) in ("or", "and", "not")):
            last += 1
        mention = line.next_mention(last)
        if mention is not None and sketch.free(*mention.span):
            item = _counted(line, sketch, mention, distinct)
            sketch = sketch.show([item], at, at + size).claim(*mention.span) if item else sketch
        elif at <= 3 and not sketch.items:
            sketch = sketch.show([count_rows(Column(sketch.root))], at, at + size)
    return sketch


def _counted(line: Line, sketch: Sketch, mention: Mention, distinct: bool) -> Arg:
    table = next((table for table in mention.tables if mention.targets[Column(table)] >= 0.5), "")
    columns = [c for c in mention.columns if mention.targets[c] >= 0.6 and not line.graph.is_key(c)]
    column = best(line, sketch, columns, mention)
    if column is not None and (not table or (distinct and column.table == sketch.root)):
        return column if line.graph.is_measure(column) and not distinct else count_rows(column, distinct=True)
    return count_rows(Column(table)) if table else None


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
        if table == sketch.root and (column is None or one.targets[Column(table)] >= one.targets[column]):
            sketch = sketch.claim(*one.span)
        elif column is not None:
            sketch = _column(line, sketch, one, column)
    return sketch


def _end_of_asking(line: Line) -> int:
    """Where the words end that say what to show."""
    relative = english().words("asking.relative")
    ends = (at for at, word in enumerate(line.words) if word in relative and at >= 2)
    return next((at for at in ends if line.text(at + 1) not in ("their", "its")), len(line.words))


def _column(line: Line, sketch: Sketch, one: Mention, column: Column) -> Sketch:
    words, graph, span = line.words, line.graph, one.span
    steps = (s for s in graph.steps.get(column.table, ()) if s.column == column.name and not s.many)
    thing = next((step.to_table for step in steps if Column(step.to_table) in one.targets), "")
    if thing and not graph.curated:
        valued = one.last in line.value_at or one.first - 1 in line.value_at
        return sketch if valued else sketch.show(graph.shown(thing), *span)
    if column.table != sketch.root and one.targets.get(Column(one.table), 0.0) > one.targets[column]:
        return sketch
    # A word for what is done is shown where the query asks when, where or how much.
    asks = line.text(line.begin) in english().words("asking.of_a_verb") and not sketch.items and one.first > 1
    if words[one.first] in english().words("verbs.words") and not asks:
        return sketch.claim(*span)
    aged = {"age", "old", "ages"} & set(words[one.first : one.last]) and graph.kind(column) == "date"
    called = graph.called(column.table)
    plain = words[one.first : one.last] in (["name"], ["names"]) and "name" not in graph.pack.vague
    # “Name” of people is both parts of it.
    names = called if plain and len(called) == 2 else (column.name,)
    average = graph.is_measure(column) and _averages(line)
    shown = (Column(column.table, name) for name in names)
    items = (_age(graph, c, _averages(line)) if aged else call("avg", c) if average else c for c in shown)
    distinct = sketch.distinct or bool(line.phrase("asking.distinct", one.first - 1))
    return replace(sketch, distinct=distinct).show(items, *span)


def _averages(line: Line) -> bool:
    return ("on", "average") in pairwise(line.words)


def _age(graph: Graph, date: Column, average: bool = False) -> Arg:
    """The years since a date, or their average, as they are shown."""
    years = graph.years(date)
    return call("round", call("avg", years) if average else years, decimals=Constant("2"))


def read_implied(line: Line, sketch: Sketch) -> Sketch:
    """What “how old” asks for without naming it."""
    asks = line.text(line.begin) == "how" and not sketch.items
    form = english().adjective(line.text(line.begin + 1)) if asks else None
    measured = measured_by(line, sketch, form[0]) if form else None
    if not measured:
        return sketch
    column = measured[0]
    shown = _age(line.graph, column, _averages(line)) if line.graph.kind(column) == "date" else column
    return sketch.show([shown], line.begin, line.begin + 2)


def read_present(line: Line, sketch: Sketch) -> Sketch:
    """Tables that are only named: their rows are there, or what is named of them is shown."""
    end = _end_of_asking(line)
    there = columns_of((*sketch.items, *sketch.conditions, *sketch.group))
    used = {sketch.root, *(one.table for one in there)}
    for one in line.mentions:
        table = next((t for t in one.tables if one.targets[Column(t)] >= 0.9), "")
        if not sketch.free(*one.span):
            continue
        if used & set(one.tables):
            sketch = sketch.claim(*one.span)
        elif table and line.graph.path(sketch.root, table) is not None:
            beside = bool(sketch.items) and line.text(one.first - 1) in ("and", "their", "its")
            shows = one.first < end and (beside or (bool(line.root) and not sketch.items))
            rows = line.graph.shown(table)
            sketch = sketch.show(rows, *one.span) if shows else sketch.add(Column(table), *one.span)
            used.add(table)
    return sketch


def settle_groups(line: Line, sketch: Sketch) -> Sketch:
    """What groups and counts mean together: “how many bikes does each shop have”, “colors and number of bikes”."""
    counts = [*filter(None, map(counted_table, sketch.items))]
    plain = tuple(item for item in sketch.items if isinstance(item, Column))
    if sketch.group:
        return _grouped(line, sketch, sketch.group[0], counts, plain)
    if not counts or line.root:
        return sketch
    return replace(sketch, group=plain) if plain else replace(sketch, root=counts[0])


def _grouped(line: Line, sketch: Sketch, key: Column, counts: list[str], plain: tuple[Column, ...]) -> Sketch:
    shown = (key,) if key.name else line.graph.shown(key.table)
    if len(plain) == len(sketch.items) and (plain or not line.root):
        return replace(sketch, group=(), items=plain or shown)
    group = sketch.group if key.name else tuple(Column(key.table, name) for name in line.graph.key(key.table))
    group = group or shown
    moves = counts and key.table != sketch.root != counts[0]
    root = counts[0] if moves else sketch.root
    return replace(sketch, root=root, group=group, items=(*(() if plain else shown), *sketch.items))


def settle_yes_no(line: Line, sketch: Sketch) -> Sketch:
    """“Are there red bikes” asks for yes or no, where the pack answers so."""
    asks = line.words[0] in english().words("asking.yes_no") and not sketch.items
    return replace(sketch, yes_no=asks and line.graph.pack.yes_no == "boolean")


READERS: tuple[Callable[[Line, Sketch], Sketch], ...] = (
    read_groups,
    read_aggregates,
    read_counts,
    read_superlatives,
    read_numbers,
    read_values,
    read_listed,
    read_implied,
    read_present,
    settle_groups,
    settle_yes_no,
)


_MOST = 8
_MOST_FLIPPED = 4
_SILENT = ("dull.words", "asking.yes_no", "asking.relative", "likeness.polite", "comparing.skipped", "asking.silent")


def outlines(reading: Reading, graph: Graph, included: bool = True) -> list[RuleDraft]:
    """The statements that the rules find, best first: each statement once."""
    line = Line(reading, graph, included)
    if not line.words or not graph.pack.tables:
        return []
    found: list[RuleDraft] = []
    ambiguous = [number for number, one in line.values.items() if sum(len(m.forms) for m in one.meanings) > 1]
    names = (number for number in ambiguous[:_MOST_FLIPPED] if not line.values[number].is_measure)
    for second in (None, *names):
        sketch = sketched(line, second)
        with suppress(Unjoined):
            query = Builder(sketch, graph).query() if sketch else None
            if sketch and query and query.select:
                found.append(rule_draft(query, sketch, line, _SILENT, 0.0 if second is None else 0.25, 1.5))
    return best_of(found)[:_MOST]


def rule_draft(
    query: Statement, sketch: Sketch, line: Line, silent: Iterable[str], cost: float, weight: float
) -> RuleDraft:
    """A statement with what it leaves unexplained. The score is between 0 and 1: less by `cost`, and by `weight` times
    the share of the words of no `silent` list that nothing in the sketch explains."""
    ignored = tuple(at for at in line.telling(silent) if at not in sketch.words)
    share = len(ignored) / len(line.words)
    # The weights of the ranker say what the score is worth.
    return RuleDraft(query, max(0.0, 1.0 - cost - weight * share), tuple(sorted(sketch.values)), ignored)


def best_of(drafts: Iterable[RuleDraft]) -> list[RuleDraft]:
    """The drafts best first, each statement once."""
    found: dict[str, RuleDraft] = {}
    for one in sorted(drafts, key=lambda draft: -draft.score):
        found.setdefault(one.query.sense, one)
    return list(found.values())
