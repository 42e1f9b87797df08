"""What pairs of columns look like together, worked out once, so that branching costs next to nothing.

Two columns together show certain pairs of codes, each in so many rows. If one placed column goes to another one,
a second placed column can only go where the pair looks the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from .coding import Coding
from .hall import bits
from .state import counts_agree, patterns
from .work import Work

Look = dict[int, int]
_MOST_STEPS = 6_000_000


class PairLabels:
    """For ambiguous columns: which candidates of one are left once another is placed."""

    def __init__(self, coding: Coding, columns: Sequence[int], work: Work) -> None:
        self._coding = coding
        self._work = work
        self._masks: dict[tuple[int, int], dict[int, int]] = {}
        self._looks: dict[tuple[object, object], dict[frozenset[object], tuple[Look, dict[int, int]]]] = {}
        self._columns = columns if self._is_worth_it(len(columns)) else ()
        for one in self._columns:
            for two in self._columns:
                if one != two:
                    self._masks[one, two] = self._mask(one, two)

    def _is_worth_it(self, ambiguous: int) -> bool:
        candidates = len(self._coding.other_cells)
        steps = (ambiguous**2 + candidates**2) * max(self._coding.other_rows, self._coding.placed_rows)
        return ambiguous > 2 and steps <= _MOST_STEPS

    def narrow(self, domains: list[int], one: int, other: int) -> None:
        """Leave the other columns only what looks the same together with the pair just made."""
        for two in self._columns:
            mask = self._masks.get((one, two))
            if mask is not None:
                domains[two] &= mask.get(other, 0)

    def _mask(self, one: int, two: int) -> dict[int, int]:
        """For each place of the first column the places that the second may take."""
        coding, exactly = self._coding, self._coding.pairing.exactly
        self._work.spend(coding.placed_rows)
        mine = patterns(coding.placed(one), coding.placed(two), coding.size(two))
        mask: dict[int, int] = {}
        for look, places in self._looks_of(one, two).values():
            if counts_agree(mine, look, exactly, coding.surplus):
                for place, seconds in places.items():
                    mask[place] = mask.get(place, 0) | seconds
        return mask

    def _looks_of(self, one: int, two: int) -> dict[frozenset[object], tuple[Look, dict[int, int]]]:
        """The looks of all pairs of candidates, each with its pairs."""
        pairing = self._coding.pairing
        key = pairing.kind_of_codes(one), pairing.kind_of_codes(two)
        if key not in self._looks:
            looks: dict[frozenset[object], tuple[Look, dict[int, int]]] = {}
            for first in bits(pairing.candidates[one]):
                for second in bits(pairing.candidates[two] & ~(1 << first)):
                    look = self._look(one, first, two, second)
                    places = looks.setdefault(frozenset(look.items()), (look, {}))[1]
                    places[first] = places.get(first, 0) | 1 << second
            self._looks[key] = looks
        return self._looks[key]

    def _look(self, one: int, first: int, two: int, second: int) -> Look:
        coding = self._coding
        self._work.spend(coding.other_rows)
        return patterns(coding.other(one, first), coding.other(two, second), coding.size(two))
