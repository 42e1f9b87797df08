"""Small linear models over sparse features, trained example by example, so that one more can be learned at any time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Label = TypeVar("Label", bound=Hashable)
Ids = NDArray[np.int64]
Floats = NDArray[np.float32]

_MOVING = ("_weights", "_moved")
_FEW = 20
_SHARED = 0.5


class Vocabulary:
    """Numbers for names, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def learned(self, names: Iterable[Hashable]) -> Ids:
        """Numbers of these names, new ones included."""
        numbers = self._numbers
        return np.fromiter((numbers.setdefault(name, len(numbers)) for name in names), np.int64)

    def known(self, names: Iterable[Hashable]) -> Ids:
        """Numbers of the names that were seen before."""
        found = (self._numbers.get(name, -1) for name in names)
        return np.fromiter((number for number in found if number >= 0), np.int64)


def _itself(label: Hashable) -> list[Hashable]:
    return [label]


class Model(Generic[Label]):
    """Probabilities of labels. `exclusive`: one of them applies (softmax); else each does or not (logistic). The score
    of a label is the sum of the scores of its `aspects`, the first of which is its own. Weights by feature and aspect
    are moved by AdaGrad (Duchi and others 2011, section 1.1)."""

    def __init__(
        self,
        rate: float,
        decay: float = 1e-3,
        exclusive: bool = True,
        aspects: Callable[[Label], Iterable[Hashable]] = _itself,
    ) -> None:
        self._rate, self._decay, self._exclusive, self._aspects_of = rate, decay, exclusive, aspects
        self._features, self._aspects = Vocabulary(), Vocabulary()
        self._labels: dict[Label, int] = {}
        self._has: list[Ids] = []
        self._table: Floats = np.zeros((0, 0), np.float32)
        self._weights: Floats = np.zeros((0, 0), np.float32)
        self._moved: Floats = np.zeros((0, 0), np.float32)

    def __getstate__(self) -> dict[str, Any]:
        # Half the digits are enough on disk and half the size; most weights never move again.
        halved = {name: getattr(self, name).astype(np.float16) for name in _MOVING}
        return self.__dict__ | halved | {"_table": np.zeros((0, 0), np.float32)}

    def fit(self, rows: Sequence[tuple[Sequence[Hashable], Iterable[Label]]], rounds: int = 6, seed: int = 1) -> None:
        """Learns pairs of features and the labels that apply."""
        known = [(self._features.learned(names), [self._number(label) for label in labels]) for names, labels in rows]
        self._grow()
        order, kept = Random(seed), []
        for turn in range(rounds):
            for ids, wanted in order.sample(known, len(known)):
                error = self._chances(ids)
                error[wanted] -= 1.0
                self._move(ids, error @ self._has_table())
            kept += [self._weights.copy()] if turn >= rounds // 2 and len(rows) > _FEW else []
        if kept:
            # The last steps of a descent wander.
            self._weights = np.mean(np.stack(kept), axis=0)

    def chances(self, features: Iterable[Hashable]) -> dict[Label, float]:
        """Probability of every label."""
        if not self._labels:
            return {}
        return dict(zip(self._labels, self._chances(self._features.known(features)).tolist(), strict=True))

    def _number(self, label: Label) -> int:
        if label not in self._labels:
            self._labels[label] = len(self._labels)
            self._has.append(self._aspects.learned(self._aspects_of(label)))
        return self._labels[label]

    def _has_table(self) -> Floats:
        """Labels by aspects: 1 for its own, less for one that others may have."""
        if self._table.shape != (len(self._has), len(self._aspects)):
            self._table = np.zeros((len(self._has), len(self._aspects)), np.float32)
            for row, own in zip(self._table, self._has, strict=True):
                row[own] = _SHARED
                row[own[0]] = 1.0
        return self._table

    def _chances(self, ids: Ids) -> Floats:
        raw: Floats = self._weights[ids, : len(self._aspects)].sum(0, dtype=np.float32)
        # Some builds of numpy warn of invalid values here now and then, although all that goes in and out is finite.
        with np.errstate(invalid="ignore"):
            scores: Floats = self._has_table() @ raw
        powers: Floats = np.exp(scores - scores.max() if self._exclusive else -np.clip(scores, -30, 30))
        return powers / powers.sum() if self._exclusive else (1 / (1 + powers)).astype(np.float32)

    def _grow(self) -> None:
        """Room for all features and aspects, and all digits to move in; what was learned stays."""
        rows, columns = self._weights.shape
        features, aspects = len(self._features), len(self._aspects)
        shape = (rows, columns)
        if features > rows or aspects > columns:
            shape = (max(rows, features + features // 4 + 64), max(columns, aspects + aspects // 4 + 4))
        for name in _MOVING:
            larger = np.zeros(shape, np.float32)
            larger[:rows, :columns] = getattr(self, name)
            setattr(self, name, larger)

    def _move(self, ids: Ids, error: Floats) -> None:
        """One step against this error of the scores."""
        wide = np.zeros(self._weights.shape[1], np.float32)
        wide[: len(error)] = error
        slope = wide + self._decay * self._weights[ids]
        self._moved[ids] += slope * slope
        self._weights[ids] -= self._rate * slope / np.sqrt(self._moved[ids] + 1e-6)
