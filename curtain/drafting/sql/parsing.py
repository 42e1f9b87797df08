"""From SQL to `statements.Statement`, with sqlglot. What cannot be taken apart is told by None, never by an error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from .clock import as_numbers, clocks_of
from .statements import Clause, Column, Hole, Part, Statement, Sub, map_holes

__all__ = ["Parser", "literals_in", "masked_sql", "pieces_of", "uses_of"]

_PLAIN = {"joins", "from_", "from", "where", "expressions", "distinct", "kind", "group", "having", "order", "limit"}
_LONGEST = 20_000
# sqlglot's own reader of tokens is slower by a factor of fifty, and takes most of the time with thousands of examples.
_LITERAL = re.compile(
    r"""(?P<string>'(?:[^']|'')*')|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|[^\W\d]\w*|(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)""",
    re.DOTALL,
)
_BOUNDS = {"GT": "LT", "LT": "GT", "GTE": "LTE", "LTE": "GTE"}


class _Opaque(Exception):
    """This statement cannot be taken apart."""


@dataclass
class _Scope:
    """The tables of one SELECT while it is read."""

    tables: dict[str, str]
    outer: _Scope | None
    nodes: dict[str, str] = field(default_factory=dict)


def literals_in(sql: str) -> list[tuple[int, int]]:
    """The places of the literals of a statement, strings and numbers; of what is no SQL, of what looks like them."""
    found = _LITERAL.finditer(sql[:_LONGEST])
    return [match.span() for match in found if match["string"] is not None or match["number"] is not None]


def pieces_of(sql: str) -> tuple[str, ...]:
    """The text of a statement between its literals: one piece more than there are literals."""
    places = literals_in(sql)
    starts = [0, *(end for _, end in places)]
    return tuple(sql[start:end] for start, end in zip(starts, [*(start for start, _ in places), len(sql)], strict=True))


def masked_sql(sql: str) -> tuple[str, list[str]]:
    """The statement with numbered marks of the same type for its literals, and these literals as SQL has them."""
    literals = [sql[start:end] for start, end in literals_in(sql)]
    marks = [f"'h{n}'" if text[0] == "'" else f"9990{n:03d}" for n, text in enumerate(literals)]
    pieces = zip(pieces_of(sql), [*marks, ""], strict=True)
    return "".join(one for pair in pieces for one in pair), literals


def uses_of(sql: str, column: str) -> int:
    """How often a statement uses a column of this name, in whatever case and of whatever table; never for no SQL."""
    return _uses(sql)[column.lower()]


# A draft is judged again at each key press, with mostly the same candidates.
@lru_cache(maxsize=1024)
def _uses(sql: str) -> Counter[str]:
    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except (SqlglotError, RecursionError):
        return Counter()
    joined = (name for join in tree.find_all(exp.Join) for name in join.args.get("using") or ())
    return Counter(one.name.lower() for one in (*tree.find_all(exp.Column), *joined))


