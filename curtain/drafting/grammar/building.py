"""From a sketch to a statement: nodes for its tables, joins by the graph's paths, nested queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..algebra.query import Arg, Call, Column, Constant, Nested, Statement, call, compared, table_of
from .graph import Compare, Extreme, Graph, Related, Shown, Sketch, Target


class Unjoined(Exception):
    """No path leads from one table to another."""


def count_rows(column: Arg = None, distinct: bool = False) -> Call:
    """COUNT(*), or COUNT of a column."""
    if column is None:
        return call("count", call("star"), big_int=True)
    return call("count", call("distinct", expressions=(column,)) if distinct else column, big_int=True)


def any_rows() -> Call:
    """COUNT(*) > 0."""
    return call("gt", count_rows(), expression=Constant("0"))


def ordered(key: Arg, descending: bool) -> Call:
    """A key of ORDER BY."""
    return call("ordered", key, desc=True if descending else None, nulls_first=None)


def with_extreme(query: Statement, column: Arg, one: Extreme, alone: bool = True) -> Statement:
    """The rows with the greatest or least value of a column; the first so many in that order where several are asked
    for, or where the query cannot be nested (`alone`)."""
    if one.limit != 1 or not alone:
        return replace(query, order=(ordered(column, one.sign > 0),), limit=Constant(str(one.limit)))
    inner = Statement(query.root, (call("max" if one.sign > 0 else "min", column),), query.where)
    return replace(query, where=(*query.where, call("eq", column, expression=Nested(inner))))


def build(sketch: Sketch, graph: Graph) -> Statement | None:
    """The statement; None if its tables cannot be joined."""
    try:
        return Builder(sketch, graph).query()
    except Unjoined:
        return None


class Builder:
    """One statement while it is put together. `nodes` are those that it has already: they are taken before others."""

    def __init__(self, sketch: Sketch, graph: Graph, nodes: Sequence[str] = ()) -> None:
        self._sketch, self._graph, self._nodes = sketch, graph, nodes
        self._root = sketch.root
        self._many = False

    def query(self) -> Statement:
        """The whole statement. Raises Unjoined."""
        sketch = self._sketch
        where = [self.predicate(one) for one in sketch.conditions if isinstance(one, Compare)]
        where += [self.related(one) for one in sketch.conditions if isinstance(one, Related)]
        query = self._shown(Statement(self._root, (), tuple(where)))
        for one in sketch.conditions:
            if isinstance(one, Extreme):
                query = with_extreme(query, self.item(Shown(one.target)), one, not query.group)
        if sketch.order is not None:
            key, descending = sketch.order
            query = replace(query, order=(*query.order, ordered(self.item(key), descending)))
        return query

    def _column(self, target: Target, prefer: Sequence[str] = ()) -> Column:
        node, several = self._path(target.table, prefer)
        self._many = self._many or several
        if ">" in node:
            # The key of another table that a column of ours already holds needs no join.
            parent, step = node.rsplit(">", 1)
            mine, theirs = step.split("=", 1)
            if theirs == f"{target.table}.{target.column}":
                return Column(parent, mine)
        return Column(node, target.column)

    def _path(self, table: str, prefer: Sequence[str] = ()) -> tuple[str, bool]:
        """A node of this table, one that is there already if there is only one, and whether it is several rows. Raises
        Unjoined."""
        path = self._graph.path(self._root, table, prefer)
        there = [node for node in self._nodes if table_of(node) == table]
        liked = [node for node in there if any(word in node for word in prefer)]
        if len(there) == 1 or liked:
            return (liked or there)[0], path is None or path[1]
        if path is None:
            raise Unjoined
        return path

    def item(self, item: Shown) -> Arg:
        """What is shown, as an expression."""
        if item.aggregate == "count":
            return self._count(item.target.table)
        column: Arg = self._column(item.target)
        if item.aggregate in ("years", "avg years"):
            years = self._years(column)
            whole = years if item.aggregate == "years" else call("avg", years)
            return call("round", whole, decimals=Constant("2"))
        if item.aggregate == "distinct":
            return count_rows(column, distinct=True)
        return call(item.aggregate, column) if item.aggregate else column

    def _years(self, column: Arg) -> Arg:
        """The years from a date to the day as of which the data holds."""
        today = call("cast", Constant(self._graph.pack.as_of.isoformat(), True), to=call("datatype", "type:DATE"))
        days = call("datediff", today, expression=column, unit=Constant("day", True), date_part_boundary=True)
        return call("div", days, expression=Constant("365.25"))

    def _count(self, table: str) -> Arg:
        key = self._graph.key(table)
        if table == self._root:
            distinct = self._many and len(key) == 1
            return count_rows(Column(self._root, key[0]), distinct=True) if distinct else count_rows()
        self._path(table)
        return count_rows(self._column(Target(table, key[0])), distinct=len(key) == 1) if key else count_rows()

    def predicate(self, one: Compare) -> Arg:
        """A condition on a column. Raises Unjoined."""
        column: Arg = self._column(one.target, one.prefer)
        if one.measure:
            column = self._years(column) if one.measure == "years" else call(one.measure, column)
        return compared(column, one.op, one.literals, one.negated)

    def related(self, one: Related) -> Arg:
        """Rows to which one of the other table belongs. Raises Unjoined."""
        node, several = self._path(one.table)
        self._many = self._many or several
        return Column(node, "")

    def _shown(self, query: Statement) -> Statement:
        sketch = self._sketch
        if sketch.yes_no:
            return replace(query, select=(any_rows(),))
        items = sketch.items or tuple(Shown(Target(self._root, name)) for name in self._graph.shown(self._root))
        select = tuple(dict.fromkeys(self.item(item) for item in items))
        group = tuple(self._column(target) for target in sketch.group)
        if group:
            extra = (one for one in select if isinstance(one, Column) and one not in group)
            return replace(query, select=select, group=(*group, *extra))
        plain = all(isinstance(one, Column) for one in select)
        named = {one.name for one in select if isinstance(one, Column) and one.node == self._root}
        keyed = bool(self._graph.key(self._root)) and set(self._graph.key(self._root)) <= named
        return replace(query, select=select, distinct=plain and (self._many or (sketch.distinct and not keyed)))
