"""A ranker of candidates and the confidence in them, both learned from questions whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 300
_PULL = 20.0
_PULL_OF_CHANCES = 2.0
_FEWEST = 30
# What hardly varies among the questions at hand keeps its weight.
_LEAST_WIDTH = 0.05


@dataclass(frozen=True)
class Group:
    """The candidates of one question, one row of features each, and which of them are right."""

    features: Floats
    right: NDArray[np.bool_]


class Ranker:
    """Weights of the features: a softmax over the candidates of each question. Before anything is learned, `start` are
    the weights."""

    def __init__(self, start: Sequence[float]) -> None:
        self._start = np.array(start, np.float64)
        self.weights = self._start

    def resume(self, weights: Floats) -> None:
        """Goes on from weights that were learned. Raises ValueError if these are of other features."""
        if weights.shape != self._start.shape:
            raise ValueError("Each feature needs one weight.")
        self.weights = weights

    def fit(self, groups: Sequence[Group], pull: float = _PULL) -> None:
        """Learns from questions with at least one right and one wrong candidate; from very few, nothing."""
        useful = [group for group in groups if group.right.any() and not group.right.all()]
        if len(useful) < _FEWEST:
            return
        rows = np.concatenate([group.features for group in useful])
        right = np.concatenate([group.right for group in useful])
        sizes = [len(group.right) for group in useful]
        starts = np.cumsum([0, *sizes[:-1]])
        width = np.maximum(rows.std(0), _LEAST_WIDTH)
        # With few questions the weights stay near those of the start.
        self.weights = _descent(rows / width, right, starts, sizes, self._start * width, pull) / width

    def scores(self, features: Floats) -> Floats:
        """One score for each row."""
        scores: Floats = features @ self.weights
        return scores

    def hits(self, groups: Sequence[Group]) -> int:
        """For how many questions the best candidate is right."""
        return sum(bool(group.right[np.argmax(self.scores(group.features))]) for group in groups)


def _descent(
    rows: Floats, right: NDArray[np.bool_], starts: NDArray[np.int64], sizes: Sequence[int], prior: Floats, pull: float
) -> Floats:
    """Weights that give the right rows of each group the most of its probability (Adam on all groups at once; Kingma
    and Ba 2015, algorithm 1)."""
    weights, first, second = prior.copy(), np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    group_of, decay = np.repeat(np.arange(len(sizes)), sizes), pull / len(sizes)
    for step in range(1, _STEPS + 1):
        scores = rows @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[group_of])
        chances = powers / np.add.reduceat(powers, starts)[group_of]
        share = np.add.reduceat(chances * right, starts)[group_of]
        slope = rows.T @ (chances - chances * right / np.maximum(share, 1e-12)) / len(sizes) + decay * (weights - prior)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
        # What speaks for a candidate never comes to speak against it, by whatever chance of a few questions.
        weights = np.where(weights * prior < 0, 0.0, weights)
    return weights


class Calibration:
    """How likely a candidate is right: a choice between it and nothing, by its evidence. This stays near `start` where
    few questions were held back."""

    def __init__(self, start: Sequence[float]) -> None:
        self._ranker = Ranker(start)

    @property
    def weights(self) -> Floats:
        """Those of the evidence, and one for all."""
        return self._ranker.weights

    def resume(self, weights: Floats) -> None:
        """Goes on from weights that were learned. Raises ValueError if these are of other evidence."""
        self._ranker.resume(weights)

    def fit(self, rows: Floats, right: NDArray[np.bool_]) -> None:
        """Learns from rows of evidence and whether each was right."""
        if right.any() and not right.all():
            pairs = zip(_with_one(rows), right, strict=True)
            groups = [Group(np.stack([row, np.zeros_like(row)]), np.array([hit, not hit])) for row, hit in pairs]
            self._ranker.fit(groups, _PULL_OF_CHANCES)

    def of(self, rows: Floats) -> Floats:
        """A probability for each row."""
        scores = np.clip(self._ranker.scores(_with_one(rows)), -30, 30)
        return np.clip(1 / (1 + np.exp(-scores)), 0.01, 0.99)


def _with_one(rows: Floats) -> Floats:
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def evidence(features: Floats, scores: Floats) -> Floats:
    """What the calibration looks at, for each candidate: its share of the scores of all, its lead over the next, and
    its features."""
    powers = np.exp(scores - scores.max())
    shares = powers / powers.sum()
    best = np.sort(scores)[::-1]
    second = best[1] if len(best) > 1 else best[0] - 5
    leads = np.where(scores == best[0], scores - second, scores - best[0])
    return np.column_stack([np.log(shares + 1e-6), np.clip(leads, -10, 10), features])
