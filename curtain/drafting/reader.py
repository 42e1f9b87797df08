"""What a query probably asks for: head, clauses, and what each of its values does, learned from answered questions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from .aspects import of_head, of_role
from .features import around, bag, masked
from .memory import Entry, Memory, Role, Shape
from .models import Choices, Flags
from .recognise import Reading

__all__ = ["Guess", "Reader"]

_NONE: frozenset[str] = frozenset()
_ELSEWHERE = 0.1


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
        roles = (_shares({role: c * (fits(role) if role else 1.0) for role, c in own.items()}) for own in self.roles)
        return replace(self, plain=plain, roles=tuple(roles))


def _shares(weights: dict[Role, float]) -> dict[Role, float]:
    total = sum(weights.values())
    return {role: weight / total for role, weight in weights.items()} if total else weights


class Reader:
    """Models of heads, of clauses, of whole meanings, and for each kind of value of its roles."""

    def __init__(self) -> None:
        self._heads: Choices[str] = Choices(0.1, 1e-2, of_head)
        self._plain: Flags[str] = Flags(0.4)
        self._whole: Choices[Hashable] = Choices(0.4)
        self._roles: dict[str, Choices[Role]] = {}

    def fit(self, entries: Sequence[Entry], memory: Memory, rounds: int = 8) -> None:
        """Learns these entries."""
        rows = [(bag(entry.reading, entry.words), memory.shapes[entry.shape]) for entry in entries]
        self._heads.fit([(features, shape.head) for features, shape in rows], rounds)
        self._plain.fit([(features, shape.plain) for features, shape in rows], rounds)
        self._whole.fit([(features, whole_name(shape)) for features, shape in rows], rounds)
        kinds: dict[str, list[tuple[list[str], Role]]] = {}
        for entry in entries:
            for number, found in enumerate(entry.reading.found):
                row = (around(entry.reading, number, entry.words), entry.roles[number])
                kinds.setdefault(found.kind, []).append(row)
        for kind, pairs in kinds.items():
            self._roles.setdefault(kind, Choices(0.1, 1e-2, of_role)).fit(pairs, rounds)

    def guess(self, reading: Reading, words: Sequence[str] | None = None) -> Guess:
        """What this query probably asks for."""
        words = masked(reading) if words is None else words
        features = bag(reading, words)
        roles = tuple(self._role(reading, number, words) for number in range(len(reading.found)))
        return Guess(
            dict(self._heads.chances(features)),
            dict(self._plain.chances(features)),
            roles,
            dict(self._whole.chances(features)),
        )

    def _role(self, reading: Reading, number: int, words: Sequence[str]) -> dict[Role, float]:
        found = reading.found[number]
        model = self._roles.get(found.kind)
        if model is None:
            return {}
        return model.chances(around(reading, number, words))


def whole_name(shape: Shape) -> Hashable:
    """What stands for a shape as a whole; all that occur once are one."""
    return shape.meaning if shape.times > 1 else "rare"
