"""A statement as a typed value that does not depend on aliases.

A query is a tree of tables: the *root*, and from it *nodes*, each reached by one join of two columns. A node is named
by its path, as `flight>from_airport=airport.airport_code`, so that the same condition is the same value in all
statements. Expressions are columns of nodes, literals, nested queries and calls (of an operator or a function).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a node, without a name the node itself; `up` says of how many queries outward the node is."""

    node: str
    name: str = ""
    up: int = 0

    @property
    def table(self) -> str:
        """The table of its node."""
        return table_of(self.node)

    @property
    def short(self) -> str:
        """Table and column, whatever the path."""
        return f"{self.table}.{self.name}"


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


_Part = TypeVar("_Part")
Arg = Column | Constant | Call | Nested | str | bool | None | tuple["Arg", ...]


@dataclass(frozen=True)
class Statement:
    """A SELECT. Without a `root` it could not be taken apart, and `select` holds the whole tree. A condition of `where`
    that is a column without a name only says that its node is joined."""

    root: str
    select: tuple[Arg, ...]
    where: tuple[Arg, ...] = ()
    distinct: bool = False
    group: tuple[Arg, ...] = ()
    having: tuple[Arg, ...] = ()
    order: tuple[Arg, ...] = ()
    limit: Arg = None

    @property
    def parts(self) -> tuple[Arg, ...]:
        """Its expressions, of all clauses."""
        return (*self.select, *self.where, *self.having, *self.group, *self.order, self.limit)

    @property
    def conditions(self) -> tuple[Arg, ...]:
        """Those of WHERE that say more than that a node is joined."""
        return tuple(one for one in self.where if not isinstance(one, Column))

    @cached_property
    def head(self) -> str:
        """What it asks for: root, select list and what follows WHERE, as one text."""
        return self._head(False)

    @cached_property
    def key(self) -> str:
        """Equal for statements that differ in aliases and the order of conditions alone."""
        return f"{self._head(True)}|{'&'.join(sorted(key_of(one, True) for one in self.where))}"

    @cached_property
    def sense(self) -> str:
        """The same without what changes no set of rows: DISTINCT, and joins that only are there."""
        conditions = sorted({key_of(one, True) for one in self.conditions})
        return f"{replace(self, distinct=False)._head(True)}|{'&'.join(conditions)}"

    def _head(self, whole: bool) -> str:
        clauses = self.select, self.group, self.having, self.order, (self.limit,)
        select, group, having, order, limit = ([key_of(one, whole) for one in args] for args in clauses)
        tail = " ".join([*group, "H", *sorted(having), "O", *order, "L", *limit])
        return f"{self.root}|{'D ' if self.distinct else ''}{', '.join(select)}|{tail}"

    @property
    def aggregates(self) -> bool:
        """Whether its select list counts or computes over rows."""
        return any(isinstance(one, Call) and one.kind in _AGGREGATES for part in self.select for one in inside(part))


_KINDS: dict[str, type] = {"node": Column, "text": Constant, "kind": Call, "query": Nested, "root": Statement}


def built(written: Any) -> Any:
    """A statement or a part of one, from the maps and lists that msgspec writes. Raises TypeError, ValueError."""
    if isinstance(written, dict):
        return _KINDS[min(written.keys() & _KINDS.keys())](**{name: built(value) for name, value in written.items()})
    return tuple(map(built, written)) if isinstance(written, list) else written


_CLAUSES = ("select", "where", "group", "having", "order", "limit")
_FLIPPED = {"eq": "neq", "neq": "eq", "gt": "lte", "lte": "gt", "lt": "gte", "gte": "lt"}
_CONTRARY = {"max": "min", "min": "max"}
_AGGREGATES = frozenset(["count", "avg", "sum", "max", "min", "median", "countif"])


def key_of(arg: Arg, whole: bool = False) -> str:
    """What makes it the same expression in another statement: nested queries count by what they select, or `whole`."""
    if isinstance(arg, Column):
        return f"{'^' * arg.up}{arg.node}.{arg.name}" if arg.name else f"+{arg.node}"
    if isinstance(arg, Constant):
        return f"<{arg.form}>" if arg.form else f"'{arg.text}'" if arg.is_text else arg.text
    if isinstance(arg, Call):
        return f"{arg.kind}({','.join(key_of(value, whole) for _, value in arg.args)})"
    if isinstance(arg, Nested):
        return f"({arg.query.key})" if whole else f"(select {','.join(map(key_of, arg.query.select))})"
    if isinstance(arg, tuple):
        return f"[{','.join(key_of(one, whole) for one in arg)}]"
    return "" if arg is None else str(arg)


def inside(arg: Arg, nested: bool = False) -> Iterator[Arg]:
    """All parts of an expression; nested queries are parts, and their own are only where that is asked for."""
    yield arg
    within: Sequence[Arg] = arg if isinstance(arg, tuple) else ()
    if isinstance(arg, Call):
        within = [value for _, value in arg.args]
    elif isinstance(arg, Nested) and nested:
        within = arg.query.parts
    for value in within:
        yield from inside(value, nested)


def column_named(name: str) -> Column:
    """The column `table.column`; a % before it is left out."""
    table, column = name.lstrip("%").split(".")
    return Column(table, column)


