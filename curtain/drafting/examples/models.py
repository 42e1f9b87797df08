"""Linear models over sparse features and an index of neighbours; one more example can be learned at any time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]
State = Mapping[str, NDArray[Any]]
"""Arrays by name, as they are kept on disk."""

PARTS = "features", "labels", "weights", "moved"
_END_OF_NAME = "\n"
_FEW = 20
_UNKNOWN = 0.5


def _learned(numbers: dict[str, int], names: Iterable[str]) -> Ids:
    """Numbers of these names, in the order in which they were first seen."""
    return np.fromiter((numbers.setdefault(name, len(numbers)) for name in names), np.int64)


def _known(numbers: Mapping[str, int], names: Iterable[str]) -> Ids:
    """Numbers of the names that were seen before."""
    return np.fromiter((numbers[name] for name in names if name in numbers), np.int64)


class Model:
    """Probabilities of labels. `exclusive`: one of them applies (softmax); else each does or not (logistic). Weights by
    feature and label are moved by AdaGrad (Duchi and others 2011, section 1.1)."""

    def __init__(self, rate: float, decay: float = 1e-3, exclusive: bool = True) -> None:
        self._rate, self._decay, self._exclusive = rate, decay, exclusive
        self._features: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._weights: Floats = np.zeros((0, 0), np.float32)
        self._moved: Floats = np.zeros((0, 0), np.float32)

    @property
    def state(self) -> State:
        """What it has learned. Half the digits are enough on disk."""
        features, labels = (
            np.array("".join(f"{name}{_END_OF_NAME}" for name in names).encode())
            for names in (self._features, self._labels)
        )
        weights, moved = (one[: len(self._features), : len(self._labels)] for one in (self._weights, self._moved))
        return {"features": features, "labels": labels, "weights": weights.astype("f2"), "moved": moved.astype("f2")}

    def resume(self, state: State) -> None:
        """Goes on from what was learned. Raises ValueError if names and weights do not fit together."""
        features, labels = (state[one].item().decode().split(_END_OF_NAME)[:-1] for one in ("features", "labels"))
        self._features, self._labels = ({name: n for n, name in enumerate(names)} for names in (features, labels))
        self._weights, self._moved = (state[one].astype(np.float32, casting="safe") for one in ("weights", "moved"))
        if {self._weights.shape, self._moved.shape} != {(len(self._features), len(self._labels))}:
            raise ValueError("A model has other names than weights.")

    def fit(self, rows: Sequence[tuple[Sequence[str], Iterable[str]]], rounds: int = 6, seed: int = 1) -> None:
        """Learns pairs of features and the labels that apply."""
        known = [(_learned(self._features, names), _learned(self._labels, labels)) for names, labels in rows]
        self._grow()
        order, kept = Random(seed), []
        for turn in range(rounds):
            for ids, wanted in order.sample(known, len(known)):
                error = self._chances(ids)
                error[wanted] -= 1.0
                self._move(ids, error)
            kept += [self._weights.copy()] if turn >= rounds // 2 and len(rows) > _FEW else []
        if kept:
            # The last steps of a descent wander.
            self._weights = np.mean(np.stack(kept), axis=0)

    def chances(self, features: Iterable[str]) -> dict[str, float]:
        """Probability of every label."""
        if not self._labels:
            return {}
        return dict(zip(self._labels, self._chances(_known(self._features, features)).tolist(), strict=True))

    def _chances(self, ids: Ids) -> Floats:
        scores: Floats = self._weights[ids, : len(self._labels)].sum(0, dtype=np.float32)
        powers: Floats = np.exp(scores - scores.max() if self._exclusive else -np.clip(scores, -30, 30))
        return powers / powers.sum() if self._exclusive else (1 / (1 + powers)).astype(np.float32)

    def _grow(self) -> None:
        """Room for all features and labels; what was learned stays."""
        rows, columns = self._weights.shape
        features, labels = len(self._features), len(self._labels)
        shape = (rows, columns)
        if features > rows or labels > columns:
            shape = (max(rows, features + features // 4 + 64), max(columns, labels + labels // 4 + 4))
        more = ((0, shape[0] - rows), (0, shape[1] - columns))
        self._weights, self._moved = np.pad(self._weights, more), np.pad(self._moved, more)

    def _move(self, ids: Ids, error: Floats) -> None:
        """One step against this error of the scores."""
        wide = np.zeros(self._weights.shape[1], np.float32)
        wide[: len(error)] = error
        slope = wide + self._decay * self._weights[ids]
        self._moved[ids] += slope * slope
        self._weights[ids] -= self._rate * slope / np.sqrt(self._moved[ids] + 1e-6)


class Neighbours:
    """Answered questions found by the words they share with a query, weighed by how rare these are (TF-IDF, cosine). It
    grows by one question at a time."""

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._rows: list[Ids] = []
        self._weights: NDArray[np.float64] | None = None
        self._norms: NDArray[np.float64] = np.zeros(0)
        # The features of all questions in one row, and of which question each is.
        self._features, self._owners = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def add(self, features: Sequence[str]) -> None:
        """One more question."""
        self._rows.append(_learned(self._vocabulary, features))
        self._weights = None

    def likeness(self, features: Sequence[str]) -> NDArray[np.float64]:
        """Cosine with every question."""
        weights, ids = self._weighed(), _known(self._vocabulary, features)
        squares = np.zeros(len(weights))
        squares[ids] = weights[ids] ** 2
        rare = float(np.log(len(self._rows) + 1.0)) ** 2
        own = float(np.sqrt((weights[ids] ** 2).sum() + _UNKNOWN * (len(features) - len(ids)) * rare)) or 1.0
        return self._by_question(squares) / (self._norms * own)

    def _weighed(self) -> NDArray[np.float64]:
        if self._weights is None:
            self._features = np.concatenate([np.zeros(0, np.int64), *self._rows])
            self._owners = np.repeat(np.arange(len(self._rows)), [len(ids) for ids in self._rows])
            times = np.bincount(self._features, minlength=len(self._vocabulary))
            # A little is added, so that what every question has still counts where there are only a few.
            self._weights = np.log((len(self._rows) + 1.0) / (times + 0.5)) + 0.2
            norms = np.sqrt(self._by_question(self._weights**2))
            self._norms = np.where(norms, norms, 1.0)
        return self._weights

    def _by_question(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of one value for each feature over those that a question has."""
        return np.bincount(self._owners, values[self._features], len(self._rows)).astype(np.float64)
