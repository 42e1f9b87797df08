"""What stands between SELECT and FROM and behind WHERE: keys, attributes, counts, groups, the most and the least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from .column_words import lemmas
from .comparisons import Superlative
from .pack_schema import Schema
from .schema_clauses import extreme_clause, further, most_in_groups
from .schema_focus import Focus, speaks_of_age
from .schema_measures import HIRED
from .schema_plan import Plan
from .schema_words import Mark, Sense
from .statements import Clause, Column, Hole, Part, Statement, Sub, table_of

__all__ = ["statements_of"]

_DAYS_OF_YEAR = 365.25
_UNLIKELY = 0.2
_SERVED = frozenset(lemmas(["here", "work", "serve", "service", "employed", "company"]))
_WHICH = (("which",), ("what",))


@dataclass(frozen=True, slots=True)
class _Extreme:
    """A superlative made clear: column of a node, greatest (1) or least (-1), and what speaks for it; `alone` if it is
    said of that node's table by itself, `head` if it is what is asked for."""

    node: str
    column: str
    sign: int
    weight: float
    covers: frozenset[int]
    alone: bool = False
    head: bool = False


def statements_of(plan: Plan) -> Iterator[tuple[float, Statement]]:
    """The statements of a reading, each with how likely it is among them."""
    grouped = list(_grouped(plan))
    if grouped:
        yield from grouped
        return
    clauses, weight, aggregate = plan.all_clauses(), 1.0, ""
    for share, statement in _for_each_named(plan, tuple(_once(clauses))):
        yield share, statement
        weight = 1.5 - share
    for one in plan.question.superlatives:
        within = _within(plan, one)
        found = _of_name(plan, one, within) if within else _extreme(plan, one)
        if found is None and within:
            continue
        if found is None:
            weight *= 0.4
            continue
        plan.explained |= found.covers
        weight *= found.weight
        if found.head:
            aggregate = "MAX" if found.sign > 0 else "MIN"
        else:
            clauses = [*clauses, extreme_clause(found.node, found.column, found.sign, clauses, found.alone)]
    if plan.question.superlatives and plan.focus.works_out:
        # “The highest average salary” is that of no group here.
        weight *= _UNLIKELY
    head = _head(plan, aggregate)
    yield weight, Statement(plan.focus.root, head, tuple(_once(clauses)))


def _once(clauses: list[Clause]) -> Iterator[Clause]:
    seen: set[str] = set()
    for clause in clauses:
        if clause.whole not in seen:
            seen.add(clause.whole)
            yield clause


def _head(plan: Plan, aggregate: str) -> tuple[Part, ...]:
    focus, schema = plan.focus, plan.schema
    if focus.asks == "count":
        return _count(plan)
    if focus.works_out:
        return _worked_out(plan, Column(focus.root, focus.columns[0]))
    if aggregate and focus.columns:
        return (f"{aggregate}(", Column(focus.root, focus.columns[0]), ")")
    if plan.at_issue is not None:
        return (*_count(plan), f" {plan.at_issue.op} ", Hole(0, plan.at_issue.low))
    if focus.asks == "yes" and schema.boolean:
        return ("COUNT(*) > 0",)
    return _rows(plan)


def _worked_out(plan: Plan, column: Column) -> tuple[Part, ...]:
    """The sum or average of a column; that of an age is worked out from the birth."""
    schema, table = plan.schema, table_of(column.node)
    if schema.kind(table, column.name) == "date":
        return ("ROUND(AVG(DATE_DIFF('day', ", column, f", DATE '{schema.as_of}')) / {_DAYS_OF_YEAR}, 2)")
    if plan.focus.asks == "AVG" and speaks_of_age(plan.question) and schema.measured(table, "old") == (column.name, -1):
        return (f"AVG({schema.as_of.year} - ", column, ")")
    return (f"{plan.focus.asks}(", column, ")")


def _for_each_named(plan: Plan, clauses: tuple[Clause, ...]) -> Iterator[tuple[float, Statement]]:
    """“The average salary of women and men”: rather one for each of them; a total is rather that of all."""
    focus = plan.focus
    if not focus.works_out or len(plan.said) < 2 or not focus.columns:
        return
    listed = [one for one in plan.said if one.node == focus.root and not one.denied]
    share = 1.0 if focus.asks == "AVG" else 0.5
    for one, other in pairwise(sorted(listed, key=lambda said: said.first)):
        if one.column != other.column or "and" not in plan.question.words[one.last : other.first]:
            continue
        if one.like or other.like:
            # “The clerks and the engineers” have no column of kinds by which they could be grouped.
            plan.doubt *= 1.5 - share
            return
        group = Column(focus.root, one.column)
        yield share, Statement(focus.root, (group, ", ", *_value(plan)), clauses, ("GROUP BY ", group))
        return


