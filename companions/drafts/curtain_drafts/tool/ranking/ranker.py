"""The order of what answered questions propose, by weights learned from questions whose answers are known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 300
_PULL = 20.0
_FEWEST = 30
# What hardly varies among the questions at hand keeps its weight.
_LEAST_WIDTH = 0.05


@dataclass(frozen=True)
class Group:
    """The candidates of one question, one row of features each, and which of them are right."""

    features: Floats
    right: NDArray[np.bool_]

    def best(self, weights: Floats) -> NDArray[np.int64]:
        """The numbers of the candidates, best first."""
        return np.argsort(-(self.features @ weights), kind="stable")


def hits(groups: Sequence[Group], weights: Floats) -> int:
    """For how many questions the best candidate is right."""
    return sum(bool(group.right[group.best(weights)[0]]) for group in groups)


def fitted(groups: Sequence[Group], start: Floats, pull: float = _PULL) -> Floats:
    """Weights that give the right candidates of each question the most of its probability, a softmax over all of them;
    they stay near `start` where there are few questions with a right and a wrong one, and are `start` for very few."""
    useful = [group for group in groups if group.right.any() and not group.right.all()]
    if len(useful) < _FEWEST:
        return start
    rows = np.concatenate([group.features for group in useful])
    right = np.concatenate([group.right for group in useful])
    sizes = [len(group.right) for group in useful]
    starts, width = np.cumsum([0, *sizes[:-1]]), np.maximum(rows.std(0), _LEAST_WIDTH)
    rows, prior, decay = rows / width, start * width, pull / len(sizes)
    weights, first, second = prior.copy(), np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    # Adam on all groups at once (Kingma and Ba 2015, algorithm 1).
    for step in range(1, _STEPS + 1):
        scores = rows @ weights
        powers = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        chances = powers / np.repeat(np.add.reduceat(powers, starts), sizes)
        share = np.repeat(np.add.reduceat(chances * right, starts), sizes)
        slope = rows.T @ (chances - chances * right / np.maximum(share, 1e-12)) / len(sizes) + decay * (weights - prior)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
        # What speaks for a candidate never comes to speak against it, by whatever chance of a few questions.
        weights = np.where(weights * prior < 0, 0.0, weights)
    own: Floats = weights / width
    return own
