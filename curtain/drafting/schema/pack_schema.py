"""What drafts from the schema alone rest on: tables, keys, kinds of columns, ways between tables, and words for all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from curtain.domain.pack.pack import Pack

from ..query.column_words import ADJECTIVES, PEOPLE, lemma, lemmas, words_in
from ..query.lexicon import Lexicon, Meaning
from ..sql.statements import table_of
from .words import Sense, boss_words_of, phrases_of

__all__ = ["Schema", "Step", "Way", "schema_of"]

_MOST_WAYS = 6
_LONGEST_WAY = 3
_HUMAN = words_in(
    """
    first_name last_name surname forename sex gender salary birth_date date_of_birth birth_year born age hire_date
    """
)
_EQUAL = re.compile(r"(\w+)\.(\w+) = (\w+)\.(\w+)")
_LIKE_VALUES = 3
_LIFE = words_in("birth born death died")


@dataclass(frozen=True, slots=True)
class Step:
    """A join: column `mine` here, column `theirs` of `table` there; `many` says that there may be several rows."""

    mine: str
    table: str
    theirs: str
    many: bool


Way = tuple[Step, ...]


@dataclass(frozen=True)
class Schema:
    """`kinds`, `refers`, `held` and `common` go by `table.column`: kind of value; the key that a column refers to; the
    columns that hold its values; words that stand in several of its values. `phrases` are lemmas, `heads` the columns
    that stand for a row of a table, `bosses` the column of a table that refers to the table itself."""

    tables: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    keys: Mapping[str, tuple[str, ...]]
    heads: Mapping[str, tuple[str, ...]]
    phrases: Mapping[tuple[str, ...], tuple[Sense, ...]]
    ways: Mapping[tuple[str, str], tuple[Way, ...]]
    refers: Mapping[str, tuple[str, str]]
    held: Mapping[str, tuple[str, ...]]
    common: Mapping[str, frozenset[str]]
    bosses: Mapping[str, str]
    boss_words: Mapping[str, str]
    people: frozenset[str]
    names: Mapping[tuple[str, ...], Sequence[Meaning]]
    stems: Mapping[str, frozenset[str]]
    longest: int
    with_key: bool
    boolean: bool
    included: bool
    as_of: date

    def kind(self, table: str, column: str) -> str:
        """`number`, `date`, `time`, `text` or `other`."""
        return self.kinds[f"{table}.{column}"]

    def stems_of(self, table: str) -> frozenset[str]:
        """The lemmas in the names of a table's columns."""
        return frozenset().union(*(self.stems[column] for column in self.tables[table]))

    def is_key(self, table: str, column: str) -> bool:
        """Whether the column is part of a key or refers to one."""
        return column in self.keys.get(table, ()) or f"{table}.{column}" in self.refers

    def above(self, node: str, path: str = "u") -> str:
        """The node of those who stand above (`u`) or below (`d`) a row of a table that refers to itself, step by
        step."""
        if not path:
            return node
        table = table_of(node)
        boss, key = self.bosses[table], self.keys[table][0]
        if path.startswith("ud"):
            # Those with the same one above them.
            return self.above(f"{node}>{boss}={table}.{boss}", path[2:])
        mine, theirs = (boss, key) if path[:1] == "u" else (key, boss)
        return self.above(f"{node}>{mine}={table}.{theirs}", path[1:])

    def named_by(self, words: Iterable[str]) -> frozenset[str]:
        """The columns of whose names one of these words is a part."""
        own = frozenset(lemmas(words))
        return frozenset(column for column, stems in self.stems.items() if not own.isdisjoint(stems))

    def measured(self, table: str, adjective: str) -> tuple[str, int] | None:
        """The column of this table that an adjective measures, and whether much or little of it is meant."""
        columns = [one for one in self.tables[table] if not self.is_key(table, one) and self.kind(table, one) != "text"]
        for wanted, sign in ADJECTIVES[adjective].stems:
            # The newest employee is not the one born last.
            of_any = wanted in ("date", "year")
            for column in columns:
                if lemma(wanted) in self.stems[column] and not (of_any and _LIFE & self.stems[column]):
                    return column, sign
        return None


