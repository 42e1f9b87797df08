"""A statement in the small language that the Spider evaluator can read, or why it cannot be said in it.

The evaluator parses every gold query before it runs one, and stops at the first that it cannot parse. Its language: one
SELECT, or several under UNION, INTERSECT or EXCEPT; tables joined by JOIN ... ON; names without quotes; five aggregates
of one column; conditions in a row under AND and OR, without parentheses, each a column, an operator and a value; no
NULL, no other function, no name for a column. What is written here is in that language by its making.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from curtain.base.sql_names import folded
from curtain.base.sql_tokens import sql_tree
from curtain.corpus.exports.sql.spider_words import (
    Atom,
    BeyondSpider,
    Conjunction,
    both,
    few,
    filled,
    in_a_row,
    is_value,
    literal,
    name_of,
    text_of,
    what,
)

Tables = Mapping[str, Sequence[str]]
"""The columns of each table, in lower case."""

_AGGREGATES: dict[type[exp.Expression], str] = {
    exp.Count: "COUNT", exp.Max: "MAX", exp.Min: "MIN", exp.Sum: "SUM", exp.Avg: "AVG",
}  # fmt: skip
_COMPARISONS: dict[type[exp.Expression], tuple[str, str, str]] = {
    # the operator, the one that says the contrary, and the one with both sides exchanged
    exp.EQ: ("=", "!=", "="), exp.NEQ: ("!=", "=", "!="), exp.GT: (">", "<=", "<"), exp.GTE: (">=", "<", "<="),
    exp.LT: ("<", ">=", ">"), exp.LTE: ("<=", ">", ">="),
}  # fmt: skip
_SIGNS: dict[type[exp.Expression], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
_SET_OPERATIONS: dict[type[exp.Expression], str] = {
    exp.Union: "UNION", exp.Intersect: "INTERSECT", exp.Except: "EXCEPT",
}  # fmt: skip


def in_spiders_words(sql: str, tables: Tables) -> str:
    """The statement (DuckDB's SQL) on one line. It need not mean the same: that is to be proven by running it.

    Raises BeyondSpider.
    """
    try:
        tree = sql_tree(sql)
        if not isinstance(tree, exp.Query):
            raise BeyondSpider("it is not one SELECT that can be read")
        return _Writer(tables).query(tree)
    except (SqlglotError, RecursionError) as fault:
        raise BeyondSpider("it is not one SELECT that can be read") from fault


class _Scope:
    """The tables of one SELECT by the names it calls them, and what its columns are called."""

    def __init__(self, outer: _Scope | None) -> None:
        self.outer = outer
        self.tables: dict[str, tuple[str, str]] = {}
        self.aliases: dict[str, exp.Expression] = {}
        self.columns: list[exp.Expression] = []
        self.shared: dict[str, str] = {}

    def table(self, name: str) -> tuple[str, str] | None:
        table = self.tables.get(name)
        return table or (self.outer.table(name) if self.outer else None)


class _Writer:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._next = 1

    # -- queries ---------------------------------------------------------------------------------------

    def query(self, tree: Any, outer: _Scope | None = None) -> str:
        while isinstance(tree, exp.Subquery) and not filled(tree, "this"):
            tree = tree.this
        if isinstance(tree, exp.Select):
            return self._select(tree, outer)
        if type(tree) in _SET_OPERATIONS:
            return self._set_operation(tree, outer)
        raise BeyondSpider("it is not a plain SELECT")

    def _set_operation(self, tree: Any, outer: _Scope | None) -> str:
        if not tree.args.get("distinct", True) or filled(tree, "this", "expression", "distinct"):
            raise BeyondSpider("UNION ALL, or something behind a UNION")
        # Spider's parser chains set operations to the right and knows no parentheses around one.
        if not isinstance(tree.expression, exp.Select) or _limited(tree.this) or _limited(tree.expression):
            raise BeyondSpider("parentheses around a part of a UNION")
        left, right = self.query(tree.this, outer), self.query(tree.expression, outer)
        return f"{left} {_SET_OPERATIONS[type(tree)]} {right}"

    def _select(self, tree: exp.Select, outer: _Scope | None) -> str:
        left_over = filled(
            tree, "expressions", "from_", "joins", "where", "group", "having", "order", "limit", "distinct"
        )
        if left_over:
            raise BeyondSpider(f"{left_over.rstrip('_').upper()} in a SELECT")
        scope = _Scope(outer)
        tables = self._from(tree, scope)
        parts = [self._columns(tree, scope), tables]
        parts += self._clause("WHERE", tree.args.get("where"), scope)
        parts += self._group(tree, scope)
        parts += self._clause("HAVING", tree.args.get("having"), scope)
        return " ".join([*parts, *self._order(tree, scope), *_limit(tree)])

    def _columns(self, tree: exp.Select, scope: _Scope) -> str:
        distinct = tree.args.get("distinct")
        if distinct is not None and distinct.args.get("on") is not None:
            raise BeyondSpider("DISTINCT ON")
        for item in tree.expressions:
            plain = item.unalias()
            scope.columns.append(plain)
            if isinstance(item, exp.Alias):
                scope.aliases[folded(item.alias)] = plain
        words = ", ".join(self._unit(item, scope) for item in scope.columns)
        return f"SELECT {'DISTINCT ' if distinct else ''}{words}"

    def _from(self, tree: exp.Select, scope: _Scope) -> str:
        first = tree.args.get("from_")
        if first is None:
            raise BeyondSpider("a SELECT without a table")
        words = [f"FROM {self._table(first.this, scope)}"]
        for join in tree.args.get("joins") or ():
            if join.side or join.args.get("method") or join.kind not in ("", "INNER", "CROSS"):
                raise BeyondSpider("a join that is not JOIN ... ON")
            before = dict(scope.tables)
            words.append(f"JOIN {self._table(join.this, scope)}")
            words += self._clause("ON", join.args.get("on"), scope)
            words += self._using(join.args.get("using") or (), before, scope)
        return " ".join(words)

    def _using(self, columns: Sequence[Any], before: Mapping[str, tuple[str, str]], scope: _Scope) -> list[str]:
        """`USING (a)` as `ON one.a = other.a`; afterwards `a` alone means that of the first table."""
        called, table = list(scope.tables.values())[-1]
        pairs = []
        for column in columns:
            name = name_of(column.name)
            first = next((own for own, of in before.values() if name in self._tables[of]), None)
            if first is None or name not in self._tables[table]:
                raise BeyondSpider("a column that the database does not have")
            pairs.append(f"{scope.shared.setdefault(name, f'{first}.{name}')} = {called}.{name}")
        return [f"ON {' AND '.join(pairs)}"] if pairs else []

    def _table(self, tree: Any, scope: _Scope) -> str:
        if not isinstance(tree, exp.Table) or tree.args.get("db") or filled(tree, "this", "alias"):
            raise BeyondSpider("a query in place of a table")
        name = name_of(tree.name)
        if name not in self._tables:
            raise BeyondSpider("a table that the database does not have")
        if not tree.alias:
            scope.tables[name] = (name, name)
            return name
        # Names of the evaluator's are good for the whole statement: each table gets one of its own.
        called = self._new_alias()
        scope.tables[folded(tree.alias)] = (called, name)
        return f"{name} AS {called}"

    def _new_alias(self) -> str:
        while f"t{self._next}" in self._tables:
            self._next += 1
        self._next += 1
        return f"t{self._next - 1}"

    def _group(self, tree: exp.Select, scope: _Scope) -> list[str]:
        group = tree.args.get("group")
        if group is None:
            if tree.args.get("having") is not None:
                raise BeyondSpider("HAVING without GROUP BY")
            return []
        if filled(group, "expressions") or not group.expressions:
            raise BeyondSpider("a GROUP BY without a list of columns")
        columns = (self._column(_meant(one, scope), scope) for one in group.expressions)
        return [f"GROUP BY {', '.join(columns)}"]

    def _order(self, tree: exp.Select, scope: _Scope) -> list[str]:
        order = tree.args.get("order")
        if order is None:
            return []
        keys = (
            f"{self._unit(_meant(key.this, scope), scope)}{' DESC' if key.args.get('desc') else ''}"
            for key in order.expressions
        )
        return [f"ORDER BY {', '.join(keys)}"]

    # -- columns ---------------------------------------------------------------------------------------

    def _unit(self, tree: Any, scope: _Scope) -> str:
        """A column, an aggregate of one, or two columns under one sign."""
        if isinstance(tree, exp.Paren):
            return self._unit(tree.this, scope)
        if type(tree) in _SIGNS:
            return f"{self._column(tree.left, scope)} {_SIGNS[type(tree)]} {self._column(tree.right, scope)}"
        return self._aggregate(tree, scope) if type(tree) in _AGGREGATES else self._column(tree, scope)

    def _aggregate(self, tree: Any, scope: _Scope) -> str:
        name, of = _AGGREGATES[type(tree)], tree.this
        if tree.expressions or of is None:
            raise BeyondSpider("an aggregate of several columns")
        if isinstance(of, exp.Distinct):
            if len(of.expressions) != 1:
                raise BeyondSpider("an aggregate of several columns")
            return f"{name}(DISTINCT {self._column(of.expressions[0], scope)})"
        return f"{name}({self._column(of, scope)})"

    def _column(self, tree: Any, scope: _Scope) -> str:
        if isinstance(tree, exp.Paren):
            return self._column(tree.this, scope)
        if isinstance(tree, exp.Star) and not filled(tree):
            return "*"
        if not isinstance(tree, exp.Column) or isinstance(tree.this, exp.Star):
            raise BeyondSpider(what(tree))
        name = name_of(tree.name)
        if tree.table:
            return self._of_table(folded(tree.table), name, scope)
        if not any(name in self._tables[table] for _, table in scope.tables.values()):
            if name in scope.aliases:
                # Taken out, so that an alias that stands for itself ends.
                return self._column(scope.aliases.pop(name), scope)
            raise BeyondSpider("a column of an outer query without its table")
        return scope.shared.get(name, name)

    def _of_table(self, called: str, column: str, scope: _Scope) -> str:
        table = scope.table(called)
        if table is None or column not in self._tables[table[1]]:
            raise BeyondSpider("a column that the database does not have")
        return f"{table[0]}.{column}"

    # -- conditions ------------------------------------------------------------------------------------

    def _clause(self, word: str, tree: Any, scope: _Scope) -> list[str]:
        if tree is None:
            return []
        condition = tree.this if isinstance(tree, exp.Where | exp.Having) else tree
        return [f"{word} {in_a_row(self._flat(condition, scope, False))}"]

    def _flat(self, tree: Any, scope: _Scope, negated: bool) -> list[Conjunction]:
        """Alternatives of conditions that hold together; parentheses and NOT are resolved on the way."""
        # Of `b NOT LIKE 'x'` the parser makes a mark, of `b NOT IN (1)` a NOT around it.
        negated ^= bool(tree.args.get("negate"))
        if isinstance(tree, exp.Paren):
            return self._flat(tree.this, scope, negated)
        if isinstance(tree, exp.Not):
            return self._flat(tree.this, scope, not negated)
        if isinstance(tree, exp.And | exp.Or):
            sides = [self._flat(side, scope, negated) for side in (tree.left, tree.right)]
            return both(*sides) if isinstance(tree, exp.And) != negated else few([*sides[0], *sides[1]])
        if isinstance(tree, exp.In) and not tree.args.get("query"):
            return self._in_list(tree, scope, negated)
        return [[self._atom(tree, scope, negated)]]

    def _in_list(self, tree: exp.In, scope: _Scope, negated: bool) -> list[Conjunction]:
        if tree.args.get("unnest") or tree.args.get("field") or not tree.expressions:
            raise BeyondSpider(what(tree))
        sign = "!=" if negated else "="
        atoms = [self._compared(tree.this, sign, value, scope) for value in tree.expressions]
        return [atoms] if negated else few([[atom] for atom in atoms])

    def _atom(self, tree: Any, scope: _Scope, negated: bool) -> Atom:
        if type(tree) in _COMPARISONS:
            sign, contrary, turned = _COMPARISONS[type(tree)]
            if is_value(tree.left) and not is_value(tree.right):
                sign, contrary = turned, next(one[1] for one in _COMPARISONS.values() if one[0] == turned)
                return self._compared(tree.right, contrary if negated else sign, tree.left, scope)
            return self._compared(tree.left, contrary if negated else sign, tree.right, scope)
        no = "NOT " if negated else ""
        if isinstance(tree, exp.In):
            return Atom(f"{self._unit(tree.this, scope)} {no}IN ({self.query(tree.args['query'], scope)})")
        # LIKE of SQLite takes no heed of case, as ILIKE does; where that matters, the proof fails.
        if isinstance(tree, exp.Like | exp.ILike) and not filled(tree, "this", "expression", "negate"):
            return Atom(f"{self._unit(tree.this, scope)} {no}LIKE {text_of(tree.expression)}")
        if isinstance(tree, exp.Between) and not tree.args.get("symmetric"):
            low, high = literal(tree.args["low"]), literal(tree.args["high"])
            return Atom(f"{self._unit(tree.this, scope)} {no}BETWEEN {low} AND {high}")
        raise BeyondSpider(what(tree))

    def _compared(self, left: Any, sign: str, right: Any, scope: _Scope) -> Atom:
        left = _meant(left, scope) if isinstance(left, exp.Column) and not left.table else left
        unit = self._unit(left, scope)
        if isinstance(right, exp.Subquery):
            return Atom(f"{unit} {sign} ({self.query(right, scope)})")
        if is_value(right):
            return Atom(f"{unit} {sign} {literal(right)}")
        return Atom(f"{unit} {sign} {self._column(right, scope)}", open_end=True)


def _limited(tree: Any) -> bool:
    inner = tree.this if isinstance(tree, exp.Subquery) else tree
    return bool(inner.args.get("order") or inner.args.get("limit"))


def _limit(tree: exp.Select) -> list[str]:
    limit = tree.args.get("limit")
    if limit is None:
        return []
    number = limit.expression if isinstance(limit, exp.Limit) else None
    if not isinstance(number, exp.Literal) or not str(number.this).isdecimal():
        raise BeyondSpider("a LIMIT that is not a number")
    return [f"LIMIT {number.this}"]


def _meant(tree: Any, scope: _Scope) -> Any:
    """What a position or the name of a column of the result stands for."""
    if isinstance(tree, exp.Literal) and str(tree.this).isdecimal() and 1 <= int(tree.this) <= len(scope.columns):
        return scope.columns[int(tree.this) - 1]
    if isinstance(tree, exp.Column) and not tree.table:
        return scope.aliases.get(folded(tree.name), tree)
    return tree
