"""The answered questions that a drafter knows, and the shapes of their statements."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from curtain.base.sql_names import sql_literal

from ..query.best_asked import BestHabits, best_asked, gives_best
from ..query.features import grams, masked
from ..query.naming import Names, gives, names_in, stem
from ..query.recognise import Found, Reading
from ..sql.align import Aligned, direct, places_of
from ..sql.parsing import pieces_of
from ..sql.statements import Clause, Hole, Part, Statement, literals_of, map_holes, nodes_of, table_of, write
from ..values import Example
from .company import Company
from .kin import Kin
from .models import Vocabulary

__all__ = ["Entry", "Form", "Memory", "Shape", "Slot", "filled", "root_of", "sql_of"]

Role = frozenset[str]
Meaning = tuple[str, frozenset[str], frozenset[Role]]

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_HEARD = 2
_SURE = 0.75
_SHORT = 2


@dataclass(frozen=True)
class Slot:
    """A value that a shape needs: its role, the holes it fills, and the forms in which it is written there; `turn` is
    its place among the values of the question that the shape comes from, -1 if it comes from several."""

    role: Role
    holes: tuple[int, ...]
    forms: tuple[str, ...]
    turn: int = -1


@dataclass(frozen=True)
class Form:
    """One way to write a statement: named holes, the slots that fill them, and the text between all its literals; no
    text if it was put together here."""

    statement: Statement
    slots: tuple[Slot, ...]
    pieces: tuple[str, ...] = ()


@dataclass
class Shape:
    """A statement with named holes, in the ways in which answered questions write it: the most usual one counts."""

    form: Form
    plain: frozenset[str]
    times: int = 0
    written: dict[tuple[str, ...], tuple[Form, int]] = field(default_factory=dict)

    @cached_property
    def head(self) -> str:
        """What it asks for."""
        return self.form.statement.head_key

    @property
    def root(self) -> str:
        """The table that it is about."""
        return self.form.statement.root

    @cached_property
    def key(self) -> str:
        """Its name."""
        return self.form.statement.key

    @cached_property
    def meaning(self) -> Meaning:
        """Head, clauses without values, and roles of values: what a question has to say to be answered so."""
        return self.head, self.plain, frozenset(slot.role for slot in self.form.slots)

    @cached_property
    def said_and_done(self) -> frozenset[str]:
        """The names of all its clauses."""
        return self.plain | frozenset(name for role in self.meaning[2] for name in role)

    @cached_property
    def names(self) -> Names:
        """The words in the names of its tables and columns."""
        statement = self.form.statement
        texts = (statement.head_key, *(clause.whole for clause in statement.clauses))
        return frozenset(name for text in texts for name in names_in(text))

    @cached_property
    def gives(self) -> tuple[bool, bool]:
        """Whether it looks for a greatest, and whether for a least value."""
        return gives(self.key)

    def count(self, form: Form) -> None:
        """One more question that is answered so."""
        self.times += 1
        known, times = self.written.get(form.pieces, (form, 0))
        self.written[form.pieces] = known, times + 1
        self.form = max(self.written.values(), key=lambda one: one[1])[0]


@dataclass
class Entry:
    """An answered question as it is remembered."""

    example: Example
    reading: Reading
    words: list[str]
    shape: str
    roles: Mapping[int, Role]
    live: bool = True


@dataclass
class Memory:
    """All answered questions, found again by their words."""

    entries: list[Entry] = field(default_factory=list)
    shapes: dict[str, Shape] = field(default_factory=dict)
    meanings: dict[tuple[str, frozenset[str], frozenset[Role]], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )
    by_head: dict[str, dict[Meaning, frozenset[str]]] = field(default_factory=dict)
    kin: dict[str, Kin[Meaning]] = field(default_factory=lambda: defaultdict(Kin))
    clauses: dict[str, Clause] = field(default_factory=dict)
    besides: dict[Role, Counter[tuple[Clause, ...]]] = field(default_factory=dict)
    places: Counter[str] = field(default_factory=Counter)
    clause_times: Counter[str] = field(default_factory=Counter)
    said: Counter[tuple[str, bool]] = field(default_factory=Counter)
    ways: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    roots: dict[str | Role, set[str]] = field(default_factory=dict)
    columns: set[tuple[str, str]] = field(default_factory=set)
    heard: Counter[str] = field(default_factory=Counter)
    meant: dict[str, Counter[str]] = field(default_factory=dict)
    plain_times: Counter[str] = field(default_factory=Counter)
    told_by: dict[str, Counter[str]] = field(default_factory=dict)
    company: Company = field(default_factory=Company)
    best: BestHabits = field(default_factory=BestHabits)
    telling: dict[str, tuple[frozenset[str], float]] = field(default_factory=dict)
    near: Neighbours = field(default_factory=lambda: Neighbours())

    def add(self, example: Example, reading: Reading, aligned: Aligned) -> Entry:
        """Remembers an answered question."""
        form = _form(aligned, pieces_of(example.sql))
        key = form.statement.key
        known = self.shapes.setdefault(key, Shape(form, aligned.plain))
        known.count(form)
        if key not in self.meanings[known.meaning]:
            self.meanings[known.meaning].append(key)
            self.by_head.setdefault(known.head, {})[known.meaning] = known.said_and_done
            self.kin[known.head].add(known.meaning, known.said_and_done)
        self._keep_clauses(aligned)
        self.best.add(best_asked(reading), gives_best(example.sql))
        words = masked(reading)
        entry = Entry(example, reading, words, key, {n: role for n, role in aligned.roles.items()})
        self.entries.append(entry)
        self.near.add(grams(words))
        for word in phrases(words):
            self.heard[word] += 1
            self.meant.setdefault(word, Counter()).update(sorted(aligned.plain))
            for name in aligned.plain:
                self.told_by.setdefault(name, Counter())[word] += 1
        for name in aligned.plain:
            self.plain_times[name] += 1
        self.telling.clear()
        return entry

    def expected(self, words: Sequence[str]) -> frozenset[str]:
        """The clauses that nearly every known question has that uses one of these words or pairs of words."""
        found = set()
        for word in phrases(words):
            times = self.heard[word]
            for name, together in self.meant.get(word, Counter()).items() if times >= _HEARD else ():
                base = self.clause_times[name] / max(1, len(self.entries))
                if together >= _SURE * times and base < _SURE / 3:
                    found.add(name)
        return frozenset(found)

    def unheard(self, plain: Iterable[str], words: Collection[str]) -> float:
        """How much speaks against clauses because the words that usually stand for them are not there: for each the
        share of its questions that have the most usual of these words."""
        told = (self._telling(name) for name in plain)
        return math.fsum(share for telling, share in told if telling and telling.isdisjoint(words))

    def _telling(self, name: str) -> tuple[frozenset[str], float]:
        """The words that nearly always mean this clause, and the share of its questions with the most usual of them."""
        if name not in self.telling:
            own, times = self.told_by.get(name, Counter()), self.plain_times[name]
            sure = {word: many for word, many in own.items() if many >= _HEARD and many >= _SURE * self.heard[word]}
            usual = max(sure.values(), default=0) / max(1, times) if times >= _HEARD else 0.0
            self.telling[name] = frozenset(sure), usual
        return self.telling[name]

    def unsaid(self, statement: Statement) -> int:
        """How many clauses of a form hold a text without a word of the question, where that is unusual."""
        return sum(self.is_unsaid(clause) for clause in statement.clauses)

    def is_unsaid(self, clause: Clause) -> bool:
        """Whether a clause holds a text that no word of the question stands for, in a column where one usually does."""
        return unsaid(clause, self.said)

    def _keep_clauses(self, aligned: Aligned) -> None:
        self.company.add(aligned.statement)
        done: list[str | Role] = [*aligned.plain, *aligned.roles.values()]
        for one in done:
            self.roots.setdefault(one, set()).add(aligned.statement.root)
        for clause in aligned.statement.clauses:
            self.clauses.setdefault(clause.key, clause)
            self.clause_times[clause.key] += 1
            self.said.update(said_in(clause))
            owners = {aligned.owner[hole.index] for _, hole in places_of(direct(clause)) if hole.index in aligned.owner}
            self.places[clause.key] = max(self.places[clause.key], len(owners))
        for node in nodes_of(aligned.statement) if aligned.statement.root else ():
            self.ways.setdefault((aligned.statement.root, table_of(node)), Counter())[node] += 1
        for number, role in aligned.roles.items():
            self.besides.setdefault(role, Counter())[aligned.attached.get(number, ())] += 1

    def beside(self, role: Role) -> tuple[Clause, ...]:
        """The constants that mostly stand beside a value of this role, as the year of a date."""
        return self.besides[role].most_common(1)[0][0] if role in self.besides else ()

    @cached_property
    def vocabulary(self) -> Names:
        """The words in the names of all tables and columns."""
        return names_in(" ".join(f"{table} {column}" for table, column in self.columns))

    @cached_property
    def words(self) -> Names:
        """All words in the names of tables and columns, those too that many names have, as “time” and “code”."""
        parts = (part for pair in self.columns for name in pair for part in name.lower().split("_"))
        return frozenset(stem(part) for part in parts if len(part) > _SHORT)

    def way(self, root: str, table: str) -> str | None:
        """The usual way from one table to another."""
        known = self.ways.get((root, table))
        return known.most_common(1)[0][0] if known else None

    def has_column(self, table: str, column: str) -> bool:
        """Whether the table has such a column."""
        return (table, column) in self.columns

    def forget(self, example_id: str) -> list[Entry]:
        """Forgets the questions of this id; gives them back."""
        gone = [entry for entry in self.entries if entry.live and entry.example.id == example_id]
        for entry in gone:
            entry.live = False
            self.near.drop(self.entries.index(entry))
            shape = self.shapes[entry.shape]
            shape.times -= 1
            if shape.times == 0:
                self.meanings[shape.meaning].remove(entry.shape)
        return gone


def root_of(head: str) -> str:
    """The table that a head is about."""
    return head.partition("|")[0]


def phrases(words: Sequence[str]) -> list[str]:
    """The words, without kinds of values, and their pairs."""
    plain = [word for word in words if not word.isupper()]
    return [*dict.fromkeys([*plain, *(f"{a} {b}" for a, b in pairwise(plain))])]


def said_in(clause: Clause) -> Iterable[tuple[str, bool]]:
    """For each literal of a clause its column, and whether a word of the question stands for it."""
    return ((column, bool(hole.name)) for column, hole in places_of(direct(clause)))


def unsaid(clause: Clause, said: Counter[tuple[str, bool]]) -> bool:
    """Whether a clause holds a text that no word stands for, in a column where one usually does."""
    holes = places_of(direct(clause))
    return any(not h.name and h.text.startswith("'") and said[c, True] > 4 * said[c, False] for c, h in holes)


class Neighbours:
    """Finds entries by the words they share, weighed by how rare these are."""

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._lists: list[list[int]] = []
        self._sizes: list[list[int]] = []
        self._dropped: set[int] = set()
        self._count = 0
        self._arrays: list[NDArray[np.int64] | None] = []
        self._weights: NDArray[np.float64] | None = None
        self._norms: NDArray[np.float64] = np.zeros(0)

    def add(self, features: Sequence[str]) -> None:
        """One more entry."""
        ids = self._vocabulary.learned(features).tolist()
        while len(self._lists) < len(self._vocabulary):
            self._lists.append([])
            self._arrays.append(None)
        for number in ids:
            self._lists[number].append(self._count)
            self._arrays[number] = None
        self._sizes.append(ids)
        self._count += 1
        self._weights = None

    def drop(self, entry: int) -> None:
        """This entry is found no more."""
        self._dropped.add(entry)

    def likeness(self, features: Sequence[str]) -> NDArray[np.float64]:
        """Cosine with every entry."""
        weights = self._weighed()
        scores = np.zeros(self._count)
        ids = self._vocabulary.known(features)
        unknown = len(features) - len(ids)
        for number in ids.tolist():
            postings = self._arrays[number]
            if postings is None:
                postings = self._arrays[number] = np.array(self._lists[number], np.int64)
            scores[postings] += weights[number] ** 2
        rare = float(np.log(self._count + 1.0)) ** 2 if self._count else 1.0
        own = float(np.sqrt((weights[ids] ** 2).sum() + 0.5 * unknown * rare)) or 1.0
        scores /= self._norms * own
        scores[list(self._dropped)] = 0
        return scores

    def _weighed(self) -> NDArray[np.float64]:
        if self._weights is None or len(self._norms) != self._count:
            seen = np.array([len(one) for one in self._lists], np.float64)
            self._weights = np.log((self._count + 1.0) / (seen + 0.5))
            squares = self._weights**2
            self._norms = np.array([np.sqrt(squares[ids].sum()) or 1.0 for ids in self._sizes])
        return self._weights


def _form(aligned: Aligned, pieces: tuple[str, ...]) -> Form:
    holes = [hole for parts in _parts(aligned.statement) for hole in literals_of(parts)]
    slots = []
    for number in dict.fromkeys(aligned.owner.values()):
        own = [hole for hole in holes if aligned.owner.get(hole.index) == number]
        forms = tuple(dict.fromkeys(hole.name[1:-1] for hole in own))
        slots.append(Slot(aligned.roles[number], tuple(hole.index for hole in own), forms, number))
    return Form(aligned.statement, tuple(slots), pieces)


def _parts(statement: Statement) -> Iterable[tuple[Part, ...]]:
    yield statement.head
    yield from (clause.parts for clause in statement.clauses)
    yield statement.tail


def filled(form: Form, values: Mapping[int, Found]) -> Statement | None:
    """The statement with these values in its slots (by number); None if one cannot be written so, as a name where a
    number stands."""
    for number, slot in enumerate(form.slots):
        if any(values[number].form(name) is None for name in slot.forms):
            return None
    owner = {index: number for number, slot in enumerate(form.slots) for index in slot.holes}
    unfit: list[Hole] = []

    def put(hole: Hole) -> Hole:
        if hole.index not in owner:
            return Hole(hole.index, hole.text)
        value = values[owner[hole.index]].form(hole.name[1:-1]) or ""
        if _NUMBER.fullmatch(hole.text) and not _NUMBER.fullmatch(value):
            unfit.append(hole)
        return Hole(hole.index, literal(value, hole.text))

    statement = map_holes(form.statement, put)
    return None if unfit else statement


def sql_of(form: Form, statement: Statement) -> str:
    """A filled statement as SQL: as the answered questions write it, if they do."""
    if not form.pieces:
        return write(statement)
    texts = {hole.index: hole.text for parts in _parts(statement) for hole in literals_of(parts)}
    between = [texts.get(number, "") for number in range(len(form.pieces) - 1)]
    return "".join(one for pair in zip(form.pieces, [*between, ""], strict=True) for one in pair)


def literal(value: str, like: str) -> str:
    """A value as a literal of the same type as another one."""
    return sql_literal(value) if like.startswith("'") else value
