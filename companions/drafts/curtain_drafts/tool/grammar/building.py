"""From a sketch to a statement: nodes for its tables, joins by the graph's paths, nested queries."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..algebra.query import Arg, Call, Column, Constant, Nested, Statement, call, join_of, mapped, nodes_of, table_of
from .graph import Graph, Sketch


class Unjoined(Exception):
    """No path leads from one table to another."""


def count_rows(column: Arg = None, distinct: bool = False) -> Call:
    """COUNT(*), or COUNT of a column."""
    if column is None:
        return call("count", call("star"), big_int=True)
    return call("count", call("distinct", expressions=(column,)) if distinct else column, big_int=True)


def counted(query: Statement, shown: Iterable[Arg]) -> Call:
    """The number of the statement's rows, or of the first column `shown` where joins may repeat them."""
    column = next((one for one in shown if isinstance(one, Column)), None)
    several = any(">" in node for node in nodes_of(query))
    return count_rows(column, distinct=True) if several and column else count_rows()


def summed(query: Statement, *select: Arg, group: tuple[Arg, ...] = ()) -> Statement:
    """The statement with sums in place of what it shows, for each of a group where one is given."""
    return replace(query, select=select, group=group, distinct=False, order=(), limit=None)


def any_rows() -> Call:
    """COUNT(*) > 0."""
    return call("gt", count_rows(), expression=Constant("0"))


def first_rows(column: Arg, sign: int, many: int = 1) -> Call:
    """In a sketch: the rows with the greatest (1) or least (-1) value of a column, or the first so many in that
    order."""
    return call("first", column, desc=sign > 0, limit=Constant(str(many)))


def with_first_rows(query: Statement, one: Arg, alone: bool = True) -> Statement:
    """The rows with the greatest or least value of a column; the first so many in that order where several are asked
    for, or where the query cannot be nested (`alone`)."""
    assert isinstance(one, Call)
    column, greatest, limit = one.get("this"), one.get("desc") is True, one.get("limit")
    if limit != Constant("1") or not alone:
        return replace(query, order=(call("ordered", column, desc=greatest),), limit=limit)
    inner = Statement(query.root, (call("max" if greatest else "min", column),), query.where)
    return replace(query, where=(*query.where, call("eq", column, expression=Nested(inner))))


def counted_table(item: object) -> str:
    """The table whose rows an item of a sketch counts; empty for any other."""
    of = item.get("this") if isinstance(item, Call) and item.kind == "count" else None
    return of.table if isinstance(of, Column) and not of.name else ""


class Builder:
    """One statement while it is put together. `nodes` are those that it has already: they are taken before others."""

    def __init__(self, sketch: Sketch, graph: Graph, nodes: Sequence[str] = ()) -> None:
        self._sketch, self._graph, self._nodes = sketch, graph, nodes
        self._root = sketch.root
        self._many = False

    def query(self) -> Statement:
        """The whole statement. Raises Unjoined."""
        sketch = self._sketch
        where = self.joined(one for one in sketch.conditions if one not in sketch.first)
        query = self._shown(Statement(self._root, (), where))
        for one in self.joined(sketch.first):
            query = with_first_rows(query, one, not query.group)
        return query

    def joined(self, parts: Iterable[Arg]) -> tuple[Arg, ...]:
        """Expressions of the sketch over the nodes of the statement. Raises Unjoined."""
        return tuple(mapped(one, object, self._put) for one in parts)

    def _put(self, part: object) -> Arg:
        if table := counted_table(part):
            return self._count(table)
        return self._column(part) if isinstance(part, Column) else None

    def _column(self, column: Column) -> Column:
        node, several = self._path(column.table, tuple(column.node.split("#")[1:]))
        self._many = self._many or several
        # The key of another table that a column of ours already holds needs no join.
        join = join_of(node)
        return join[0] if join and join[1].name == column.name else Column(node, column.name)

    def _path(self, table: str, prefer: Sequence[str] = ()) -> tuple[str, bool]:
        """A node of this table, one that is there already if there is only one, and whether it is several rows. Raises
        Unjoined."""
        path = self._graph.path(self._root, table, prefer)
        there = [node for node in self._nodes if table_of(node) == table]
        liked = [node for node in there if any(word in node for word in prefer)]
        if (len(there) == 1 and table != self._root) or liked:
            return (liked or there)[0], path is None or path[1]
        if path is None:
            raise Unjoined
        return path

    def _count(self, table: str) -> Arg:
        key = self._graph.key(table)
        if table == self._root:
            distinct = self._many and len(key) == 1
            return count_rows(Column(self._root, key[0]), distinct=True) if distinct else count_rows()
        self._path(table)
        return count_rows(self._column(Column(table, key[0])), distinct=len(key) == 1) if key else count_rows()

    def _shown(self, query: Statement) -> Statement:
        sketch = self._sketch
        if sketch.yes_no:
            return replace(query, select=(any_rows(),))
        select = tuple(dict.fromkeys(self.joined(sketch.items or self._graph.shown(self._root))))
        group = self.joined(sketch.group)
        if group:
            extra = (one for one in select if isinstance(one, Column) and one not in group)
            return replace(query, select=select, group=(*group, *extra))
        plain = all(isinstance(one, Column) for one in select)
        keyed = self._graph.shows_key(self._root, select)
        return replace(query, select=select, distinct=plain and (self._many or (sketch.distinct and not keyed)))
