"""Small linear models over sparse features, trained example by example, so that one more can be learned at any time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Choices", "Flags", "Vocabulary"]

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


class _Linear:
    """Weights by feature and label, moved by AdaGrad. Read from disk they have half the digits until they move again:
    that takes half the time and room, and most are never moved again."""

    def __init__(self, rate: float, decay: float) -> None:
        self._weights = np.zeros((0, 0), np.float32)
        self._moved = np.zeros((0, 0), np.float32)
        self._rate = rate
        self._decay = decay

    def averaged(self, others: Sequence[Floats]) -> None:
        """Takes the mean of these weights, if there are any: the last steps of a descent wander."""
        if others:
            self._weights = np.mean(np.stack(others), axis=0)

    @property
    def weights(self) -> Floats:
        """A copy of the weights."""
        return self._weights.copy()

    def __getstate__(self) -> dict[str, Any]:
        # Half the digits are enough on disk, and half the size.
        return self.__dict__ | {name: getattr(self, name).astype(np.float16) for name in _MOVING}

    def fit_size(self, features: int, labels: int) -> None:
        """Room for so many features and labels, and all digits to move in; what was learned stays."""
        for name in _MOVING:
            setattr(self, name, getattr(self, name).astype(np.float32, copy=False))
        rows, columns = self._weights.shape
        if features > rows or labels > columns:
            shape = (max(rows, features + features // 4 + 64), max(columns, labels + labels // 4 + 4))
            for name in _MOVING:
                larger = np.zeros(shape, np.float32)
                larger[:rows, :columns] = getattr(self, name)
                setattr(self, name, larger)

    def raw(self, ids: Ids, labels: int) -> Floats:
        """Scores of the labels."""
        scores: Floats = self._weights[ids, :labels].sum(0, dtype=np.float32)
        return scores

    def move(self, ids: Ids, error: Floats) -> None:
        """One step against this error of the scores; `fit_size` comes first."""
        wide = np.zeros(self._weights.shape[1], np.float32)
        wide[: len(error)] = error
        slope = wide + self._decay * self._weights[ids]
        self._moved[ids] += slope * slope
        self._weights[ids] -= self._rate * slope / np.sqrt(self._moved[ids] + 1e-6)


class _Labels(Generic[Label]):
    """Labels and their aspects: the score of a label is the sum of the scores of its aspects."""

    def __init__(self, aspects: Callable[[Label], Iterable[Hashable]] | None) -> None:
        self._aspects_of = aspects
        self.labels: dict[Label, int] = {}
        self._aspects = Vocabulary()
        self._has: list[Ids] = []
        self._table: Floats = np.zeros((0, 0), np.float32)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_table": np.zeros((0, 0), np.float32)}

    def number(self, label: Label) -> int:
        """The number of a label, new if it was never seen."""
        if label not in self.labels:
            self.labels[label] = len(self.labels)
            own = self._aspects_of(label) if self._aspects_of else [label]
            self._has.append(self._aspects.learned(own))
        return self.labels[label]

    @property
    def width(self) -> int:
        """How many aspects there are."""
        return len(self._aspects)

    @property
    def table(self) -> Floats:
        """Labels by aspects: 1 where a label has the aspect."""
        if self._table.shape != (len(self._has), self.width):
            self._table = np.zeros((len(self._has), self.width), np.float32)
            for row, own in zip(self._table, self._has, strict=True):
                row[own] = _SHARED
                row[own[0]] = 1.0
        return self._table


class _Model(Generic[Label]):
    """What both kinds of models share."""

    def __init__(
        self, rate: float = 0.25, decay: float = 1e-3, aspects: Callable[[Label], Iterable[Hashable]] | None = None
    ) -> None:
        self._linear = _Linear(rate, decay)
        self._features = Vocabulary()
        self._known: _Labels[Label] = _Labels(aspects)

    @property
    def labels(self) -> list[Label]:
        """All labels seen."""
        return list(self._known.labels)

    def _raw(self, ids: Ids) -> Floats:
        # Some builds of numpy warn of invalid values here now and then, although all that goes in and out is finite.
        with np.errstate(invalid="ignore"):
            scores: Floats = self._known.table @ self._linear.raw(ids, self._known.width)
        return scores

    def _descend(self, rows: Sequence[tuple[Ids, Any]], rounds: int, seed: int) -> None:
        self._linear.fit_size(len(self._features), self._known.width)
        order, kept = Random(seed), []
        for turn in range(rounds):
            for ids, wanted in order.sample(rows, len(rows)):
                self._linear.move(ids, self._error(self._raw(ids), wanted) @ self._known.table)
            kept += [self._linear.weights] if turn >= rounds // 2 and len(rows) > _FEW else []
        self._linear.averaged(kept)

    def _error(self, scores: Floats, wanted: Any) -> Floats:
        raise NotImplementedError


class Choices(_Model[Label]):
    """Chooses one of several labels: probabilities by softmax."""

    def fit(self, rows: Sequence[tuple[Sequence[Hashable], Label]], rounds: int = 6, seed: int = 1) -> None:
        """Learns pairs of features and label."""
        known = [(self._features.learned(features), self._known.number(label)) for features, label in rows]
        self._descend(known, rounds, seed)

    def _error(self, scores: Floats, wanted: int) -> Floats:
        error = _softmax(scores)
        error[wanted] -= 1.0
        return error

    def chances(self, features: Iterable[Hashable]) -> dict[Label, float]:
        """Probability of every label."""
        if not self._known.labels:
            return {}
        found = _softmax(self._raw(self._features.known(features)))
        return dict(zip(self._known.labels, found.tolist(), strict=True))


class Flags(_Model[Label]):
    """Tells of each of several labels whether it applies: probabilities by the logistic function."""

    def fit(self, rows: Sequence[tuple[Sequence[Hashable], Iterable[Label]]], rounds: int = 6, seed: int = 1) -> None:
        """Learns pairs of features and the labels that apply."""
        known = [
            (self._features.learned(features), [self._known.number(label) for label in labels])
            for features, labels in rows
        ]
        self._descend(known, rounds, seed)

    def _error(self, scores: Floats, wanted: list[int]) -> Floats:
        error = _logistic(scores)
        error[wanted] -= 1.0
        return error

    def chances(self, features: Iterable[Hashable]) -> dict[Label, float]:
        """Probability of every label."""
        if not self._known.labels:
            return {}
        found = _logistic(self._raw(self._features.known(features)))
        return dict(zip(self._known.labels, found.tolist(), strict=True))


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max())
    shares: Floats = powers / powers.sum()
    return shares


def _logistic(scores: Floats) -> Floats:
    chances: Floats = (1 / (1 + np.exp(-np.clip(scores, -30, 30)))).astype(np.float32)
    return chances
