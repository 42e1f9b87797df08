"""Reads a statement for the rules: which tables and columns it names, what it shows, bounds and computes.

Imports sqlglot, so only the worker's child imports this.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from .facts import Bound, Facts, Shown
from .lineage import UNFOLLOWED, Catalog, Lineage, Output
from .telling import is_grouped

_COMPARED: dict[type[exp.Expr], tuple[str, str]] = {
    exp.EQ: ("=", "="),
    exp.NEQ: ("<>", "<>"),
    exp.LT: ("<", ">"),
    exp.LTE: ("<=", ">="),
    exp.GT: (">", "<"),
    exp.GTE: (">=", "<="),
    exp.Like: ("LIKE", ""),
    exp.ILike: ("ILIKE", ""),
}
"""How an operator is written, and how when its sides are changed."""

_COMPUTING: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.Sum: "SUM",
    exp.Avg: "AVG",
    exp.Median: "MEDIAN",
    exp.Round: "ROUND",
    exp.DateDiff: "DATE_DIFF",
}


def facts_of(sql: str, catalog: Catalog) -> Facts | None:
    """The facts of a statement; None if it cannot be read, or not yet."""
    try:
        lineage = Lineage(sql, catalog)
        return _facts(lineage)
    except UNFOLLOWED:
        return None


def _facts(lineage: Lineage) -> Facts:
    scopes = traverse_scope(lineage.tree)
    first = lineage.select(lineage.branches[0])
    named = [found for scope in scopes for found in _tables_of(scope)]
    columns = [found for scope in scopes for column in scope.columns if (found := _path(scope, column))]
    return Facts(
        tables=list(dict.fromkeys(named)),
        columns=list(dict.fromkeys(columns)),
        shown=[_shown(output) for output in lineage.outputs(lineage.branches[0])],
        bounds=[bound for scope in scopes for bound in _bounds(scope)],
        arithmetic=list(dict.fromkeys(_arithmetic(lineage.tree))),
        counted=is_grouped(first),
        ordered=any(node.args.get("order") for node in (lineage.tree, first)),
        limited=any(node.args.get("limit") for node in (lineage.tree, first)),
    )


def _tables_of(scope: Scope) -> Iterator[str]:
    return (source.name for source in scope.sources.values() if isinstance(source, exp.Table))


def _path(scope: Scope, column: exp.Column) -> str:
    source = scope.sources.get(column.table)
    return f"{source.name}.{column.name}" if isinstance(source, exp.Table) else ""


def _shown(output: Output) -> Shown:
    if output.instance is None:
        return Shown(computed=True)
    path = f"{output.instance.table}.{output.column}" if output.column else ""
    return Shown(column=path, computed=output.computed or output.extreme)


def _bounds(scope: Scope) -> Iterator[Bound]:
    for node in scope.find_all(*_COMPARED):
        there, back = _COMPARED[type(node)]
        yield from _bound(scope, node.this, there, node.expression)
        if back:
            yield from _bound(scope, node.expression, back, node.this)
    for between in scope.find_all(exp.Between):
        yield from _bound(scope, between.this, ">=", between.args["low"])
        yield from _bound(scope, between.this, "<=", between.args["high"])


def _bound(scope: Scope, column: exp.Expr, operator: str, value: exp.Expr) -> Iterator[Bound]:
    if isinstance(column, exp.Column) and isinstance(value, exp.Literal) and (path := _path(scope, column)):
        yield Bound(column=path, operator=operator, value=value.name)


def _arithmetic(tree: exp.Expr) -> Iterator[str]:
    for node in tree.walk():
        if type(node) in _COMPUTING:
            yield _COMPUTING[type(node)]