def _count(plan: Plan) -> tuple[Part, ...]:
    focus, schema = plan.focus, plan.schema
    key = schema.keys.get(focus.root, ())
    if focus.columns:
        return ("COUNT(DISTINCT ", Column(focus.root, focus.columns[0]), ")")
    if plan.many and len(key) == 1:
        return ("COUNT(DISTINCT ", Column(focus.root, key[0]), ")")
    if not key:
        return ("COUNT(DISTINCT ", Column(focus.root, schema.heads[focus.root][0]), ")")
    return ("COUNT(*)",)


def _rows(plan: Plan) -> tuple[Part, ...]:
    focus, schema = plan.focus, plan.schema
    columns = focus.columns or schema.heads[focus.root]
    if schema.with_key and focus.columns and not (focus.above and focus.above.way == "of"):
        columns = tuple(dict.fromkeys((*schema.heads[focus.root], *columns)))
    key = schema.keys.get(focus.root, ())
    whole = bool(key) and set(key) <= set(columns) and not plan.many
    parts: list[Part] = [] if whole else ["DISTINCT "]
    for number, column in enumerate(columns):
        parts += [", "] * bool(number) + [Column(focus.root, column)]
    return tuple(parts)


def _extreme(plan: Plan, one: Superlative) -> _Extreme | None:
    words = frozenset(range(one.first, one.last))
    mark = plan.question.next_mark(one.last)
    return (
        _of_service(plan, one, words)
        or _of_column(plan, one, mark, words)
        or _of_table(plan, one, mark, words)
        or _of_before(plan, one, words)
        or _of_node(plan, one, plan.above_at(one.first) or plan.focus.root, words, _of_text(mark, one, plan))
    )


def _of_text(mark: Mark | None, one: Superlative, plan: Plan) -> float:
    """“The highest degree” is not that of the highest salary."""
    texts = mark is not None and mark.first == one.last and not _measurable(plan, mark) and mark.senses[0].column
    return _UNLIKELY if texts else 0.7


def _of_service(plan: Plan, one: Superlative, words: frozenset[int]) -> _Extreme | None:
    """“Who has been here the longest”: since the first day."""
    schema, root = plan.schema, plan.focus.root
    served = not _SERVED.isdisjoint(lemmas(plan.question.words))
    if one.adjective not in ("long", "short") or not served or root not in schema.people:
        return None
    hired = (column for column in schema.tables[root] if HIRED & schema.stems[column])
    column = next((one for one in hired if schema.kind(root, one) == "date"), None)
    sign = -one.sign if one.adjective == "long" else one.sign
    return _Extreme(root, column, sign, 0.95, words) if column else None


def _nodes(plan: Plan, one: Superlative) -> dict[str, str]:
    """For each table that is spoken of the node that a superlative is said of."""
    nodes = {table_of(node): node for node, _ in reversed(plan.nodes)}
    above = plan.above_at(one.first)
    return nodes | ({table_of(above): above} if above else {})


def _of_column(plan: Plan, one: Superlative, mark: Mark | None, words: frozenset[int]) -> _Extreme | None:
    """“The highest salary”, “the latest departure”."""
    if mark is None or not one.plain:
        return None
    if mark.senses[0].column == "" and mark.senses[0].weight >= 0.9 and one.adjective:
        return None
    nodes = _nodes(plan, one)
    covers = words | set(range(mark.first, mark.last))
    for sense in sorted(_measurable(plan, mark), key=lambda sense: sense.table not in nodes):
        if _is_asked(plan.focus, sense.table, sense.column) and mark.first in plan.focus.covers:
            return _Extreme(plan.focus.root, sense.column, one.sign * _turned(one), sense.weight, covers, head=True)
        node = nodes.get(sense.table) or _reach(plan, sense.table)
        if node is not None:
            sign = _signed(plan, one, sense.table, sense.column)
            return _Extreme(node, sense.column, sign, 0.7 + 0.3 * sense.weight, covers, node != plan.focus.root)
    return None


def _measurable(plan: Plan, mark: Mark) -> list[Sense]:
    """The columns that a word may mean and that have a most and a least."""
    schema = plan.schema
    columns = [one for one in mark.senses if one.column and not schema.is_key(one.table, one.column)]
    return [one for one in columns if schema.kind(one.table, one.column) != "text"]


def _within(plan: Plan, one: Superlative) -> Mark | None:
    """The column in whose name the superlative stands: “highest point”."""
    return next((mark for mark in plan.question.marks if mark.first <= one.first and one.last < mark.last), None)


