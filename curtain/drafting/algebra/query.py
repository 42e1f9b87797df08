"""A statement as a typed value that does not depend on aliases.

A query is a tree of tables: the *root*, and from it *nodes*, each reached by one join of two columns. A node is named
by its path, as `flight>from_airport=airport.airport_code`, so that the same condition is the same value in all
statements. Expressions are columns of nodes, literals, nested queries and calls (of an operator or a function).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a node; `up` says of how many queries outward the node is."""

    node: str
    name: str
    up: int = 0

    @property
    def short(self) -> str:
        """Table and column, whatever the path."""
        return f"{table_of(self.node)}.{self.name}"


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or text. `index` counts the literals of a statement in the order of its text; `form` says what a value
    of a question must give to stand here (`city.city_name`, `#number`), empty for a constant."""

    text: str
    is_text: bool = False
    index: int = -1
    form: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """An operator or function: sqlglot's name of it, and its arguments by their names."""

    kind: str
    args: tuple[tuple[str, Arg], ...] = ()

    def get(self, name: str) -> Arg:
        """The argument of this name, None if there is none."""
        return next((value for key, value in self.args if key == name), None)


@dataclass(frozen=True, slots=True)
class Nested:
    """A query in a place of an expression."""

    query: Statement


Arg = Column | Constant | Call | Nested | str | bool | None | tuple["Arg", ...]


@dataclass(frozen=True)
class Predicate:
    """One condition of WHERE. One without an expression only says that its `node` is joined."""

    expr: Arg
    node: str = ""

    @cached_property
    def key(self) -> str:
        """What makes it the same condition in another statement: nested queries count by what they select."""
        return f"+{self.node}" if self.expr is None else _text(self.expr)

    @cached_property
    def whole(self) -> str:
        """All that it says, nested queries included."""
        return self.key if self.expr is None else _text(self.expr, True)

    @property
    def bare(self) -> bool:
        """Whether it only asks for a node to be joined."""
        return self.expr is None

    @property
    def nested(self) -> bool:
        """Whether it holds a query."""
        return any(isinstance(part, Nested) for part in inside(self.expr))


@dataclass(frozen=True)
class Statement:
    """A SELECT. Without a `root` it could not be taken apart, and `select` holds the whole tree."""

    root: str
    select: tuple[Arg, ...]
    where: tuple[Predicate, ...] = ()
    distinct: bool = False
    group: tuple[Arg, ...] = ()
    having: tuple[Predicate, ...] = ()
    order: tuple[Arg, ...] = ()
    limit: Arg = None

    @cached_property
    def head(self) -> str:
        """What it asks for: root, select list and what follows WHERE, as one text."""
        return self._head(False)

    @cached_property
    def key(self) -> str:
        """Equal for statements that differ in aliases and the order of conditions alone."""
        conditions = sorted(one.whole for one in self.where)
        return f"{self._head(True)}|{'&'.join(conditions)}"

    @cached_property
    def sense(self) -> str:
        """The same without what changes no set of rows: DISTINCT, and joins that only are there."""
        conditions = sorted({one.whole for one in self.where if not one.bare})
        return f"{replace(self, distinct=False)._head(True)}|{'&'.join(conditions)}"

    def _head(self, whole: bool) -> str:
        tail = [
            *(_text(one, whole) for one in self.group),
            "H",
            *sorted(one.whole if whole else one.key for one in self.having),
        ]
        tail += ["O", *(_text(one, whole) for one in self.order), "L", _text(self.limit, whole)]
        names = ", ".join(_text(one, whole) for one in self.select)
        return f"{self.root}|{'D ' if self.distinct else ''}{names}|{' '.join(tail)}"

    @property
    def aggregates(self) -> bool:
        """Whether its select list counts or computes over rows."""
        return any(isinstance(one, Call) and one.kind in _AGGREGATES for part in self.select for one in inside(part))


_FLIPPED = {"eq": "neq", "neq": "eq", "gt": "lte", "lte": "gt", "lt": "gte", "gte": "lt"}
_CONTRARY = {"max": "min", "min": "max"}
_AGGREGATES = frozenset(["count", "avg", "sum", "max", "min", "median", "countif"])


