"""Which columns of the maximum a subject reads, and in which order. Pure; imports neither duckdb nor sqlglot.

How much is shown is a variable of the study, since the amount and the form of the data that come back influence the
language of the queries (001, section 2.4.1). The columns are columns of the maximum, so nothing else can be shown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..maximum.shown_places import EntityPlaces, Maximum
from ..pack.entities import ShownColumn
from ..pack.headings import distinct_headings, readable


@dataclass(frozen=True)
class ReadColumn:
    """A column of the maximum (counted from 0) under the heading that the subject reads; `origin` is its
    `table.column`, an empty text if it is made of several."""

    number: int
    heading: str
    origin: str = ""


@dataclass(frozen=True)
class ReadingPlan:
    """The columns to show. Rows of the maximum that agree in the columns `rows_by` are one row to the subject; empty
    means that each row of the maximum is a row."""

    columns: tuple[ReadColumn, ...]
    rows_by: tuple[int, ...] = ()


def plain_plan(maximum: Maximum, headings: Sequence[str]) -> ReadingPlan:
    """The columns of the minimum as they are; `headings` are theirs."""
    return ReadingPlan(tuple(ReadColumn(n, heading, _origin(maximum, n)) for n, heading in enumerate(headings)))


def readable_plan(maximum: Maximum, headings: Sequence[str], nameless: Iterable[int] = ()) -> ReadingPlan:
    """In place of the key of an entity, the columns by which people know it; the columns of the minimum otherwise.

    Of the entities with the numbers `nameless`, some rows have nothing but the key, so it stays.
    """
    entities = list(_readable_entities(maximum))
    hidden = {number for place, entity in entities if place not in nameless for number in entity.naming}
    columns: dict[int, ReadColumn] = {}
    for number, heading in enumerate(headings):
        described = [entity for _, entity in entities if entity.anchor == number]
        for column in (column for entity in described for column in _columns_of(entity, maximum)):
            columns.setdefault(column.number, column)
        if number not in hidden:
            columns.setdefault(number, ReadColumn(number, heading, _origin(maximum, number)))
    distinct = distinct_headings([column.heading for column in columns.values()])
    paired = zip(columns.values(), distinct, strict=True)
    named = (ReadColumn(column.number, heading, column.origin) for column, heading in paired)
    return ReadingPlan(tuple(named), tuple(_rows_by(len(headings), maximum.entities)))


def whole_plan(maximum: Maximum, headings: Sequence[str], words: Mapping[str, str]) -> ReadingPlan:
    """All columns of the maximum; `words` are the pack's headings."""
    labels = {column.number: column.heading for _, entity in _readable_entities(maximum)
              for column in _columns_of(entity, maximum)}  # fmt: skip
    width = len(headings)
    added = [labels.get(number) or _heading(origin, words) for number, origin in enumerate(maximum.origins)][width:]
    distinct = distinct_headings([*headings, *added])
    return ReadingPlan(tuple(ReadColumn(n, heading, _origin(maximum, n)) for n, heading in enumerate(distinct)))


def name_columns(maximum: Maximum) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """For each entity that is shown by other columns: those of its key, and those that take their place."""
    return {
        place: (entity.naming, tuple(column.number for column in _columns_of(entity, maximum)))
        for place, entity in _readable_entities(maximum)
        if entity.naming
    }


def _readable_entities(maximum: Maximum) -> Iterator[tuple[int, EntityPlaces]]:
    """With their numbers. Behind distinct values there is no row to describe: the values are the answer."""
    for place, entity in enumerate(maximum.entities):
        if not entity.behind_values and any(column.shown in entity.places for column in entity.readable):
            yield place, entity


def _columns_of(entity: EntityPlaces, maximum: Maximum) -> list[ReadColumn]:
    numbers = [(entity.places.get(column.shown), column.heading) for column in entity.readable]
    return [ReadColumn(n, heading, _origin(maximum, n)) for n, heading in numbers if n is not None]


def _rows_by(width: int, entities: Sequence[EntityPlaces]) -> Iterator[int]:
    """The minimum and the keys of the entities: two people of one name are two rows. Without an entity every row
    counts, as the minimum has it."""
    yield from range(width if entities else 0)
    for entity in (entity for entity in entities if not entity.behind_values):
        keys = (entity.places.get(ShownColumn((), column)) for column in entity.entity.key)
        yield from (number for number in keys if number is not None)


def _origin(maximum: Maximum, number: int) -> str:
    return maximum.origins[number] if number < len(maximum.origins) else ""


def _heading(origin: str, words: Mapping[str, str]) -> str:
    column = origin.partition(".")[2]
    return words.get(origin) or words.get(column) or readable(column)
