"""What a query probably asks for, learned from answered questions: head, conditions, what each value does."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import msgspec

from ..language.recognise import Reading
from .align import Role
from .features import around, bag, words_of
from .memory import Entry, Memory
from .models import Model

_ELSEWHERE = 0.1
_UNLIKELY = 0.001
_FLOOR = 1e-4
# How fast each model learns and forgets, and whether one label alone applies, for each view of a query: phrases are
# exact where it is like known ones, single words carry further where it is not.
_MODELS = {
    "head": ((0.1, 1e-3, True), (0.3, 1e-3, True)),
    "plain": ((0.4, 1e-3, False), (0.8, 1e-3, False)),
    "role": ((0.1, 1e-2, True), (0.1, 1e-2, True)),
}
_BETWEEN_NODES = "\t"
_Views = tuple[list[str], list[str]]


def log_chance(chance: float) -> float:
    """The logarithm of a probability; nothing is taken for quite impossible."""
    return math.log(max(chance, _FLOOR))


@dataclass(frozen=True)
class Guess:
    """Probabilities: of heads, of conditions without values, of the roles of each value."""

    heads: dict[str, float]
    plain: dict[str, float]
    roles: tuple[dict[Role, float], ...]

    def given(self, root: str, memory: Memory) -> Guess:
        """The same once it is known which table is asked about: what never stood with it is unlikely."""

        def fits(name: str | Role) -> float:
            return 1.0 if not name or root in memory.roots.get(name, ()) else _ELSEWHERE

        weighed = {name: chance * fits(name) for name, chance in self.plain.items()}
        plain = {name: chance for name, chance in weighed.items() if chance > _UNLIKELY}
        roles = []
        for own in self.roles:
            weights = {role: chance * fits(role) for role, chance in own.items()}
            total = sum(weights.values()) or 1.0
            roles.append({role: weight / total for role, weight in weights.items()})
        return replace(self, plain=plain, roles=tuple(roles))


class Reader(msgspec.Struct):
    """Models of heads, of conditions, and for each kind of value of its roles, by name. Two of each learn the same from
    different views of the query, and their probabilities are averaged."""

    pairs: dict[str, tuple[Model, Model]] = {}

    def fit(self, entries: Sequence[Entry], memory: Memory, rounds: int = 8) -> None:
        """Learns these entries."""
        rows: dict[str, list[tuple[_Views, list[str]]]] = defaultdict(list)
        for entry in entries:
            shape = memory.shapes[entry.shape]
            roles = ([_BETWEEN_NODES.join(sorted(role))] for role in entry.roles.values())
            labels = [shape.query.head], sorted(shape.plain), *roles
            for (name, views), own in zip(_views(entry.reading, entry.words), labels, strict=True):
                rows[name].append((views, own))
        for name, known in rows.items():
            first, second = _MODELS[name.split(" ")[0]]
            for number, model in enumerate(self.pairs.setdefault(name, (Model(*first), Model(*second)))):
                model.fit([(views[number], labels) for views, labels in known], rounds)

    def guess(self, reading: Reading, words: Sequence[str]) -> Guess:
        """What this query probably asks for."""
        heads, plain, *roles = (self._chances(name, views) for name, views in _views(reading, words))
        named = ({_role_named(name): chance for name, chance in own.items()} for own in roles)
        return Guess(heads, plain, tuple(named))

    def _chances(self, name: str, views: _Views) -> dict[str, float]:
        """The mean of what both models say; nothing where none was learned."""
        if name not in self.pairs:
            return {}
        first, second = (model.chances(view) for model, view in zip(self.pairs[name], views, strict=True))
        return {label: (first[label] + second[label]) / 2 for label in first}


def _views(reading: Reading, words: Sequence[str]) -> Iterator[tuple[str, _Views]]:
    """What each model sees, by its name: that of heads and that of conditions all of the query, then that of each value
    what stands around it."""
    whole = bag(reading, words), words_of(reading, words)
    yield from (("head", whole), ("plain", whole))
    for number, found in enumerate(reading.found):
        features = around(reading, number, words)
        yield f"role {found.kind}", (features, [one for one in features if " " not in one])


@cache
def _role_named(name: str) -> Role:
    """Asked for every role at each guess; a database has a few hundred."""
    return frozenset(filter(None, name.split(_BETWEEN_NODES)))