class Parser:
    """Reads statements over the tables of a pack. `hub` is the table that most statements are about: where it occurs
    it is the root, so that a condition is called the same whatever is asked for. `keys` are the tables' primary keys:
    two aliases that the same column leads to by a key are one row, and become one node. `clocks` are the columns of the
    type TIME."""

    def __init__(
        self,
        tables: Mapping[str, Mapping[str, str]],
        hub: str = "",
        keys: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._tables = {table: set(columns) for table, columns in tables.items()}
        self._keys = {f"{table}.{key[0]}" for table, key in (keys or {}).items() if len(key) == 1}
        self.clocks = clocks_of(tables)
        self._hub = hub
        self._known: dict[str, Statement | None] = {}

    def parse(self, sql: str) -> Statement | None:
        """The statement, its holes numbered in the order of the text; None if it is no SELECT. One that cannot be taken
        apart is a head without a root: text and holes. A time of day is a number in it: 900 for TIME '09:00'."""
        masked, literals = masked_sql(sql)
        if masked not in self._known:
            self._known[masked] = self._read(masked) or _as_text(sql)
        found = self._known[masked]
        if found is None:
            return None
        filled = _filled(found, literals)
        return as_numbers(filled, self.clocks) if self.clocks else filled

    def _read(self, masked: str) -> Statement | None:
        try:
            tree = sqlglot.parse_one(masked, read="duckdb")
            return self._statement(tree, None) if isinstance(tree, exp.Expression) else None
        except (SqlglotError, _Opaque, RecursionError):
            return None

    def _statement(self, tree: exp.Expression, outer: _Scope | None) -> Statement:
        if not isinstance(tree, exp.Select):
            raise _Opaque
        if any(value for name, value in tree.args.items() if name not in _PLAIN):
            raise _Opaque
        scope = _Scope(_from_tables(tree, self._tables), outer)
        conditions = [*_conditions(tree), *_using(tree, scope.tables, self._tables)]
        links = [link for link in map(lambda one: self._link(one, scope), conditions) if link]
        joins = [link for link in links if link[1][0] != link[2][0]]
        rest = [one for one in conditions if not any(one is link[0] for link in joins)]
        root = self._root(tree, scope, joins, rest)
        extra = _spread(scope, root, joins, _weights(rest, scope), self._keys)
        clauses = [self._clause(one, scope) for one in _merged(rest + extra)]
        clauses += _bare(scope, root, clauses, self._head(tree, scope))
        return Statement(scope.tables[root], self._head(tree, scope), _unique(clauses), self._tail(tree, scope))

    def _link(
        self, condition: exp.Expression, scope: _Scope
    ) -> tuple[exp.Expression, tuple[str, str], tuple[str, str]] | None:
        if not isinstance(condition, exp.EQ):
            return None
        left, right = condition.this, condition.expression
        if not (isinstance(left, exp.Column) and isinstance(right, exp.Column)):
            return None
        one, other = self._place(left, scope), self._place(right, scope)
        if one[2] or other[2]:
            return None
        return condition, one[:2], other[:2]

    def _place(self, column: exp.Column, scope: _Scope) -> tuple[str, str, int]:
        """Alias, column, and how many statements outward."""
        name, alias, up, at = column.name.lower(), column.table.lower(), 0, scope
        while True:
            fits = [one for one, table in at.tables.items() if name in self._tables[table] and alias in ("", one)]
            if fits:
                return fits[0], name, up
            if at.outer is None:
                raise _Opaque
            at, up = at.outer, up + 1

    def _root(
        self,
        tree: exp.Select,
        scope: _Scope,
        joins: Sequence[tuple[object, tuple[str, str], tuple[str, str]]],
        rest: list[exp.Expression],
    ) -> str:
        weights = _weights(rest, scope)
        for _, one, other in joins:
            weights[one[0]] += 1
            weights[other[0]] += 1
        heads = [self._place(column, scope)[0] for one in tree.expressions for column in _own_columns(one)]
        hubs = [alias for alias, table in scope.tables.items() if table == self._hub]
        pool = hubs or heads[:1] or list(scope.tables)[:1]
        if not pool:
            raise _Opaque
        return max(pool, key=lambda alias: (weights[alias], alias in heads))

    def _clause(self, condition: exp.Expression, scope: _Scope) -> Clause:
        # A clause stands between ANDs when it is written again.
        safe = exp.Paren(this=condition.copy()) if isinstance(condition, exp.Or) else condition
        return Clause(self._parts(safe, scope))

    def _head(self, tree: exp.Select, scope: _Scope) -> tuple[Part, ...]:
        parts: list[Part] = ["DISTINCT "] if tree.args.get("distinct") else []
        for number, one in enumerate(tree.expressions):
            parts += [", "] * bool(number) + list(self._parts(one, scope))
        return _joined(parts)

    def _tail(self, tree: exp.Select, scope: _Scope) -> tuple[Part, ...]:
        parts: list[Part] = []
        for name in ("group", "having", "order", "limit"):
            if tree.args.get(name):
                parts += [" "] * bool(parts) + list(self._parts(tree.args[name], scope))
        return _joined(parts)

    def _parts(self, tree: exp.Expression, scope: _Scope) -> tuple[Part, ...]:
        """The text of an expression with its columns, literals and nested SELECTs taken out."""
        taken: list[Part] = []

        def out(node: exp.Expression) -> exp.Expression:
            part: Part
            if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select) and not node.alias:
                part = Sub(self._statement(node.this, scope))
            elif isinstance(node, exp.Select):
                part = Sub(self._statement(node, scope))
            elif isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
                alias, name, up = self._place(node, scope)
                part = Column(_scope_at(scope, up).nodes[alias], name, up)
            elif isinstance(node, exp.Literal):
                part = _hole(node)
            elif isinstance(node, exp.Var) and re.fullmatch(r"H\d+", node.name):
                # A unit, as in DATE_DIFF('day', ...), is a word to sqlglot.
                part = Hole(int(node.name[1:]), "?")
            else:
                return node
            taken.append(part)
            return exp.Var(this=f"@c{len(taken) - 1}@")

        changed = tree.copy().transform(out, copy=False)
        text = changed.sql(dialect="duckdb").strip()
        pieces = re.split(r"'?(@c\d+@)'?", text)
        return _joined([taken[int(one[2:-1])] if one.startswith("@c") and one.endswith("@") else one for one in pieces])


