"""How sure a figure is: intervals for percentages and for scores. All figures are in percent."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054
FEWEST_SPEAKERS = 5
FEW_SPEAKERS = 20
"""Below this the interval of a score is a warning in itself."""
_ASSUMED_CORRELATION = 0.1
"""Between two utterances of one speaker, where the sample holds too few errors to measure it."""
_EVENTS = 5.0
"""With so many utterances off the commonest value, measured and assumed spread between speakers weigh the same."""
_LEAST_EFFECT = 0.2
_TAIL = 0.025

Sum = tuple[float, float]
"""What one speaker's utterances add up to, and how many they are."""


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


def mean_interval(
    values: Sequence[float], speakers: Sequence[str | None], least: float | None = None
) -> Interval | None:
    """The interval of 100 times the mean value, with the utterances of one speaker taken as correlated.

    `values` has one figure an utterance (+1 right, 0 no answer, -1 wrong), `speakers` its speaker. `least` is
    the smallest value that can be, such as 0 of a share; else as far below 0 as the largest is above. With fewer than
    five speakers, utterances are taken as independent instead, and `by` says so. None without values.

    A score interval: it holds the means whose best multinomial is not refuted at 5 % (Tango 1998 for +1, 0 and -1).
    It has width at the ends too. docs/scoring.md shows how often it covers the true score.
    """
    if not values:
        return None
    total = len(values)
    size, mean, counts = float(total), math.fsum(values) / total, Counter(values)
    by = "utterance"
    if enough_speakers(speakers):
        by, sums = "speaker", dict.fromkeys(speakers, (0.0, 0.0))
        for value, speaker in zip(values, speakers, strict=True):
            sums[speaker] = (sums[speaker][0] + value, sums[speaker][1] + 1)
        variance = math.fsum(count * (value - mean) ** 2 for value, count in counts.items()) / size
        size = effective_size(list(sums.values()), variance, size - counts.most_common(1)[0][1])
    # A score lies between -1 and 1, a difference of two scores between -2 and 2.
    most = max(1.0, math.ceil(max(map(abs, values))))
    shares = {value: count / total for value, count in counts.items()}
    low, high = score_bounds(shares, size, -most if least is None else least, most)
    return Interval(100 * low, 100 * high, by)


def effective_size(speakers: Sequence[Sum], variance: float, events: float) -> float:
    """How many independent utterances give an interval as wide as these speakers do.

    `variance` is that of one utterance, `events` the number of utterances that differ from the commonest value. The
    design effect (Kish 1965) is measured where there are events, and assumed where there are none. The size also
    holds Student's correction for few speakers, as in Korn and Graubard 1998, to the degree that it is measured.
    """
    count, total = len(speakers), math.fsum(size for _, size in speakers)
    mean = math.fsum(value for value, _ in speakers) / total
    known = events / (events + _EVENTS) if variance else 0.0
    assumed = 1 + _ASSUMED_CORRELATION * (math.fsum(size * size for _, size in speakers) / total - 1)
    if not known:
        return total / assumed
    spread = math.fsum((value - mean * size) ** 2 for value, size in speakers) * count / (count - 1)
    effect = max(_LEAST_EFFECT, known * spread / (total * variance) + (1 - known) * assumed)
    return total / effect * (Z95 / student((count - 1) / known**2)) ** 2


def student(degrees: float) -> float:
    """The 97.5th percentile of Student's t, to 0.001 from four degrees of freedom on.

    Source: Abramowitz and Stegun 1964, 26.7.5.
    """
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, start=1))


def score_bounds(shares: Mapping[float, float], size: float, least: float, most: float) -> tuple[float, float]:
    """The ends of the score interval of a mean: `shares` of each value among `size` independent ones.

    Values lie between `least` and `most`. Where all are the same end, the exact bound is taken (Clopper and Pearson).
    """
    mirrored = {-value: share for value, share in shares.items()}
    return _lower(shares, size, least, most), -_lower(mirrored, size, -most, -least)


def _lower(shares: Mapping[float, float], size: float, least: float, most: float) -> float:
    mean = math.fsum(value * share for value, share in shares.items())
    if mean <= least:
        return least
    if list(shares) == [most]:
        return least + (most - least) * math.pow(_TAIL, 1 / size)

    def excess(candidate: float) -> float:
        return size * (mean - candidate) ** 2 - Z95**2 * _variance_at(candidate, shares, least)

    # At `least` nothing varies, so it is always refuted; at the mean itself both sides may be 0.
    return _root(excess, least, mean - 1e-9 * (mean - least))


def _variance_at(mean: float, shares: Mapping[float, float], least: float) -> float:
    """The variance of the multinomial that fits best among those with this mean, below the observed one.

    Its shares are w / (1 + tilt * (value - mean)). What they lack of 1 lies at `least`, though nobody saw it there.
    """
    gaps = [(value - mean, share) for value, share in shares.items()]
    if mean <= least:
        return 0.0

    def pull(tilt: float) -> float:
        return math.fsum(share * gap / (1 + tilt * gap) for gap, share in gaps)

    most = 1 / (mean - least)
    if least not in shares and pull(most) >= 0:
        seen = [(gap, share / (1 + most * gap)) for gap, share in gaps]
        rest = 1 - math.fsum(share for _, share in seen)
        return math.fsum(share * gap**2 for gap, share in seen) + rest * (least - mean) ** 2
    # Multiplied by the smallest denominator, which is 0 at the end.
    tilt = _root(lambda tilt: -pull(tilt) * (1 - tilt / most), 0.0, most * (1 - 1e-12))
    return math.fsum(share * gap**2 / (1 + tilt * gap) for gap, share in gaps)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising or falling function is zero: the Illinois method. `low` if rounding gives both ends one sign."""
    at_low, at_high = function(low), function(high)
    if (at_low > 0) == (at_high > 0):
        return low
    side = 0
    for _ in range(100):
        if abs(high - low) <= 1e-9 * max(1.0, abs(low), abs(high)):
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        there = function(middle)
        if not there:
            return middle
        if (there > 0) == (at_high > 0):
            high, at_high, at_low = middle, there, at_low / (2 if side == 1 else 1)
            side = 1
        else:
            low, at_low, at_high = middle, there, at_high / (2 if side == -1 else 1)
            side = -1
    return (low + high) / 2


def enough_speakers(speakers: Iterable[str | None]) -> bool:
    """True if there are speakers enough to draw from; an utterance without a speaker makes it False."""
    distinct = set(speakers)
    return None not in distinct and len(distinct) >= FEWEST_SPEAKERS
