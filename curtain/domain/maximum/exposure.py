"""A statement that shows more of the rows it has already: columns of its tables, added to its SELECT lists."""

from collections.abc import Iterable, Sequence
from enum import Enum

from sqlglot import exp

from curtain.base.sql_names import folded

from .lineage import ExtremeValue, Instance, Lineage, extreme_of
from .shown_entities import is_grouped


class WhyNotAdded(Enum):
    """Why a column cannot be added to a SELECT without changing its rows."""

    GROUPED = "a row stands for many"
    CUT = "only some of the distinct rows are kept"


class Exposer:
    """Adds columns to the tree of one lineage, each once."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._names: dict[tuple[int, str, str], str] = {}

    def problem(self, instance: Instance, columns: Iterable[str]) -> WhyNotAdded | None:
        """Why these columns of an instance cannot be shown, if they cannot."""
        scope_select = self._lineage.select(instance.select)
        if is_grouped(scope_select) and not {(instance.alias, column) for column in columns} <= set(
            (key.table, key.name) for key in _grouped_by(scope_select) if isinstance(key, exp.Column)
        ):
            return WhyNotAdded.GROUPED
        above = [self._lineage.select(select) for select, _ in instance.way]
        if any(is_grouped(select) for select in above):
            return WhyNotAdded.GROUPED
        return WhyNotAdded.CUT if any(is_cut(select) for select in (scope_select, *above)) else None

    def expose(self, instance: Instance, column: str) -> str:
        """The name under which the result shows this column of an instance from now on."""
        *outer, (select, alias) = [*instance.way, (instance.select, instance.alias)]
        # From the inside out: each SELECT on the way must show the column before the one above can.
        for above, name in reversed(outer):
            column = self._shown(select, alias, column) or self._add(select, alias, column)
            select, alias = above, name
        return self._add(select, alias, column)

    def _shown(self, number: int, alias: str, column: str) -> str:
        """The name under which a SELECT inside shows the column already, if it does."""
        for item in self._lineage.select(number).selects:
            expression = item.unalias()
            if isinstance(expression, exp.Column) and (expression.table, expression.name) == (alias, column):
                return str(item.alias_or_name)
        return ""

    def _add(self, number: int, alias: str, column: str) -> str:
        if (number, alias, column) not in self._names:
            select = self._lineage.select(number)
            name = _free_name((column, f"{alias}_{column}"), {folded(item.alias_or_name) for item in select.selects})
            select.select(exp.alias_(exp.column(column, table=alias), name), copy=False)
            self._names[number, alias, column] = name
        return self._names[number, alias, column]


def is_cut(select: exp.Query) -> bool:
    """Whether distinct rows are counted out, so that one more column would let other rows through."""
    if is_of_firsts(select):
        return True
    limited = select.args.get("limit") or select.args.get("offset")
    return bool(limited and (select.args.get("distinct") or isinstance(select, exp.SetOperation)))


def is_of_firsts(select: exp.Query) -> bool:
    """Whether a SELECT keeps the first row of each of its groups: DISTINCT ON."""
    distinct = select.args.get("distinct")
    return isinstance(distinct, exp.Distinct) and distinct.args.get("on") is not None


def uncut(select: exp.Query) -> None:
    """Take away what keeps only some of the rows, and their order."""
    for part in ("limit", "offset", "order"):
        select.set(part, None)
    if isinstance(select, exp.Select) and select.args.get("distinct"):
        select.set("distinct", exp.Distinct())


def ungrouped(select: exp.Select) -> None:
    """The rows of which a SELECT takes the least or the greatest value, with that column as it is in each."""
    uncut(select)
    for part in ("group", "having", "qualify"):
        select.set(part, None)
    for item in select.selects:
        extreme = item.unalias()
        if extreme_value := extreme_of(extreme):
            _meet(select, extreme_value)
            extreme.replace(extreme_value.column)
    select.set("distinct", exp.Distinct())


def _meet(select: exp.Select, extreme: ExtremeValue) -> None:
    """Only rows that are looked at, and that have a value: an empty cell shows nothing."""
    select.where(exp.Not(this=exp.Is(this=extreme.column.copy(), expression=exp.Null())), copy=False)
    if extreme.condition:
        select.where(extreme.condition.copy(), copy=False)


def show_group_keys(select: exp.Select) -> list[str]:
    """Makes a SELECT show all by which it is grouped, and gives the names of what it did not show before."""
    shown = [item.unalias() for item in select.selects]
    taken = {folded(item.alias_or_name) for item in select.selects}
    added: list[str] = []
    for number, key in enumerate(one for one in _grouped_by(select) if one not in shown):
        name = _free_name((key.name or f"key_{number + 1}", f"key_{number + 1}"), {*taken, *added})
        select.select(exp.alias_(key.copy(), name), copy=False)
        added.append(folded(name))
    return added


def has_totals(select: exp.Select) -> bool:
    """Whether rows are grouped in more than one way: ROLLUP, CUBE, GROUPING SETS."""
    group = select.args.get("group")
    return group is not None and group.find(exp.Rollup, exp.Cube, exp.GroupingSets) is not None


def _grouped_by(select: exp.Select) -> list[exp.Expr]:
    group = select.args.get("group")
    return [key for key in group.expressions if not isinstance(key, exp.Literal)] if group else []


def _free_name(wanted: Sequence[str], taken: set[str]) -> str:
    numbered = (f"{wanted[-1]}_{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (*wanted, *numbered) if name not in taken)