def _text(arg: Arg, whole: bool = False) -> str:
    if isinstance(arg, Column):
        return f"{'^' * arg.up}{arg.node}.{arg.name}"
    if isinstance(arg, Constant):
        return f"<{arg.form}>" if arg.form else f"'{arg.text}'" if arg.is_text else arg.text
    if isinstance(arg, Call):
        return f"{arg.kind}({','.join(_text(value, whole) for _, value in arg.args)})"
    if isinstance(arg, Nested):
        query = arg.query
        return f"({query.key})" if whole else f"(select {','.join(_text(one) for one in query.select)})"
    if isinstance(arg, tuple):
        return f"[{','.join(_text(one, whole) for one in arg)}]"
    return "" if arg is None else str(arg)


def inside(arg: Arg) -> Iterator[Arg]:
    """All parts of an expression; nested queries are parts, and are not entered."""
    yield arg
    if isinstance(arg, Call):
        for _, value in arg.args:
            yield from inside(value)
    elif isinstance(arg, tuple):
        for value in arg:
            yield from inside(value)


def columns_of(arg: Arg) -> Iterator[Column]:
    """The columns of an expression, without those of nested queries."""
    return (part for part in inside(arg) if isinstance(part, Column))


def kind_of(predicate: Predicate) -> str:
    """The operator of a condition; empty without one."""
    return predicate.expr.kind if isinstance(predicate.expr, Call) else ""


def held(arg: Arg, nested: bool = True) -> Iterator[tuple[str, Constant]]:
    """Every literal with the last column before it, as `table.column`."""
    column = ""
    for part in inside(arg):
        if isinstance(part, Column):
            column = part.short
        elif isinstance(part, Constant):
            yield column, part
        elif isinstance(part, Nested) and nested:
            yield from literals_of(part.query)


def literals_of(query: Statement) -> Iterator[tuple[str, Constant]]:
    """Every literal of a query with the column that it is compared with, nested queries included."""
    for part in _parts(query):
        yield from held(part)


def _parts(query: Statement) -> Iterator[Arg]:
    yield from query.select
    yield from (one.expr for one in (*query.where, *query.having))
    yield from (*query.group, *query.order, query.limit)


def mapped(arg: Arg, change: Callable[[Arg], Arg | None]) -> Arg:
    """The expression with parts changed, outermost first; where `change` gives None the parts inside are looked at."""
    changed = change(arg)
    if changed is not None:
        return changed
    if isinstance(arg, Call):
        return Call(arg.kind, tuple((name, mapped(value, change)) for name, value in arg.args))
    if isinstance(arg, tuple):
        return tuple(mapped(value, change) for value in arg)
    if isinstance(arg, Nested):
        return Nested(map_query(arg.query, change))
    return arg


def map_predicate(one: Predicate, change: Callable[[Arg], Arg | None]) -> Predicate:
    """The condition with parts changed."""
    if one.expr is None:
        return one
    return Predicate(mapped(one.expr, change), one.node)


def leave_room(above: Predicate, below: Predicate) -> bool | None:
    """Whether values may lie above what one condition names and below what the other does; None where they name no such
    bounds."""
    ends = [text for one in (above, below) for _, text in held(one.expr)]
    if kind_of(above) not in ("gt", "gte") or kind_of(below) not in ("lt", "lte") or len(ends) != 2:
        return None
    low, high = (one.text if one.is_text else float(one.text) for one in ends)
    return type(low) is not type(high) or low < high  # type: ignore[operator]


def with_text(one: Predicate, text: str) -> Predicate:
    """The condition with another literal in the place of each of its own."""
    return map_predicate(one, lambda part: replace(part, text=text) if isinstance(part, Constant) else None)


