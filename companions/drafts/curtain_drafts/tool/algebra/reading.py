"""From SQL to `query.Statement`, with sqlglot. What cannot be taken apart stays whole; no SQL raises an error."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache

from sqlglot import exp
from sqlglot.errors import SqlglotError

from curtain.base.sql_names import folded
from curtain.base.sql_tokens import sql_tree
from curtain.base.words import MARKS
from curtain_drafts.drafting.values import Asked

from .query import Arg, Call, Column, Constant, Nested, Statement, call, map_query, named_nodes

_PLAIN = {"joins", "from_", "where", "expressions", "distinct", "kind", "group", "having", "order", "limit"}
_LONGEST = 20_000
# sqlglot's own tokenizer is slower by a factor of fifty; with thousands of examples it would take most of the time.
_LITERAL = re.compile(
    r"""(?P<text>'(?:[^']|'')*')|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/"""
    rf"""|[^\W\d][\w{MARKS}]*|(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)""",
    re.DOTALL,
)
_BOUNDS = {"gt": "lt", "lt": "gt", "gte": "lte", "lte": "gte"}
_Link = tuple[exp.Expression, tuple[str, str], tuple[str, str]]


class _Opaque(Exception):
    """This statement cannot be taken apart."""


@dataclass
class _Scope:
    """The tables of one SELECT while it is read, by alias."""

    tables: dict[str, str]
    nodes: dict[str, str] = field(default_factory=dict)


_Scopes = tuple[_Scope, ...]
"""Those of a nested query, its own first, then outward."""


