"""Guesses at a database without a description: its keys, what refers to what, what its columns are called.

Every guess is checked against the rows; where the names say nothing, texts that all occur in a key are taken for
references and numbers are not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType

import duckdb

from curtain.base.progress_bar import Report
from curtain.base.sql_names import quoted
from curtain.base.terminal import shown_name, without_hidden_signs
from curtain.base.words import MARKS
from curtain.domain.pack.cells import base_type, unsayable
from curtain.domain.pack.keys import ForeignKey, Keys
from curtain.domain.pack.names import reaches_somebody, split_name
from curtain_packs.orphans import orphans
from curtain_packs.plain_tables import Brought
from curtain_packs.sources import tables_of

_KEY_WIDTH = 3
_KEY_COLUMNS = 8
# One or two texts occur in some key by chance; a name that fits needs no such proof.
_FEWEST_VALUES = 3
_SOME_VALUES = 20
_LONGEST = 40
# Measured values are different in each row of a small table, and identify nothing.
_NO_KEYS = {"DOUBLE", "DECIMAL", "BOOLEAN", "TIME", "TIMESTAMP"}
_GENERAL = {"id", "name", "code", "type", "number", "no", "date", "description", "title", "value", "status", "key"}
_PLURALS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("ss", "ss"), ("us", "us"), ("s", ""))
_NAMES = ("name", "title", "label", "description")
# “Weight (kg)”, “Price eur”.
_UNIT = re.compile(
    r"[(\[]([^)\]]+)[)\]]\s*\Z|\s(eur|usd|gbp|chf|kg|g|mg|t|km|m|cm|mm|l|ml|h|min|s|ms|percent|pct)\Z", re.IGNORECASE
)
_PARTS = ("firstname", "lastname", "middlename", "givenname", "familyname", "maidenname", "surname", "forename")


@dataclass(frozen=True)
class SchemaGuess:
    """The tables with their columns and types, rows per table, the keys that hold in them, and for tables with a key
    of one column the column that names each row. `written` is how the source writes the names; `private` are columns
    that hold telephone numbers and the like; `formats` how 1234 is written, by table.column."""

    tables: dict[str, dict[str, str]]
    rows: dict[str, int]
    keys: Keys
    notes: tuple[str, ...]
    called: dict[str, str]
    has_clock: bool = False
    written: Mapping[str, str] = field(default_factory=dict)
    private: tuple[str, ...] = ()
    headings: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)

    def heading(self, table: str, column: str) -> str:
        """What stands above a column: as a person wished it, else a guess."""
        return self.headings.get(f"{table}.{column}") or heading_of(table, column, self.written)

    def understood(self, table: str, column: str) -> dict[str, str]:
        """What a column was taken for: `key` (of the table), `refers` (to which table), `names` (the rows of which
        table), `private` (of the table), `unit` (of its numbers)."""
        to = next((one.to_table for one in self.keys.references if (one.table, column) == (table, *one.columns)), "")
        in_unit = _UNIT.search(self.heading(table, column))
        is_number = base_type(self.tables[table][column]) not in ("VARCHAR", "DATE", "TIME", "TIMESTAMP", "BOOLEAN")
        taken = {
            "key": table if column in self.keys.primary.get(table, ()) else "",
            "refers": to,
            "names": table if column in names_in(self.tables[table])[:1] else "",
            "private": table if f"{table}.{column}" in self.private else "",
            "unit": (in_unit[1] or in_unit[2]) if in_unit and is_number else "",
        }
        return {name: value for name, value in taken.items() if value}

    def row_words(self, table: str) -> list[str]:
        """What one row of a table is called."""
        return _row_words(table, self.written)


def guess(connection: duckdb.DuckDBPyConnection, brought: Brought, report: Report) -> SchemaGuess:
    """Looks at all tables of the connection; what the source declares is taken where the rows agree with it.

    `report(what, share)` hears how far it is.
    """
    tables = dict(tables_of(connection))
    look = _Look(connection, tables, report)
    notes = list(brought.notes)
    keys_found = {table: look.key(table, brought.keys.get(table, ())) for table in tables}
    primary = {table: key for table, key in keys_found.items() if key}
    notes += [f"No column or pair of columns identifies a row of {table}." for table in tables if table not in primary]
    references = list(look.declared(brought.references, primary))
    notes += [_lost_sentence(one, lost) for one in references if (lost := look.orphans(one))]
    taken = {(one.table, column) for one in references for column in one.columns}
    references += [one for one in look.references(primary) if (one.table, one.columns[0]) not in taken]
    called = {table: name for table, key in primary.items() if len(key) == 1 and (name := look.called(table, key[0]))}
    clocks = [
        f"{table}.{column}" for table, columns in tables.items() for column in columns if look.is_clock(table, column)
    ]
    notes += [f"{column} is taken for times of day such as 1745: a guess." for column in clocks]
    notes += look.unsayable()
    keys = Keys(primary, tuple(references))
    private = tuple(look.private())
    return SchemaGuess(
        tables, look.rows, keys, tuple(notes), called, bool(clocks), brought.written, private, formats=brought.formats
    )


def names_in(columns: dict[str, str]) -> list[str]:
    """The columns that say what a row is called, likeliest first."""
    texts = {column: split_name(column) for column, kind in columns.items() if kind == "VARCHAR"}
    return [column for end in _NAMES for column, words in texts.items() if words[-1:] == (end,)]


def person_names_in(columns: dict[str, str]) -> list[str]:
    """The columns that hold parts of a person's name, in the order of the table."""
    return [name for name, kind in columns.items() if kind == "VARCHAR" and name.replace("_", "").endswith(_PARTS)]


