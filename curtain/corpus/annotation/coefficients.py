"""Agreement beyond chance: Cohen's kappa, Krippendorff's alpha, Gwet's AC1, and the word error rate of two texts.

A *unit* holds the labels that raters gave to one thing. All labels are nominal: they are the same, or they are not.
None stands for a coefficient that is not defined, because nothing ever varied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from curtain.base.edit_distance import edits

__all__ = ["ac1", "alpha", "kappa", "word_error_rate"]

Unit = Sequence[Hashable]


def kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Of two raters (Cohen 1960): chance follows from how often each of them gives each label."""
    total = len(pairs)
    first, second = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    by_chance = sum(count * second[label] for label, count in first.items())
    # Both gave one label throughout: agreement is perfect and chance explains all of it, so kappa is 0 by 0.
    if not total or by_chance == total * total:
        return None
    expected = by_chance / total**2
    return (sum(one == other for one, other in pairs) / total - expected) / (1 - expected)


def alpha(units: Iterable[Unit]) -> float | None:
    """Of any number of raters (Krippendorff 2011); a unit with one label says nothing."""
    paired = [Counter(unit) for unit in units if len(unit) > 1]
    values = sum((unit for unit in paired), Counter[Hashable]())
    total = values.total()
    expected = total * total - sum(count * count for count in values.values())
    if not expected:
        return None
    observed = sum(_unlike(unit) / (unit.total() - 1) for unit in paired)
    return 1 - (total - 1) * observed / expected


def _unlike(unit: Counter[Hashable]) -> int:
    """Ordered pairs of different labels in a unit."""
    return unit.total() ** 2 - sum(count * count for count in unit.values())


def ac1(units: Iterable[Unit]) -> float | None:
    """Of any number of raters (Gwet 2008): it stays high where one label is rare and raters agree nearly always."""
    counted = [Counter(unit) for unit in units if unit]
    paired = [unit for unit in counted if unit.total() > 1]
    labels = {label for unit in counted for label in unit}
    if not paired or len(labels) < 2:
        return None
    observed = sum(1 - _unlike(unit) / (unit.total() * (unit.total() - 1)) for unit in paired) / len(paired)
    shares = [sum(unit[label] / unit.total() for unit in counted) / len(counted) for label in labels]
    expected = sum(share * (1 - share) for share in shares) / (len(labels) - 1)
    return (observed - expected) / (1 - expected)


def word_error_rate(pairs: Iterable[tuple[str, str]]) -> float | None:
    """Words put in, left out or replaced between two texts, as a share of their mean length; None without words.

    Neither transcriber is the reference, so the length is the mean of both.
    """
    wrong, words = 0, 0
    for first_words, other in ((one.split(), other.split()) for one, other in pairs):
        wrong += edits(first_words, other)
        words += len(first_words) + len(other)
    return 2 * wrong / words if words else None
