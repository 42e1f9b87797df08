"""Intervals of ratios and of their differences, drawing subjects, and how many subjects a planned study needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curtain.cas.scoring.intervals import FEWEST_SPEAKERS

_MOST_DRAWS, _FEWEST_DRAWS = 5000, 1000
_CELLS = 1_000_000
# As in `curtain.cas.scoring.intervals`: a draw of one subject over and over has no error, and would lie far out.
_LEAST_ERROR = 0.25
_SIMULATED = 400
_FLIPS = 199
_SIZES = (8, 12, 16, 20, 24, 32, 40, 48, 64, 96)

Ratio = tuple[float, float]
"""What is summed, and by what it is divided, of one subject."""


def subject_sums(parts: Iterable[tuple[str, float, float]]) -> dict[str, Ratio]:
    """(subject, value, size) summed by subject: subjects are drawn, with all that they did."""
    sums: dict[str, Ratio] = {}
    for subject, value, size in parts:
        before = sums.get(subject, (0.0, 0.0))
        sums[subject] = (before[0] + value, before[1] + size)
    return sums


class Resampler:
    """Bootstrap-t intervals of ratios of sums (Efron and Tibshirani 1993, chapter 12), drawing whole subjects.

    Every interval over as many subjects uses the same draws: the same seed gives the same figures in any sequence.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._weights: dict[int, Any] = {}

    def ratio(self, subjects: Sequence[Ratio]) -> tuple[float, float] | None:
        """The interval of one ratio; None with fewer than five subjects, of which a bootstrap knows next to nothing."""
        # A second ratio of 0 in 1 for each changes neither the difference nor its error.
        return self.difference(subjects, [(0.0, 1.0)] * len(subjects))

    def difference(self, first: Sequence[Ratio], second: Sequence[Ratio]) -> tuple[float, float] | None:
        """The interval of one ratio less another; both list the same subjects, (0, 0) for one without a part in it."""
        if min(sum(below > 0 for _, below in side) for side in (first, second)) < FEWEST_SPEAKERS:
            return None
        parts = np.array([(*one, *other) for one, other in zip(first, second, strict=True)], dtype=float)
        observed, error = _difference_and_error(np.ones((1, len(parts))), parts)
        if not error[0] > 0:
            return float(observed[0]), float(observed[0])
        drawn, errors = _difference_and_error(self._draws(len(parts)), parts)
        distances = (drawn - observed) / np.maximum(errors, _LEAST_ERROR * error)
        # A draw without anybody under one of the conditions has no difference.
        low, high = np.percentile(distances[~np.isnan(distances)], (2.5, 97.5))
        return float(observed[0] - high * error[0]), float(observed[0] - low * error[0])

    def _draws(self, subjects: int) -> Any:
        if subjects not in self._weights:
            # One set at a time: with thousands of subjects it takes tens of megabytes.
            self._weights.clear()
            random = np.random.Generator(np.random.PCG64(self._seed))
            draws = min(_MOST_DRAWS, max(_FEWEST_DRAWS, _CELLS // subjects))
            even = np.full(subjects, 1 / subjects)
            self._weights[subjects] = random.multinomial(subjects, even, size=draws).astype(np.float32)
        return self._weights[subjects]


def _difference_and_error(weights: Any, parts: Any) -> tuple[Any, Any]:
    """By draw: the difference, and its linearised standard error.

    A subject pulls one ratio by (above - ratio * below) / sum of below. The sum of squared pulls is multiplied out, so
    that no array of draws by subjects is made.
    """
    subjects = len(parts)
    a, b, c, d = parts.T
    products = np.stack([a * a, a * b, b * b, c * c, c * d, d * d, a * c, a * d, b * c, b * d], axis=1)
    sums, squares = weights @ parts, weights @ products
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3]
        aa, ab, bb, cc, cd, dd, ac, ad, bc, bd = squares.T
        first_variance = (aa - 2 * first * ab + first**2 * bb) / sums[:, 1] ** 2
        second_variance = (cc - 2 * second * cd + second**2 * dd) / sums[:, 3] ** 2
        shared = (ac - second * ad - first * bc + first * second * bd) / (sums[:, 1] * sums[:, 3])
        # Rounding may leave the sum just below 0.
        variance = np.maximum(first_variance + second_variance - 2 * shared, 0) * subjects / max(1, subjects - 1)
        return first - second, np.sqrt(variance)


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """The share of simulated studies with so many subjects that find the difference at p < .05, by a sign-flip test."""

    difference: float
    power: tuple[tuple[int, float], ...]
    """(subjects, share)."""

    def enough(self, wanted: float = 0.8) -> int | None:
        """The smallest of the sizes that reach the wanted power; None if none does."""
        return next((subjects for subjects, share in self.power if share >= wanted), None)


def subjects_needed(differences: Sequence[float], wanted: float, seed: int) -> PowerPlan:
    """Simulates studies in which each subject works under both conditions, from the differences of pilot subjects.

    A simulated subject's difference is that of a pilot subject drawn at random, moved so that their mean is `wanted`.
    Raises ValueError with fewer than two pilot subjects.
    """
    if len(differences) < 2:
        raise ValueError("a plan needs the differences of two subjects")
    pilot = np.array(differences, dtype=float)
    # Drawing from n values makes their spread too small by (n - 1) / n.
    spread = (pilot - pilot.mean()) * np.sqrt(len(pilot) / (len(pilot) - 1))
    random = np.random.Generator(np.random.PCG64(seed))
    return PowerPlan(wanted, tuple((size, _power(spread, wanted, size, random)) for size in _SIZES))


def _power(spread: Any, wanted: float, size: int, random: Any) -> float:
    studies = wanted + random.choice(spread, size=(_SIMULATED, size))
    flips = random.choice((-1.0, 1.0), size=(_FLIPS, size))
    flipped = np.abs(studies @ flips.T)
    observed = np.abs(studies.sum(axis=1))[:, None]
    p = (1 + (flipped >= observed - 1e-9).sum(axis=1)) / (1 + _FLIPS)
    return float((p < 0.05).mean())