def heading_of(table: str, column: str, written: Mapping[str, str] = MappingProxyType({})) -> str:
    """What may stand above a column: `hire_date` is “Hire date”, `name` of `city` is “City name”."""
    name = " ".join(without_hidden_signs(written.get(f"{table}.{column}", column)).split())
    # Blanks, brackets and signs of a unit are written for people, and stay as they are.
    if re.search(rf"[^\w{MARKS}-]", name):
        return name[:1].upper() + name[1:]
    words = list(split_name(name))
    if column in _GENERAL:
        words = [*_row_words(table, written), *words]
    heading = " ".join(words)
    return heading[:1].upper() + heading[1:]


def _row_words(table: str, written: Mapping[str, str]) -> list[str]:
    *before, last = split_name(written.get(table, table))
    return [*before, singular(last)]


def singular(table: str) -> str:
    """`cities` is city, `boxes` is box, `teams` is team, `address` is address, `group_` is group."""
    table = table.rstrip("_")
    for ending, replacement in _PLURALS:
        if table.endswith(ending) and len(table) > len(ending) + 1:
            return table[: -len(ending)] + replacement
    return table


class _Look:
    """Asks one database about its rows."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, tables: dict[str, dict[str, str]], report: Report
    ) -> None:
        self._connection = connection
        self._report = report
        self._tables = tables
        self.rows = {table: self._number(f"SELECT count(*) FROM {quoted(table)}") for table in tables}

    def key(self, table: str, declared: Sequence[str]) -> tuple[str, ...]:
        """What identifies a row: what is declared, else the first that looks like it; nothing if nothing does."""
        self._report(f"looking for the key of {table}", list(self._tables).index(table) / len(self._tables) / 2)
        if declared and set(declared) <= set(self._tables[table]) and self._is_key(table, declared):
            return tuple(declared)
        return next((key for key in self._candidates(table) if self._is_key(table, key)), ())

    def _candidates(self, table: str) -> Iterator[tuple[str, ...]]:
        columns = [name for name, kind in self._tables[table].items() if base_type(kind) not in _NO_KEYS]
        base = singular(table)
        # A number in front is a key before a name is: two people can have one name.
        is_number = columns and split_name(columns[0])[-1] in ("number", "code", "key")
        liked = [
            *(f"{base}_{end}" for end in ("id", "code", "no", "number", "key", "name")),
            "id",
            "code",
            *(columns[:1] if is_number else ()),
            "name",
            base,
        ]
        singles = [name for name in liked if name in columns]
        singles += [name for name in columns[:1] if name not in singles]
        yield from ((name,) for name in singles)
        few = columns[:_KEY_COLUMNS]
        pairs = [pair for width in range(2, _KEY_WIDTH + 1) for pair in combinations(few, width)]
        # People put the key first, so pairs that begin with the first column come before single later columns.
        leading = [pair for pair in pairs if pair[0] == columns[0]]
        yield from leading
        yield from ((name,) for name in columns if name not in singles)
        yield from (pair for pair in pairs if pair not in leading)

    def _is_key(self, table: str, columns: Sequence[str]) -> bool:
        listed = ", ".join(map(quoted, columns))
        full = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in columns)
        different = f"SELECT count(*) FROM (SELECT DISTINCT {listed} FROM {quoted(table)} WHERE {full})"
        # In an empty table everything would be a key.
        return self.rows[table] > 0 and self._number(different) == self.rows[table]

    def called(self, table: str, key: str) -> str:
        """The column that names each row for itself; part of somebody's name does not, nor what several rows have."""
        names = (name for name in names_in(self._tables[table]) if not "".join(split_name(name)).endswith(_PARTS))
        return next((name for name in names if name != key and self._is_key(table, (name,))), "")

    def private(self) -> Iterator[str]:
        """The columns by which somebody can be reached."""
        for table, columns in self._tables.items():
            for column in columns:
                name = quoted(column)
                some = f"SELECT {name} FROM {quoted(table)} WHERE {name} IS NOT NULL LIMIT {_SOME_VALUES}"
                if reaches_somebody(column, [row[0] for row in self._connection.execute(some).fetchall()]):
                    yield f"{table}.{column}"

    def unsayable(self) -> Iterator[str]:
        """What cannot be asked for, since no answer can hold it."""
        for table, columns in self._tables.items():
            for column, kind in columns.items():
                what, odd = unsayable(quoted(column), kind)
                query = f"SELECT count(*), min({quoted(column)}) FROM {quoted(table)} WHERE {odd or 'false'}"
                for rows, example in self._connection.execute(query).fetchall():
                    if rows:
                        shown = f"such as “{shown_name(str(example), _LONGEST)}” (rows: {rows:,})"
                        yield f"{what} cannot be written in an answer; {table}.{column} has some, {shown}."

    def is_clock(self, table: str, column: str) -> bool:
        """Whether a column of whole numbers is called a time and holds nothing but hours and minutes in one number."""
        if "time" not in split_name(column) or not self._tables[table][column].endswith("INT"):
            return False
        name = quoted(column)
        odd = f"{name} NOT BETWEEN 0 AND 2400 OR {name} % 100 > 59"
        most = self._number(f"SELECT coalesce(max({name}), 0) FROM {quoted(table)}")
        return most >= 1000 and self._number(f"SELECT count(*) FROM {quoted(table)} WHERE {odd}") == 0

    def declared(self, references: Sequence[ForeignKey], primary: dict[str, tuple[str, ...]]) -> Iterator[ForeignKey]:
        """The references of the source whose other end is there."""
        for reference in references:
            theirs = reference.to_columns or primary.get(reference.to_table, ())
            exists = (
                set(reference.columns) <= set(self._tables.get(reference.table, ()))
                and reference.to_table in self._tables
            )
            if (
                exists
                and len(theirs) == len(reference.columns)
                and set(theirs) <= set(self._tables[reference.to_table])
            ):
                yield ForeignKey(reference.table, reference.columns, reference.to_table, theirs)

    def references(self, primary: dict[str, tuple[str, ...]]) -> Iterator[ForeignKey]:
        """For each column the key of one other table in which all its values are, if there is one to believe in."""
        homes = [(table, key[0]) for table, key in primary.items() if len(key) == 1]
        for number, (table, columns) in enumerate(self._tables.items()):
            self._report(f"looking for what {table} refers to", 0.5 + number / len(self._tables) / 2)
            for column in columns:
                # A key named after its own table is at home there; one that is not may also refer elsewhere.
                if (table, column) in homes and singular(table) in column:
                    continue
                best = max(((self._likeness(table, column, *home), home) for home in homes), default=(0, ("", "")))
                if best[0] > 0:
                    there, key = best[1]
                    yield ForeignKey(table, (column,), there, (key,))

    def _likeness(self, table: str, column: str, there: str, key: str) -> int:
        """How much a column looks like a reference to a key: 0 not at all, 3 by its table's name."""
        kinds = base_type(self._tables[table][column]), base_type(self._tables[there][key])
        if (table, column) == (there, key) or (kinds[0] == "VARCHAR") != (kinds[1] == "VARCHAR"):
            return 0
        named = 2 if table == there and _is_role(column, key) else self._named_like(column, there, key)
        if named < 2 and (kinds[0] != "VARCHAR" or table == there):
            return 0
        return named if self._all_within(table, column, there, key, 1 if named > 1 else _FEWEST_VALUES) else 0

    def _named_like(self, column: str, there: str, key: str) -> int:
        base = singular(there)
        if column in (base, there) or (column == key and base in key) or column in (f"{base}_{key}", f"{there}_{key}"):
            return 3
        specific = key not in _GENERAL
        if specific and (column == key or column.endswith(f"_{key}")):
            return 2
        return 2 if column.endswith((f"_{base}", f"_{base}_{key}")) else 1

    def _all_within(self, table: str, column: str, there: str, key: str, fewest: int) -> bool:
        column_name = f"{quoted(table)}.{quoted(column)}"
        values = self._number(f"SELECT count(DISTINCT {column_name}) FROM {quoted(table)}")
        if values < fewest:
            return False
        return self.orphans(ForeignKey(table, (column,), there, (key,))) == 0

    def orphans(self, reference: ForeignKey) -> int:
        return orphans(self._connection, reference, self._tables)

    def _number(self, query: str) -> int:
        row = self._connection.execute(query).fetchone()
        return int(row[0]) if row else 0


def _lost_sentence(reference: ForeignKey, lost: int) -> str:
    ours, theirs = (f"{table}.{', '.join(columns)}" for table, columns in _ends(reference))
    rows = "1 row has" if lost == 1 else f"{lost:,} rows have"
    return f"{ours} refers to {theirs}, and {rows} a value there that is not in it."


def _ends(reference: ForeignKey) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield reference.table, reference.columns
    yield reference.to_table, reference.to_columns


def _is_role(column: str, key: str) -> bool:
    """`manager_id` beside `employee_id`: another row of the same table in some role."""
    ending = key.rpartition("_")[2]
    return column != key and ending in ("id", "code", "no", "number") and column.endswith(f"_{ending}")
