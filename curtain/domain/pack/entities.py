"""The things that a database is about: what identifies them and which columns may be shown of them.

A pack names its entities with their keys in [canonical] and, for each, in [maximum] what an answer may hold besides
what it must (001, section 2.2.2). A column there is `table.column`. If it is of another table, the way there follows
references, and tables that only link two others (`flight_fare`); where ways of the same length differ, all are taken
(a flight has two airports). A way may also be written out: `flight.flight_days = days.days_code > days.day_name`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from curtain.base.sql_names import folded

from .keys import ForeignKey, Keys

Pairs = tuple[tuple[str, str], ...]
Way = tuple["JoinStep", ...]

_LONGEST_WAY = 4


class JoinStep(msgspec.Struct, frozen=True):
    """From a row of `table` to rows of `to_table` in which the columns of `pairs` agree. `many`: perhaps several."""

    table: str
    pairs: Pairs
    to_table: str
    many: bool = False


class ShownColumn(msgspec.Struct, frozen=True):
    """A column that may be shown of an entity, at the end of a way that begins at the entity's table."""

    way: tuple[JoinStep, ...]
    column: str


class ReadableColumn(msgspec.Struct, frozen=True):
    """A column by which people know an entity, under its own heading."""

    heading: str
    shown: ShownColumn


class Entity(msgspec.Struct, frozen=True):
    """A kind of thing with a row each in `table`: the columns in `key` identify it, `shown_columns` may be shown, and
    `readable` are those of them that a readable answer shows in place of the key."""

    name: str
    table: str
    key: tuple[str, ...]
    shown_columns: tuple[ShownColumn, ...] = ()
    readable: tuple[ReadableColumn, ...] = ()

    @property
    def shows_more(self) -> bool:
        """Whether there is anything to show of it besides its key."""
        return any(shown.way or shown.column not in self.key for shown in self.shown_columns)


class Entities(msgspec.Struct, frozen=True):
    """All entities, and how columns of other tables refer to them."""

    all: tuple[Entity, ...] = ()
    keys: Keys = Keys()
    # By the column that refers to an entity (`employee.supervisor_id`): how it is shown in that role.
    roles: dict[str, tuple[ReadableColumn, ...]] = {}

    def of_table(self, table: str) -> Entity | None:
        """The entity that a row of this table is."""
        return next((entity for entity in self.all if entity.table == table), None)

    def named_by(self, table: str, column: str) -> Entity | None:
        """The entity whose whole key this column holds, by itself or through references."""
        # References may go in a circle, as between an employee's department and its manager.
        seen = {(table, column)}
        todo = [(table, column)]
        while todo:
            place = todo.pop(0)
            for entity in self.all:
                if (entity.table, *entity.key) == place:
                    return entity
            onward = [one for one in self._referred(*place) if one not in seen]
            seen.update(onward)
            todo += onward
        return None

    def _referred(self, table: str, column: str) -> Iterator[tuple[str, str]]:
        for reference in self.keys.references:
            if reference.table == table:
                yield from ((reference.to_table, there) for here, there in reference.pairs if here == column)


