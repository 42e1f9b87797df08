"""What a query probably asks for: head, clauses, and what each of its values does, learned from answered questions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..query.features import around, asking, bag, masked, single, words_of
from ..query.recognise import Reading
from .aspects import of_head, of_role
from .memory import Entry, Memory, Role, Shape
from .models import Choices, Flags

__all__ = ["Guess", "Reader", "shares"]

_NONE: frozenset[str] = frozenset()
_ELSEWHERE = 0.1

_Label = TypeVar("_Label", bound=Hashable)
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Guess:
    """Probabilities: of heads, of clauses without values, of the roles of each value, and of whole meanings."""

    heads: dict[str, float]
    plain: dict[str, float]
    roles: tuple[dict[Role, float], ...]
    whole: Mapping[Hashable, float]

    def given(self, root: str, memory: Memory) -> Guess:
        """The same once it is known which table is asked about: what never stood with it is unlikely."""

        def fits(name: str | Role) -> float:
            return 1.0 if root in memory.roots.get(name, _NONE) else _ELSEWHERE

        plain = {name: chance * fits(name) for name, chance in self.plain.items()}
        roles = (shares({role: c * (fits(role) if role else 1.0) for role, c in own.items()}) for own in self.roles)
        return replace(self, plain=plain, roles=tuple(roles))


def shares(weights: dict[Role, float]) -> dict[Role, float]:
    """The weights as probabilities."""
    total = sum(weights.values())
    return {role: weight / total for role, weight in weights.items()} if total else weights


class _Roles:
    """What values of one kind do, by two views: all words around, and single words."""

    def __init__(self) -> None:
        self._all: Choices[Role] = Choices(0.1, 1e-2, of_role)
        self._single: Choices[Role] = Choices(0.1, 1e-2, of_role)

    def fit(self, rows: Sequence[tuple[list[str], Role]], rounds: int) -> None:
        """Learns pairs of features and role."""
        self._all.fit(rows, rounds)
        self._single.fit([(single(features), role) for features, role in rows], rounds)

    def chances(self, features: Sequence[str]) -> dict[Role, float]:
        """Probability of every role."""
        return _mean([self._all.chances(features), self._single.chances(single(features))])


class Reader:
    """Models of heads, of clauses, of whole meanings, and for each kind of value of its roles.

    Several models learn the same, each from another view of the query, and their probabilities are averaged: phrases
    are exact where the query is like known ones, single words carry further where it is not.
    """

    def __init__(self) -> None:
        self._heads: Choices[str] = Choices(0.1, 1e-3, of_head)
        self._heads_by_word: Choices[str] = Choices(0.3, 1e-3, of_head)
        self._heads_by_asking: Choices[str] = Choices(0.3, 1e-3, of_head)
        self._plain: Flags[str] = Flags(0.4)
        self._plain_by_word: Flags[str] = Flags(0.8)
        self._whole: Choices[Hashable] = Choices(0.4)
        self._roles: dict[str, _Roles] = {}

    def fit(self, entries: Sequence[Entry], memory: Memory, rounds: int = 8) -> None:
        """Learns these entries."""
        shapes = [memory.shapes[entry.shape] for entry in entries]
        phrases = [bag(entry.reading, entry.words) for entry in entries]
        words = [words_of(entry.words) for entry in entries]
        heads = [shape.head for shape in shapes]
        self._heads.fit(_pairs(phrases, heads), rounds)
        self._heads_by_word.fit(_pairs(words, heads), rounds)
        self._heads_by_asking.fit(_pairs([asking(entry.reading) for entry in entries], heads), rounds)
        plain = [sorted(shape.plain) for shape in shapes]
        self._plain.fit(_pairs(phrases, plain), rounds)
        self._plain_by_word.fit(_pairs(words, plain), rounds)
        self._whole.fit(_pairs(phrases, map(whole_name, shapes)), rounds)
        kinds: dict[str, list[tuple[list[str], Role]]] = {}
        for entry in entries:
            for number, found in enumerate(entry.reading.found):
                row = (around(entry.reading, number, entry.words), entry.roles[number])
                kinds.setdefault(found.kind, []).append(row)
        for kind, rows in kinds.items():
            self._roles.setdefault(kind, _Roles()).fit(rows, rounds)

    def guess(self, reading: Reading, words: Sequence[str] | None = None) -> Guess:
        """What this query probably asks for."""
        words = masked(reading) if words is None else words
        phrases, single_words = bag(reading, words), words_of(words)
        heads = [
            self._heads.chances(phrases),
            self._heads_by_word.chances(single_words),
            self._heads_by_asking.chances(asking(reading)),
        ]
        plain = [self._plain.chances(phrases), self._plain_by_word.chances(single_words)]
        roles = tuple(self._role(reading, number, words) for number in range(len(reading.found)))
        return Guess(_mean(heads), _mean(plain), roles, dict(self._whole.chances(phrases)))

    def _role(self, reading: Reading, number: int, words: Sequence[str]) -> dict[Role, float]:
        model = self._roles.get(reading.found[number].kind)
        return model.chances(around(reading, number, words)) if model else {}


def _pairs(features: Sequence[list[str]], labels: Iterable[_Answer]) -> list[tuple[list[str], _Answer]]:
    return list(zip(features, labels, strict=True))


def _mean(views: Sequence[Mapping[_Label, float]]) -> dict[_Label, float]:
    """The mean of probabilities of the same labels."""
    return {label: sum(view[label] for view in views) / len(views) for label in views[0]}


def whole_name(shape: Shape) -> Hashable:
    """What stands for a shape as a whole; all that occur once are one."""
    return shape.meaning if shape.times > 1 else "rare"