def _of_name(plan: Plan, one: Superlative, mark: Mark) -> _Extreme | None:
    """“The lowest point of all”: a superlative that is part of a name counts if nothing else says which is meant. The
    number that belongs to it begins with the same word."""
    if plan.said or not mark.senses[0].column:
        return None
    sense = next((s for s in mark.senses if s.table == plan.focus.root), mark.senses[0])
    nodes = {table_of(node): node for node, _ in reversed(plan.nodes)}
    node = nodes.get(sense.table) or _reach(plan, sense.table)
    word = plan.question.words[one.first]
    for column in plan.schema.tables[sense.table]:
        if column.startswith(word) and plan.schema.kind(sense.table, column) != "text" and node is not None:
            head = _is_asked(plan.focus, node, column)
            covers = frozenset(range(mark.first, mark.last))
            return _Extreme(node, column, one.sign * _turned(one), 0.95, covers, head=head)
    return None


def _turned(one: Superlative) -> int:
    return -1 if one.adjective in ("low", "small", "little", "short", "early", "bad", "sparse") else 1


def _signed(plan: Plan, one: Superlative, table: str, column: str) -> int:
    measured = plan.schema.measured(table, one.adjective) if one.adjective else None
    if measured and measured[0] == column:
        return one.sign * measured[1]
    return one.sign * _turned(one)


def _reach(plan: Plan, table: str) -> str | None:
    ways = plan.schema.ways.get((plan.focus.root, table))
    return further(plan.focus.root, ways[0]) if ways else None


def _of_table(plan: Plan, one: Superlative, mark: Mark | None, words: frozenset[int]) -> _Extreme | None:
    """“The largest state”, “the most expensive bike”."""
    nodes = _nodes(plan, one)
    for sense in mark.senses if mark else ():
        node = nodes.get(sense.table)
        if sense.column or node is None:
            continue
        found = _of_node(plan, one, node, words | set(range(mark.first, mark.last)) if mark else words, 0.95)
        if found is not None:
            return found
    return None


def _of_node(plan: Plan, one: Superlative, node: str, words: frozenset[int], weight: float) -> _Extreme | None:
    if not one.adjective:
        return _last(plan, one, node, words)
    measured = plan.schema.measured(table_of(node), one.adjective)
    if measured is None:
        return None
    head = _is_asked(plan.focus, node, measured[0])
    return _Extreme(node, measured[0], one.sign * measured[1], weight, words, node != plan.focus.root, head)


def _is_asked(focus: Focus, node: str, column: str) -> bool:
    return focus.columns[:1] == (column,) and node == focus.root and focus.asks == "rows"


def _last(plan: Plan, one: Superlative, node: str, words: frozenset[int]) -> _Extreme | None:
    """“The last ferry”: of the first column of dates or times."""
    table = table_of(node)
    for column in plan.schema.tables[table]:
        if plan.question.words[one.first] == "last" and plan.schema.kind(table, column) in ("date", "time"):
            return _Extreme(node, column, one.sign, 0.8, words)
    return None


def _of_before(plan: Plan, one: Superlative, words: frozenset[int]) -> _Extreme | None:
    """“Who earns the most”, “which bike costs the least”."""
    if one.adjective:
        return None
    nodes = _nodes(plan, one)
    for mark in reversed([mark for mark in plan.question.marks if mark.last <= one.first]):
        for sense in mark.senses:
            number = sense.column and plan.schema.kind(sense.table, sense.column) in ("number", "date", "time")
            if number and sense.table in nodes and not plan.schema.is_key(sense.table, sense.column):
                covers = words | set(range(mark.first, mark.last))
                return _Extreme(nodes[sense.table], sense.column, one.sign, 0.9, covers)
    return None


def _grouped(plan: Plan) -> Iterator[tuple[float, Statement]]:
    """“The average salary for each department”, “which department has the most employees”."""
    group = next(filter(None, (_group_at(plan, at) for at in plan.question.per)), None)
    clauses = tuple(_once(plan.all_clauses()))
    if group is not None and group[0].node != "":
        column, covers = group
        value = _value(plan)
        if value:
            plan.explained |= covers
            yield 1.0, Statement(plan.focus.root, (column, ", ", *value), clauses, ("GROUP BY ", column))
            return
    yield from _best_group(plan, clauses) or _most_below(plan, clauses) or _most_of(plan, clauses)


