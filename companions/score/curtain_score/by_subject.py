"""Intervals of ratios by subject."""

import math
from collections.abc import Iterable, Sequence

from curtain.cas.scoring.intervals import FEWEST_SPEAKERS, Sum, effective_size, score_bounds, student

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