class SqlReader:
    """Reads statements over the tables of a pack. `hub` is the table that most statements are about: where it occurs it
    is the root. `keys` are primary keys: two aliases that one column leads to by a key are one row, and one node."""

    def __init__(
        self, tables: Mapping[str, Mapping[str, str]], hub: str = "", keys: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self._tables = {table: set(columns) for table, columns in tables.items()}
        self._keys = {f"{table}.{key[0]}" for table, key in (keys or {}).items() if len(key) == 1}
        self._hub = hub
        self._read = cache(self._tree)

    def read(self, sql: str) -> Statement | None:
        """The query, its literals numbered in the order of the text; None if it is no SELECT."""
        masked, literals = _masked(sql[:_LONGEST])
        query = self._read(masked)
        return None if query is None else map_query(query, Constant, lambda mark: _filled(mark, literals))

    def last(self, previous: Sequence[Asked]) -> Statement | None:
        """The last earlier statement that can be taken apart."""
        read = (self.read(asked.sql) for asked in reversed(previous))
        return next((one for one in read if one is not None and one.root), None)

    def _tree(self, masked: str) -> Statement | None:
        try:
            tree = sql_tree(masked)
        except SqlglotError:
            return None
        if not isinstance(tree, exp.Query) or not isinstance(tree, exp.Expression):
            return None
        with suppress(_Opaque, RecursionError):
            return self._query(tree, ())
        with suppress(_Opaque, RecursionError):
            return Statement("", (_converted(tree),))
        return None

    def _query(self, tree: exp.Expression, outer: _Scopes) -> Statement:
        if not isinstance(tree, exp.Select) or any(tree.args.get(name) for name in tree.args if name not in _PLAIN):
            raise _Opaque
        scope = _Scope(_from_tables(tree, self._tables))
        scopes = (scope, *outer)
        conditions = list(_conditions(tree, scope.tables, self._tables))
        links = [(one, self._link(one, scopes)) for one in conditions]
        joins, rest = [link for _, link in links if link], [one for one, link in links if not link]
        root = self._root(tree, scopes, joins, rest)
        left = _spread(scope, root, joins, _weights(rest), self._keys)
        group, having, order, limit = (tree.args.get(name) for name in ("group", "having", "order", "limit"))
        if group and any(value for name, value in group.args.items() if name != "expressions"):
            raise _Opaque
        query = Statement(
            scope.tables[root],
            self._each(tree.expressions, scopes),
            tuple(dict.fromkeys(_merged(self._each(rest + left, scopes)))),
            bool(tree.args.get("distinct")),
            self._each(group.expressions if group else (), scopes),
            self._each(_flat(having.this) if having else (), scopes),
            self._each(order.expressions if order else (), scopes),
            self._expr(limit.expression, scopes) if limit else None,
        )
        return _with_bare(query, scope)

    def _each(self, trees: Iterable[exp.Expression], scopes: _Scopes) -> tuple[Arg, ...]:
        return tuple(self._expr(one, scopes) for one in trees)

    def _link(self, condition: exp.Expression, scopes: _Scopes) -> _Link | None:
        sides = (condition.this, condition.expression) if isinstance(condition, exp.EQ) else ()
        if not sides or not all(isinstance(side, exp.Column) for side in sides):
            return None
        one, other = (self._place(side, scopes) for side in sides)
        return None if one[2] or other[2] or one[0] == other[0] else (condition, one[:2], other[:2])

    def _place(self, column: exp.Column, scopes: _Scopes) -> tuple[str, str, int]:
        """Alias, column, and how many queries outward."""
        name, alias = folded(column.name), folded(column.table)
        for up, scope in enumerate(scopes):
            for one, table in scope.tables.items():
                if name in self._tables[table] and alias in ("", one):
                    return one, name, up
        raise _Opaque

    def _root(self, tree: exp.Select, scopes: _Scopes, joins: Sequence[_Link], rest: Sequence[exp.Expression]) -> str:
        tables, weights = scopes[0].tables, _weights(rest)
        weights.update(place[0] for join in joins for place in join[1:])
        heads = [self._place(column, scopes)[0] for one in tree.expressions for column in _own(one)]
        hubs = [alias for alias, table in tables.items() if table == self._hub]
        return max(hubs or heads[:1] or list(tables)[:1], key=lambda alias: (weights[alias], alias in heads))

    def _expr(self, tree: exp.Expression, scopes: _Scopes) -> Arg:
        if isinstance(tree, exp.Paren):
            return self._expr(tree.this, scopes)
        if isinstance(tree, exp.Query):
            bracketed = isinstance(tree, exp.Subquery) and isinstance(tree.this, exp.Select) and not tree.alias
            return Nested(self._query(tree.this if bracketed else tree, scopes))
        if isinstance(tree, exp.Column) and not isinstance(tree.this, exp.Star):
            alias, name, up = self._place(tree, scopes)
            return Column(scopes[up].nodes[alias], name, up)
        if isinstance(tree, exp.Table | exp.TableAlias | exp.Lambda):
            raise _Opaque
        return _converted(tree, lambda inner: self._expr(inner, scopes))


def _converted(tree: exp.Expression, inside: Callable[[exp.Expression], Arg] | None = None) -> Arg:
    """A node of sqlglot's tree as a call, by its name and the arguments that are set; alone, what is in it, too."""
    if isinstance(tree, exp.Literal):
        marked = re.fullmatch(r"h(\d+)" if tree.is_string else r"9990(\d{3})", tree.name)
        if not marked:
            raise _Opaque
        return Constant("", tree.is_string, int(marked[1]))
    if isinstance(tree, exp.Var) and re.fullmatch(r"h\d+", tree.name, re.IGNORECASE):
        # A unit, as in DATE_DIFF('day', ...), is a word to sqlglot.
        return Constant("unit", True, int(tree.name[1:]))

    def one(value: object) -> Arg:
        if isinstance(value, exp.Expression):
            return (inside or _converted)(value)
        if isinstance(value, list):
            return tuple(map(one, value))
        if isinstance(value, exp.DataType.Type):
            return f"type:{value.value}"
        return value if isinstance(value, str | bool) or value is None else str(value)

    args = ((name, one(value)) for name, value in tree.args.items())
    return Call(tree.key, tuple((name, value) for name, value in args if value not in (None, False, ())))


def _masked(sql: str) -> tuple[str, list[str]]:
    """The statement with numbered marks for its literals, so that statements of one shape are parsed once."""
    out: list[str] = []
    literals: list[str] = []
    at = 0
    for match in _LITERAL.finditer(sql):
        text = match["text"] or match["number"]
        if text is not None:
            out += [sql[at : match.start()], f"'h{len(literals)}'" if match["text"] else f"9990{len(literals):03d}"]
            literals.append(text)
            at = match.end()
    return "".join([*out, sql[at:]]), literals


def _filled(mark: Constant, literals: Sequence[str]) -> Constant:
    text = literals[mark.index].lower() if mark.text == "unit" else literals[mark.index]
    quoted = text.startswith("'")
    return Constant(text[1:-1].replace("''", "'") if quoted else text, quoted, mark.index)


def _from_tables(tree: exp.Select, known: Mapping[str, set[str]]) -> dict[str, str]:
    first = tree.args.get("from_")
    joins = tree.args.get("joins") or []
    if first is None or any(join.side or join.kind not in ("", "INNER", "CROSS") for join in joins):
        raise _Opaque
    sources = [first.this, *(join.this for join in joins)]
    if not all(isinstance(one, exp.Table) and folded(one.name) in known for one in sources):
        raise _Opaque
    tables = {folded(one.alias_or_name): folded(one.name) for one in sources}
    if len(tables) != len(sources):
        raise _Opaque
    return tables


def _conditions(tree: exp.Select, tables: Mapping[str, str], known: Mapping[str, set[str]]) -> Iterator[exp.Expression]:
    """Those of WHERE and of joins, also what JOIN ... USING (column) stands for."""
    if tree.args.get("where"):
        yield from _flat(tree.args["where"].this)
    for join in tree.args.get("joins") or []:
        if join.args.get("on"):
            yield from _flat(join.args["on"])
        alias = folded(join.this.alias_or_name)
        for name in join.args.get("using") or []:
            column = folded(name.name)
            other = next((one for one in tables if one != alias and column in known[tables[one]]), None)
            if other is None or column not in known[tables[alias]]:
                raise _Opaque
            yield exp.EQ(this=exp.column(column, other), expression=exp.column(column, alias))


def _flat(tree: exp.Expression) -> Iterable[exp.Expression]:
    if isinstance(tree, exp.Paren):
        yield from _flat(tree.this)
    elif isinstance(tree, exp.And):
        yield from _flat(tree.this)
        yield from _flat(tree.expression)
    elif isinstance(tree, exp.Column):
        yield exp.EQ(this=tree, expression=exp.true())
    else:
        yield tree


def _own(tree: exp.Expression) -> list[exp.Column]:
    nodes = tree.walk(prune=lambda node: isinstance(node, exp.Query))
    return [one for one in nodes if isinstance(one, exp.Column) and not isinstance(one.this, exp.Star)]


def _weights(conditions: Iterable[exp.Expression]) -> Counter[str]:
    return Counter(folded(column.table) for one in conditions for column in one.find_all(exp.Column))


def _spread(
    scope: _Scope, root: str, joins: Sequence[_Link], weights: Counter[str], keys: set[str]
) -> list[exp.Expression]:
    """Names every alias by its path from the root; gives back the joins that close a circle."""
    scope.nodes[root] = scope.tables[root]
    waiting, used = [root], set()
    while waiting or len(scope.nodes) < len(scope.tables):
        if not waiting:
            loose = next(alias for alias in scope.tables if alias not in scope.nodes)
            scope.nodes[loose] = _unused(f"{scope.nodes[root]}>={scope.tables[loose]}.", scope)
            waiting.append(loose)
        at = waiting.pop(0)
        steps = []
        for number, (_, one, other) in enumerate(joins):
            for (here, mine), (alias, theirs) in ((one, other), (other, one)):
                if here == at and alias not in scope.nodes:
                    steps.append((f"{mine}={scope.tables[alias]}.{theirs}", -weights[alias], number, alias))
        for step, _, number, alias in sorted(steps):
            if alias not in scope.nodes:
                way = f"{scope.nodes[at]}>{step}"
                scope.nodes[alias] = way if step.split("=", 1)[1] in keys else _unused(way, scope)
                used.add(number)
                waiting.append(alias)
    return [join[0] for number, join in enumerate(joins) if number not in used]


def _unused(way: str, scope: _Scope) -> str:
    """The path, with the first number behind it that makes it a node of its own."""
    names = (way, *(f"{way}#{number}" for number in range(2, len(scope.nodes) + 2)))
    return next(name for name in names if name not in scope.nodes.values())


def _merged(conditions: Iterable[Arg]) -> list[Arg]:
    """A lower and an upper bound of the same column become one condition."""
    merged: list[Arg] = []
    for one in conditions:
        pairs = ((at, both) for at, other in enumerate(merged) if (both := _both_bounds(other, one)))
        at, whole = next(pairs, (len(merged), one))
        merged[at : at + 1] = [whole]
    return merged


def _both_bounds(one: Arg, other: Arg) -> Arg:
    """The range between two bounds of one column, if they are that."""
    if not (isinstance(one, Call) and isinstance(other, Call) and _BOUNDS.get(one.kind) == other.kind):
        return None
    column, ends = one.get("this"), [one.get("expression"), other.get("expression")]
    if not isinstance(column, Column) or column != other.get("this") or not all(isinstance(e, Constant) for e in ends):
        return None
    low, high = (one, other) if one.kind in ("gt", "gte") else (other, one)
    if (low.kind, high.kind) != ("gte", "lte"):
        return call("and", low, expression=high)
    return call("between", column, low=low.get("expression"), high=high.get("expression"))


def _with_bare(query: Statement, scope: _Scope) -> Statement:
    """The query with a condition for each node that is joined, and of which nothing is said."""
    named, every = set(named_nodes(query)), set(scope.nodes.values())
    leaves = sorted(node for node in every if not any(other.startswith(f"{node}>") for other in every))
    bare = (Column(node) for node in leaves if node not in named and ">" in node)
    return replace(query, where=(*query.where, *bare))
