"""Writes the maximum statement: the minimum as a derived table, and tables joined to it by keys."""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence

from curtain.base.sql_names import folded, sql_name

from ..pack.entities import ShownColumn, Way

MINIMUM = "minimum"
FOUND = "found"

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")

Places = Mapping[str, str]
"""Columns of a table and how each is written where the table itself need not be joined."""


class WiderStatement:
    """Grows column by column. `names` are the columns of the minimum."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(_distinct_names(names))
        self._columns = [f"{MINIMUM}.{sql_name(name)}" for name in self.names]
        self._first = len(self._columns)
        self._groups: list[str] = []
        self._joins: list[str] = []
        self._aliases: dict[Hashable, str] = {}

    @property
    def is_wider(self) -> bool:
        """Whether anything was added to the minimum's columns."""
        return len(self._columns) > self._first

    def output(self, number: int) -> str:
        """How a column of the minimum is written."""
        return self._columns[number]

    def group_by(self, keys: int) -> None:
        """The minimum shows so many columns more than are shown: by which its rows are grouped."""
        self._groups = [f"group_{number}" for number in range(1, keys + 1)]

    def add_column(self, root: Hashable, table: str, places: Places, shown: ShownColumn) -> int:
        """Add a column that is shown of a row of `table`, of which the columns in `places` are at hand; its number."""
        if not shown.way and shown.column in places:
            self._columns.append(places[shown.column])
        else:
            alias = self._joined(root, table, places, shown.way)
            self._columns.append(f"{alias}.{sql_name(shown.column)}")
        return len(self._columns) - 1

    def sql(self, minimum: str, matching: str | None, added: Sequence[str]) -> str:
        """The whole statement. `added` are the columns that come after the minimum's own: in `matching` if it is given,
        whose rows are then joined by the values and the groups of the minimum, else in `minimum` itself."""
        names = [*self.names, *self._groups]
        parts = [f"SELECT {', '.join(self._columns)}"]
        parts.append(_derived("FROM", minimum, MINIMUM, names if matching else [*names, *added]))
        if matching:
            # Not “=”, which would lose rows with an empty cell.
            same = (f"{FOUND}.{sql_name(name)} IS NOT DISTINCT FROM {MINIMUM}.{sql_name(name)}" for name in names)
            parts.append(f"{_derived('LEFT JOIN', matching, FOUND, [*names, *added])} ON {' AND '.join(same)}")
        return "\n".join([*parts, *self._joins])

    def _joined(self, root: Hashable, table: str, places: Places, way: Way) -> str:
        """The alias of the table at the end of a way, joined now if it is not yet."""
        if (root, way) not in self._aliases:
            conditions = list(self._conditions(root, table, places, way))
            there = way[-1].to_table if way else table
            alias = self._free_alias(there)
            named = sql_name(there) if alias == there else f"{sql_name(there)} AS {sql_name(alias)}"
            on = " AND ".join(f"{sql_name(alias)}.{sql_name(column)} = {value}" for column, value in conditions)
            # LEFT: a row of the minimum without a partner stays, or the maximum would have fewer rows.
            self._joins.append(f"LEFT JOIN {named} ON {on}")
            self._aliases[root, way] = sql_name(alias)
        return self._aliases[root, way]

    def _conditions(self, root: Hashable, table: str, places: Places, way: Way) -> Iterator[tuple[str, str]]:
        if not way:
            yield from places.items()
            return
        *before, step = way
        for here, there in step.pairs:
            if not before and here in places:
                yield there, places[here]
            else:
                yield there, f"{self._joined(root, table, places, tuple(before))}.{sql_name(here)}"

    def _free_alias(self, table: str) -> str:
        taken = {MINIMUM, FOUND, *(alias.strip('"') for alias in self._aliases.values())}
        names = (table, *(f"{table}_{number}" for number in range(2, len(taken) + 3)))
        return next(name for name in names if name not in taken)


def _derived(word: str, query: str, alias: str, columns: Sequence[str]) -> str:
    # The names behind the alias rename the columns: also count(*) then has a name to be joined by.
    return f"{word} (\n{query}\n) AS {alias} ({', '.join(map(sql_name, columns))})"


def _distinct_names(names: Sequence[str]) -> Iterator[str]:
    """A name for each column: its own if nothing before it has the same, else its number."""
    seen: set[str] = set()
    for number, name in enumerate(names, start=1):
        lower = folded(name)
        usable = _PLAIN.fullmatch(lower) and not lower.startswith("_") and lower not in seen
        seen.add(chosen := lower if usable else f"column_{number}")
        yield chosen
