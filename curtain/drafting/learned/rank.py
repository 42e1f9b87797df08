"""Puts candidates in order, and says how sure it is: a log-linear score, learned from questions held back in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Group", "Ranker"]

Floats = NDArray[np.float64]

_STEPS = 300
_PULL = 8.0


@dataclass(frozen=True)
class Group:
    """The candidates of one question, one row of features each, and which of them are right."""

    features: Floats
    right: NDArray[np.bool_]


class Ranker:
    """Weights of the features. Before anything is learned, `start` are the weights."""

    def __init__(self, start: Sequence[float]) -> None:
        self._start = np.array(start, np.float64)
        self._weights = self._start
        self._middle = np.zeros(len(self._weights))
        self._width = np.ones(len(self._weights))

    def fit(self, groups: Sequence[Group]) -> None:
        """Learns from questions with at least one right and one wrong candidate; from fewer than 20, nothing."""
        useful = [group for group in groups if group.right.any() and not group.right.all()]
        if len(useful) < 20:
            return
        rows = np.concatenate([group.features for group in useful])
        right = np.concatenate([group.right for group in useful])
        starts = np.cumsum([0, *(len(group.right) for group in useful[:-1])])
        group_of = np.repeat(np.arange(len(useful)), [len(group.right) for group in useful])
        self._middle, self._width = rows.mean(0), rows.std(0) + 1e-6
        # With few questions the weights stay near those of the start.
        prior = self._start * self._width
        self._weights = _descent((rows - self._middle) / self._width, right, starts, group_of, prior)

    def scores(self, features: Floats) -> Floats:
        """One score for each row."""
        return (features - self._middle) / self._width @ self._weights


def _descent(
    rows: Floats, right: NDArray[np.bool_], starts: NDArray[np.int64], group_of: NDArray[np.int64], prior: Floats
) -> Floats:
    """Weights that give the right rows of each group the most of its probability (Adam on all groups at once)."""
    weights, first, second = prior.copy(), np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    groups = len(starts)
    decay = _PULL / groups
    for step in range(1, _STEPS + 1):
        chances = _shares(rows @ weights, starts, group_of)
        share = np.add.reduceat(chances * right, starts)[group_of]
        slope = rows.T @ (chances - chances * right / np.maximum(share, 1e-12)) / groups + decay * (weights - prior)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
    return weights


def _shares(scores: Floats, starts: NDArray[np.int64], group_of: NDArray[np.int64]) -> Floats:
    powers = np.exp(scores - np.maximum.reduceat(scores, starts)[group_of])
    return powers / np.add.reduceat(powers, starts)[group_of]
