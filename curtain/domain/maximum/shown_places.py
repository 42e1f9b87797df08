"""What the columns of a maximum answer show: where each comes from, and where each entity stands among them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..pack.entities import Entity, ReadableColumn, ShownColumn


@dataclass(frozen=True)
class EntityPlaces:
    """An entity among the columns of a maximum, which are counted from 0.

    `anchor` is the first column of the minimum that describes it, `naming` are those that hold its key. `places` are
    the columns that may be shown of it, `readable` those of them by which people know it. `behind_values`: the rows are
    distinct values of its rows, not its rows.
    """

    entity: Entity
    anchor: int
    naming: tuple[int, ...]
    places: Mapping[ShownColumn, int]
    readable: tuple[ReadableColumn, ...] = ()
    behind_values: bool = False


@dataclass(frozen=True)
class Maximum:
    """The statement of a maximum answer. `origins` has `table.column` for each of its columns that shows one as it
    stands, else an empty text; the columns of the minimum come first."""

    sql: str
    origins: tuple[str, ...] = ()
    entities: tuple[EntityPlaces, ...] = field(default=())