def schema_of(pack: Pack, lexicon: Lexicon) -> Schema:
    """What a pack and its lexicon say about its tables; made once, since it takes some milliseconds."""
    tables = {table: tuple(columns) for table, columns in pack.tables.items()}
    kinds = {f"{t}.{c}": kind_of(c, kind) for t, columns in pack.tables.items() for c, kind in columns.items()}
    refers = _refers(pack)
    bosses = {one.table: one.columns[0] for one in pack.keys.references if one.table == one.to_table}
    people = frozenset(table for table in tables if _is_people(table, tables[table]))
    phrases = phrases_of(pack, lexicon, people)
    return Schema(
        tables=tables,
        kinds=kinds,
        keys=pack.keys.primary,
        heads={table: _head(pack, table, kinds) for table in tables},
        phrases=phrases,
        ways=_ways(tables, list(_steps(pack, refers)), pack.keys.primary),
        refers=refers,
        held=_held(pack, refers, lexicon),
        common=_common(lexicon),
        bosses=bosses,
        boss_words=dict(boss_words_of(bosses, lexicon)),
        people=people,
        names=lexicon.phrases,
        stems=_stems(tables),
        longest=max(map(len, phrases), default=1),
        with_key=pack.principles().get("minimum") == "key and attribute",
        boolean=pack.yes_no == "boolean",
        included=any(isinstance(one, Mapping) and one.get("ends_included") for one in pack.periods.values()),
        as_of=pack.as_of,
    )


def _stems(tables: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    columns = {column for own in tables.values() for column in own}
    return {column: frozenset((*lemmas(column.split("_")), *column.split("_"))) for column in columns}


def kind_of(column: str, declared: str) -> str:
    """What a column holds, by its declared type and, where a type tells little, its name."""
    words = column.split("_")
    if declared.startswith(("DATE", "TIMESTAMP")):
        return "date"
    if declared.startswith(("TIME",)) or (
        "time" in words and words[0] in ("departure", "arrival", "start", "end", "begin")
    ):
        return "time"
    if declared.startswith(("VARCHAR", "TEXT", "CHAR", "ENUM")):
        return "date" if "date" in words else "text"
    whole = (
        "INT",
        "BIGINT",
        "SMALLINT",
        "TINYINT",
        "HUGEINT",
        "UINT",
        "UBIGINT",
        "DOUBLE",
        "DECIMAL",
        "FLOAT",
        "REAL",
        "NUMERIC",
    )
    return "number" if declared.startswith(whole) and declared != "INTERVAL" else "other"


def _is_people(table: str, columns: Iterable[str]) -> bool:
    return any(lemma(word) in map(lemma, PEOPLE) for word in table.split("_")) or len(_HUMAN & set(columns)) >= 2


def _refers(pack: Pack) -> dict[str, tuple[str, str]]:
    """Column -> the column it refers to, through composite references down to the table that has it as its key."""
    pairs: dict[str, tuple[str, str]] = {}
    for one in pack.keys.references:
        for mine, theirs in one.pairs:
            known = pairs.get(f"{one.table}.{mine}")
            if known is None or len(one.columns) == 1:
                pairs[f"{one.table}.{mine}"] = (one.to_table, theirs)
    return {column: _end(pairs, goal) for column, goal in pairs.items()}


def _end(pairs: Mapping[str, tuple[str, str]], goal: tuple[str, str]) -> tuple[str, str]:
    for _ in range(4):
        further = pairs.get(".".join(goal))
        if further is None or further[0] == goal[0]:
            break
        goal = further
    return goal


def _steps(pack: Pack, refers: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, Step]]:
    """Joins in both directions: references, what [maximum] joins, and columns of the same name as part of a key."""
    joins = {(*column.split(".", 1), *goal) for column, goal in refers.items()}
    told = (text for texts in pack.maximum.values() if isinstance(texts, list) for text in map(str, texts))
    joins |= {
        found for text in told for found in _EQUAL.findall(text) if found[0] in pack.tables and found[2] in pack.tables
    }
    joins |= set(_namesakes(pack, refers))
    for table, mine, other, theirs in sorted(joins):
        whole = pack.keys.primary.get(other) == (theirs,)
        own = pack.keys.primary.get(table) == (mine,)
        yield table, Step(mine, other, theirs, not whole)
        if table != other:
            yield other, Step(theirs, table, mine, not own)


def _namesakes(pack: Pack, refers: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, str, str, str]]:
    for table, columns in pack.tables.items():
        for column in columns:
            if f"{table}.{column}" in refers or column in pack.keys.primary.get(table, ()):
                continue
            for other, key in pack.keys.primary.items():
                called = column.endswith(f"_{other}") and key[0].startswith(other)
                same = column.endswith(("_code", "_id", "_sequence")) and column in key
                theirs = column if same else key[0]
                if other != table and (called or same) and f"{other}.{theirs}" not in refers:
                    yield table, column, other, theirs