def _most_below(plan: Plan, clauses: tuple[Clause, ...]) -> list[tuple[float, Statement]]:
    """“Who supervises the most people”: those above most others."""
    focus, schema, question = plan.focus, plan.schema, plan.question
    above = focus.above
    if above is None or above.way not in ("are", "count") or above.table != focus.root or focus.columns:
        return []
    for one in question.superlatives:
        mark = question.next_mark(one.last, 0)
        if mark is None or one.adjective or not any(it.table == focus.root and not it.column for it in mark.senses):
            continue
        plan.explained |= set(range(one.first, mark.last))
        if any(it.first < above.first for it in plan.said):
            # “Which director supervises the most” is said of the director.
            plan.give_up()
        boss = Column(focus.root, schema.bosses[focus.root])
        own = (*(clause for clause in clauses if not _are_above(clause, boss)), Clause((boss, " IS NOT NULL")))
        tail = most_in_groups(focus.root, boss, ("COUNT(*)",), one.sign, own)
        return [(1.0, Statement(focus.root, (boss,), own, tail))]
    return []


def _are_above(clause: Clause, boss: Column) -> bool:
    """Whether it only says that somebody stands below."""
    return any(isinstance(part, Sub) and part.statement.head == (boss,) for part in clause.parts)


def _best_group(plan: Plan, clauses: tuple[Clause, ...]) -> list[tuple[float, Statement]]:
    """“Which job title earns the least on average”: the groups of which it is the most or the least."""
    focus, words = plan.focus, plan.question.words
    which = next((mark for mark in plan.question.marks if words[mark.first - 1 : mark.first] in _WHICH), None)
    if not focus.works_out or len(plan.question.superlatives) != 1 or which is None:
        return []
    one = plan.question.superlatives[0]
    for sense in which.senses:
        own = Column(focus.root, sense.column) if sense.table == focus.root and sense.column else None
        group = own or (_group_by(plan.schema, focus.root, sense.table) if not sense.column else None)
        if group is not None and group.name not in focus.columns:
            plan.explained |= {*range(one.first, one.last), *range(which.first, which.last)}
            sign = one.sign * (-1 if one.adjective == "young" else _turned(one))
            tail = most_in_groups(focus.root, group, _value(plan), sign, clauses)
            return [(1.0, Statement(focus.root, (group,), clauses, tail))]
    return []


def _value(plan: Plan) -> tuple[Part, ...]:
    focus = plan.focus
    if focus.asks == "count" or not focus.columns:
        return ("COUNT(*)",) if focus.asks == "count" else ()
    column = Column(focus.root, focus.columns[0])
    if focus.works_out:
        return _worked_out(plan, column)
    signs = [one.sign * _turned(one) for one in plan.question.superlatives]
    return ("MAX(" if signs[0] > 0 else "MIN(", column, ")") if signs else ()


def _group_at(plan: Plan, at: int) -> tuple[Column, frozenset[int]] | None:
    """The column for which one line each is wished: a column of the root, or the key of a table it leads to."""
    mark = plan.question.next_mark(at + 1, 2)
    if mark is None:
        return None
    covers = frozenset(range(at, mark.last))
    root, schema = plan.focus.root, plan.schema
    for sense in mark.senses:
        if sense.table == root and sense.column and sense.weight >= 0.6:
            return Column(root, sense.column), covers
        found = _group_by(schema, root, sense.table) if not sense.column and sense.table != root else None
        if found is not None:
            return found, covers
    return None


def _group_by(schema: Schema, root: str, table: str) -> Column | None:
    """The column by which rows of the root fall into groups of another table: their reference to it, or its key."""
    for way in schema.ways.get((root, table), ()):
        if any(step.many for step in way):
            continue
        if len(way) == 1 and way[0].theirs in schema.keys.get(table, ()):
            return Column(root, way[0].mine)
        return Column(further(root, way), schema.heads[table][0])
    return None


def _most_of(plan: Plan, clauses: tuple[Clause, ...]) -> Iterator[tuple[float, Statement]]:
    """“Which department has the most employees”: groups of another table's rows."""
    focus, schema = plan.focus, plan.schema
    for one in plan.question.superlatives:
        mark = plan.question.next_mark(one.last)
        if mark is None or one.adjective not in ("", "high", "great", "large") or focus.columns or focus.asks != "rows":
            continue
        for sense in mark.senses:
            root = sense.table
            if root == focus.root or (sense.column and one.adjective == ""):
                continue
            group = _group_by(schema, root, focus.root)
            if group is None or sense.column or one.adjective:
                continue
            if any(
                isinstance(part, Column) and part.node == focus.root
                for clause in plan.all_clauses()
                for part in clause.parts
                if not clause.bare
            ):
                continue
            plan.explained |= set(range(one.first, mark.last))
            tail = most_in_groups(root, group, ("COUNT(*)",), one.sign, ())
            yield 0.9, Statement(root, (group,), (), tail)
            return
