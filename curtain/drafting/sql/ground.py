"""What a pack's schema tells an edit: which words name a column, how tables hang together, what identifies a row."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from curtain.domain.pack.pack import Pack

from ..query.column_words import ADJECTIVES, DULL, UNITS, columns_said, lemma, lemmas
from ..query.features import senses
from .statements import Column, Statement, nodes_of, table_of

__all__ = ["Ground", "node_steps"]

_NUMBERS = re.compile(r"(?i)(U?(TINY|SMALL|BIG|HUGE)?INT|INTEGER|DECIMAL|NUMERIC|DOUBLE|FLOAT|REAL)")
_LASTING = frozenset(["elapsed", "duration", "connect", "stop", "minutes", "length"])
_HEADED = 0.6
_OWN = 0.95
_OF_ANYTHING = frozenset(["number", "type", "description", "date", "time", "day"])
_FARTHEST = 4
_MOST_KNOWN = 50_000
_ALIKE = 7
_AKIN = 0.8
_STEP = re.compile(r">([^=>]*)=(\w+)\.(\w*)(?:#\d+)?")


def node_steps(node: str) -> list[tuple[str, str, str]]:
    """The steps to a node: column there, table and column here."""
    return [(mine, table, theirs) for mine, table, theirs in _STEP.findall(node)]


class Ground:
    """The tables of a pack as edits see them; `words` are what people call a `table` or a `table.column`."""

    def __init__(self, pack: Pack, words: Mapping[str, Iterable[str]] | None = None) -> None:
        self.tables = pack.tables
        self.primary = pack.keys.primary
        self.as_of = pack.as_of
        self.allowed = frozenset(pack.allowed_functions)
        self._links = list(_links(pack))
        self._foreign = {(table, mine) for table, mine, _, _ in self._links}
        self._said = {
            (table, column): _words(pack, table, column) for table, own in self.tables.items() for column in own
        }
        self._known = lru_cache(_MOST_KNOWN)(self._named)
        self._called: dict[str, list[str]] = {}
        for table in sorted(self.tables, key=lambda name: name.count("_")):
            self._called.setdefault(lemma(table.split("_")[-1]), []).append(table)
        self._vague = {lemmas(name.split()): tuple(to.split(".")) for name, to in _vague(pack)}
        self._canonical = {table: [name.split(".")[1] for name in names] for table, names in pack.canonical.items()}
        for name, said in (words or {}).items():
            self._learn(name, said)
        self._ways: dict[tuple[str, str], tuple[str, ...]] = {}

    def _learn(self, name: str, words: Iterable[str]) -> None:
        """The pack's own words for a table or a `table.column`."""
        table, _, column = name.partition(".")
        for phrase in words:
            if column:
                self._vague[lemmas(phrase.lower().split())] = (table, column)
                self._said[table, column][lemma(phrase.lower())] = _OWN
            else:
                self._called.setdefault(lemma(phrase.lower()), []).insert(0, table)

    def kind(self, table: str, column: str) -> str:
        """`date`, `time` (of day, as a number), `number` or `text`."""
        declared = self.tables[table][column].upper()
        if declared.startswith(("DATE", "TIMESTAMP")):
            return "date"
        parts = set(column.split("_"))
        if declared.startswith("TIME") or (_NUMBERS.match(declared) and "time" in parts and not parts & _LASTING):
            return "time"
        return "number" if _NUMBERS.match(declared) else "text"

    def named(self, word: str, table: str, column: str) -> float:
        """How well a word names a column, from 0 to 1."""
        return self._known(word, table, column)

    def _named(self, word: str, table: str, column: str) -> float:
        said = self._said.get((table, column), {})
        sense = lemma(senses([word])[0])
        best = max(said.get(word, 0.0), said.get(lemma(word), 0.0), _AKIN * said.get(sense, 0.0))
        return best or max((_AKIN * said[one] for one in said if _akin(word, one)), default=0.0)

    def named_at_all(self, words: Iterable[str], table: str) -> list[str]:
        """The columns of a table that one of these words may name."""
        said = list(words)
        return [name for name in self.tables.get(table, {}) if any(self.named(word, table, name) for word in said)]

    def vaguely(self, words: Sequence[str]) -> Iterator[tuple[tuple[int, ...], str, str]]:
        """The columns that the pack says are meant by words, each with the places of these."""
        said = lemmas(words)
        for phrase, (table, column) in self._vague.items():
            for at in range(len(words) - len(phrase) + 1):
                if said[at : at + len(phrase)] == phrase:
                    yield tuple(range(at, at + len(phrase))), table, column

    def by_unit(self, word: str, column: str) -> bool:
        """Whether numbers with this unit are held by a column of such a name."""
        tokens = column.split("_")
        return any(stem in tokens for stem in UNITS.get(word, ()))

    def measured(self, tables: Iterable[str], adjective: str) -> tuple[str, str, int] | None:
        """The table and column, of the first of these tables that has one, which an adjective measures, and whether
        much or little of it is meant."""
        for table in tables:
            keys = (*self.key_of(table), *self.primary.get(table, ()))
            columns = [one for one in self.tables.get(table, {}) if one not in keys and self.kind(table, one) != "text"]
            for wanted, sign in ADJECTIVES[adjective].stems:
                for column in columns:
                    if lemma(wanted) in lemmas(column.split("_")):
                        return table, column, sign
        return None

    def tables_named(self, word: str) -> list[str]:
        """The tables that are called so, those of that very name first."""
        return self._called.get(lemma(word), [])

    def key_of(self, table: str) -> list[str]:
        """The columns that stand for a row of a table in answers."""
        return self._canonical.get(table) or list(self.primary.get(table, ()))

    def is_foreign(self, table: str, column: str) -> bool:
        """Whether a column refers to another table."""
        return (table, column) in self._foreign

    def twins(self, table: str) -> list[tuple[str, str]]:
        """Pairs of columns of a table that refer to the same one, as where from and where to."""
        to: dict[str, list[str]] = {}
        for one, mine, other, _ in self._links:
            if one == table and other != table and mine not in to.setdefault(other, []):
                to[other].append(mine)
        return [(own[0], own[1]) for own in to.values() if len(own) == 2]

    def identifies(self, column: Column) -> bool:
        """Whether a column tells which row of its node is meant: a key of its own, or a name."""
        table = table_of(column.node)
        if self.primary.get(table) == (column.name,) or column.name.split("_")[-1] == "name":
            return True
        return ">" in column.node and self.is_foreign(table, column.name)

    def entity(self, node: str) -> str:
        """What a node is reached by: the column that refers to it, through tables that only link."""
        if ">" not in node:
            return node
        parent, _, step = node.rpartition(">")
        mine = step.split("=")[0]
        if mine not in self.primary.get(table_of(parent), ()):
            return f"{parent}.{mine}"
        return self.entity(parent) if ">" in parent else node

    def many(self, node: str) -> bool:
        """Whether one row of the root may have several of this node."""
        return any(self.primary.get(table) != (theirs,) for _, table, theirs in node_steps(node))

    def nodes_for(self, statement: Statement, table: str, learned: str | None) -> list[str]:
        """The nodes of a table in or beside a statement: those that it has, the usual one, the nearest ones."""
        if table == statement.root:
            return [table]
        there = [node for node in nodes_of(statement) if table_of(node) == table]
        usual = [learned] if learned else []
        return list(dict.fromkeys([*there, *usual, *self.ways(statement.root, table)]))

    def ways(self, root: str, table: str) -> tuple[str, ...]:
        """The shortest ways from one table to another by references, at most three; last those between rows that only
        refer to the same one, as somebody's state and the schools in it."""
        if (root, table) not in self._ways:
            self._ways[root, table] = tuple(sorted(self._search(root, table), key=self._shares_only))
        return self._ways[root, table]

    def _shares_only(self, node: str) -> bool:
        to_one = [self.primary.get(table) == (theirs,) for _, table, theirs in node_steps(node)]
        return any(one and not other for one, other in pairwise(to_one))

    def _search(self, root: str, table: str) -> list[str]:
        first: tuple[str, tuple[str, ...]] = (root, (root,))
        waiting, shortest = deque([first]), _FARTHEST
        found: list[str] = []
        while waiting and len(found) < 3:
            node, seen = waiting.popleft()
            if seen[-1] == table:
                found.append(node)
                shortest = min(shortest, len(seen))
            elif len(seen) < shortest:
                waiting.extend((f"{node}>{step}", (*seen, to)) for step, to in self._steps(seen[-1]) if to not in seen)
        return found

    def _steps(self, table: str) -> Iterator[tuple[str, str]]:
        for one, mine, other, theirs in self._links:
            if one == table:
                yield f"{mine}={other}.{theirs}", other
        for one, mine, other, theirs in self._links:
            if other == table:
                yield f"{theirs}={one}.{mine}", one


