"""Small exact tests: two shares, several tests at once, and the interval of a difference of two shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

from curtain.cas.scoring.intervals import Interval, wilson


def fisher_exact(first: tuple[int, int], second: tuple[int, int]) -> float:
    """The two-sided p of Fisher's exact test for two (count, total): tables at most as likely as the observed one.

    27 of 30 against 21 of 30 gives .10, 30 of 30 against 25 of 30 gives .052.
    """
    (a, n), (b, m) = first, second
    ways = [math.comb(n, count) * math.comb(m, a + b - count) for count in range(max(0, a + b - m), min(n, a + b) + 1)]
    observed = math.comb(n, a) * math.comb(m, b)
    # Whole numbers, so that equally likely tables are equal.
    return sum(way for way in ways if way <= observed) / sum(ways)


def newcombe(first: tuple[int, int], second: tuple[int, int]) -> Interval | None:
    """The interval of a difference of two percentages from their Wilson intervals (Newcombe 1998, method 10)."""
    (a, n), (b, m) = first, second
    left, right = wilson(a, n), wilson(b, m)
    if left is None or right is None:
        return None
    p, q = 100 * a / n, 100 * b / m
    low = p - q - math.hypot(p - left.low, right.high - q)
    high = p - q + math.hypot(left.high - p, q - right.low)
    return Interval(low, high, "")


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's adjusted p values (1979), in the order given: the smallest times the number of tests, and so on down."""
    adjusted, largest = [1.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = largest
    return adjusted
