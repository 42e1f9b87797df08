"""The answered questions that the drafts rest on, and the shapes of their statements."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec

from curtain.base.words import LETTER
from curtain_drafts.drafting.values import Example

from ..algebra import query as algebra
from ..language.english import stem
from ..language.recognise import Found, Reading
from ..language.tokens import Word
from .align import Aligned, Role, Slot, conditions_of
from .features import masked, phrases
from .models import Neighbours

Meaning = tuple[str, frozenset[str], frozenset[Role]]

_NAME_PART = re.compile(rf"{LETTER}+")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_HEARD = 2
_SURE = 0.75
_DULL = frozenset(["code", "name", "number", "id", "type", "to", "from", "of", "info", "date", "day", "time"])


@dataclass
class Shape:
    """A statement with slots, the names of its conditions without a value, and how many questions are answered so."""

    query: algebra.Statement
    slots: tuple[Slot, ...]
    plain: frozenset[str]
    times: int = 0

    @cached_property
    def meaning(self) -> Meaning:
        """Head, conditions without values, and roles of values: what a question has to say to be answered so."""
        return self.query.head, self.plain, frozenset(slot.role for slot in self.slots)

    @cached_property
    def names(self) -> frozenset[str]:
        """The words in the names of its tables and columns."""
        # A sum that groups must reach is not what is asked for.
        parts = replace(self.query, having=()).parts
        columns = (column for column in algebra.columns_of(parts) if column.name)
        return names_in(" ".join([self.query.root, *(f"{column.node}.{column.name}" for column in columns)]))


def names_in(text: str) -> frozenset[str]:
    """The words in names of tables and columns."""
    return frozenset(stem(word) for word in _NAME_PART.findall(text.lower()) if word not in _DULL)


@dataclass
class Entry:
    """An answered question as it is remembered."""

    example: Example
    reading: Reading
    words: list[str]
    shape: str
    roles: Mapping[int, Role]
    live: bool = True


class Remembered(msgspec.Struct, frozen=True):
    """A memory in a form that can be written: of each question the digest of its example, its words as they were said
    and with values as kinds, and the number of its shape; and the shapes."""

    entries: list[tuple[str, list[str], list[str], int]] = []
    shapes: list[tuple[Any, tuple[Slot, ...], frozenset[str]]] = []


@dataclass
class Memory:
    """All answered questions, found again by their words. `columns` are those of the schema, with their types."""

    columns: Mapping[tuple[str, str], str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    shapes: dict[str, Shape] = field(default_factory=dict)
    meanings: dict[Meaning, list[Shape]] = field(default_factory=lambda: defaultdict(list))
    conditions: dict[str, algebra.Arg] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    roots: dict[str | Role, set[str]] = field(default_factory=dict)
    heard: Counter[str] = field(default_factory=Counter)
    meant: dict[str, Counter[str]] = field(default_factory=dict)
    near: Neighbours = field(default_factory=Neighbours)

    def add(self, example: Example, reading: Reading, aligned: Aligned) -> Entry:
        """Remembers an answered question."""
        words = masked(reading)
        shape = Shape(aligned.query, aligned.slots, aligned.plain)
        return self._keep(Entry(example, reading, words, shape.query.key, dict(aligned.roles)), shape)

    def _keep(self, entry: Entry, own: Shape) -> Entry:
        shape = self.shapes.setdefault(entry.shape, own)
        shape.times += 1
        if shape.times == 1:
            self.meanings[shape.meaning].append(shape)
            every: list[str | Role] = [shape.query.head, *shape.plain, *(slot.role for slot in shape.slots)]
            for done in every:
                self.roots.setdefault(done, set()).add(shape.query.root)
        for place, one in conditions_of(shape.query):
            name = f"{place}{algebra.key_of(one)}"
            self.conditions.setdefault(name, one)
            self.times[name] += 1
        self.entries.append(entry)
        self.near.add((entry.words, entry.reading.words))
        for word in phrases(entry.words):
            self.heard[word] += 1
            self.meant.setdefault(word, Counter()).update(sorted(shape.plain))
        return entry

    def remembered(self) -> Remembered:
        """All of it, as it was learned."""
        numbers = {key: number for number, key in enumerate(self.shapes)}
        return Remembered(
            [(o.example.digest, [*map(str, o.reading.words)], o.words, numbers[o.shape]) for o in self.entries],
            [(one.query, one.slots, one.plain) for one in self.shapes.values()],
        )

    def recall(self, kept: Remembered, examples: Mapping[str, Example]) -> None:
        """Questions that were learned before, whose examples have these digests. Their values are not read again."""
        shapes = [Shape(algebra.built(query), slots, plain) for query, slots, plain in kept.shapes]
        for digest, said, words, number in kept.entries:
            reading = Reading("", tuple(map(Word, said)), ())
            self._keep(Entry(examples[digest], reading, words, shapes[number].query.key, {}), shapes[number])

    def forget(self, example_id: str) -> None:
        """Forgets the questions of this id."""
        for entry in self.entries:
            if entry.live and entry.example.id == example_id:
                entry.live = False
                shape = self.shapes[entry.shape]
                shape.times -= 1
                if shape.times == 0:
                    self.meanings[shape.meaning].remove(shape)

    def expected(self, words: Sequence[str]) -> frozenset[str]:
        """The conditions that nearly every known question has that uses one of these words or pairs of words."""
        heard = (word for word in phrases(words) if self.heard[word] >= _HEARD)
        most = _SURE / 3 * max(1, len(self.entries))
        return frozenset(
            name
            for word in heard
            for name, together in self.meant[word].items()
            if together >= _SURE * self.heard[word] and self.times[name] < most
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words in the names of all tables and columns."""
        return names_in(" ".join(f"{table} {column}" for table, column in self.columns))


def filled(shape: Shape, values: Sequence[Found]) -> algebra.Statement | None:
    """The shape with these values in its slots; None if one cannot be written so, as a name where a number
    stands."""
    places = [(value, place) for slot, value in zip(shape.slots, values, strict=True) for place in slot.forms.items()]
    texts = {index: value.form(form) for value, (index, form) in places}
    if not all(texts.values()):
        return None

    def put(hole: algebra.Constant) -> algebra.Constant:
        return replace(hole, text=texts.get(hole.index) or hole.text, form="")

    query = algebra.map_query(shape.query, algebra.Constant, put)
    numbers = (one.text for _, one in algebra.literals_of(query) if one.index in texts and not one.is_text)
    return query if all(map(_NUMBER.fullmatch, numbers)) else None
