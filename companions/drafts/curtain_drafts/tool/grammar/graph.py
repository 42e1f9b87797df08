"""The schema as one graph: tables and columns by their words, keys, and paths over references with their directions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from curtain.domain.pack.cells import is_numeric
from curtain.domain.pack.names import split_name
from curtain.domain.pack.pack import Pack

from ..algebra.query import Arg, Call, Column, Constant, Statement, call, kind_of, table_of
from ..language.english import english, lemma, lemmas
from ..language.tokens import words_of

_MOST_STEPS = 4
# How likely the whole name of a thing, its end and its beginning mean it.
_FULL, _SHORT, _LAST, _FIRST = 1.0, 0.9, 0.55, 0.4
_SURE = 0.7

Phrase = tuple[tuple[str, ...], float]


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
    index: dict[tuple[str, ...], dict[Column, float]] = field(default_factory=dict)
    steps: dict[str, list[Step]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        headings = self.pack.headings
        for table, columns in self.pack.tables.items():
            for phrase, weight in _table_phrases(table, self.said.get(table, ())):
                self._add(phrase, Column(table), weight)
            for column in columns:
                name = f"{table}.{column}"
                heading = headings.get(name, headings.get(column, ""))
                vague = (phrase for phrase, meant in self.pack.vague.items() if meant == name)
                words = (*filter(None, [heading]), *self.said.get(name, ()), *vague)
                for phrase, weight in _column_phrases(table, column, words):
                    self._add(phrase, Column(table, column), weight)
        for one in self.pack.keys.references:
            if len(one.columns) == 1:
                self._link(one.table, one.columns[0], one.to_table, one.to_columns[0], False)
        # Columns of one name that are keys together elsewhere, where no reference says how tables belong together.
        linked = {frozenset((table, step.to_table)) for table, steps in self.steps.items() for step in steps}
        for table, other in combinations(self.pack.tables, 2):
            keys = {*self.key(table), *self.key(other)}.intersection(self.pack.tables[other])
            shared = [c for c in self.pack.tables[table] if c in keys and self.kind(Column(table, c)) == "text"]
            if shared and frozenset((table, other)) not in linked:
                self._link(table, shared[0], other, shared[0], self.key(other) != (shared[0],))

    def _add(self, phrase: tuple[str, ...], target: Column, weight: float) -> None:
        if phrase and not (len(phrase) == 1 and (len(phrase[0]) < 2 or phrase[0].isdigit())):
            known = self.index.setdefault(phrase, {})
            known[target] = max(weight, known.get(target, 0.0))

    def _link(self, table: str, mine: str, other: str, theirs: str, many: bool) -> None:
        self.steps.setdefault(table, []).append(Step(mine, other, theirs, many))
        self.steps.setdefault(other, []).append(Step(theirs, table, mine, self.key(table) != (mine,)))

    @cached_property
    def names(self) -> frozenset[tuple[str, ...]]:
        """The lemmas of what tables and columns are surely called."""
        return frozenset(phrase for phrase, targets in self.index.items() if max(targets.values()) >= _SURE)

    def columns(self, table: str) -> list[Column]:
        """All columns of a table."""
        return [Column(table, name) for name in self.pack.tables.get(table, ())]

    def kind(self, target: Column) -> str:
        """`number`, `date`, `time`, `bool` or `text`."""
        kind = self.pack.tables[target.table][target.name].upper()
        if is_numeric(kind):
            return "number"
        if kind.startswith(("DATE", "TIMESTAMP")):
            return "date"
        return "time" if kind.startswith("TIME") else "bool" if kind.startswith("BOOL") else "text"

    def is_key(self, target: Column) -> bool:
        """Whether a column only identifies or refers."""
        if target.name in self.key(target.table) and self.kind(target) == "number":
            return True
        return any(one.table == target.table and target.name in one.columns for one in self.pack.keys.references)

    def shows_key(self, table: str, select: Iterable[Arg]) -> bool:
        """Whether the key of a table is among what is shown."""
        key = self.key(table)
        return bool(key) and set(key) <= {one.name for one in select if isinstance(one, Column) and one.node == table}

    def is_measure(self, target: Column) -> bool:
        """Whether a column holds amounts."""
        return self.kind(target) == "number" and not self.is_key(target)

    def is_amount(self, target: Column) -> bool:
        """Whether its values have a greatest one: amounts, dates and times."""
        return self.kind(target) in ("date", "time") or self.is_measure(target)

    def key(self, table: str) -> tuple[str, ...]:
        """What identifies a row."""
        return self.pack.keys.primary.get(table, ())

    def shown(self, table: str) -> tuple[Column, ...]:
        """What an answer shows of a row that no column was asked of: what the pack says identifies it; where nobody
        wrote down what an answer must hold, rather what the row is called."""
        canonical = [one.split(".") for one in self.pack.canonical.get(table, ())]
        own = tuple(name for there, name in canonical if there == table) or self.key(table)
        called = self.called(table)
        names = called if called and not self.curated else own or called or tuple(self.pack.tables[table])[:1]
        return tuple(Column(table, name) for name in names)

    @cached_property
    def curated(self) -> bool:
        """Whether people wrote down what an answer must hold; then a number that identifies is what they want."""
        return bool(self.pack.principles().get("principle"))

    def called(self, table: str) -> tuple[str, ...]:
        """The columns that name a row; none if nothing does."""
        texts = {c: split_name(c) for c in self.pack.tables[table] if self.kind(Column(table, c)) == "text"}
        coded = self.pack.codes.get(f"{table}.{self.key(table)[0]}" if len(self.key(table)) == 1 else "")
        if isinstance(coded, str) and coded.startswith(f"{table}."):
            return (coded.split(".")[1],)
        own = split_name(table)
        people = [c for c, words in texts.items() if words[-1:] == ("name",) and words[0] in ("first", "last", "given")]
        if len(people) == 2:
            return tuple(people)
        wholes = [((end,), (*own, end), (own[-1], end)) for end in ("name", "title")]
        named = [c for whole in wholes for c, words in texts.items() if words in whole]
        parts = {*own, *map(lemma, own)}
        named += [c for c, words in texts.items() if words[-1] in ("name", "title") and set(words) & parts]
        return tuple(named[:1])

    @cached_property
    def people(self) -> list[str]:
        """Tables of people."""
        words = [lemma(word) for word in english().listed("dull.people")]
        named = {table: set(map(lemma, split_name(table))) for table in self.pack.tables}
        return [table for word in words for table, own in named.items() if word in own]

    def years(self, date: Column) -> Call:
        """The years from a date to the day as of which the data holds."""
        today = call("cast", Constant(self.pack.as_of.isoformat(), True), to=call("datatype", "type:DATE"))
        days = call("datediff", today, expression=date, unit=Constant("day", True), date_part_boundary=True)
        return call("div", days, expression=Constant("365.25"))

    def path(self, node: str, table: str, prefer: Sequence[str] = ()) -> tuple[str, bool] | None:
        """The shortest path from a node to a table, and whether it leads to several rows; of several equally short the
        one whose columns have a preferred word (“from”)."""
        if table_of(node) == table:
            return node, False

        def rank(way: tuple[int, str, bool]) -> tuple[int, int, bool, int]:
            steps = way[1].split(">")[1:]
            names = {word for step in steps for word in split_name(step.split("=")[0])}
            return way[0], -sum(word in names for word in prefer), way[2], len(steps)

        best = min(self._ways(node, table, [table_of(node)]), key=rank, default=None)
        return best[1:] if best else None

    def _ways(self, node: str, table: str, passed: list[str], many: bool = True) -> Iterator[tuple[int, str, bool]]:
        """The paths to a table, with what they cost; `many` says whether the last step led to several rows."""
        for step in self.steps.get(passed[-1], ()):
            there = f"{node}>{step.column}={step.to_table}.{step.to_column}"
            # What only shares a third thing, as people and schools of one state, hardly belongs together.
            cost = 1 + 2 * (step.many and not many and not self._is_link(step))
            if step.to_table == table:
                yield cost, there, step.many
            elif step.to_table not in passed and len(passed) < _MOST_STEPS:
                for more, way, several in self._ways(there, table, [*passed, step.to_table], step.many):
                    yield cost + more, way, step.many or several

    def _is_link(self, step: Step) -> bool:
        """Whether a table only says which rows of others belong together: its key is made of several references."""
        key = self.key(step.to_table)
        return len(key) > 1 and step.to_column in key

    def neighbours(self, table: str) -> Iterator[str]:
        """The tables that one step leads to."""
        yield from dict.fromkeys(step.to_table for step in self.steps.get(table, ()))


def _table_phrases(table: str, words: Collection[str]) -> Iterator[Phrase]:
    """What a table is called, and how likely each name means it."""
    own = split_name(table)
    yield lemmas(own), _FULL
    if len(own) > 1:
        if own[-1] in english().words("dull.names") | english().words("dull.tables"):
            yield lemmas(own[:-1]), _SHORT
        else:
            yield lemmas(own[-1:]), _LAST
        yield lemmas(own[:1]), _FIRST
    yield from ((lemmas(words_of(phrase)), _FULL) for phrase in words)
    yield from ((lemmas((word,)), 0.45) for word in english().columns_said(own))


def _column_phrases(table: str, column: str, words: Collection[str]) -> Iterator[Phrase]:
    """What a column is called, and how likely each name means it."""
    own, of_table, dull = split_name(column), split_name(table), english().words("dull.names")
    yield lemmas(own), _FULL
    yield from ((lemmas(words_of(phrase)), _FULL) for phrase in words)
    if column.lower().endswith("id") and own[-1] == "number":
        yield lemmas((*own[:-1], "id")), _FULL
    rest = own
    while len(rest) > 1 and lemma(rest[0]) in lemmas(of_table):
        rest = rest[1:]
    yield (lemmas(rest), _SHORT) if rest != own else (lemmas((of_table[-1], *own)), _FULL)
    if len(rest) > 1 and (rest[-1] in dull or rest[0] in dull):
        yield lemmas(rest[:-1] if rest[-1] in dull else rest[1:]), _SURE
    elif len(rest) > 1:
        yield lemmas(rest[-1:]), _LAST
        if rest[-1] in ("name", "title", "date"):
            yield lemmas(rest[:-1]), 0.6
    yield from ((lemmas((word,)), weight) for word, weight in english().columns_said(rest).items())


@dataclass(frozen=True)
class Sketch:
    """A query whose tables are not joined yet: the node of a column is its table, behind # with a word that may choose
    the way to it (`airport#from`); one without a name stands for the rows of the table. `values` and `words` are the
    numbers of the values and the places of the words that it explains; `second` is the value that has its second
    likeliest meaning."""

    root: str = ""
    items: tuple[Arg, ...] = ()
    conditions: tuple[Arg, ...] = ()
    group: tuple[Column, ...] = ()
    distinct: bool = False
    yes_no: bool = False
    values: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()
    second: int | None = None

    @property
    def first(self) -> list[Arg]:
        """The conditions that look for the greatest or least."""
        return [one for one in self.conditions if kind_of(one) == "first"]

    def free(self, first: int, last: int) -> bool:
        """Whether none of the words [first, last) is explained yet."""
        return self.words.isdisjoint(range(first, last))

    def claim(self, first: int, last: int) -> Sketch:
        """With the words [first, last) explained."""
        return replace(self, words=self.words.union(range(first, last)))

    def use(self, *values: int) -> Sketch:
        """With these values explained."""
        return replace(self, values=self.values.union(values))

    def add(self, condition: Arg, first: int, last: int) -> Sketch:
        """With one more condition, and the words [first, last) that say it."""
        return replace(self, conditions=(*self.conditions, condition)).claim(first, last)

    def show(self, items: Iterable[Arg], first: int, last: int) -> Sketch:
        """With more to show, and the words [first, last) that say it."""
        return replace(self, items=(*self.items, *items)).claim(first, last)


@dataclass(frozen=True)
class RuleDraft:
    """What the rules hand to the ranker: a statement, how well it fits (0 to 1), the values that it uses, and where the
    words stand that nothing in it explains."""

    query: Statement
    score: float
    used: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
