"""Answered questions found by the words they share with a query, weighed by how rare these are (TF-IDF, cosine)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .models import Vocabulary

_UNKNOWN = 0.5


class Neighbours:
    """An index that grows by one question at a time."""

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._lists: list[list[int]] = []
        self._rows: list[NDArray[np.int64]] = []
        self._dropped: set[int] = set()
        self._weights: NDArray[np.float64] | None = None
        self._norms: NDArray[np.float64] = np.zeros(0)

    def add(self, features: Sequence[str]) -> None:
        """One more question."""
        ids = self._vocabulary.learned(features)
        self._lists += [[] for _ in range(len(self._vocabulary) - len(self._lists))]
        for number in ids.tolist():
            self._lists[number].append(len(self._rows))
        self._rows.append(ids)
        self._weights = None

    def drop(self, number: int) -> None:
        """This question is found no more."""
        self._dropped.add(number)

    def likeness(self, features: Sequence[str]) -> NDArray[np.float64]:
        """Cosine with every question."""
        weights, scores = self._weighed(), np.zeros(len(self._rows))
        ids = self._vocabulary.known(features)
        for number in ids.tolist():
            scores[self._lists[number]] += weights[number] ** 2
        rare = float(np.log(len(self._rows) + 1.0)) ** 2
        own = float(np.sqrt((weights[ids] ** 2).sum() + _UNKNOWN * (len(features) - len(ids)) * rare)) or 1.0
        scores /= self._norms * own
        scores[list(self._dropped)] = 0
        return scores

    def _weighed(self) -> NDArray[np.float64]:
        if self._weights is None:
            times = np.array([len(one) for one in self._lists], np.float64)
            # A little is added, so that what every question has still counts where there are only a few.
            self._weights = np.log((len(self._rows) + 1.0) / (times + 0.5)) + 0.2
            squares = self._weights**2
            self._norms = np.array([np.sqrt(squares[ids].sum()) or 1.0 for ids in self._rows])
        return self._weights
