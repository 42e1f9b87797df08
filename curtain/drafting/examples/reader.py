"""What a query probably asks for, learned from answered questions: head, conditions, what each value does."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from ..algebra.query import Arg, Call, Column, Constant, Nested, Statement
from ..language.recognise import Reading
from .align import Role
from .features import around, asking, bag, masked, single, words_of
from .memory import Entry, Memory
from .models import Choices, Flags

__all__ = ["Guess", "Reader"]

_ELSEWHERE = 0.1
_Label = TypeVar("_Label", bound=Hashable)
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Guess:
    """Probabilities: of heads, of conditions without values, of the roles of each value."""

    heads: dict[str, float]
    plain: dict[str, float]
    roles: tuple[dict[Role, float], ...]

    def given(self, root: str, memory: Memory) -> Guess:
        """The same once it is known which table is asked about: what never stood with it is unlikely."""

        def fits(name: str | Role) -> float:
            return 1.0 if root in memory.roots.get(name, ()) else _ELSEWHERE

        plain = {name: chance * fits(name) for name, chance in self.plain.items()}
        roles = (shares({role: c * (fits(role) if role else 1.0) for role, c in own.items()}) for own in self.roles)
        return replace(self, plain=plain, roles=tuple(roles))


def shares(weights: dict[Role, float]) -> dict[Role, float]:
    """The weights as probabilities."""
    total = sum(weights.values())
    return {role: weight / total for role, weight in weights.items()} if total else weights


class Reader:
    """Models of heads, of conditions, and for each kind of value of its roles. Several models learn
    the same from different views of the query, and their probabilities are averaged: phrases are exact where the query
    is like known ones, single words carry further where it is not."""

    def __init__(self, memory: Memory) -> None:
        # What labels have in common is learned for all of them: “after” is understood of arrivals although only
        # departures were asked about so.
        of_head, of_role = _Aspects(memory).of_head, _Aspects(memory).of_role
        self._of_role = of_role
        self._heads: Choices[str] = Choices(0.1, 1e-3, of_head)
        self._heads_by_word: Choices[str] = Choices(0.3, 1e-3, of_head)
        self._heads_by_asking: Choices[str] = Choices(0.3, 1e-3, of_head)
        self._plain: Flags[str] = Flags(0.4)
        self._plain_by_word: Flags[str] = Flags(0.8)
        self._roles: dict[str, tuple[Choices[Role], Choices[Role]]] = {}

    def fit(self, entries: Sequence[Entry], memory: Memory, rounds: int = 8) -> None:
        """Learns these entries."""
        shapes = [memory.shapes[entry.shape] for entry in entries]
        phrases = [bag(entry.reading, entry.words) for entry in entries]
        words = [words_of(entry.words) for entry in entries]
        heads = [shape.query.head for shape in shapes]
        self._heads.fit(_pairs(phrases, heads), rounds)
        self._heads_by_word.fit(_pairs(words, heads), rounds)
        self._heads_by_asking.fit(_pairs([asking(entry.reading) for entry in entries], heads), rounds)
        plain = [sorted(shape.plain) for shape in shapes]
        self._plain.fit(_pairs(phrases, plain), rounds)
        self._plain_by_word.fit(_pairs(words, plain), rounds)
        kinds: dict[str, list[tuple[list[str], Role]]] = {}
        for entry in entries:
            for number, found in enumerate(entry.reading.found):
                row = (around(entry.reading, number, entry.words), entry.roles[number])
                kinds.setdefault(found.kind, []).append(row)
        for kind, rows in kinds.items():
            views = self._roles.setdefault(kind, (self._choices(), self._choices()))
            views[0].fit(rows, rounds)
            views[1].fit([(single(features), role) for features, role in rows], rounds)

    def _choices(self) -> Choices[Role]:
        return Choices(0.1, 1e-2, self._of_role)

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
        return Guess(_mean(heads), _mean(plain), roles)

    def _role(self, reading: Reading, number: int, words: Sequence[str]) -> dict[Role, float]:
        views = self._roles.get(reading.found[number].kind)
        if views is None:
            return {}
        features = around(reading, number, words)
        return _mean([views[0].chances(features), views[1].chances(single(features))])


def _pairs(features: Sequence[list[str]], labels: Iterable[_Answer]) -> list[tuple[list[str], _Answer]]:
    return list(zip(features, labels, strict=True))


def _mean(views: Sequence[Mapping[_Label, float]]) -> dict[_Label, float]:
    """The mean of probabilities of the same labels."""
    return {label: sum(view[label] for view in views) / len(views) for label in views[0]}


class _Aspects:
    """What labels have in common: a condition is a column, a comparison and a path, each learned for all of them."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def of_role(self, role: Role) -> list[Hashable]:
        """The aspects of what a value does."""
        aspects: list[Hashable] = [("role", *sorted(role))]
        for name in sorted(role):
            key = name.rsplit(" @", 1)[0].removeprefix("in:").removeprefix("having:")
            known = self._memory.conditions.get(key)
            if known is not None and known.expr is not None:
                aspects += _of_expression(known.expr)
        return list(dict.fromkeys(aspects))

    def of_head(self, head: str) -> list[Hashable]:
        """The aspects of what a statement asks for: root, columns, and what is done with them."""
        query: Statement | None = self._memory.heads.get(head)
        aspects: list[Hashable] = [("head", head)]
        if query is not None:
            aspects += [("root", query.root), ("distinct", query.distinct)]
            for part in (*query.select, *query.group, *query.order, query.limit, *(one.expr for one in query.having)):
                if part is not None:
                    aspects += _of_expression(part)
        return list(dict.fromkeys(aspects))


@lru_cache(maxsize=4096)
def _of_expression(arg: Arg) -> tuple[Hashable, ...]:
    form: list[str] = []
    columns: list[Column] = []
    _look(arg, form, columns)
    parts = [part for column in columns for part in (("column", column.node, column.name), ("name", column.short))]
    return (("form", *form), *parts)


def _look(arg: Arg, form: list[str], columns: list[Column]) -> None:
    if isinstance(arg, Column):
        form.append("_")
        columns.append(arg)
    elif isinstance(arg, Constant):
        form.append(f"<{arg.form}>" if arg.form else arg.text)
    elif isinstance(arg, Call):
        form.append(arg.kind)
        for _, value in arg.args:
            _look(value, form, columns)
    elif isinstance(arg, tuple):
        for value in arg:
            _look(value, form, columns)
    elif isinstance(arg, Nested):
        for value in arg.query.select:
            _look(value, form, columns)
    else:
        form.append(str(arg))
