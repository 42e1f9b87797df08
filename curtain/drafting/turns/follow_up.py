"""The statement of the turn before, changed as a follow-up says: other values, more conditions, other columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from curtain.domain.pack.names import split_name

from ..algebra.query import (
    Arg,
    Call,
    Column,
    Constant,
    Nested,
    Predicate,
    Statement,
    columns_of,
    held,
    kind_of,
    map_query,
    mapped,
    nodes_of,
    table_of,
)
from ..grammar.building import Builder, Unjoined, call, count_rows, ordered
from ..grammar.graph import Graph
from ..grammar.mentions import Line
from ..grammar.outline import RuleDraft
from ..grammar.projection import sketched
from ..grammar.sketch import Absent, Average, Compare, Extreme, Present, Shown, Sketch
from ..language.english import english
from ..language.recognise import Reading

__all__ = ["continued"]

_OPPOSITE = {("gt", "lt"), ("gte", "lt"), ("gt", "lte"), ("gte", "lte")}
_NAMES = ("first", "last")


def continued(
    reading: Reading, before: Statement, graph: Graph, included: bool, more: Sequence[Predicate] = ()
) -> list[RuleDraft]:
    """The statements that may be meant, best first; none if the one before could not be taken apart. `more` are
    conditions that words of the query meant in answered questions."""
    if not before.root or before.root not in graph.pack.tables or not reading.words:
        return []
    compared = {column for one in before.where for column, _ in held(one.expr, nested=False)}
    line = Line(reading, graph, compared)
    turned = _reversed(before, line)
    if turned is not None:
        return [RuleDraft(turned, 1.0, 0.0)]
    found: dict[str, RuleDraft] = {}
    for cost, flips in ((0.0, {}), *((0.5, {f"value {number}": 1}) for number in line.values)):
        sketch = sketched(line, flips, included, graph.pack.yes_no == "boolean", before.root)
        if sketch is None:
            continue
        for extra, query in _Turn(line, sketch, before, graph, more).queries():
            ignored = tuple(
                at for at in range(len(line.words)) if at not in sketch.words and not _silent(line.words[at])
            )
            share = len(ignored) / len(line.words)
            unused = len(line.values) - len(sketch.values)
            score = max(0.0, 1.0 - cost - extra - share - 0.5 * unused)
            if query.sense != before.sense and (query.sense not in found or found[query.sense].score < score):
                found[query.sense] = RuleDraft(query, score, share, tuple(sorted(sketch.values)), ignored)
    return sorted(found.values(), key=lambda one: -one.score)[:5]


def _silent(word: str) -> bool:
    words = english()
    listed = (
        words.words("dull.words")
        | words.words("asking.which")
        | words.words("turns.people")
        | words.words("verbs.words")
    )
    return word in listed or word in (
        "instead",
        "one",
        "ones",
        "same",
        "only",
        "make",
        "about",
        "try",
        "else",
        "again",
        "now",
    )


def _reversed(before: Statement, line: Line) -> Statement | None:
    """“And the return flights”: from and to change places."""
    if not english().has("turns.reverse", line.words) or line.values:
        return None
    steps = {step for node in nodes_of(before) for step in node.split(">")[1:2]}
    ways = {
        name: next((s for s in sorted(steps) if name in split_name(s.split("=")[0])), "") for name in ("from", "to")
    }
    if not all(ways.values()):
        return None
    one, two = ways["from"], ways["to"]

    def swap(part: Arg) -> Arg | None:
        if not isinstance(part, Column):
            return None
        return replace(part, node=part.node.replace(one, "\0").replace(two, one).replace("\0", two))

    return map_query(before, swap)


@dataclass
class _Turn:
    """One reading of a follow-up and the statement that it changes."""

    line: Line
    sketch: Sketch
    before: Statement
    graph: Graph
    more: Sequence[Predicate] = ()

    def queries(self) -> Iterator[tuple[float, Statement]]:
        """The statements, each with what speaks against it."""
        try:
            changed = self._with_conditions(self.before)
            if self.more:
                with_more = replace(changed, where=tuple(_alike(changed, [*changed.where, *self.more])))
                same_head = replace(with_more, select=self.before.select, distinct=self.before.distinct)
                yield 0.0, same_head if not self._counts() else self._with_head(with_more)
            yield 0.1 if self.more else 0.0, self._with_head(changed)
        except Unjoined:
            return

    def _counts(self) -> bool:
        return any(item.aggregate for item in self.sketch.items) or self.sketch.yes_no

    @property
    def _builder(self) -> Builder:
        return Builder(replace(self.sketch, root=self.before.root), self.graph, nodes_of(self.before)[1:])

    # -- conditions ----------------------------------------------------------------------------------------

    def _with_conditions(self, query: Statement) -> Statement:
        widens = self.line.words[0] == "or" and self.line.words[1:2] != ["rather"]
        compares = [one for one in self.sketch.conditions if isinstance(one, Compare | Average)]
        where = list(query.where)
        if self._names_person(compares):
            where = [one for one in where if not _is_name(one) and not self._beside_person(one)]
        for one in compares:
            new = self._builder.predicate(one)
            where = self._placed(where, new, one, widens)
        for other in self.sketch.conditions:
            if isinstance(other, Absent):
                where.append(self._builder.absent(other))
            elif isinstance(other, Present) and other.table not in {table_of(node) for node in nodes_of(query)}:
                where.append(self._builder.present(other))
        return replace(query, where=tuple(_alike(query, where)))

    def _names_person(self, compares: Sequence[Compare | Average]) -> bool:
        return any(isinstance(one, Compare) and _named(one.target.column) for one in compares)

    def _beside_person(self, one: Predicate) -> bool:
        """Whether a condition only said which of several people of a name was meant; none does so far."""
        return False

    def _placed(self, where: list[Predicate], new: Predicate, one: Compare | Average, widens: bool) -> list[Predicate]:
        """The conditions with a new one: in the place of those that contradict it, beside others otherwise."""
        mates = [mate for mate in where if self._contradicts(mate, new, one)]
        if len(mates) > 1:
            prefer = one.prefer if isinstance(one, Compare) else ()
            liked = [mate for mate in mates if any(w in _words(mate) for w in prefer)]
            mates = liked[:1] or ([] if prefer else mates[-1:])
        if not mates:
            return [*where, new]
        mate = mates[0]
        moved = _moved(new, mate)
        if (
            isinstance(one, Compare)
            and one.op == "eq"
            and kind_of(mate) in ("gt", "gte", "lt", "lte")
            and not one.negated
        ):
            # “Make it 45000” keeps the comparison.
            moved = Predicate(Call(kind_of(mate), moved.expr.args if isinstance(moved.expr, Call) else ()))
        if widens:
            moved = _wider(mate, moved)
        return [moved if each is mate else each for each in where]

    def _contradicts(self, mate: Predicate, new: Predicate, one: Compare | Average) -> bool:
        ours = {column.short for column in columns_of(new.expr)}
        theirs = {column.short for column in columns_of(mate.expr)}
        if mate.nested or not ours or new.nested:
            return False
        same = ours == theirs or self._same_thing(ours, theirs)
        if not same or not any(True for _ in held(mate.expr)):
            return False
        pair = {(kind_of(mate), kind_of(new)), (kind_of(new), kind_of(mate))}
        if pair & _OPPOSITE:
            return False
        denies = kind_of(new) in ("neq", "not") and kind_of(mate) not in ("neq", "not", "eq")
        return not denies

    def _same_thing(self, ours: set[str], theirs: set[str]) -> bool:
        """Whether two columns tell the same of a thing: its code and its name."""
        codes = {code: name for code, name in self.graph.pack.codes.items() if isinstance(name, str)}
        pairs = {frozenset(pair) for pair in codes.items()}
        for one in ours:
            for other in theirs:
                if frozenset((one, other)) in pairs or one.split(".")[1] == other.split(".")[1]:
                    return True
                for reference in self.graph.pack.keys.references:
                    if len(reference.columns) == 1:
                        here = f"{reference.table}.{reference.columns[0]}"
                        there = f"{reference.to_table}.{reference.to_columns[0]}"
                        if {here, there} == {one, other} or (here in (one, other) and codes.get(there) in (one, other)):
                            return True
        return False

    # -- what is shown -------------------------------------------------------------------------------------

    def _with_head(self, query: Statement) -> Statement:
        words, sketch = self.line.words, self.sketch
        items = [item for item in sketch.items]
        builder = self._builder
        counts = [item for item in items if item.aggregate == "count"]
        if counts or english().has("turns.counting", words):
            query = self._counting(query, builder)
        elif sketch.yes_no and not query.aggregates:
            query = replace(query, select=(call("gt", count_rows(), expression=Constant("0", False)),), distinct=False)
        elif items and sketch.group:
            group = tuple(dict.fromkeys(builder.item(Shown(target)) for target in sketch.group))
            query = replace(query, select=tuple(builder.item(item) for item in items), group=group, distinct=False)
        elif items:
            query = self._showing(query, builder, items)
        elif sketch.group and query.aggregates:
            group = tuple(builder.item(Shown(target)) for target in sketch.group)
            query = replace(query, select=(*group, *query.select), group=group)
        elif query.aggregates and any(isinstance(one, Extreme) for one in sketch.conditions):
            return self._other_aggregate(query)
        for one in sketch.conditions:
            if isinstance(one, Extreme):
                query = self._extreme(query, builder, one)
        if sketch.order is not None:
            query = replace(query, order=(ordered(builder.item(sketch.order[0]), sketch.order[1]),))
        return query

    def _other_aggregate(self, query: Statement) -> Statement:
        """“And the lowest” after an average."""
        sign = next(one.sign for one in self.sketch.conditions if isinstance(one, Extreme))
        kind = "max" if sign > 0 else "min"

        def change(part: Arg) -> Arg | None:
            numeric = isinstance(part, Call) and part.kind in ("avg", "sum", "min", "max")
            return replace(part, kind=kind) if numeric and isinstance(part, Call) else None

        return replace(query, select=tuple(mapped(one, change) for one in query.select))

    def _counting(self, query: Statement, builder: Builder) -> Statement:
        if query.aggregates:
            return replace(query, select=(count_rows(),)) if not plain_count(query) else query
        multiplied = any(">" in node for node in nodes_of(query))
        columns = [one for one in query.select if isinstance(one, Column)]
        count: Arg = count_rows(columns[0], distinct=True) if multiplied and columns else count_rows()
        return replace(query, select=(count,), distinct=False, order=(), limit=None)

    def _showing(self, query: Statement, builder: Builder, items: Sequence[Shown]) -> Statement:
        adds = self.line.words[0] in ("and", "include", "add", "also", "with") and not query.aggregates
        select = tuple(dict.fromkeys(builder.item(item) for item in items))
        aggregates = any(item.aggregate for item in items)
        keyed = self.graph.key(query.root)
        curated = self.graph.curated and self.graph.pack.dialect != "1989"
        same = all(item.target.table == query.root and not self.graph.is_key(item.target) for item in items)
        if not aggregates and self._shows_key(query) and ((adds and "their" in self.line.words) or (curated and same)):
            select = tuple(dict.fromkeys((*query.select, *select)))
        person = any(_is_name(one) for one in query.where)
        plain = all(isinstance(one, Column) for one in select)
        distinct = plain and not aggregates and not person and not self._shows(select, keyed)
        return replace(query, select=select, distinct=distinct, order=() if aggregates else query.order)

    def _shows_key(self, query: Statement) -> bool:
        return self._shows(query.select, self.graph.key(query.root))

    @staticmethod
    def _shows(select: Sequence[Arg], key: Sequence[str]) -> bool:
        return bool(key) and set(key) <= {one.name for one in select if isinstance(one, Column)}

    def _extreme(self, query: Statement, builder: Builder, one: Extreme) -> Statement:
        column = builder.item(Shown(one.target))
        if one.limit != 1:
            return replace(query, order=(ordered(column, one.sign > 0),), limit=Constant(str(one.limit), False))
        kept = tuple(each for each in query.where if not (each.nested and kind_of(each) == "eq"))
        inner = Statement(query.root, (call("max" if one.sign > 0 else "min", column),), kept)
        return replace(query, where=(*kept, Predicate(call("eq", column, expression=Nested(inner)))))


def plain_count(query: Statement) -> bool:
    """Whether a query counts rows and nothing else."""
    return len(query.select) == 1 and isinstance(query.select[0], Call) and query.select[0].kind == "count"


def _named(column: str) -> bool:
    words = split_name(column)
    return words[-1:] == ("name",) and words[0] in _NAMES


def _is_name(one: Predicate) -> bool:
    return not one.nested and any(_named(column.name) for column in columns_of(one.expr))


def _words(one: Predicate) -> set[str]:
    return {
        word
        for column in columns_of(one.expr)
        for step in column.node.split(">")
        for word in split_name(step.split("=")[0])
    }


def _moved(new: Predicate, mate: Predicate) -> Predicate:
    """A condition about the same column, said of the node of the one that it replaces."""
    nodes = {column.short: column.node for column in columns_of(mate.expr)}

    def put(part: Arg) -> Arg | None:
        return replace(part, node=nodes.get(part.short, part.node)) if isinstance(part, Column) else None

    return Predicate(mapped(new.expr, put))


def _wider(mate: Predicate, new: Predicate) -> Predicate:
    """“Or in sales”: both values."""
    values = tuple(literal for one in (mate, new) for _, literal in held(one.expr))
    column = next(columns_of(new.expr))
    if kind_of(mate) in ("eq", "in") and kind_of(new) in ("eq", "in"):
        return Predicate(call("in", column, expressions=values))
    return Predicate(call("or", mate.expr, expression=new.expr))


def _alike(query: Statement, where: Sequence[Predicate]) -> list[Predicate]:
    """Nested queries for a least or greatest value get the new conditions."""
    outer = tuple(one for one in where if not one.nested)

    def put(part: Arg) -> Arg | None:
        if isinstance(part, Nested) and part.query.root == query.root and part.query.aggregates:
            return Nested(replace(part.query, where=outer))
        return None

    return [Predicate(mapped(one.expr, put)) if one.nested else one for one in where]