def _as_text(sql: str) -> Statement | None:
    pieces = pieces_of(sql)
    if not pieces[0].lstrip(" (").upper().startswith(("SELECT", "WITH")):
        return None
    parts: list[Part] = [pieces[0]]
    for number, piece in enumerate(pieces[1:]):
        parts += [Hole(number, "?"), piece]
    return Statement("", _joined(parts), ())


def _hole(node: exp.Literal) -> Hole:
    text = node.name
    marked = re.fullmatch(r"h(\d+)", text) if node.is_string else re.fullmatch(r"9990(\d{3})", text)
    if not marked:
        raise _Opaque
    return Hole(int(marked[1]), "?")


def _filled(statement: Statement, literals: Sequence[str]) -> Statement:
    return map_holes(statement, lambda hole: Hole(hole.index, literals[hole.index]))


def _scope_at(scope: _Scope, up: int) -> _Scope:
    for _ in range(up):
        assert scope.outer is not None
        scope = scope.outer
    return scope


def _from_tables(tree: exp.Select, known: Mapping[str, set[str]]) -> dict[str, str]:
    first = tree.args.get("from_") or tree.args.get("from")
    if first is None:
        raise _Opaque
    sources = [first.this, *(join.this for join in tree.args.get("joins") or [])]
    for join in tree.args.get("joins") or []:
        if join.side or join.kind not in ("", "INNER", "CROSS"):
            raise _Opaque
    found: dict[str, str] = {}
    for source in sources:
        if not isinstance(source, exp.Table) or source.name.lower() not in known:
            raise _Opaque
        found[source.alias_or_name.lower()] = source.name.lower()
    if len(found) != len(sources):
        raise _Opaque
    return found


def _conditions(tree: exp.Select) -> list[exp.Expression]:
    where = tree.args.get("where")
    found = list(_flat(where.this)) if where else []
    for join in tree.args.get("joins") or []:
        if join.args.get("on"):
            found += _flat(join.args["on"])
    return found


def _using(tree: exp.Select, tables: Mapping[str, str], known: Mapping[str, set[str]]) -> Iterable[exp.Expression]:
    """The conditions that JOIN ... USING (column) stands for."""
    before = list(tables)
    for join in tree.args.get("joins") or []:
        alias = join.this.alias_or_name.lower()
        for name in join.args.get("using") or []:
            column = name.name.lower()
            other = next((one for one in before if one != alias and column in known[tables[one]]), None)
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


def _own_columns(tree: exp.Expression) -> list[exp.Column]:
    return [one for one in tree.find_all(exp.Column) if not isinstance(one.this, exp.Star)]


def _weights(conditions: Iterable[exp.Expression], scope: _Scope) -> Counter[str]:
    return Counter(column.table.lower() for one in conditions for column in one.find_all(exp.Column))


