"""Superlatives of a question made clear: “the highest salary”, “the largest state”, “who has been here the longest”."""

from __future__ import annotations

from dataclasses import dataclass

from ..query.column_words import lemmas
from ..query.comparisons import Superlative
from ..sql.statements import table_of
from .clauses import further
from .focus import Focus
from .measures import HIRED
from .plan import Plan
from .words import Mark, Sense

__all__ = ["Extreme", "extreme", "extreme_of_name", "named_within", "reach", "turned"]

_UNLIKELY = 0.2
_SERVED = frozenset(lemmas(["here", "work", "serve", "service", "employed", "company"]))


@dataclass(frozen=True, slots=True)
class Extreme:
    """A superlative made clear: column of a node, greatest (1) or least (-1), and what speaks for it; `alone` if it is
    said of that node's table by itself, `head` if it is what is asked for."""

    node: str
    column: str
    sign: int
    weight: float
    covers: frozenset[int]
    alone: bool = False
    head: bool = False


def extreme(plan: Plan, one: Superlative) -> Extreme | None:
    """What a superlative asks for the most or the least of; None if nothing here has one."""
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


def _of_service(plan: Plan, one: Superlative, words: frozenset[int]) -> Extreme | None:
    """“Who has been here the longest”: since the first day."""
    schema, root = plan.schema, plan.focus.root
    served = not _SERVED.isdisjoint(lemmas(plan.question.words))
    if one.adjective not in ("long", "short") or not served or root not in schema.people:
        return None
    hired = (column for column in schema.tables[root] if HIRED & schema.stems[column])
    column = next((one for one in hired if schema.kind(root, one) == "date"), None)
    sign = -one.sign if one.adjective == "long" else one.sign
    return Extreme(root, column, sign, 0.95, words) if column else None


def _nodes(plan: Plan, one: Superlative) -> dict[str, str]:
    """For each table that is spoken of the node that a superlative is said of."""
    nodes = {table_of(node): node for node, _ in reversed(plan.nodes)}
    above = plan.above_at(one.first)
    return nodes | ({table_of(above): above} if above else {})


def _of_column(plan: Plan, one: Superlative, mark: Mark | None, words: frozenset[int]) -> Extreme | None:
    """“The highest salary”, “the latest departure”."""
    if mark is None or not one.plain:
        return None
    if mark.senses[0].column == "" and mark.senses[0].weight >= 0.9 and one.adjective:
        return None
    nodes = _nodes(plan, one)
    covers = words | set(range(mark.first, mark.last))
    for sense in sorted(_measurable(plan, mark), key=lambda sense: sense.table not in nodes):
        if _is_asked(plan.focus, sense.table, sense.column) and mark.first in plan.focus.covers:
            return Extreme(plan.focus.root, sense.column, one.sign * turned(one), sense.weight, covers, head=True)
        node = nodes.get(sense.table) or reach(plan, sense.table)
        if node is not None:
            sign = _signed(plan, one, sense.table, sense.column)
            return Extreme(node, sense.column, sign, 0.7 + 0.3 * sense.weight, covers, node != plan.focus.root)
    return None


def _measurable(plan: Plan, mark: Mark) -> list[Sense]:
    """The columns that a word may mean and that have a most and a least."""
    schema = plan.schema
    columns = [one for one in mark.senses if one.column and not schema.is_key(one.table, one.column)]
    return [one for one in columns if schema.kind(one.table, one.column) != "text"]


def named_within(plan: Plan, one: Superlative) -> Mark | None:
    """The column in whose name the superlative stands: “highest point”."""
    return next((mark for mark in plan.question.marks if mark.first <= one.first and one.last < mark.last), None)


def extreme_of_name(plan: Plan, one: Superlative, mark: Mark) -> Extreme | None:
    """“The lowest point of all”: a superlative that is part of a name counts if nothing else says which is meant. The
    number that belongs to it begins with the same word."""
    if plan.said or not mark.senses[0].column:
        return None
    sense = next((s for s in mark.senses if s.table == plan.focus.root), mark.senses[0])
    nodes = {table_of(node): node for node, _ in reversed(plan.nodes)}
    node = nodes.get(sense.table) or reach(plan, sense.table)
    word = plan.question.words[one.first]
    for column in plan.schema.tables[sense.table]:
        if column.startswith(word) and plan.schema.kind(sense.table, column) != "text" and node is not None:
            head = _is_asked(plan.focus, node, column)
            covers = frozenset(range(mark.first, mark.last))
            return Extreme(node, column, one.sign * turned(one), 0.95, covers, head=head)
    return None


def turned(one: Superlative) -> int:
    """-1 if its word asks for the least: “low”."""
    return -1 if one.adjective in ("low", "small", "little", "short", "early", "bad", "sparse") else 1


def _signed(plan: Plan, one: Superlative, table: str, column: str) -> int:
    measured = plan.schema.measured(table, one.adjective) if one.adjective else None
    if measured and measured[0] == column:
        return one.sign * measured[1]
    return one.sign * turned(one)


def reach(plan: Plan, table: str) -> str | None:
    """The node of a table, by the likeliest way from what is asked about."""
    ways = plan.schema.ways.get((plan.focus.root, table))
    return further(plan.focus.root, ways[0]) if ways else None


def _of_table(plan: Plan, one: Superlative, mark: Mark | None, words: frozenset[int]) -> Extreme | None:
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


def _of_node(plan: Plan, one: Superlative, node: str, words: frozenset[int], weight: float) -> Extreme | None:
    if not one.adjective:
        return _last(plan, one, node, words)
    measured = plan.schema.measured(table_of(node), one.adjective)
    if measured is None:
        return None
    head = _is_asked(plan.focus, node, measured[0])
    return Extreme(node, measured[0], one.sign * measured[1], weight, words, node != plan.focus.root, head)


def _is_asked(focus: Focus, node: str, column: str) -> bool:
    return focus.columns[:1] == (column,) and node == focus.root and focus.asks == "rows"


def _last(plan: Plan, one: Superlative, node: str, words: frozenset[int]) -> Extreme | None:
    """“The last ferry”: of the first column of dates or times."""
    table = table_of(node)
    for column in plan.schema.tables[table]:
        if plan.question.words[one.first] == "last" and plan.schema.kind(table, column) in ("date", "time"):
            return Extreme(node, column, one.sign, 0.8, words)
    return None


def _of_before(plan: Plan, one: Superlative, words: frozenset[int]) -> Extreme | None:
    """“Who earns the most”, “which bike costs the least”."""
    if one.adjective:
        return None
    nodes = _nodes(plan, one)
    for mark in reversed([mark for mark in plan.question.marks if mark.last <= one.first]):
        for sense in mark.senses:
            number = sense.column and plan.schema.kind(sense.table, sense.column) in ("number", "date", "time")
            if number and sense.table in nodes and not plan.schema.is_key(sense.table, sense.column):
                covers = words | set(range(mark.first, mark.last))
                return Extreme(nodes[sense.table], sense.column, one.sign, 0.9, covers)
    return None
