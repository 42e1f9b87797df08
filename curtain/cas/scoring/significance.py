"""Is one system better than another on the same items?"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .intervals import enough_speakers

FLIPS = 100_000
_STEPS = 20_000_000
_WIDEST = 2_000_000

Table = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of McNemar's test: twice the binomial tail of the items that only one system got right.

    5 against 16 gives .0266; without such items, and for a tie, it is 1.
    """
    fewer, discordant = min(only_first, only_second), only_first + only_second
    # A tie: the two tails would both count the term in the middle.
    if 2 * fewer == discordant:
        return 1.0
    # From the largest term down: each is a fraction of the one before, so that no number overflows.
    largest = math.lgamma(discordant + 1) - math.lgamma(fewer + 1) - math.lgamma(discordant - fewer + 1)
    terms, term, k = [], 1.0, fewer
    while term > 1e-18:
        terms.append(term)
        term *= k / (discordant - k + 1)
        k -= 1
    return min(1.0, 2 * math.exp(largest - discordant * math.log(2)) * math.fsum(terms))


def stuart_maxwell(table: Table) -> float:
    """The p that the two systems have the same shares of right, wrong and no answer (chi-square, 2 degrees)."""
    ab, ac, bc = ((table[i][j] + table[j][i]) / 2 for i, j in ((0, 1), (0, 2), (1, 2)))
    changes = [sum(table[i]) - sum(row[i] for row in table) for i in range(3)]
    # The closed form for three outcomes; the tail of a chi-square with 2 degrees of freedom is exp(-x / 2).
    scale = 2 * (ab * ac + ab * bc + ac * bc)
    if scale:
        return math.exp(-(bc * changes[0] ** 2 + ac * changes[1] ** 2 + ab * changes[2] ** 2) / scale / 2)
    if not ab + ac + bc:
        return 1.0
    # Only one pair of outcomes is ever exchanged: one degree of freedom.
    return math.erfc(math.sqrt(max(change**2 for change in changes) / (2 * (ab + ac + bc)) / 2))


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's adjusted p values (1979), in the order given: the smallest times the number of tests, and so on down."""
    adjusted, largest = [1.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = largest
    return adjusted


@dataclass(frozen=True, slots=True)
class Permutation:
    """A paired permutation test: two-sided p, what was flipped, and whether every flip was counted."""

    p: float
    by: str
    exact: bool
    smallest: float
    """The smallest p that so few differing groups can give."""


def paired_permutation(differences: Sequence[Fraction | int], speakers: Sequence[str | None], seed: int) -> Permutation:
    """The p of a summed difference at least as large if each speaker's could as well have been the other way round.

    `differences` has one figure an utterance: value of the first system less that of the second. With fewer than five
    speakers utterances are flipped instead. All flips are counted where that is feasible, else 100,000 drawn.
    """
    by_speaker = enough_speakers(speakers)
    whole = _whole_numbers(_speaker_sums(differences, speakers) if by_speaker else list(differences))
    observed = abs(sum(whole))
    # A group without a difference stays the same however it is flipped.
    steps = Counter(abs(step) for step in whole if step)
    by = "speaker" if by_speaker else "utterance"
    # The exact count holds one chance for each sum that can occur; this many sums there are.
    width = 2 * sum(step * count for step, count in steps.items()) + 1
    exact = width <= _WIDEST and steps.total() * width <= _STEPS
    p = _exact_share([*steps.elements()], observed) if exact else _drawn_share(steps, observed, seed)
    return Permutation(p, by, exact, min(1.0, 2.0 ** (1 - min(steps.total(), 1000))))


def _speaker_sums(differences: Sequence[Fraction | int], speakers: Sequence[str | None]) -> list[Fraction | int]:
    sums: dict[str | None, Fraction | int] = {}
    for difference, speaker in zip(differences, speakers, strict=True):
        sums[speaker] = sums.get(speaker, 0) + difference
    return list(sums.values())


def _whole_numbers(values: Sequence[Fraction | int]) -> list[int]:
    # Weighted readings make fractions. As whole numbers they index the array of sums exactly.
    scale = math.lcm(*(Fraction(value).denominator for value in set(values)))
    return [int(value * scale) for value in values]


def _exact_share(steps: Sequence[int], observed: int) -> float:
    """The share of all 2^n sums +-s1 +-s2 ... that lie at least as far out as `observed`."""
    import numpy as np

    reach = sum(steps)
    chances = np.zeros(2 * reach + 1)
    chances[reach] = 1.0
    for step in steps:
        moved = np.zeros_like(chances)
        moved[step:] += chances[: len(chances) - step] / 2
        moved[: len(chances) - step] += chances[step:] / 2
        chances = moved
    # Both tails would count the sum 0.
    if not observed:
        return 1.0
    return min(1.0, float(chances[: reach - observed + 1].sum() + chances[reach + observed :].sum()))


def _drawn_share(steps: Mapping[int, int], observed: int, seed: int) -> float:
    import numpy as np

    random = np.random.Generator(np.random.PCG64(seed))
    sums = np.zeros(FLIPS)
    # Equal steps are drawn together as one binomial: the cost is that of the distinct steps.
    for step, count in sorted(steps.items()):
        sums += step * (2.0 * random.binomial(count, 0.5, size=FLIPS) - count)
    # What was observed is one of the flips, so p is never 0.
    return (1 + int((np.abs(sums) >= observed).sum())) / (1 + FLIPS)
