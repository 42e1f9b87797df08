"""Which columns to keep, when there are too many of them and too many rows.

With the right columns the number of distinct rows is exactly the number wanted. Two ways to look for them: by the
pairs of rows that must become one (`droppable_columns`), or, where there are too many pairs, by growth: the number of
distinct rows only grows with columns, so that a choice that shows too many is cut at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from math import comb, prod
from operator import add

from .bipartite import bits
from .coding import Coding
from .droppable_columns import Spare, differences, droppable
from .state import Codes
from .work import StepLimit


class ColumnChoice:
    """The sets of other columns that may show as many distinct rows as the placed table has.

    Asks for columns whose candidates are exact throughout; as many are kept of each kind as are wanted.
    """

    def __init__(self, coding: Coding) -> None:
        self._coding = coding
        self._keys = keys = _Keys(coding)
        self._certain = [one for one in keys.columns if not keys.spare[keys.kinds[one]]]
        self._open = [one for one in keys.columns if keys.spare[keys.kinds[one]]]
        self._classes = keys.of(self._certain)
        self._spare = keys.as_spare(self._open)
        self._pairs: Counter[int] | None = None
        self._by_pairs = 2 * self._spare.number < len(self._open)

    @property
    def number(self) -> int:
        """How many sets there are to choose from."""
        offered = list(self._keys.kinds.values())
        return prod(comb(offered.count(kind), spare) for kind, spare in self._keys.spare.items())

    def kept(self, work: StepLimit) -> Iterator[tuple[int, ...]]:
        """The columns to keep, one set after the other."""
        if self._by_pairs and self._pairs is None:
            self._pairs = differences(self._spare, self._classes, work)
            self._by_pairs = self._pairs is not None
        if self._pairs is None:
            return _by_growth(self._coding, self._keys, self._certain, self._open, work)
        sets = droppable(self._spare, self._pairs, self._coding.surplus or 0, work)
        return (_without(self._keys.columns, [self._open[one] for one in bits(dropped)]) for dropped in sets)


def _without(columns: Sequence[int], dropped: Sequence[int]) -> tuple[int, ...]:
    return tuple(one for one in columns if one not in dropped)


class _Keys:
    """Rows as numbers: for each column its codes times a weight, so that sums of columns distinguish rows."""

    def __init__(self, coding: Coding) -> None:
        self._coding = coding
        self._stands_for: dict[int, int] = {}
        for placed, domain in enumerate(coding.pairing.candidates):
            for other in bits(domain):
                self._stands_for.setdefault(other, placed)
        kind = coding.pairing.kind_of_codes
        self.columns = sorted(self._stands_for)
        self.kinds = {other: kind(placed) for other, placed in self._stands_for.items()}
        wanted = [kind(placed) for placed in range(len(coding.pairing.candidates))]
        offered = list(self.kinds.values())
        self.spare = {one: offered.count(one) - wanted.count(one) for one in set(offered)}
        self._weights = self._weighted()

    def _weighted(self) -> dict[int, int]:
        weights, weight = {}, 1
        for other in self.columns:
            # A number system with a base for each column: sums are equal only where all codes are.
            weights[other] = weight
            weight *= self.size(other)
        return weights

    def size(self, other: int) -> int:
        """One more than the largest code of a column."""
        return self._coding.size(self._stands_for[other])

    def codes(self, other: int) -> Codes:
        """The codes of a column."""
        return self._coding.other(self._stands_for[other], other)

    def part(self, other: int) -> list[int]:
        """A column's part in the numbers of the rows."""
        return list(map(self._weights[other].__mul__, self.codes(other)))

    def of(self, columns: Sequence[int]) -> list[int]:
        """The rows as numbers by these columns."""
        nothing = [0] * self._coding.other_rows
        return reduce(lambda keys, other: list(map(add, keys, self.part(other))), columns, nothing)

    def as_spare(self, columns: Sequence[int]) -> Spare:
        """These columns as ones from which some are to be dropped."""
        kinds = [self.kinds[one] for one in columns]
        size = max(map(self.size, columns)) - 1  # the last code means "none of the values", which does not occur
        return Spare([self.codes(one) for one in columns], size, kinds, {one: self.spare[one] for one in set(kinds)})


def _by_growth(
    coding: Coding, keys: _Keys, certain: Sequence[int], open_to_choice: Sequence[int], work: StepLimit
) -> Iterator[tuple[int, ...]]:
    """Keep or drop one column after the other, those with most values first."""
    order = sorted(open_to_choice, key=lambda one: -keys.size(one))
    parts = {one: keys.part(one) for one in order}
    stack = [(0, tuple(certain), keys.of(certain), keys.spare)]
    while stack:
        depth, kept, rows, spare = stack.pop()
        work.spend(coding.other_rows)
        if len(set(rows)) > coding.placed_rows:
            continue
        if depth == len(order):
            yield kept
            continue
        column, kind = order[depth], keys.kinds[order[depth]]
        if spare[kind]:
            stack.append((depth + 1, kept, rows, {**spare, kind: spare[kind] - 1}))
        if len(kept) < len(coding.pairing.candidates):
            stack.append((depth + 1, (*kept, column), list(map(add, rows, parts[column])), spare))
