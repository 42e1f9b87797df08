"""The schema as one graph: tables and columns by their words, keys, and paths over references with their directions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from curtain.domain.pack.pack import Pack

from ..algebra.query import table_of
from ..language.english import english, lemma
from .names import column_phrases, split_name, table_phrases

__all__ = ["Graph", "Step", "Target"]

_MOST_STEPS = 4
_MEASURES = ("INT", "BIGINT", "SMALLINT", "TINYINT", "HUGEINT", "UBIGINT", "DOUBLE", "FLOAT", "DECIMAL", "REAL", "UINT")


@dataclass(frozen=True, order=True)
class Target:
    """A table, or one of its columns."""

    table: str
    column: str = ""


@dataclass(frozen=True)
class Step:
    """One way to another table: the columns that are joined, and whether several rows may be there."""

    column: str
    to_table: str
    to_column: str
    many: bool


@dataclass(frozen=True)
class Graph:
    """What the rules know of a schema. `said` are the words of the pack for tables and columns."""

    pack: Pack
    said: Mapping[str, tuple[str, ...]]
    index: dict[tuple[str, ...], dict[Target, float]] = field(default_factory=dict)
    steps: dict[str, list[Step]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        headings = self.pack.headings
        for table, columns in self.pack.tables.items():
            for phrase, weight in table_phrases(table, self.said.get(table, ())):
                self._add(phrase, Target(table), weight)
            for column in columns:
                heading = headings.get(f"{table}.{column}", headings.get(column, ""))
                words = (*self.said.get(f"{table}.{column}", ()), *self._vague(table, column))
                for phrase, weight in column_phrases(table, column, heading, words):
                    self._add(phrase, Target(table, column), weight)
        for reference in self.pack.keys.references:
            if len(reference.columns) == 1:
                (mine,), (theirs,) = reference.columns, reference.to_columns
                self._link(reference.table, mine, reference.to_table, theirs)
        self._link_shared()

    def _vague(self, table: str, column: str) -> list[str]:
        return [phrase for phrase, name in self.pack.vague.items() if name == f"{table}.{column}"]

    def _add(self, phrase: tuple[str, ...], target: Target, weight: float) -> None:
        if phrase and not (len(phrase) == 1 and (len(phrase[0]) < 2 or phrase[0].isdigit())):
            known = self.index.setdefault(phrase, {})
            known[target] = max(weight, known.get(target, 0.0))

    def _link(self, table: str, mine: str, to_table: str, theirs: str) -> None:
        unique = self.pack.keys.primary.get(table) == (mine,)
        self.steps.setdefault(table, []).append(Step(mine, to_table, theirs, False))
        self.steps.setdefault(to_table, []).append(Step(theirs, table, mine, not unique))

    def _link_shared(self) -> None:
        """Columns of one name that are keys together elsewhere, where no reference says how tables belong together."""
        linked = {frozenset((table, step.to_table)) for table, steps in self.steps.items() for step in steps}
        tables = self.pack.tables
        for table, columns in tables.items():
            for other, theirs in tables.items():
                if table >= other or frozenset((table, other)) in linked:
                    continue
                for column in columns:
                    if column in theirs and self._joins(table, other, column):
                        self.steps.setdefault(table, []).append(
                            Step(column, other, column, self._repeats(other, column))
                        )
                        self.steps.setdefault(other, []).append(
                            Step(column, table, column, self._repeats(table, column))
                        )
                        break

    def _joins(self, table: str, other: str, column: str) -> bool:
        keyed = any(column in self.pack.keys.primary.get(one, ()) for one in (table, other))
        text = self.kind(Target(table, column)) == "text" == self.kind(Target(other, column))
        return keyed and text

    def _repeats(self, table: str, column: str) -> bool:
        return self.pack.keys.primary.get(table) != (column,)

    @cached_property
    def names(self) -> frozenset[tuple[str, ...]]:
        """The lemmas of what tables and columns are surely called."""
        return frozenset(phrase for phrase, targets in self.index.items() if max(targets.values()) >= 0.7)

    # -- what things are -----------------------------------------------------------------------------------

    def kind(self, target: Target) -> str:
        """`number`, `date`, `time`, `bool` or `text`."""
        kind = self.pack.tables[target.table][target.column].upper()
        if kind.startswith(_MEASURES):
            return "number"
        if kind.startswith(("DATE", "TIMESTAMP")):
            return "date"
        return "time" if kind.startswith("TIME") else "bool" if kind.startswith("BOOL") else "text"

    def is_key(self, target: Target) -> bool:
        """Whether a column only identifies or refers."""
        if target.column in self.pack.keys.primary.get(target.table, ()) and self.kind(target) == "number":
            return True
        return any(one.table == target.table and target.column in one.columns for one in self.pack.keys.references)

    def is_measure(self, target: Target) -> bool:
        """Whether a column holds amounts."""
        return self.kind(target) == "number" and not self.is_key(target)

    def key(self, table: str) -> tuple[str, ...]:
        """What identifies a row."""
        return self.pack.keys.primary.get(table, ())

    def shown(self, table: str) -> tuple[str, ...]:
        """What an answer shows of a row that no column was asked of: what the pack says identifies it; where nobody
        wrote down what an answer must hold, rather what the row is called."""
        canonical = [one.split(".") for one in self.pack.canonical.get(table, ())]
        own = tuple(name for there, name in canonical if there == table) or self.key(table)
        called = self.called(table)
        return called if called and not self.curated else own or called or tuple(self.pack.tables[table])[:1]

    @cached_property
    def curated(self) -> bool:
        """Whether people wrote down what an answer must hold; then a number that identifies is what they want."""
        return bool(self.pack.principles().get("principle"))

    def called(self, table: str) -> tuple[str, ...]:
        """The columns that name a row; none if nothing does."""
        columns = {column: split_name(column) for column in self.pack.tables[table]}
        texts = {column: words for column, words in columns.items() if self.kind(Target(table, column)) == "text"}
        named = self.pack.codes.get(f"{table}.{self.key(table)[0]}" if len(self.key(table)) == 1 else "")
        if isinstance(named, str) and named.startswith(f"{table}."):
            return (named.split(".")[1],)
        own = split_name(table)
        people = [c for c, words in texts.items() if words[-1:] == ("name",) and words[0] in ("first", "last", "given")]
        if len(people) == 2:
            return tuple(people)
        for ending in ("name", "title"):
            whole = [c for c, words in texts.items() if words in ((ending,), (*own, ending), (own[-1], ending))]
            if whole:
                return (whole[0],)
        ends = [
            c for c, words in texts.items() if words[-1] in ("name", "title") and set(words) & {*own, *map(lemma, own)}
        ]
        return tuple(ends[:1])

    @cached_property
    def people(self) -> list[str]:
        """Tables of people."""
        words = [lemma(word) for word in english().listed("dull.people")]
        named = {table: set(map(lemma, split_name(table))) & set(words) for table in self.pack.tables}
        listed = [table for word in words for table, own in named.items() if word in own]
        signs = {"birth", "gender", "sex", "age"}
        persons = [t for t, columns in self.pack.tables.items() if signs & {w for c in columns for w in split_name(c)}]
        return list(dict.fromkeys([*listed, *persons]))

    def measured(self, table: str, adjective: str) -> tuple[str, int] | None:
        """The column of a table that an adjective measures, and 1 if much of it is meant."""
        for stem, sign in english().adjectives.get(adjective, ()):
            for column in self.pack.tables[table]:
                words = set(map(lemma, split_name(column)))
                kind = self.kind(Target(table, column))
                if (
                    lemma(stem) in words
                    and kind in ("number", "date", "time")
                    and not self.is_key(Target(table, column))
                ):
                    return column, sign
        return None

    # -- paths ---------------------------------------------------------------------------------------------

    def path(self, node: str, table: str, prefer: Sequence[str] = ()) -> tuple[str, bool] | None:
        """The shortest path from a node to a table, and whether it leads to several rows; of several equally short the
        one whose first column has a preferred word (“from”)."""
        if table_of(node) == table:
            return node, False
        best: list[tuple[tuple[int, int, int], str, bool]] = []
        waiting = deque([(node, table_of(node), False, True, 0, 0)])
        while waiting:
            at, here, many, last_many, size, cost = waiting.popleft()
            if size >= _MOST_STEPS:
                continue
            for step in self.steps.get(here, ()):
                if step.to_table in _tables(at):
                    continue
                there = f"{at}>{step.column}={step.to_table}.{step.to_column}"
                # What only shares a third thing, as people and schools of one state, hardly belongs together.
                own = cost + 1 + (2 if step.many and not last_many and not self._is_link(step) else 0)
                if step.to_table == table:
                    liked = self._liked(there.removeprefix(node), prefer)
                    best.append(((own, -liked, int(many or step.many)), there, many or step.many))
                else:
                    waiting.append((there, step.to_table, many or step.many, step.many, size + 1, own))
        if not best:
            return None
        _, there, many = min(best, key=lambda one: one[0])
        return there, many

    def _is_link(self, step: Step) -> bool:
        """Whether a table only says which rows of others belong together: its key is made of several references."""
        key = self.pack.keys.primary.get(step.to_table, ())
        return len(key) > 1 and step.to_column in key

    @staticmethod
    def _liked(path: str, prefer: Sequence[str]) -> int:
        words = {word for step in path.split(">") for word in split_name(step.split("=")[0])}
        return sum(word in words for word in prefer)

    def neighbours(self, table: str) -> Iterator[str]:
        """The tables that one step leads to."""
        yield from dict.fromkeys(step.to_table for step in self.steps.get(table, ()))


def _tables(node: str) -> set[str]:
    steps = node.split(">")
    return {steps[0], *(table_of(step) for step in steps[1:])}
