"""Which things a statement shows: the entities among its outputs, and by which columns each is known."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from ..pack.entities import Entities, Entity
from .lineage import Instance, Lineage, ResultColumn


@dataclass(frozen=True)
class ShownEntity:
    """An entity that the result shows. `key` are the places of its key: numbers of outputs, or columns that the
    SELECT of `instance` would have to show in addition. `root` is the column that refers to it, if one does."""

    entity: Entity
    key: tuple[int | str, ...]
    instance: Instance
    root: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether every column of its key is in the output."""
        return all(isinstance(place, int) for place in self.key)


def entities_of_branch(lineage: Lineage, entities: Entities, branch: int) -> list[ShownEntity]:
    """The entities that one branch shows, in the order of its outputs.

    A column that refers to another entity shows that one. If it is not one of a set of distinct values, it is also
    an attribute of its row, and shows the row's own entity (001, section 2.2.2).
    """
    outputs = lineage.outputs(branch)
    select = lineage.select(branch)
    values = is_of_values(select) or bool(lineage.operations)
    shown_entities: list[ShownEntity] = []
    for instance in dict.fromkeys(output.instance for output in outputs if output.instance):
        shown_entities += _of_instance(instance, outputs, lineage, entities, values)
    return shown_entities


def is_of_values(select: exp.Select) -> bool:
    """Whether the rows of a SELECT are values that occur rather than rows of tables."""
    return bool(select.args.get("distinct")) or is_grouped(select)


def is_grouped(select: exp.Select) -> bool:
    """Whether a row of the result stands for a group and names no single thing. Windows do not group."""
    if select.args.get("group") or select.args.get("having"):
        return True
    return any(item.find(exp.AggFunc) and not _is_window(item) for item in select.selects)


def _is_window(item: exp.Expr) -> bool:
    return all(found.find_ancestor(exp.Window) is not None for found in item.find_all(exp.AggFunc))


def _of_instance(
    instance: Instance, outputs: list[ResultColumn], lineage: Lineage, entities: Entities, values: bool
) -> Iterator[ShownEntity]:
    entity = entities.of_table(instance.table)
    shown = _shown(instance, outputs, lineage)
    complete = entity is not None and all(column in shown for column in entity.key)
    parts = set(entity.key) if entity and complete and entity.shows_more else set()
    if entity and complete:
        yield ShownEntity(entity, tuple(shown[column] for column in entity.key), instance)
    attributes = 0
    for number, output in enumerate(outputs):
        if output.instance != instance or output.column in parts:
            continue
        other = None if output.computed else _referred(output, entities)
        attributes += not output.also and (other is None or not values or output.extreme)
        if other is not None:
            yield ShownEntity(other, (number,), instance, root=output.column)
    if entity and not complete and attributes:
        yield ShownEntity(entity, tuple(shown.get(column, column) for column in entity.key), instance)


def _shown(instance: Instance, outputs: list[ResultColumn], lineage: Lineage) -> dict[str, int]:
    """The columns of an instance that are in the result, also as an equal column of another table."""
    shown: dict[str, int] = {}
    same = {} if instance.way else lineage.equal_columns(instance.select)
    for number, output in enumerate(outputs):
        if output.instance is None or not output.column or output.computed or output.also:
            continue
        place = (output.instance.alias, output.column)
        if output.instance == instance:
            shown[output.column] = number
        elif not output.instance.way and not instance.way:
            equal = [name for (alias, name), top in same.items() if alias == instance.alias and top == same.get(place)]
            shown |= {name: number for name in equal if name not in shown}
    return shown


def _referred(output: ResultColumn, entities: Entities) -> Entity | None:
    """The entity that a column names, if all that is mixed in it names the same one."""
    assert output.instance is not None
    places = [(output.instance.table, output.column), *output.also]
    named = [entities.named_by(*place) for place in places]
    return named[0] if all(one is named[0] for one in named) else None
