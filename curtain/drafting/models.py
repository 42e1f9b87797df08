"""Small linear models over sparse features, trained example by example, so that one more can be learned at any time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Choices", "Flags", "Vocabulary"]

Label = TypeVar("Label", bound=Hashable)
Ids = NDArray[np.int64]
Floats = NDArray[np.float32]

_FEW = 20


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
    """Weights by feature and label, moved by AdaGrad."""

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
        return self.__dict__ | {name: getattr(self, name).astype(np.float16) for name in ("_weights", "_moved")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state | {name: state[name].astype(np.float32) for name in ("_weights", "_moved")}

    def fit_size(self, features: int, labels: int) -> None:
        """Room for so many features and labels; what was learned stays."""
        rows, columns = self._weights.shape
        if features > rows or labels > columns:
            shape = (max(rows, features + features // 4 + 64), max(columns, labels + labels // 4 + 4))
            for name in ("_weights", "_moved"):
                larger = np.zeros(shape, np.float32)
                larger[:rows, :columns] = getattr(self, name)
                setattr(self, name, larger)

    def raw(self, ids: Ids, labels: int) -> Floats:
        """Scores of the labels."""
        scores: Floats = self._weights[ids, :labels].sum(0)
        return scores

    def move(self, ids: Ids, error: Floats) -> None:
        """One step against this error of the scores."""
        wide = np.zeros(self._weights.shape[1], np.float32)
        wide[: len(error)] = error
        slope = wide + self._decay * self._weights[ids]
        self._moved[ids] += slope * slope
        self._weights[ids] -= self._rate * slope / np.sqrt(self._moved[ids] + 1e-6)


class Choices(Generic[Label]):
    """Chooses one of several labels: probabilities by softmax."""

    def __init__(self, rate: float = 0.25, decay: float = 1e-3) -> None:
        self._linear = _Linear(rate, decay)
        self._features = Vocabulary()
        self._labels: dict[Label, int] = {}

    @property
    def labels(self) -> list[Label]:
        """All labels seen."""
        return list(self._labels)

    def fit(self, rows: Sequence[tuple[Sequence[Hashable], Label]], rounds: int = 6, seed: int = 1) -> None:
        """Learns pairs of features and label."""
        known = [(self._features.learned(features), self._label(label)) for features, label in rows]
        self._linear.fit_size(len(self._features), len(self._labels))
        order, kept = Random(seed), []
        for turn in range(rounds):
            for ids, label in order.sample(known, len(known)):
                self._step(ids, label)
            kept += [self._linear.weights] if turn >= rounds // 2 and len(known) > _FEW else []
        self._linear.averaged(kept)

    def _label(self, label: Label) -> int:
        return self._labels.setdefault(label, len(self._labels))

    def _step(self, ids: Ids, label: int) -> None:
        error = _softmax(self._linear.raw(ids, len(self._labels)))
        error[label] -= 1.0
        self._linear.move(ids, error)

    def chances(self, features: Iterable[Hashable]) -> dict[Label, float]:
        """Probability of every label."""
        if not self._labels:
            return {}
        found = _softmax(self._linear.raw(self._features.known(features), len(self._labels)))
        return dict(zip(self._labels, found.tolist(), strict=True))


class Flags(Generic[Label]):
    """Tells of each of several labels whether it applies: probabilities by the logistic function."""

    def __init__(self, rate: float = 0.25, decay: float = 1e-3) -> None:
        self._linear = _Linear(rate, decay)
        self._features = Vocabulary()
        self._labels: dict[Label, int] = {}

    def fit(self, rows: Sequence[tuple[Sequence[Hashable], Iterable[Label]]], rounds: int = 6, seed: int = 1) -> None:
        """Learns pairs of features and the labels that apply."""
        known = []
        for features, labels in rows:
            numbers = [self._labels.setdefault(label, len(self._labels)) for label in labels]
            known.append((self._features.learned(features), numbers))
        self._linear.fit_size(len(self._features), len(self._labels))
        order, kept = Random(seed), []
        for turn in range(rounds):
            for ids, numbers in order.sample(known, len(known)):
                self._step(ids, numbers)
            kept += [self._linear.weights] if turn >= rounds // 2 and len(known) > _FEW else []
        self._linear.averaged(kept)

    def _step(self, ids: Ids, numbers: list[int]) -> None:
        error = _logistic(self._linear.raw(ids, len(self._labels)))
        error[numbers] -= 1.0
        self._linear.move(ids, error)

    def chances(self, features: Iterable[Hashable]) -> dict[Label, float]:
        """Probability of every label."""
        if not self._labels:
            return {}
        found = _logistic(self._linear.raw(self._features.known(features), len(self._labels)))
        return dict(zip(self._labels, found.tolist(), strict=True))


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max())
    shares: Floats = powers / powers.sum()
    return shares


def _logistic(scores: Floats) -> Floats:
    chances: Floats = (1 / (1 + np.exp(-np.clip(scores, -30, 30)))).astype(np.float32)
    return chances
