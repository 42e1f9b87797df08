"""What a query probably asks for, learned from answered questions: head, conditions, what each value does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from numpy.typing import NDArray

from ..language.recognise import Reading
from .align import Role
from .features import around, bag, single, words_of
from .memory import Entry, Memory
from .models import Model, State

_ELSEWHERE = 0.1
_View = Callable[[Reading, Sequence[str]], list[str]]
# How fast each view of a query learns. Phrases are exact where the query is like known ones, single words carry further
# where it is not.
_OF_HEADS: dict[_View, float] = {bag: 0.1, words_of: 0.3}
_OF_CONDITIONS: dict[_View, float] = {bag: 0.4, words_of: 0.8}
_OF_ROLES = 0.1, 1e-2
_BETWEEN_NODES = "\t"


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

        plain = {name: chance * fits(name) for name, chance in self.plain.items()}
        roles = []
        for own in self.roles:
            weights = {role: chance * fits(role) for role, chance in own.items()}
            total = sum(weights.values()) or 1.0
            roles.append({role: weight / total for role, weight in weights.items()})
        return replace(self, plain=plain, roles=tuple(roles))


class Reader:
    """Models of heads, of conditions, and for each kind of value of its roles. Several models learn the same from
    different views of the query, and their probabilities are averaged."""

    def __init__(self) -> None:
        self._heads = {v: Model(rate) for v, rate in _OF_HEADS.items()}
        self._plain = {v: Model(rate, exclusive=False) for v, rate in _OF_CONDITIONS.items()}
        self._roles: dict[str, tuple[Model, Model]] = {}

    @property
    def state(self) -> State:
        """What it has learned, for `resume`."""
        return {f"{name}/{part}": one for name, model in self._models().items() for part, one in model.state.items()}

    def resume(self, state: State) -> None:
        """Goes on from what was learned. Raises LookupError, TypeError or ValueError if that does not fit together."""
        of_models: dict[str, dict[str, NDArray[Any]]] = {}
        for name, array in state.items():
            model_name, _, part = name.rpartition("/")
            of_models.setdefault(model_name, {})[part] = array
        for model_name in of_models:
            _, is_role, kind = model_name.partition(" ")
            if is_role:
                self._roles.setdefault(kind, (Model(*_OF_ROLES), Model(*_OF_ROLES)))
        for model_name, model in self._models().items():
            model.resume(of_models[model_name])

    def _models(self) -> dict[str, Model]:
        of_roles = {f"role{number} {kind}": one for kind, own in self._roles.items() for number, one in enumerate(own)}
        heads, plain = enumerate(self._heads.values()), enumerate(self._plain.values())
        return {**{f"head{n}": one for n, one in heads}, **{f"plain{n}": one for n, one in plain}, **of_roles}

    def fit(self, entries: Sequence[Entry], memory: Memory, rounds: int = 8) -> None:
        """Learns these entries."""
        shapes = [memory.shapes[entry.shape] for entry in entries]
        heads, plains = [[shape.query.head] for shape in shapes], [sorted(shape.plain) for shape in shapes]
        views = {view: [view(entry.reading, entry.words) for entry in entries] for view in _OF_HEADS}
        for models, labels in ((self._heads, heads), (self._plain, plains)):
            for view, model in models.items():
                model.fit(list(zip(views[view], labels, strict=True)), rounds)
        kinds: dict[str, list[tuple[list[str], list[str]]]] = {}
        for entry in entries:
            for number, found in enumerate(entry.reading.found):
                row = around(entry.reading, number, entry.words), [_BETWEEN_NODES.join(sorted(entry.roles[number]))]
                kinds.setdefault(found.kind, []).append(row)
        for kind, rows in kinds.items():
            whole, by_word = self._roles.setdefault(kind, (Model(*_OF_ROLES), Model(*_OF_ROLES)))
            whole.fit(rows, rounds)
            by_word.fit([(single(features), roles) for features, roles in rows], rounds)

    def guess(self, reading: Reading, words: Sequence[str]) -> Guess:
        """What this query probably asks for."""
        views = {view: view(reading, words) for view in _OF_HEADS}
        heads, plain = (
            _mean([model.chances(views[view]) for view, model in models.items()])
            for models in (self._heads, self._plain)
        )
        return Guess(heads, plain, tuple(self._role(reading, number, words) for number in range(len(reading.found))))

    def _role(self, reading: Reading, number: int, words: Sequence[str]) -> dict[Role, float]:
        models = self._roles.get(reading.found[number].kind)
        if models is None:
            return {}
        features = around(reading, number, words)
        chances = _mean([models[0].chances(features), models[1].chances(single(features))])
        return {_role_named(name): chance for name, chance in chances.items()}


@cache
def _role_named(name: str) -> Role:
    """Asked for every role at each guess; a database has a few hundred."""
    return frozenset(filter(None, name.split(_BETWEEN_NODES)))


def _mean(views: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of probabilities of the same labels."""
    return {label: sum(view[label] for view in views) / len(views) for label in views[0]}
