"""How sure a figure is: intervals for percentages and for scores. All figures are in percent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Z95 = 1.959963984540054
DRAWS = 5000
FEWEST_SPEAKERS = 5
FEW_SPEAKERS = 20
"""Below this the interval of a score is a warning in itself: see `bench/intervals.py`."""
_CELLS_AT_ONCE = 4_000_000
_LEAST_ERROR = 0.25
"""Of the sample's standard error. A draw of one speaker over and over has none, and would lie infinitely far out."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval in percent; `by` says what was drawn: speaker, utterance, or nothing (a formula)."""

    low: float
    high: float
    by: str = ""


def wilson(count: int, total: int) -> Interval | None:
    """The Wilson interval of a proportion; None without items. 0 of 10 gives [0, 27.75]."""
    if not total:
        return None
    share, square = count / total, Z95 * Z95
    centre = share + square / (2 * total)
    spread = Z95 * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 100 / (1 + square / total)
    return Interval(max(0.0, (centre - spread) * scale), min(100.0, (centre + spread) * scale))


def wald_1992(weighted_error: float, total: int) -> float | None:
    """The half-width that the papers quote, in percent: 1.96 sqrt(e (1 - e) / n).

    Source: papers/001, 2.3, footnote 3: e = 0.45 and n = 145 give 0.08. It takes the weighted error for a
    proportion, which it is not; None without items and for a weighted error over 100 %.
    """
    error = weighted_error / 100
    if not total or not 0 <= error <= 1:
        return None
    # Not Z95: this figure is compared with printed ones, which took 1.96.
    return 100 * 1.96 * math.sqrt(error * (1 - error) / total)


def error_half_width(wrong: int, unanswered: int, total: int) -> float | None:
    """The normal half-width of the weighted error, in percent, counting a wrong answer twice as the measure does."""
    if not total:
        return None
    w, a = wrong / total, unanswered / total
    return 100 * Z95 * math.sqrt(max(0.0, 4 * w + a - (2 * w + a) ** 2) / total)


def bootstrap(values: Sequence[float], speakers: Sequence[str | None], seed: int) -> Interval | None:
    """The bootstrap-t interval of 100 times the mean value, drawing speakers with all that they said.

    `values` has one figure an utterance (+1 right, 0 no answer, -1 wrong), `speakers` its speaker. With fewer than
    five speakers, utterances are drawn instead, and `by` says so. The same seed gives the same interval.

    Each draw is measured in its own standard error (Efron and Tibshirani 1993, chapter 12): with few speakers the
    plain percentiles of the draws are too narrow. `bench/intervals.py` shows how often it covers the true score.
    """
    if not values:
        return None
    if enough_speakers(speakers):
        groups, by = _by_speaker(values, speakers), "speaker"
    else:
        groups, by = _by_value(values), "utterance"
    # Few speakers stretch a bootstrap-t far out, beyond what a score can be.
    low, high = _bootstrap_t(groups, seed)
    least, most = _range(values)
    return Interval(100 * max(low, least), 100 * min(high, most), by)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """What a mean can be: a score lies between -1 and 1, a difference of two scores between -2 and 2."""
    widest = max(1.0, math.ceil(max(map(abs, values))))
    return -widest, widest


def enough_speakers(speakers: Iterable[str | None]) -> bool:
    """True if there are speakers enough to draw from; an utterance without a speaker makes it False."""
    distinct = set(speakers)
    return None not in distinct and len(distinct) >= FEWEST_SPEAKERS


@dataclass(frozen=True, slots=True)
class _Group:
    """What is drawn together: its summed value, its utterances, and how many such groups there are."""

    value: float
    size: int
    count: int = 1


def _by_speaker(values: Sequence[float], speakers: Sequence[str | None]) -> list[_Group]:
    sums: dict[str | None, list[float]] = {}
    for value, speaker in zip(values, speakers, strict=True):
        sums.setdefault(speaker, []).append(value)
    return [_Group(math.fsum(said), len(said)) for said in sums.values()]


def _by_value(values: Sequence[float]) -> list[_Group]:
    counts: dict[float, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return [_Group(value, 1, count) for value, count in sorted(counts.items())]


def _bootstrap_t(groups: Sequence[_Group], seed: int) -> tuple[float, float]:
    """The bootstrap-t interval of the mean value, by groups; the standard error is that of a ratio, linearised."""
    import numpy as np

    random = np.random.Generator(np.random.PCG64(seed))
    counts = np.array([group.count for group in groups])
    values = np.array([group.value for group in groups], dtype=float)
    sizes = np.array([group.size for group in groups], dtype=float)
    mean, error = _mean_and_error(counts[None, :], values, sizes)
    if not error[0]:
        return float(mean[0]), float(mean[0])
    # In batches, so that thousands of groups do not take gigabytes.
    distances, batch = [], max(1, _CELLS_AT_ONCE // len(groups))
    for start in range(0, DRAWS, batch):
        times = random.multinomial(counts.sum(), counts / counts.sum(), size=min(batch, DRAWS - start))
        means, errors = _mean_and_error(times, values, sizes)
        distances.append((means - mean) / np.maximum(errors, _LEAST_ERROR * error))
    # The upper percentile gives the lower end and the other way round: that is the bootstrap-t.
    low, high = np.percentile(np.concatenate(distances), (2.5, 97.5))
    return float(mean[0] - high * error[0]), float(mean[0] - low * error[0])


def _mean_and_error(times: Any, values: Any, sizes: Any) -> tuple[Any, Any]:
    """The mean value and its standard error, per draw; `times` has a row a draw: how often each group was drawn."""
    import numpy as np

    groups = times.sum(axis=1)
    total = times @ sizes
    mean = (times @ values) / total
    # The sum of (value - mean * size) squared, multiplied out, so that no array of draws by groups is made.
    squares = times @ values**2 - 2 * mean * (times @ (values * sizes)) + mean**2 * (times @ sizes**2)
    # Rounding may leave the sum just below 0, and a single group has nothing to be divided by.
    return mean, np.sqrt(np.maximum(squares, 0) * groups / (groups - 1).clip(1)) / total