def read_entities(
    canonical: Mapping[str, Sequence[str]],
    maximum: Mapping[str, Any],
    keys: Keys,
    tables: Mapping[str, Iterable[str]],
    readable: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[Entities, list[str]]:
    """The entities of a pack, and one sentence for each line of [canonical], [maximum] and [readable] that leads
    nowhere."""
    readable = readable or {}
    problems: list[str] = []
    ways = _Ways(keys, {table: frozenset(columns) for table, columns in tables.items()})
    entities = []
    for name, written in canonical.items():
        parts = [folded(part).partition(".") for part in written]
        table, key = (parts[0][0] if parts else ""), tuple(column for _, _, column in parts)
        if not key or any(part[0] != table for part in parts) or not ways.has(table, *key):
            problems.append(
                f"[canonical] {name}: {', '.join(written) or 'nothing'} is no key in one table of schema.sql"
            )
            continue
        columns_shown, lost = ways.columns_shown(table, maximum.get(name, ()))
        problems += [f"[maximum] {name}: “{item}” leads to no column" for item in lost]
        labelled, unusable = _readable_columns(ways, table, readable.get(name, {}), columns_shown)
        problems += [f"[readable.{name}] {sentence}" for sentence in unusable]
        entities.append(Entity(name, table, key, columns_shown, labelled))
    problems += [f"[maximum] {name}: [canonical] has no such entity" for name in maximum if name not in canonical]
    pack = Entities(tuple(entities), keys)
    roles: dict[str, tuple[ReadableColumn, ...]] = {}
    for name in (name for name in readable if name not in canonical):
        entity = pack.named_by(*folded(name).partition(".")[::2])
        if entity is None:
            problems.append(f"[readable.{name}]: no entity of [canonical], and no column that refers to one")
            continue
        roles[folded(name)], unusable = _readable_columns(ways, entity.table, readable[name], entity.shown_columns)
        problems += [f"[readable.{name}] {sentence}" for sentence in unusable]
    return Entities(pack.all, keys, roles), problems


def _readable_columns(
    ways: _Ways, table: str, written: Mapping[str, str], allowed: Sequence[ShownColumn]
) -> tuple[tuple[ReadableColumn, ...], list[str]]:
    """The usable lines of one [readable] table, and a sentence for each other line."""
    columns: list[ReadableColumn] = []
    problems: list[str] = []
    for heading, item in written.items():
        shown, _ = ways.columns_shown(table, item)
        if not shown:
            problems.append(f"“{heading}”: “{item}” leads to no column")
        elif len(shown) > 1:
            problems.append(f"“{heading}”: “{item}” leads to {len(shown)} columns; write the way out with >")
        elif shown[0] not in allowed:
            # What is shown must never lie outside the maximum (001, section 2.2.2).
            problems.append(f"“{heading}”: “{item}” is not in [maximum], so it may not be shown")
        else:
            columns.append(ReadableColumn(heading, shown[0]))
    return tuple(columns), problems


class _Ways:
    """Finds ways from table to table."""

    def __init__(self, keys: Keys, tables: Mapping[str, frozenset[str]]) -> None:
        self._keys = keys
        self._tables = tables
        self._forward = [self._step(reference) for reference in keys.references]
        self._back = [self._back_step(reference) for reference in keys.references if self._is_link(reference.table)]

    def has(self, table: str, *columns: str) -> bool:
        return table in self._tables and set(columns) <= self._tables[table]

    def columns_shown(self, table: str, written: object) -> tuple[tuple[ShownColumn, ...], list[str]]:
        """What the items of one line of [maximum] stand for, and the items that stand for nothing."""
        items = [str(item) for item in written] if isinstance(written, (list, tuple)) else [str(written)]
        shown: dict[ShownColumn, None] = {}
        lost = []
        for item in items:
            column_shown = self._one(table, folded(item))
            shown.update(dict.fromkeys(column_shown))
            lost += [] if column_shown else [item]
        return tuple(shown), lost

    def _one(self, table: str, item: str) -> list[ShownColumn]:
        if ">" in item:
            return self._written_out(table, [part.strip() for part in item.split(">")])
        there, _, column = item.strip().partition(".")
        if not self.has(there, column):
            return []
        return [ShownColumn(way, column) for way in self._ways(table, there)]

    def _ways(self, table: str, there: str) -> list[Way]:
        if table == there:
            return [()]
        # Back through a link table only where no reference leads there: forward each row has one partner.
        return self._shortest(table, there, self._forward) or self._shortest(
            table, there, [*self._forward, *self._back]
        )

    def _shortest(self, table: str, there: str, steps: Sequence[JoinStep]) -> list[Way]:
        """All ways of the smallest length; none goes back to where it was."""
        ways: list[Way] = [()]
        for _ in range(_LONGEST_WAY):
            ways = [
                (*way, step)
                for way in ways
                for step in steps
                if step.table == (way[-1].to_table if way else table)
                and step.to_table not in {table, *(one.to_table for one in way)}
            ]
            if arrived := [way for way in ways if way[-1].to_table == there]:
                return arrived
        return []

    def _written_out(self, table: str, parts: Sequence[str]) -> list[ShownColumn]:
        way: list[JoinStep] = []
        here = table
        for part, following in pairwise(parts):
            start, _, end = (piece.strip() for piece in part.partition("="))
            step = self._joined(start, end or following, joined=bool(end))
            if step is None or step.table != here:
                return []
            way.append(step)
            here = step.to_table
        there, _, column = parts[-1].partition(".")
        return [ShownColumn(tuple(way), column)] if there == here and self.has(there, column) else []

    def _joined(self, start: str, end: str, joined: bool) -> JoinStep | None:
        """The step from `table.column` to the table of `end`, whose column counts only if it is `joined`."""
        table, _, column = start.partition(".")
        there, _, other = end.partition(".")
        if not self.has(table, column) or there not in self._tables:
            return None
        joinable = [
            step for step in (*self._forward, *map(self._back_step, self._keys.references))
            if (step.table, step.to_table) == (table, there) and step.pairs[0][0] == column
        ]  # fmt: skip
        if not joined and joinable:
            return joinable[0]
        met = other if joined else self._meeting(table, column, there)
        return self._free_step(table, column, there, met) if met and self.has(there, met) else None

    def _meeting(self, table: str, column: str, there: str) -> str:
        """The column of `there` that refers to what `table.column` refers to, else the one of the same name."""
        targets = {(ref.to_table, pair[1]) for ref in self._from(table) for pair in ref.pairs if pair[0] == column}
        for reference in self._from(there):
            for here, target in reference.pairs:
                if (reference.to_table, target) in targets:
                    return here
        return column

    def _from(self, table: str) -> Iterator[ForeignKey]:
        return (reference for reference in self._keys.references if reference.table == table)

    def _is_link(self, table: str) -> bool:
        """Whether the rows of a table are nothing but pairs of rows of other tables, perhaps with remarks."""
        key = set(self._keys.primary.get(table, ()))
        covered = [set(reference.columns) & key for reference in self._from(table)]
        return len([part for part in covered if part]) > 1 and set().union(*covered) == key

    def _step(self, reference: ForeignKey) -> JoinStep:
        return JoinStep(reference.table, reference.pairs, reference.to_table)

    def _back_step(self, reference: ForeignKey) -> JoinStep:
        pairs = tuple((there, here) for here, there in reference.pairs)
        return JoinStep(reference.to_table, pairs, reference.table, self._is_many(reference.table, pairs))

    def _free_step(self, table: str, column: str, there: str, met: str) -> JoinStep:
        pairs = ((column, met),)
        return JoinStep(table, pairs, there, self._is_many(there, pairs))

    def _is_many(self, table: str, pairs: Pairs) -> bool:
        key = self._keys.primary.get(table, ())
        # Only the whole key leads to one row at most.
        return not key or not set(key) <= {there for _, there in pairs}
