"""Where the columns of a result come from: each output followed to a column of a table in some FROM clause.

Imports sqlglot, so only the worker's child imports this. `qualify` gives every column its table, writes out stars,
and turns USING and NATURAL into conditions; what runs is never what it writes, but the statement as it was typed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope
from sqlglot.schema import MappingSchema

from curtain.base.sql_tokens import sql_tree

Tables = Mapping[str, Mapping[str, str]]

_EXTREMES = (exp.Min, exp.Max)
_SIDES_UNSEEN = ("SEMI", "ANTI")


class Unreadable(Exception):
    """The statement cannot be followed."""


# A parser of another project over anything that DuckDB takes fails in many ways, and all mean the same.
UNFOLLOWED = (
    Unreadable, SqlglotError, RecursionError, ValueError, LookupError, AttributeError, TypeError, AssertionError,
)  # fmt: skip


class Catalog:
    """The tables of a database as sqlglot wants to know them, made once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.schema = MappingSchema({table: dict(columns) for table, columns in tables.items()}, dialect="duckdb")


class Instance(NamedTuple):
    """One table in the FROM clause of one SELECT; `way` are the derived tables that lead down to it."""

    way: tuple[tuple[int, str], ...]
    select: int
    alias: str
    table: str


@dataclass(frozen=True)
class ResultColumn:
    """One column of a result.

    `column` is set if the output is this column of `instance` as it stands, `computed` if it is made of the columns
    of one instance, row by row; `extreme` if it is the least or greatest value of the column. Without an instance it
    belongs to nothing that could be named: a count, a sum, something made of several tables. `also` are the other
    columns (table, name) that a set operation inside mixes with this one.
    """

    name: str
    instance: Instance | None = None
    column: str = ""
    computed: bool = False
    extreme: bool = False
    also: tuple[tuple[str, str], ...] = ()


