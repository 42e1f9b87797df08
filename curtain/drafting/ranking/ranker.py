"""Puts candidates in order, and says how sure it is: log-linear scores, fitted on questions held back in turn."""

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
    """Weights of the features. Before anything is learned, `start` are the weights."""

    def __init__(self, start: Sequence[float]) -> None:
        self._start = np.array(start, np.float64)
        self.weights = self._start

    def fit(self, groups: Sequence[Group], pull: float = _PULL) -> None:
        """Learns from questions with at least one right and one wrong candidate; from very few, nothing."""
        useful = [group for group in groups if group.right.any() and not group.right.all()]
        if len(useful) < _FEWEST:
            return
        rows = np.concatenate([group.features for group in useful])
        right = np.concatenate([group.right for group in useful])
        sizes = [len(group.right) for group in useful]
        starts = np.cumsum([0, *sizes[:-1]])
        group_of = np.repeat(np.arange(len(useful)), sizes)
        width = np.maximum(rows.std(0), _LEAST_WIDTH)
        # With few questions the weights stay near those of the start.
        scaled = _descent(rows / width, right, starts, group_of, self._start * width, pull)
        self.weights = scaled / width

    def scores(self, features: Floats) -> Floats:
        """One score for each row."""
        scores: Floats = features @ self.weights
        return scores


def _descent(
    rows: Floats,
    right: NDArray[np.bool_],
    starts: NDArray[np.int64],
    group_of: NDArray[np.int64],
    prior: Floats,
    pull: float,
) -> Floats:
    """Weights that give the right rows of each group the most of its probability (Adam on all groups at once)."""
    weights, first, second = prior.copy(), np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    groups = len(starts)
    decay = pull / groups
    for step in range(1, _STEPS + 1):
        chances = _shares(rows @ weights, starts, group_of)
        share = np.add.reduceat(chances * right, starts)[group_of]
        slope = rows.T @ (chances - chances * right / np.maximum(share, 1e-12)) / groups + decay * (weights - prior)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
        # What speaks for a candidate never comes to speak against it, by whatever chance of a few questions.
        weights = np.where(weights * prior < 0, 0.0, weights)
    return weights


def _shares(scores: Floats, starts: NDArray[np.int64], group_of: NDArray[np.int64]) -> Floats:
    powers = np.exp(scores - np.maximum.reduceat(scores, starts)[group_of])
    return powers / np.add.reduceat(powers, starts)[group_of]


class Calibration:
    """How likely a candidate is right: a logistic model of its evidence, which stays near `start` where few questions
    were held back. The evidence: its share of the scores of all and its lead over the next, then its features."""

    def __init__(self, start: Sequence[float]) -> None:
        self._start = np.array(start, np.float64)
        self.weights = self._start

    def fit(self, rows: Floats, right: NDArray[np.bool_]) -> None:
        """Learns from rows of evidence and whether each was right."""
        if len(rows) < _FEWEST or right.all() or not right.any():
            return
        scaled, width = _with_one(rows), np.append(np.maximum(rows.std(0), _LEAST_WIDTH), 1.0)
        scaled, prior = scaled / width, self._start * width
        weights = prior.copy()
        pull = _PULL_OF_CHANCES
        for _ in range(30):
            chances = _logistic(scaled @ weights)
            slope = scaled.T @ (chances - right) + pull * (weights - prior)
            bend = (scaled * (chances * (1 - chances))[:, None]).T @ scaled + pull * np.eye(len(weights))
            step, size = np.linalg.solve(bend, slope), 1.0
            # Half as far, until it is no worse: Newton's steps alone may run away.
            while size > 1e-3 and self._loss(scaled, right, weights - size * step, prior) > self._loss(
                scaled, right, weights, prior
            ):
                size /= 2
            weights = weights - size * step
        self.weights = weights / width

    @staticmethod
    def _loss(rows: Floats, right: NDArray[np.bool_], weights: Floats, prior: Floats) -> float:
        chances = np.clip(_logistic(rows @ weights), 1e-9, 1 - 1e-9)
        wrong = -np.log(np.where(right, chances, 1 - chances)).sum()
        return float(wrong + _PULL_OF_CHANCES / 2 * ((weights - prior) ** 2).sum())

    def of(self, rows: Floats) -> Floats:
        """A probability for each row."""
        return np.clip(_logistic(_with_one(rows) @ self.weights), 0.01, 0.99)


def _logistic(scores: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return chances


def _with_one(rows: Floats) -> Floats:
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def evidence(features: Floats, scores: Floats) -> Floats:
    """What the calibration looks at, for each candidate."""
    powers = np.exp(scores - scores.max())
    shares = powers / powers.sum()
    best = np.sort(scores)[::-1]
    second = best[1] if len(best) > 1 else best[0] - 5
    leads = np.where(scores == best[0], scores - second, scores - best[0])
    return np.column_stack([np.log(shares + 1e-6), np.clip(leads, -10, 10), features])
