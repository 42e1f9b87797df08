"""Reads a statement for the rules: which tables and columns it names, what it shows, bounds and computes.

Imports sqlglot, so only the worker's child imports this.
"""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from ..maximum.lineage import UNFOLLOWED, Catalog, Lineage, ResultColumn
from ..maximum.shown_entities import is_grouped
from .statement_facts import ColumnBound, Facts, OutputColumn

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

_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
"""What is said of a value by NOT before a comparison."""

_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)

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
        ordered=any(node.args.get("order") for node in lineage.tree.find_all(exp.Query)),
        limited=any(node.args.get("limit") for node in lineage.tree.find_all(exp.Query)),
        cut_anyhow=any(_is_cut_anyhow(node) for node in lineage.tree.find_all(exp.Query)),
        judged=_is_judged(first),
    )


def _is_cut_anyhow(node: exp.Query) -> bool:
    """A single row is all there is of a count, and one is enough for EXISTS."""
    if node.args.get("order") or not (node.args.get("limit") or node.args.get("offset")):
        return False
    is_one = isinstance(node, exp.Select) and is_grouped(node) and not node.args.get("group")
    return not is_one and not isinstance(node.parent, exp.Exists)


def _is_judged(select: exp.Select) -> bool:
    """Whether it shows a condition for each of its rows or groups."""
    is_one = not select.args.get("from_") or (is_grouped(select) and not select.args.get("group"))
    shown = [_bare(item.unalias()) for item in select.selects]
    return not is_one and any(isinstance(one, _CONDITIONS) for one in shown)


def _bare(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _tables_of(scope: Scope) -> Iterator[str]:
    return (source.name for source in scope.sources.values() if isinstance(source, exp.Table))


def _path(scope: Scope, column: exp.Column) -> str:
    source = scope.sources.get(column.table)
    return f"{source.name}.{column.name}" if isinstance(source, exp.Table) else ""


def _shown(output: ResultColumn) -> OutputColumn:
    if output.instance is None:
        return OutputColumn(computed=True)
    path = f"{output.instance.table}.{output.column}" if output.column else ""
    return OutputColumn(column=path, computed=output.computed or output.extreme)


def _bounds(scope: Scope) -> Iterator[ColumnBound]:
    for node in scope.find_all(*_COMPARED):
        there, back = _COMPARED[type(node)]
        yield from _bound(scope, node, node.this, there, node.expression)
        # `1200 <= departure_time` bounds the column just as well; LIKE has no other way round.
        if back:
            yield from _bound(scope, node, node.expression, back, node.this)
    for between in scope.find_all(exp.Between):
        yield from _bound(scope, between, between.this, ">=", between.args["low"])
        yield from _bound(scope, between, between.this, "<=", between.args["high"])


def _bound(scope: Scope, node: exp.Expr, column: exp.Expr, operator: str, value: exp.Expr) -> Iterator[ColumnBound]:
    if _is_denied(node, scope.expression):
        operator = _OPPOSITE.get(operator, f"NOT {operator}")
    if isinstance(column, exp.Column) and isinstance(value, exp.Literal) and (path := _path(scope, column)):
        yield ColumnBound(column=path, operator=operator, value=value.name)


def _is_denied(node: exp.Expr, top: exp.Expr) -> bool:
    """Whether an odd number of NOT stands before it."""
    denied = False
    while node is not top and node.parent is not None:
        node = node.parent
        denied ^= isinstance(node, exp.Not)
    return denied


def _arithmetic(tree: exp.Expr) -> Iterator[str]:
    for node in tree.walk():
        if type(node) in _COMPUTING:
            yield _COMPUTING[type(node)]
