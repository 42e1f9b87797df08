"""Intervals of ratios by subject, and how many subjects a planned study needs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curtain.cas.scoring.intervals import FEWEST_SPEAKERS, Sum, effective_size, score_bounds, student

_SIMULATED = 400
_FLIPS = 199
_SIZES = (8, 12, 16, 20, 24, 32, 40, 48, 64, 96)

Ends = tuple[float, float]


def subject_sums(parts: Iterable[tuple[str, float, float]]) -> dict[str, Sum]:
    """(subject, value, size) summed by subject, or by anything else: subjects are drawn, with all that they did."""
    sums: dict[str, Sum] = {}
    for subject, value, size in parts:
        before = sums.get(subject, (0.0, 0.0))
        sums[subject] = (before[0] + value, before[1] + size)
    return sums


def ratio_interval(subjects: Sequence[Sum], least: float = 0.0, most: float = math.inf) -> Ends | None:
    """The 95 % interval of a ratio of sums; None with fewer than five subjects, which show next to nothing.

    A ratio that cannot exceed `most` has the score interval of a share, which has width at the ends too. Any other
    has Student's interval, by the linearised error; None if all subjects are alike, for then nothing is measured.
    """
    if sum(size > 0 for _, size in subjects) < FEWEST_SPEAKERS:
        return None
    total = math.fsum(size for _, size in subjects)
    ratio = math.fsum(value for value, _ in subjects) / total
    if math.isinf(most) or not least <= ratio <= most:
        pulls = [(value - ratio * size) / total for value, size in subjects]
        error = math.sqrt(math.fsum(pull * pull for pull in pulls) * len(pulls) / (len(pulls) - 1))
        half = student(sum(size > 0 for _, size in subjects) - 1) * error
        return (max(least, ratio - half), ratio + half) if error else None
    # A share between 0 and 1 of utterances that are all the one or all the other.
    shares = [((value - least * size) / (most - least), size) for value, size in subjects if size > 0]
    share = (ratio - least) / (most - least)
    size = effective_size(shares, share * (1 - share), total * min(share, 1 - share))
    low, high = score_bounds({value: part for value, part in ((1.0, share), (0.0, 1 - share)) if part}, size, 0.0, 1.0)
    return least + (most - least) * low, least + (most - least) * high


@dataclass(frozen=True, slots=True)
class PowerPlan:
    """The share of simulated studies with so many subjects that find the difference at p < .05, by a sign-flip test."""

    difference: float
    power: tuple[tuple[int, float], ...]
    """(subjects, share)."""

    def enough(self, wanted: float = 0.8) -> int | None:
        """The smallest of the sizes that reach the wanted power; None if none does."""
        return next((subjects for subjects, share in self.power if share >= wanted), None)


def subjects_needed(residuals: Sequence[float], wanted: float, seed: int) -> PowerPlan:
    """Simulates studies in which each subject works under both conditions, from the residuals of pilot subjects.

    A simulated subject's difference is `wanted` and the residual of a pilot subject drawn at random.
    Raises ValueError with fewer than two pilot subjects.
    """
    if len(residuals) < 2:
        raise ValueError("a plan needs the differences of two subjects")
    random = np.random.Generator(np.random.PCG64(seed))
    spread = np.array(residuals, dtype=float)
    return PowerPlan(wanted, tuple((size, _power(spread, wanted, size, random)) for size in _SIZES))


def _power(spread: Any, wanted: float, size: int, random: Any) -> float:
    studies = wanted + random.choice(spread, size=(_SIMULATED, size))
    flips = random.choice((-1.0, 1.0), size=(_FLIPS, size))
    flipped, observed = studies @ flips.T, studies.sum(axis=1)[:, None]
    flipped, observed = np.abs(flipped), np.abs(observed)
    p = (1 + (flipped >= observed - 1e-9).sum(axis=1)) / (1 + _FLIPS)
    return float((p <= 0.05).mean())