def _ways(
    tables: Iterable[str], steps: list[tuple[str, Step]], keys: Mapping[str, tuple[str, ...]]
) -> dict[tuple[str, str], tuple[Way, ...]]:
    """The shortest ways between any two tables, at most three joins long before detours are left out."""
    beside: dict[str, list[Step]] = {table: [] for table in tables}
    for table, step in steps:
        beside[table].append(step)
    found: dict[tuple[str, str], tuple[Way, ...]] = {}
    for start in beside:
        for goal, ways in _from(start, beside).items():
            ranked = sorted(ways, key=lambda way: _detour(way, keys))
            most = _detour(ranked[0], keys)[0] + 1
            found[start, goal] = tuple(direct(way) for way in ranked[:_MOST_WAYS] if _detour(way, keys)[0] <= most)
    return found


def _detour(way: Way, keys: Mapping[str, tuple[str, ...]]) -> tuple[int, int]:
    """How roundabout a way is. Two rows that only share what they refer to, as people and schools share a country,
    seldom belong together, unless this is part of the key of one: the airports of a city."""
    shared = 0
    for one, other in pairwise(way):
        if one.theirs == other.mine and not one.many and other.many:
            shared += 0 if other.theirs in keys.get(other.table, ()) else 3
    return len(way) + shared, sum(step.many for step in way)


def _from(start: str, beside: Mapping[str, list[Step]]) -> dict[str, list[Way]]:
    reached: dict[str, list[Way]] = {}
    layer: list[Way] = [()]
    depth = {start: 0}
    for size in range(1, _LONGEST_WAY + 1):
        following: list[Way] = []
        for way in layer:
            at = way[-1].table if way else start
            for step in beside[at]:
                if depth.get(step.table, size) < size:
                    continue
                depth[step.table] = size
                following.append((*way, step))
                reached.setdefault(step.table, []).append((*way, step))
        layer = following
    return reached


def direct(way: Way) -> Way:
    """The way without tables that only hand on one column: two columns that refer to the same key are compared."""
    kept: list[Step] = []
    for step in way:
        if kept and kept[-1].theirs == step.mine and not kept[-1].many:
            kept[-1] = replace(step, mine=kept[-1].mine)
        else:
            kept.append(step)
    return tuple(kept)


def _head(pack: Pack, table: str, kinds: Mapping[str, str]) -> tuple[str, ...]:
    """The columns that stand for a row: the key; of one of several columns a name, if there is one; beside a bare
    number that is no code a name, too."""
    columns = pack.tables[table]
    own = pack.canonical.get(table)
    listed = tuple(one.split(".")[-1] for one in own) if own else ()
    key = tuple(one for one in listed if one in columns) or pack.keys.primary.get(table, ())
    single = table.removesuffix("s")
    names = [one for one in ("name", f"{table}_name", f"{single}_name", "title") if one in columns]
    if len(key) != 1:
        return tuple(names[:1]) or key or tuple(columns)[:1]
    surrogate = kinds[f"{table}.{key[0]}"] == "number" and f"{table}.{key[0]}" not in pack.codes
    return (*key, *names[:1]) if surrogate and names[:1] != [key[0]] else key


def _held(pack: Pack, refers: Mapping[str, tuple[str, str]], lexicon: Lexicon) -> dict[str, tuple[str, ...]]:
    """For each column those of other tables that hold the same values: by reference, or by name."""
    found: dict[str, list[str]] = {}
    for column, goal in refers.items():
        found.setdefault(".".join(goal), []).append(column)
    times = Counter(column for columns in pack.tables.values() for column in columns)
    for table, columns in pack.tables.items():
        for column in columns:
            if times[column] > 1 and f"{table}.{column}" not in refers:
                others = [t for t, own in pack.tables.items() if t != table and column in own]
                found.setdefault(f"{table}.{column}", []).extend(f"{other}.{column}" for other in others)
    return {column: tuple(dict.fromkeys(others)) for column, others in found.items()}


def _common(lexicon: Lexicon) -> dict[str, frozenset[str]]:
    """Words that occur in at least three values of a column: “scientist” among job titles."""
    times: dict[str, Counter[str]] = {}
    for group in lexicon.kinds.values():
        for meaning in group:
            if len(meaning.forms) == 1:
                column, value = meaning.first
                times.setdefault(column, Counter()).update(set(value.split()))
    return {
        column: frozenset(word for word, many in counts.items() if many >= _LIKE_VALUES)
        for column, counts in times.items()
    }
