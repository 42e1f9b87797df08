"""From `query.Statement` to SQL, with sqlglot: short aliases where a table occurs twice."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

from sqlglot import exp

from curtain.base.sql_names import sql_name

from .query import Arg, Call, Column, Constant, Nested, Statement, join_of, named_nodes, nodes_of, table_of

_Scopes = tuple[Mapping[str, str], ...]
_CLASSES = {cls.key: cls for cls in exp.EXPR_CLASSES.values()}


def write(query: Statement) -> str:
    """The statement as SQL."""
    tree = _select(query, (), set()) if query.root else _tree(query.select[0], (), set())
    return str(tree.sql("duckdb"))


def as_sql(part: Arg, called: Callable[[str], str] = table_of) -> str:
    """An expression as SQL, its columns without their tables where all are of one; other nodes are `called` so."""
    if isinstance(part, tuple | str | bool | None):
        return str(part)
    nodes = {node for up in range(3) for node in named_nodes(Statement("", (part,)), up)}
    tree = _tree(part, ({node: called(node) for node in nodes},) * 3, set())
    columns = [one for one in tree.walk(prune=lambda node: isinstance(node, exp.Query)) if isinstance(one, exp.Column)]
    if len({column.table for column in columns}) == 1:
        for column in columns:
            column.set("table", None)
    return str(tree.sql("duckdb"))


def _select(query: Statement, outer: _Scopes, taken: set[str]) -> exp.Select:
    aliases = _aliases(nodes_of(query), taken)
    scopes = (aliases, *outer)

    def each(args: Iterable[Arg]) -> list[exp.Expression]:
        return [_tree(one, scopes, taken) for one in args]

    def clause(kind: type[exp.Expression], conditions: Iterable[exp.Expression]) -> exp.Expression | None:
        # Built by hand: exp.and_ copies and parses what it gets.
        safe = [exp.Paren(this=one) if isinstance(one, exp.Or) else one for one in conditions]
        return kind(this=reduce(lambda whole, one: exp.And(this=whole, expression=one), safe)) if safe else None

    first, *others = (_table(node, alias) for node, alias in aliases.items())
    sides = (each(join) for node in aliases if (join := join_of(node)))
    joins = [exp.EQ(this=mine, expression=theirs) for mine, theirs in sides]
    return exp.Select(
        expressions=each(query.select),
        from_=exp.From(this=first),
        joins=[exp.Join(this=table) for table in others],
        where=clause(exp.Where, [*joins, *each(query.conditions)]),
        distinct=exp.Distinct() if query.distinct else None,
        group=exp.Group(expressions=each(query.group)) if query.group else None,
        having=clause(exp.Having, each(query.having)),
        order=exp.Order(expressions=each(query.order)) if query.order else None,
        limit=None if query.limit is None else exp.Limit(expression=_tree(query.limit, scopes, taken)),
    )


def _aliases(nodes: list[str], taken: set[str]) -> dict[str, str]:
    tables = [table_of(node) for node in nodes]
    aliases: dict[str, str] = {}
    for node, table in zip(nodes, tables, strict=True):
        alias, number = table, 0
        while alias in taken or (number == 0 and tables.count(table) > 1):
            number += 1
            alias = f"{table}_{number}"
        taken.add(alias)
        aliases[node] = alias
    return aliases


def _name(text: str) -> exp.Identifier:
    return exp.Identifier(this=text, quoted=sql_name(text) != text)


def _table(node: str, alias: str) -> exp.Table:
    table = table_of(node)
    return exp.Table(this=_name(table), alias=None if table == alias else exp.TableAlias(this=_name(alias)))


def _tree(arg: Arg, scopes: _Scopes, taken: set[str]) -> Any:
    """What stands for it in sqlglot's tree: an expression, a list of them, a flag."""
    if isinstance(arg, Column):
        return exp.Column(this=_name(arg.name), table=_name(scopes[arg.up][arg.node]))
    if isinstance(arg, Constant):
        return exp.Literal(this=arg.text, is_string=arg.is_text)
    if isinstance(arg, Nested):
        return exp.Subquery(this=_select(arg.query, scopes, taken))
    if isinstance(arg, tuple):
        return [_tree(one, scopes, taken) for one in arg]
    if isinstance(arg, Call):
        return _call(arg, scopes, taken)
    if isinstance(arg, str) and arg.startswith("type:"):
        return exp.DataType.Type(arg.removeprefix("type:"))
    return arg


def _call(arg: Call, scopes: _Scopes, taken: set[str]) -> Any:
    args = {name: _tree(value, scopes, taken) for name, value in arg.args}
    if arg.kind in ("not", "neg", "and", "or", "add", "sub", "mul", "div", "eq", "neq"):
        args = {name: _wrapped(value, arg.kind) for name, value in args.items()}
    if arg.kind in ("all", "any", "exists"):
        args = {name: value.this if isinstance(value, exp.Subquery) else value for name, value in args.items()}
    return _CLASSES[arg.kind](**args)


def _wrapped(value: object, kind: str) -> object:
    """An operand in parentheses where the operator would bind it otherwise."""
    looser = isinstance(value, exp.Or) and kind != "or"
    looser = looser or (isinstance(value, exp.Connector) and kind not in ("and", "or"))
    sums = isinstance(value, exp.Add | exp.Sub | exp.Mul | exp.Div) and kind in ("mul", "div", "sub", "neg")
    return exp.Paren(this=value) if looser or sums else value