def map_query(query: Statement, change: Callable[[Arg], Arg | None]) -> Statement:
    """The query with parts of all its expressions changed, nested queries included."""

    def each(args: tuple[Arg, ...]) -> tuple[Arg, ...]:
        return tuple(mapped(one, change) for one in args)

    return Statement(
        query.root,
        each(query.select),
        tuple(map_predicate(one, change) for one in query.where),
        query.distinct,
        each(query.group),
        tuple(map_predicate(one, change) for one in query.having),
        each(query.order),
        mapped(query.limit, change),
    )


def turned(part: Arg) -> Arg:
    """The expression with the least in place of the greatest, and the other way round, nested queries included."""
    return mapped(part, _turn)


def _turn(part: Arg) -> Arg | None:
    return replace(part, kind=_CONTRARY[part.kind]) if isinstance(part, Call) and part.kind in _CONTRARY else None


def contrary(query: Statement) -> Statement:
    """The query with the least in place of the greatest, and the other way round; also the first in an order."""
    query = map_query(query, _turn)
    keys = (key for key in query.order if isinstance(key, Call) and query.limit is not None)
    order = (call("ordered", **{**dict(key.args), "desc": not key.get("desc")}) for key in keys)
    return replace(query, order=tuple(order) or query.order)


def call(kind: str, this: Arg = None, **more: Arg) -> Call:
    """A call with its main argument and others by name."""
    args = (("this", this), *more.items())
    return Call(kind, tuple((name, value) for name, value in args if value is not None and value is not False))


def compared(column: Arg, op: str, literals: Sequence[Constant], negated: bool = False) -> Arg:
    """A condition on a column; a denied comparison is its contrary."""
    if op == "between":
        inner: Arg = call("between", column, low=literals[0], high=literals[1])
    elif op == "within":
        low, high = (call(kind, column, expression=one) for kind, one in zip(("gt", "lt"), literals, strict=True))
        inner = call("and", low, expression=high)
    elif op == "in":
        inner = call("in", column, expressions=tuple(literals))
    elif op == "like":
        inner = call("like", column, expression=literals[0])
    elif op == "null":
        inner = call("is", column, expression=call("null"))
    elif op == "true":
        return call("eq", column, expression=Call("boolean", (("this", not negated),)))
    else:
        return call(_FLIPPED[op] if negated else op, column, expression=literals[0])
    return call("not", inner) if negated else inner


def nodes_in(one: Predicate) -> set[str]:
    """The nodes of this query that a condition speaks of, those inside nested queries left out."""
    if one.expr is None:
        return {one.node}
    return {column.node for column in columns_of(one.expr) if not column.up}


def nodes_of(query: Statement) -> list[str]:
    """The nodes of a query, the root first, each after the node that it hangs on."""
    wanted = {query.root: 0}
    for node in (*named_nodes(query), *(one.node for one in query.where if one.bare)):
        steps = node.split(">")
        for size in range(1, len(steps) + 1):
            wanted.setdefault(">".join(steps[:size]), len(wanted))
    return sorted(wanted, key=lambda node: (node.count(">"), wanted[node]))


def named_nodes(query: Statement, depth: int = 0) -> Iterator[str]:
    """The nodes of a query whose columns it names, also in queries nested in it, each time that it does."""
    for part in _parts(query):
        for inner in inside(part):
            if isinstance(inner, Column) and inner.up == depth:
                yield inner.node
            elif isinstance(inner, Nested):
                yield from named_nodes(inner.query, depth + 1)


@lru_cache(maxsize=8192)
def table_of(node: str) -> str:
    """The table of a node."""
    step = node.rsplit(">", 1)[-1].split("#")[0]
    return step.split("=", 1)[-1].split(".")[0]


def nested_alike(query: Statement) -> Statement:
    """The query, its conditions also in the queries nested in it that look for a greatest or least value of the same
    table."""
    outer = tuple(one for one in query.where if not one.nested)

    def put(part: Arg) -> Arg | None:
        if not isinstance(part, Nested):
            return None
        inner = part.query
        alike = inner.root == query.root and inner.aggregates and not any(one.nested for one in inner.where)
        return Nested(replace(inner, where=outer)) if alike else part

    return replace(query, where=tuple(Predicate(mapped(one.expr, put)) if one.nested else one for one in query.where))
