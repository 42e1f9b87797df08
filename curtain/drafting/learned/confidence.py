"""From scores to probabilities: of drafts that are given 0.9, nine in ten should be right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Confidence"]

Floats = NDArray[np.float64]

_STEPS = 400
_LEAST = 30


class Confidence:
    """A logistic model and a rising staircase over it. Before it has seen anything it gives `start`."""

    def __init__(self, start: float = 0.5) -> None:
        self._start = start
        self._weights: Floats | None = None
        self._middle: Floats = np.zeros(0)
        self._width: Floats = np.ones(0)
        self._edges: Floats = np.zeros(0)
        self._levels: Floats = np.zeros(0)

    @property
    def fitted(self) -> bool:
        """Whether it has learned anything."""
        return self._weights is not None

    def fit(self, rows: Floats, right: NDArray[np.bool_]) -> None:
        """Learns from rows of features and whether each was right; from fewer than 30, nothing."""
        if len(rows) < _LEAST or right.all() or not right.any():
            self._start = float(right.mean()) if len(rows) else self._start
            return
        self._middle, self._width = rows.mean(0), rows.std(0) + 1e-6
        self._weights = _logistic_fit(self._scaled(rows), right)
        self._edges, self._levels = _staircase(self._raw(rows), right)

    def of(self, rows: Floats) -> Floats:
        """A probability for each row."""
        if self._weights is None:
            return np.full(len(rows), self._start)
        raw = self._raw(rows)
        stairs = np.interp(raw, self._edges, self._levels)
        # A little of the smooth curve keeps apart what the staircase makes equal.
        return np.clip(0.9 * stairs + 0.1 * raw, 0.01, 0.99)

    def _scaled(self, rows: Floats) -> Floats:
        scaled = (rows - self._middle) / self._width
        return np.concatenate([scaled, np.ones((len(rows), 1))], axis=1)

    def _raw(self, rows: Floats) -> Floats:
        assert self._weights is not None
        return 1 / (1 + np.exp(-self._scaled(rows) @ self._weights))


def _logistic_fit(rows: Floats, right: NDArray[np.bool_]) -> Floats:
    """Newton steps with a little decay."""
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (chances - right) + 1.0 * weights
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows + np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights


def _staircase(scores: Floats, right: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Isotonic regression: neighbouring blocks are pooled until their means rise."""
    order = np.argsort(scores, kind="stable")
    blocks: list[list[float]] = []
    for score, hit in zip(scores[order].tolist(), right[order].tolist(), strict=True):
        blocks.append([score, float(hit), 1.0])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            before = blocks[-1]
            total = before[2] + last[2]
            blocks[-1] = [(before[0] * before[2] + last[0] * last[2]) / total, before[1] + last[1], total]
    # A block of few is drawn towards the middle, so that three hits are not a certainty.
    levels = [(hits + 0.5) / (many + 1.0) for _, hits, many in blocks]
    return np.array([block[0] for block in blocks]), np.maximum.accumulate(np.array(levels))


def margins(scores: Sequence[float]) -> Floats:
    """For each of several scores: its share of the whole by softmax, and its distance to the best other."""
    values = np.array(scores)
    powers = np.exp(values - values.max())
    shares = powers / powers.sum()
    others = [np.delete(values, n).max() if len(values) > 1 else values[n] - 5 for n in range(len(values))]
    return np.stack([np.log(shares + 1e-6), np.clip(values - np.array(others), -10, 10)], axis=1)