def _akin(word: str, other: str) -> bool:
    """Whether two words begin alike and long enough: “supervises”, “supervisor”."""
    return len(word) > _ALIKE and word[:_ALIKE] == other[:_ALIKE]


def _links(pack: Pack) -> Iterator[tuple[str, str, str, str]]:
    for reference in pack.keys.references:
        for mine, theirs in reference.pairs[:1]:
            yield reference.table, mine, reference.to_table, theirs


def _vague(pack: Pack) -> Iterator[tuple[str, str]]:
    for name, to in pack.vague.items():
        if isinstance(to, str) and to.count(".") == 1 and to.split(".")[1] in pack.tables.get(to.split(".")[0], {}):
            yield name, to


def _words(pack: Pack, table: str, column: str) -> dict[str, float]:
    """The words that name a column, likeliest with the highest number: its own, those that people use, its heading."""
    own = [word for word in column.split("_") if word not in DULL] or [column.split("_")[0]]
    heading = pack.headings.get(f"{table}.{column}") or pack.headings.get(column) or ""
    headed = [word for word in re.findall(r"[a-z]+", heading.lower()) if word not in DULL | {"of", "by", "to", "from"}]
    found: dict[str, float] = {lemma(word): _HEADED for word in headed}
    for word, weight in columns_said(own).items():
        found[word] = max(found.get(word, 0.0), weight)
    share = 1.0 if len(own) == 1 else 0.9
    found |= {lemma(word): 0.5 if word in _OF_ANYTHING else share for word in own}
    return found | {f"{lemma(a)} {lemma(b)}": 1.0 for a, b in pairwise(own)}
