"""What a gold statement sorts by: its ORDER BY, found in the statement's tree, so that ties are known."""

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from curtain.base.sql_names import folded
from curtain.base.sql_tokens import sql_tree


@dataclass(frozen=True)
class SortKeys:
    """A statement that gives the sort keys too: those in its own columns, and as many more columns at the end."""

    sql: str
    columns: tuple[int, ...]
    added: int

    def of(self, row: tuple[object, ...]) -> tuple[object, ...]:
        """The keys of one row of `sql`."""
        return (*(row[place] for place in self.columns), *row[len(row) - self.added :])


def has_order(sql: str, dialect: str) -> bool:
    """Whether the rows of a statement have an order: an ORDER BY at its top. `dialect`: sqlite or duckdb."""
    tree = _tree(sql, dialect)
    return tree is not None and tree.args.get("order") is not None


def sort_keys(sql: str, dialect: str) -> SortKeys | None:
    """The keys of a statement's ORDER BY; None if they cannot be had, as of an expression over a UNION."""
    tree = _tree(sql, dialect)
    order = tree.args.get("order") if tree else None
    if tree is None or order is None:
        return None
    columns: list[int] = []
    added: list[exp.Expression] = []
    for key in order.expressions:
        place = _place(key.this, tree)
        if place is not None:
            columns.append(place)
        else:
            added.append(key.this)
    if added and (not isinstance(tree, exp.Select) or tree.args.get("distinct")):
        # Another column would change which rows are the same.
        return None
    for number, key in enumerate(added):
        tree = tree.select(exp.alias_(key.copy(), f"sort_key_{number}", quoted=True))
    return SortKeys(tree.sql(dialect=dialect), tuple(columns), len(added))


def without_limit(sql: str, dialect: str) -> tuple[str, int] | None:
    """A sorted statement without its LIMIT, and that number; None if there is none at its top, or an OFFSET with it."""
    tree = _tree(sql, dialect)
    if tree is None or tree.args.get("order") is None or tree.args.get("offset") is not None:
        return None
    limit = tree.args.get("limit")
    number = limit.expression if isinstance(limit, exp.Limit) else None
    if not isinstance(number, exp.Literal) or not number.this.isdigit():
        return None
    tree.set("limit", None)
    return tree.sql(dialect=dialect), int(number.this)


def _tree(sql: str, dialect: str) -> exp.Query | None:
    try:
        tree = sql_tree(sql, dialect)
    except SqlglotError:
        return None
    return tree if isinstance(tree, exp.Query) else None


def _place(key: exp.Expression, tree: exp.Query) -> int | None:
    """The column of the result that a key names or repeats; None if there is none or a `*` hides it."""
    if isinstance(key, exp.Literal) and not key.is_string:
        return int(key.this) - 1 if key.this.isdigit() else None
    if any(isinstance(column, exp.Star) or column.is_star for column in tree.selects):
        return None
    named = folded(key.name) if isinstance(key, exp.Column) and not key.table else None
    for place, column in enumerate(tree.selects):
        if column.unalias() == key or (named and folded(column.alias_or_name) == named):
            return place
    return None