def _spread(
    scope: _Scope,
    root: str,
    joins: Sequence[tuple[exp.Expression, tuple[str, str], tuple[str, str]]],
    weights: Counter[str],
    keys: set[str],
) -> list[exp.Expression]:
    """Names every alias by the way to it from the root; gives back the joins that close a circle."""
    scope.nodes[root] = scope.tables[root]
    waiting, used = [root], set()
    while waiting or len(scope.nodes) < len(scope.tables):
        if not waiting:
            loose = next(alias for alias in scope.tables if alias not in scope.nodes)
            _name(scope, loose, f"{scope.nodes[root]}>={scope.tables[loose]}.")
            waiting.append(loose)
        at = waiting.pop(0)
        steps = []
        for number, (_, one, other) in enumerate(joins):
            for mine, theirs in ((one, other), (other, one)):
                if mine[0] == at and theirs[0] not in scope.nodes:
                    step = f"{mine[1]}={scope.tables[theirs[0]]}.{theirs[1]}"
                    steps.append((step, -weights[theirs[0]], number, theirs[0]))
        for step, _, number, alias in sorted(steps):
            if alias not in scope.nodes:
                way = f"{scope.nodes[at]}>{step}"
                if step.split("=", 1)[1] in keys and way in scope.nodes.values():
                    scope.nodes[alias] = way
                else:
                    _name(scope, alias, way)
                used.add(number)
                waiting.append(alias)
    return [join[0] for number, join in enumerate(joins) if number not in used]


def _name(scope: _Scope, alias: str, way: str) -> None:
    taken = set(scope.nodes.values())
    name, number = way, 1
    while name in taken:
        number += 1
        name = f"{way}#{number}"
    scope.nodes[alias] = name


def _merged(conditions: Iterable[exp.Expression]) -> list[exp.Expression]:
    """A lower and an upper bound of the same column become one condition."""
    found: list[exp.Expression] = []
    left = list(conditions)
    while left:
        one = left.pop(0)
        other = next((other for other in left if _is_other_bound(one, other)), None)
        if other is None:
            found.append(one)
        else:
            left.remove(other)
            found.append(_range(one, other) if isinstance(one, exp.GT | exp.GTE) else _range(other, one))
    return found


def _is_other_bound(one: exp.Expression, other: exp.Expression) -> bool:
    opposite = _BOUNDS.get(type(one).__name__)
    return (
        opposite == type(other).__name__
        and isinstance(one.this, exp.Column)
        and one.this == other.this
        and isinstance(one.expression, exp.Literal)
        and isinstance(other.expression, exp.Literal)
    )


def _range(lower: exp.Expression, upper: exp.Expression) -> exp.Expression:
    if isinstance(lower, exp.GTE):
        return exp.Between(this=lower.this, low=lower.expression, high=upper.expression)
    return exp.And(this=lower, expression=upper)


def _bare(scope: _Scope, root: str, clauses: Sequence[Clause], head: tuple[Part, ...]) -> list[Clause]:
    """Nodes that nothing is said of, and on which no other hangs, but that are joined."""
    said = {part.node for parts in [head, *(clause.parts for clause in clauses)] for part in _columns(parts, 0)}
    every = list(scope.nodes.values())
    leaves = [node for node in every if not any(other.startswith(f"{node}>") for other in every)]
    return [Clause((Column(node, ""),)) for node in leaves if node not in said and node != scope.nodes[root]]


def _columns(parts: tuple[Part, ...], depth: int) -> Iterable[Column]:
    for part in parts:
        if isinstance(part, Column) and part.up == depth:
            yield part
        elif isinstance(part, Sub):
            inner = part.statement
            for own in (inner.head, *(clause.parts for clause in inner.clauses), inner.tail):
                yield from _columns(own, depth + 1)


def _unique(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    return tuple(dict.fromkeys(clauses))


def _joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    found: list[Part] = []
    for part in parts:
        if isinstance(part, str) and found and isinstance(found[-1], str):
            found[-1] += part
        elif part != "":
            found.append(part)
    return tuple(found)
