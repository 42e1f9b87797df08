"""Agreement of two raters beyond chance."""

from collections import Counter
from collections.abc import Hashable, Sequence


def kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Of two raters (Cohen 1960): chance follows from how often each of them gives each label. None where both gave
    one label throughout, or gave none."""
    total = len(pairs)
    first, second = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    by_chance = sum(count * second[label] for label, count in first.items())
    # Both gave one label throughout: agreement is perfect and chance explains all of it, so kappa is 0 by 0.
    if not total or by_chance == total * total:
        return None
    expected = by_chance / total**2
    return (sum(one == other for one, other in pairs) / total - expected) / (1 - expected)