def columns_of(arg: Arg) -> Iterator[Column]:
    """The columns of an expression, without those of nested queries."""
    return (part for part in inside(arg) if isinstance(part, Column))


def kind_of(condition: Arg) -> str:
    """The operator of a condition; empty without one."""
    return condition.kind if isinstance(condition, Call) else ""


def has_query(arg: Arg) -> bool:
    """Whether an expression holds a query."""
    return any(isinstance(part, Nested) for part in inside(arg))


def held(arg: Arg, nested: bool = True) -> Iterator[tuple[str, Constant]]:
    """Every literal with the last column before it, as `table.column`."""
    column = ""
    for part in inside(arg, nested):
        if isinstance(part, Column):
            column = part.short
        elif isinstance(part, Constant):
            yield column, part


def literals_of(query: Statement) -> Iterator[tuple[str, Constant]]:
    """Every literal of a query with the column that it is compared with, nested queries included."""
    return (pair for part in query.parts for pair in held(part))


def mapped(arg: Arg, kind: type[_Part], change: Callable[[_Part], Arg | None]) -> Arg:
    """The expression with the parts of a kind changed, outermost first; where `change` gives None, and in others, the
    parts inside are looked at."""
    changed = change(arg) if isinstance(arg, kind) else None
    if changed is not None:
        return changed
    if isinstance(arg, Call):
        return Call(arg.kind, tuple((name, mapped(value, kind, change)) for name, value in arg.args))
    if isinstance(arg, tuple):
        return tuple(mapped(value, kind, change) for value in arg)
    return Nested(map_query(arg.query, kind, change)) if isinstance(arg, Nested) else arg


def leave_room(above: Arg, below: Arg) -> bool | None:
    """Whether values may lie above what one condition names and below what the other does; None where they name no such
    bounds."""
    ends = [text for one in (above, below) for _, text in held(one)]
    if kind_of(above) not in ("gt", "gte") or kind_of(below) not in ("lt", "lte") or len(ends) != 2:
        return None
    low, high = (one.text if one.is_text else float(one.text) for one in ends)
    return type(low) is not type(high) or low < high  # type: ignore[operator]


def with_text(one: Arg, text: str) -> Arg:
    """The condition with another literal in the place of each of its own."""
    return mapped(one, Constant, lambda literal: replace(literal, text=text))


def map_query(query: Statement, kind: type[_Part], change: Callable[[_Part], Arg | None]) -> Statement:
    """The query with parts of all its expressions changed, nested queries included."""
    clauses: dict[str, Any] = {name: mapped(getattr(query, name), kind, change) for name in _CLAUSES}
    return replace(query, **clauses)


def turned(part: Call) -> Call | None:
    """The least in place of the greatest, and the other way round; None for other calls."""
    return replace(part, kind=_CONTRARY[part.kind]) if part.kind in _CONTRARY else None


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
    elif op == "true":
        return call("eq", column, expression=Call("boolean", (("this", not negated),)))
    else:
        return call(_FLIPPED[op] if negated else op, column, expression=literals[0])
    return call("not", inner) if negated else inner


def nodes_in(part: Arg) -> set[str]:
    """The nodes of this query that an expression speaks of, those inside nested queries left out."""
    return {column.node for column in columns_of(part) if not column.up}


def nodes_of(query: Statement) -> list[str]:
    """The nodes of a query, the root first, each after the node that it hangs on."""
    wanted = {query.root: 0}
    for node in named_nodes(query):
        steps = node.split(">")
        for size in range(1, len(steps) + 1):
            wanted.setdefault(">".join(steps[:size]), len(wanted))
    return sorted(wanted, key=lambda node: (node.count(">"), wanted[node]))


def named_nodes(query: Statement, depth: int = 0) -> Iterator[str]:
    """The nodes of a query that it names, also in queries nested in it, each time that it does."""
    for inner in inside(query.parts):
        if isinstance(inner, Column) and inner.up == depth:
            yield inner.node
        elif isinstance(inner, Nested):
            yield from named_nodes(inner.query, depth + 1)


@lru_cache(maxsize=8192)
def table_of(node: str) -> str:
    """The table of a node."""
    step = node.rsplit(">", 1)[-1].split("#")[0]
    return step.split("=", 1)[-1].split(".")[0]


def join_of(node: str) -> tuple[Column, Column] | None:
    """The column that a node is joined by, and its own; None for a root, and for one that nothing joins."""
    parent, _, step = node.rpartition(">")
    mine, _, theirs = step.split("#")[0].partition("=")
    return (Column(parent, mine), Column(node, theirs.split(".")[1])) if parent and mine else None


def nested_alike(query: Statement) -> Statement:
    """The query, its conditions also in the queries nested in it that look for a greatest or least value of the same
    table."""
    outer = tuple(one for one in query.where if not has_query(one))

    def put(part: Nested) -> Arg:
        inner = part.query
        alike = inner.root == query.root and inner.aggregates and not any(map(has_query, inner.where))
        return Nested(replace(inner, where=outer)) if alike else part

    return replace(query, where=tuple(mapped(one, Nested, put) for one in query.where))
