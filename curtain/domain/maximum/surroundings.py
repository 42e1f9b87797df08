"""What else a SELECT has joined: where a way from one of its tables leads to another of its tables.

A statement about fares that joins their flights shows those flights, not all flights at these fares; and a
name that can be reached in two ways is shown once.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from ..pack.entities import Way
from .lineage import Instance, Lineage
from .shown_entities import ShownEntity

Place = tuple[str, str]


class Reached(NamedTuple):
    """The last table of the SELECT on a way, and how many steps of the way lead to it; `many` if one of them may lead
    to several rows."""

    instance: Instance
    steps: int
    many: bool


class Surroundings:
    """The tables of the SELECTs of one statement and the columns that their conditions make equal."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._seen: dict[int, _Joined] = {}

    def reached(self, entity: ShownEntity, way: Way) -> Reached | None:
        """How far a way from a known entity stays within its SELECT; None if it leaves at once."""
        if entity.instance.way:
            return None
        joined = self._joined(entity.instance.select)
        row = joined.row(entity.instance) if not entity.root else joined.matching(
            entity.entity.table, {entity.entity.key[0]: joined.top((entity.instance.alias, entity.root))}
        )  # fmt: skip
        best = Reached(row.instance, 0, False) if row.instance else None
        many = False
        for number, step in enumerate(way, start=1):
            tops = {there: row.top(here) for here, there in step.pairs}
            known_tops = {there: top for there, top in tops.items() if top is not None}
            # Past a table that is not in the FROM clause, only the columns that led to it are known.
            if len(known_tops) < len(tops):
                return best
            row = joined.matching(step.to_table, known_tops)
            many = many or step.many
            best = Reached(row.instance, number, many) if row.instance else best
        return best

    def top(self, instance: Instance, column: str) -> Hashable:
        """The same for all columns of its SELECT that equal this one."""
        if instance.way:
            return instance, column
        return instance.select, self._joined(instance.select).top((instance.alias, column))

    def _joined(self, select: int) -> _Joined:
        if select not in self._seen:
            self._seen[select] = _Joined(self._lineage, select)
        return self._seen[select]


class _Row:
    """A row on the way: of a table in the FROM clause, or of one that is not there and of which only what it was
    reached by is known."""

    def __init__(self, joined: _Joined, instance: Instance | None, tops: dict[str, Place]) -> None:
        self._joined = joined
        self.instance = instance
        self._tops = tops

    def top(self, column: str) -> Place | None:
        """What stands for all columns that equal this one."""
        return self._joined.top((self.instance.alias, column)) if self.instance else self._tops.get(column)


class _Joined:
    """The tables of one SELECT and which of their columns are equal."""

    def __init__(self, lineage: Lineage, select: int) -> None:
        self._same = lineage.equal_columns(select)
        self._instances = list(lineage.instances(select))

    def top(self, place: Place) -> Place:
        return self._same.get(place, place)

    def row(self, instance: Instance) -> _Row:
        return _Row(self, instance, {})

    def matching(self, table: str, tops: dict[str, Place]) -> _Row:
        """The row of this table in which these columns equal what is given."""
        for instance in self._instances:
            if instance.table == table and all(
                self.top((instance.alias, column)) == top for column, top in tops.items()
            ):
                return _Row(self, instance, {})
        return _Row(self, None, tops)