class Lineage:
    """One statement, qualified. `branches` are the SELECTs of its outermost set operation, or the one there is.

    Raises one of UNFOLLOWED for a statement that cannot be followed.
    """

    def __init__(self, sql: str, catalog: Catalog) -> None:
        self.tree = _qualified(sql, catalog)
        root = build_scope(self.tree)
        if root is None:
            raise Unreadable
        self._tables = catalog.tables
        self._scopes: dict[int, Scope] = {}
        self.branches = [self._known(scope) for scope in _branches(root)]
        self.operations = {type(node) for node in _operations(self.tree)}
        self.first_operations = {type(node) for node in _first_operations(self.tree)}

    @property
    def names(self) -> list[str]:
        """The names of the output columns, in their order."""
        return list(self.tree.named_selects)

    @property
    def has_unfollowed(self) -> bool:
        """Whether something is shown that may be a column of a table and cannot be followed to it."""
        items = [item.unalias() for select in self.tree.find_all(exp.Select) for item in select.selects]
        return any(item.find(exp.Columns, exp.PositionalColumn) or _is_of_another(item) for item in items)

    def select(self, number: int) -> exp.Select:
        """The SELECT of this number, in the tree itself."""
        expression = self._scopes[number].expression
        assert isinstance(expression, exp.Select)
        return expression

    def outputs(self, branch: int) -> list[ResultColumn]:
        """What a branch gives, column by column."""
        scope = self._scopes[branch]
        return [self._output(scope, item, item.alias_or_name) for item in self.select(branch).selects]

    def instances(self, select: int) -> Iterator[Instance]:
        """The tables that this SELECT itself names, as far as their columns can be shown."""
        for alias, (node, source) in self._scopes[select].selected_sources.items():
            join = node.find_ancestor(exp.Join)
            # The right side of these joins only filters; its columns cannot be shown.
            hidden = join is not None and str(join.args.get("kind", "")).upper() in _SIDES_UNSEEN
            if isinstance(source, exp.Table) and source.name in self._tables and not hidden:
                yield Instance((), select, alias, source.name)

    def equal_columns(self, select: int) -> dict[tuple[str, str], tuple[str, str]]:
        """For columns (alias, name) that conditions of a SELECT make equal: one that stands for all of them."""
        node = self.select(select)
        where = node.args.get("where")
        conditions = [join.args.get("on") for join in node.args.get("joins") or []]
        same = _Same()
        for condition in [*conditions, where.this if where else None]:
            for part in condition.flatten() if isinstance(condition, exp.And) else [condition]:
                for equal in _equalities(part):
                    same.join(*equal)
        return same.representatives()

    def _known(self, scope: Scope) -> int:
        self._scopes[id(scope.expression)] = scope
        # Two SELECTs of one statement may have the same text, so the node itself distinguishes them; the tree keeps it
        # alive.
        return id(scope.expression)

    def _output(self, scope: Scope, item: exp.Expr, name: str) -> ResultColumn:
        bare = _bare(item.unalias())
        if isinstance(bare, exp.Column):
            return self._column(scope, bare, name)
        if extreme := extreme_of(bare):
            origin = self._column(scope, extreme.column, name)
            return ResultColumn(name, origin.instance, origin.column, origin.computed, extreme=True)
        return self._expression(scope, bare, name)

    def _column(self, scope: Scope, column: exp.Column, name: str) -> ResultColumn:
        source = scope.sources.get(column.table)
        if isinstance(source, exp.Table):
            exists = column.name in self._tables.get(source.name, ())
            here = Instance((), self._known(scope), column.table, source.name)
            return ResultColumn(name, here, column.name) if exists else ResultColumn(name)
        if not isinstance(source, Scope):
            return ResultColumn(name)
        first, *others = (self._of_branch(branch, source, column.name) for branch in _branches(source))
        # A column of a UNION is one column only if every branch gives one.
        if first.instance is None or first.extreme or not all(one.instance and one.column for one in others):
            return ResultColumn(name)
        way = ((self._known(scope), column.table), *first.instance.way)
        also = [(one.instance.table, one.column) for one in others if one.instance]
        return replace(first, name=name, instance=first.instance._replace(way=way), also=(*first.also, *also))

    def _of_branch(self, branch: Scope, source: Scope, column: str) -> ResultColumn:
        """What a branch of a derived table gives under a name of the whole."""
        whole, part = source.expression, branch.expression
        assert isinstance(whole, exp.Query) and isinstance(part, exp.Select)
        names = whole.named_selects
        if column not in names or len(part.selects) != len(names):
            return ResultColumn(column)
        item = part.selects[names.index(column)]
        return self._output(branch, item, column)

    def _expression(self, scope: Scope, node: exp.Expr, name: str) -> ResultColumn:
        if node.find(exp.AggFunc, exp.Window, exp.Query):
            return ResultColumn(name)
        origins = {self._column(scope, column, name) for column in node.find_all(exp.Column)}
        instances = {one.instance for one in origins}
        if len(instances) != 1 or None in instances:
            return ResultColumn(name)
        return ResultColumn(name, instances.pop(), computed=True)


class ExtremeValue(NamedTuple):
    """A least or greatest value: of which column, and in which rows if not in all."""

    column: exp.Column
    condition: exp.Expr | None = None


def extreme_of(node: exp.Expr) -> ExtremeValue | None:
    """What MIN or MAX of a column, perhaps with DISTINCT or a FILTER, is taken of; None for anything else."""
    node, condition = _bare(node), None
    if isinstance(node, exp.Filter):
        node, condition = node.this, node.expression.this
    if not isinstance(node, _EXTREMES) or node.expressions:
        return None
    of = node.this
    if isinstance(of, exp.Distinct) and len(of.expressions) == 1:
        of = of.expressions[0]
    return ExtremeValue(of, condition) if isinstance(of, exp.Column) else None


