"""From the minimum SQL to the maximum SQL: the same rows with every column that may reasonably be shown (001, 2.2.2).

The minimum stays as it is, as a derived table; the columns to add come from tables joined to it by the keys of the
entities in its output. Where such a key is not in the output it is added to the SELECT that has it; where that would
change the rows, the rows that have it are joined by the values shown. So the minimum is always the projection of the
maximum on its first columns. Imports sqlglot, so only the worker's child imports this.
"""

from collections.abc import Hashable

from sqlglot import exp

from curtain.base.sql_names import folded, sql_name
from curtain.base.sql_tokens import parser_tokens

from ..pack.entities import Entities, JoinStep, ShownColumn
from .exposure import Exposer, WhyNotAdded, has_totals, is_cut, is_of_firsts, show_group_keys, uncut, ungrouped
from .joins import FOUND, MINIMUM, Places, WiderStatement
from .lineage import UNFOLLOWED, Catalog, Instance, Lineage, ResultColumn, Unreadable, reads_tables
from .shown_entities import ShownEntity, entities_of_branch, is_grouped
from .shown_places import EntityPlaces, Maximum
from .surroundings import Surroundings

Group = tuple[ShownEntity, ...]
"""The same entity as each branch of a set operation knows it; of one branch only if the others do not matter."""

_UNFOLLOWED = "The columns of this statement cannot be followed to their tables."
_DIFFERENT = "The parts of this UNION describe different things."
_CUT_INSIDE = "A SELECT inside this statement keeps only some of its distinct rows, so nothing can be added to them."
_CUT_GROUPS = "This statement keeps only some of its groups, so nothing can be added to them."
_FIRSTS = "DISTINCT ON keeps one row of several, so nothing can be added to it; MIN or MAX keeps all."
_MIXED = "A UNION comes before an EXCEPT or an INTERSECT, so nothing can be added to its rows."
_TOTALS = "These rows are grouped in more than one way, so nothing can be added to them."


class NotDerived(Exception):
    """Why there is no maximum for a statement, as a sentence."""


def maximum_of(sql: str, entities: Entities, catalog: Catalog) -> Maximum:
    """The maximum answer's statement, with what its columns show; the same text if there is nothing more to show.

    The result begins with the columns of `sql`, and these, taken alone, have the
    same rows. Raises NotDerived with the reason.
    """
    try:
        return _Derivation(sql, entities, catalog).maximum()
    except UNFOLLOWED as error:
        # Without a table there is nothing more to show, however odd the statement is.
        if not reads_tables(sql):
            return Maximum(sql)
        raise NotDerived(_UNFOLLOWED) from error