def _qualified(sql: str, catalog: Catalog) -> exp.Query:
    tree = _without_parentheses(sql_tree(sql))
    qualified = qualify(
        tree, schema=catalog.schema, dialect="duckdb", quote_identifiers=False, identify=False,
        # What cannot be resolved stays as it is: DuckDB has the last word on names, and knows more of them.
        validate_qualify_columns=False,
    )  # fmt: skip
    if not isinstance(qualified, exp.Query):
        raise Unreadable
    return qualified


def reads_tables(sql: str) -> bool:
    """Whether a statement names any table, as far as can be read."""
    try:
        return sql_tree(sql).find(exp.Table) is not None
    except UNFOLLOWED:
        return True


_ENDS = ("order", "limit", "offset")


def _without_parentheses(tree: exp.Expr) -> exp.Expr:
    """The statement itself, if all of it stands in parentheses; an ORDER BY or a LIMIT after them goes with it if it
    has none of its own."""
    while isinstance(tree, exp.Subquery):
        ends = {part: end for part in _ENDS if (end := tree.args.get(part))}
        if tree.args.get("with_") or tree.args.get("with") or (ends and any(tree.this.args.get(one) for one in _ENDS)):
            break
        tree = tree.this
        for part, end in ends.items():
            tree.set(part, end)
    return tree


def _branches(scope: Scope) -> Iterator[Scope]:
    if isinstance(scope.expression, exp.SetOperation):
        for inner in scope.set_operation_scopes:
            yield from _branches(inner)
    elif isinstance(scope.expression, exp.Select):
        yield scope
    else:
        raise Unreadable


def _operations(node: exp.Expr) -> Iterator[exp.SetOperation]:
    if isinstance(node, exp.Subquery):
        yield from _operations(node.this)
    elif isinstance(node, exp.SetOperation):
        yield node
        yield from _operations(node.left)
        yield from _operations(node.right)


def _first_operations(node: exp.Expr) -> Iterator[exp.SetOperation]:
    """The set operations that the first SELECT is part of with what stands left of them."""
    while isinstance(node, (exp.Subquery, exp.SetOperation)):
        if isinstance(node, exp.SetOperation):
            yield node
        node = node.this


def _is_of_another(item: exp.Expr) -> bool:
    """Whether it is the one value that a SELECT in parentheses gives, and this is no count or the like."""
    if not isinstance(item, exp.Subquery) or not isinstance(item.this, exp.Select) or not item.this.selects:
        return False
    bare = _bare(item.this.selects[0].unalias())
    return isinstance(bare, exp.Column) or extreme_of(bare) is not None


def _bare(node: exp.Expr) -> exp.Expr:
    """Without parentheses, and the first of what USING merges: all of them are equal there."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Coalesce) and all(isinstance(one, exp.Column) for one in (node.this, *node.expressions)):
        names = {one.name for one in (node.this, *node.expressions)}
        return node.this if len(names) == 1 else node
    return node


def _equalities(condition: exp.Expr | None) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    while isinstance(condition, exp.Paren):
        condition = condition.this
    if isinstance(condition, exp.And):
        for part in condition.flatten():
            yield from _equalities(part)
    if isinstance(condition, exp.EQ):
        left, right = condition.left, condition.right
        if isinstance(left, exp.Column) and isinstance(right, exp.Column):
            yield (left.table, left.name), (right.table, right.name)


class _Same:
    """Sets of columns that are equal."""

    def __init__(self) -> None:
        self._above: dict[tuple[str, str], tuple[str, str]] = {}

    def join(self, first: tuple[str, str], other: tuple[str, str]) -> None:
        self._above[self._top(first)] = self._top(other)

    def representatives(self) -> dict[tuple[str, str], tuple[str, str]]:
        return {place: self._top(place) for place in {*self._above, *self._above.values()}}

    def _top(self, place: tuple[str, str]) -> tuple[str, str]:
        while (above := self._above.get(place, place)) != place:
            place = above
        return place