class _Derivation:
    """One statement on its way to its maximum."""

    def __init__(self, sql: str, entities: Entities, catalog: Catalog) -> None:
        self._sql = sql
        self._roles = entities.roles
        self._lineage = lineage = Lineage(sql, catalog)
        self._wide = WiderStatement(lineage.names)
        self._outputs = [lineage.outputs(branch) for branch in lineage.branches]
        if not any(one.instance for outputs in self._outputs for one in outputs) and lineage.has_unfollowed:
            raise Unreadable
        self._surroundings = Surroundings(lineage)
        self._exposer = Exposer(lineage)
        self._groups = self._common([entities_of_branch(lineage, entities, branch) for branch in lineage.branches])
        self._minimum = _bare_text(sql)
        self._shows = lineage.tree
        self._apart = False
        self._added: list[str] = []
        self._numbers: dict[Hashable, int] = {}
        self._origins = [_origin(column) for column in zip(*self._outputs, strict=True)]

    def maximum(self) -> Maximum:
        # Before the SELECTs are changed: afterwards a MIN of a group is a plain column.
        values = len(self._outputs) > 1 or any(map(self._is_of_distinct, self._lineage.branches))
        if any(not group[0].is_shown for group in self._groups):
            self._set_apart()
        self._numbers = self._identities_of_outputs()
        places = []
        for group in [group for group in self._groups if self._has_key(group)]:
            numbers = {shown: self._column_for(group, shown) for shown in group[0].entity.shown_columns}
            places.append(self._places(group[0], numbers, values))
        return Maximum(self._sql_of_columns(), tuple(self._origins), tuple(places))

    def _is_of_distinct(self, branch: int) -> bool:
        select = self._lineage.select(branch)
        return bool(select.args.get("distinct")) and not is_grouped(select)

    def _places(self, entity: ShownEntity, numbers: dict[ShownColumn, int], values: bool) -> EntityPlaces:
        outputs = self._outputs[0]
        key = [place for place in entity.key if isinstance(place, int)] if entity.is_shown else []
        anchor = min(key) if key else next(n for n, output in enumerate(outputs) if output.instance == entity.instance)
        # A key with a name of its own (AS) is asked for itself and stands for no entity.
        naming = tuple(place for place in key if folded(outputs[place].name) == folded(outputs[place].column))
        role = self._roles.get(f"{entity.instance.table}.{entity.root}", entity.entity.readable)
        behind_values = values and not entity.is_shown
        return EntityPlaces(entity.entity, anchor, naming, numbers, role, behind_values)

    def _sql_of_columns(self) -> str:
        if not self._wide.is_wider:
            return self._sql
        if not self._added:
            return self._wide.sql(_bare_text(self._sql), None, ())
        shows = self._shows.sql("duckdb", pretty=True)
        if self._apart:
            return self._wide.sql(self._minimum, shows, self._added)
        return self._wide.sql(shows, None, self._added)

    def _common(self, entities_shown: list[list[ShownEntity]]) -> list[Group]:
        """Entities in every UNION branch. What only INTERSECT and EXCEPT compare with may hold none."""
        if not all(entities_shown):
            return []
        shown = [
            one for one in entities_shown[0] if one.is_shown and all(_has(branch, one) for branch in entities_shown[1:])
        ]
        groups: list[Group] = [(one,) for one in shown]
        hidden = [[one for one in branch if not one.is_shown] for branch in entities_shown]
        if self._lineage.operations - {exp.Union}:
            return groups + [(one,) for one in hidden[0]]
        if any([one.entity for one in branch] != [one.entity for one in hidden[0]] for branch in hidden):
            raise NotDerived(_DIFFERENT)
        return groups + list(zip(*hidden, strict=True))

    def _has_key(self, group: Group) -> bool:
        """Whether the key is at hand. A row that stands for many has none, and then there is nothing to show."""
        if group[0].is_shown:
            return True
        problems = [self._exposer.problem(one.instance, one.entity.key) for one in group]
        # One branch that cannot show the key is enough: a UNION has its columns in all branches or in none.
        if WhyNotAdded.CUT in problems:
            raise NotDerived(_CUT_INSIDE)
        return WhyNotAdded.GROUPED not in problems

    def _set_apart(self) -> None:
        """Leave the minimum as it is where its rows cannot show more, and find the rows of its tables beside it."""
        first = self._lineage.select(self._lineage.branches[0])
        if is_of_firsts(first):
            raise NotDerived(_FIRSTS)
        if self._lineage.operations - {exp.Union}:
            self._set_first_apart(first)
        elif self._picks(first):
            self._set_groups_apart(first)
        elif is_cut(self._lineage.tree):
            self._apart = True
            uncut(self._lineage.tree)

    def _set_first_apart(self, first: exp.Select) -> None:
        """INTERSECT and EXCEPT keep rows of the first SELECT."""
        if exp.Union in self._lineage.first_operations:
            raise NotDerived(_MIXED)
        if first is not self._lineage.tree and any(first.args.get(part) for part in ("limit", "offset")):
            raise NotDerived(_CUT_INSIDE)
        self._apart, self._shows = True, first
        uncut(first)

    def _set_groups_apart(self, select: exp.Select) -> None:
        """The rows that have the least or greatest value of a group are found by the value and all that it is grouped
        by, so the minimum must show all of that."""
        if has_totals(select):
            raise NotDerived(_TOTALS)
        if keys := show_group_keys(select):
            if is_cut(select):
                raise NotDerived(_CUT_GROUPS)
            self._minimum = select.sql("duckdb", pretty=True)
            self._wide.group_by(len(keys))
        self._apart = True
        ungrouped(select)

    def _picks(self, select: exp.Select) -> bool:
        """Whether a least or greatest value is all that is counted: it picks the rows that have it."""
        if len(self._outputs) > 1 or not is_grouped(select):
            return False
        if any(item.find(exp.Window) for item in select.selects):
            return False
        counted = [bool(item.find(exp.AggFunc)) for item in select.selects]
        extremes = [output.extreme and output.instance is not None for output in self._outputs[0]]
        return sum(counted) == 1 and counted == extremes

    def _column_for(self, group: Group, shown: ShownColumn) -> int:
        """The number of the column that shows it, which is added if there is none yet."""
        entity = group[0]
        reached = self._surroundings.reached(entity, shown.way) if len(self._lineage.branches) == 1 else None
        rest = ShownColumn(shown.way[reached.steps :], shown.column) if reached else shown
        root: Hashable = reached.instance if reached else _root(entity)
        identity = self._identity(root, rest) if reached else self._identity_from(entity, shown)
        if (given := self._numbers.get(identity)) is not None:
            return given
        if shown.way == () and shown.column in entity.entity.key and entity.is_shown:
            number = int(entity.key[entity.entity.key.index(shown.column)])
        elif reached and reached.many and (places := self._places_in(reached.instance, rest)):
            number = self._add(("in", root), reached.instance.table, places, rest)
        else:
            number = self._add(_root(entity), entity.entity.table, self._key_places(group), shown)
        self._numbers[identity] = number
        return number

    def _add(self, root: Hashable, table: str, places: Places, shown: ShownColumn) -> int:
        self._origins.append(f"{shown.way[-1].to_table if shown.way else table}.{shown.column}")
        return self._wide.add_column(root, table, places, shown)

    def _key_places(self, group: Group) -> Places:
        instances = [one.instance for one in group]
        places = {}
        for column, place, *others in zip(group[0].entity.key, *(one.key for one in group), strict=True):
            shown = isinstance(place, int) and all(other == place for other in others)
            places[column] = self._wide.output(int(place)) if shown else self._exposed(instances, column)
        return places

    def _places_in(self, instance: Instance, shown: ShownColumn) -> Places:
        """What must be shown of a table that the statement joins itself; nothing if it cannot be shown."""
        wanted = [here for here, _ in shown.way[0].pairs] if shown.way else [shown.column]
        if self._exposer.problem(instance, wanted):
            return {}
        return {column: self._exposed([instance], column) for column in wanted}

    def _exposed(self, instances: list[Instance], column: str) -> str:
        name, *_ = [self._exposer.expose(instance, column) for instance in instances]
        if name not in self._added:
            self._added.append(name)
        return f"{FOUND if self._apart else MINIMUM}.{sql_name(name)}"

    def _identities_of_outputs(self) -> dict[Hashable, int]:
        numbers: dict[Hashable, int] = {}
        for number, (output, *others) in enumerate(zip(*self._outputs, strict=True)):
            same = output.column and not output.computed and all(_same_column(output, other) for other in others)
            if same and output.instance:
                numbers.setdefault(self._identity(output.instance, ShownColumn((), output.column)), number)
        return numbers

    def _identity_from(self, entity: ShownEntity, shown: ShownColumn) -> Hashable:
        """What a column that refers to an entity shows: as if its own table showed it."""
        if not entity.root:
            return self._identity(entity.instance, shown)
        step = JoinStep(entity.instance.table, ((entity.root, entity.entity.key[0]),), entity.entity.table)
        return self._identity(entity.instance, ShownColumn((step, *shown.way), shown.column))

    def _identity(self, root: Hashable, shown: ShownColumn) -> Hashable:
        """The same for the same value: a step to the very column that it goes by is no step, and columns that the
        statement makes equal are one."""
        way, column = shown.way, shown.column
        while way and (column in (back := {there: here for here, there in way[-1].pairs})):
            way, column = way[:-1], back[column]
        if isinstance(root, Instance) and not way and len(self._outputs) == 1:
            return self._surroundings.top(root, column)
        return root, way, column


def _root(entity: ShownEntity) -> Hashable:
    return (entity.instance, entity.root) if entity.root else entity.instance


def _origin(column: tuple[ResultColumn, ...]) -> str:
    """`table.column` of what a column of the minimum shows as it stands; nothing if it is made of something."""
    places = {(output.instance and output.instance.table, output.column, output.computed) for output in column}
    (table, name, computed), *others = places
    return f"{table}.{name}" if table and name and not computed and not others else ""


def _same_column(first: ResultColumn, other: ResultColumn) -> bool:
    tables = [output.instance and output.instance.table for output in (first, other)]
    return tables[0] == tables[1] and first.column == other.column and not other.computed


def _has(branch: list[ShownEntity], wanted: ShownEntity) -> bool:
    return any((one.entity, one.key) == (wanted.entity, wanted.key) for one in branch)


def _bare_text(sql: str) -> str:
    """The statement without what ends it: a semicolon, a last comment."""
    if not any(mark in sql for mark in (";", "--", "/*")):
        return sql.strip()
    tokens = parser_tokens(sql)
    last = next(token for token in reversed(tokens) if token.text != ";")
    return sql[: last.end + 1]
