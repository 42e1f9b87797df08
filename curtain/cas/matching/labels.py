"""What pairs of columns look like together, worked out once, so that branching costs next to nothing.

Two columns together show certain pairs of codes, each in so many rows. If one placed column goes to another one,
a second placed column can only go where the pair looks the same.
"""

from collections.abc import Sequence

from .bipartite import bits
from .coding import Coding
from .state import patterns
from .work import StepLimit

Essence = frozenset[object]
Places = dict[int, int]
"""For each place of a first column the places of a second one, as bits."""

_MOST_STEPS = 6_000_000


class PairLabels:
    """For ambiguous columns: which candidates of one are left once another is placed."""

    def __init__(self, coding: Coding, columns: Sequence[int], domains: Sequence[int], work: StepLimit) -> None:
        self._coding = coding
        self._domains = domains
        self._work = work
        self._masks: dict[tuple[int, int], Places] = {}
        self._by_look: dict[object, dict[Essence, Places]] = {}
        self._looks: dict[object, Essence] = {}
        self._columns = columns if self._is_worth_it(len(columns)) else ()
        for column in self._columns:
            for other_column in self._columns:
                if column != other_column:
                    self._masks[column, other_column] = self._mask(column, other_column)

    def _is_worth_it(self, ambiguous: int) -> bool:
        candidates = len(self._coding.other_columns)
        steps = (ambiguous**2 + candidates**2) * max(self._coding.other_rows, self._coding.placed_rows)
        # Of two ambiguous columns, placing one checks the other anyway.
        return ambiguous > 2 and steps <= _MOST_STEPS

    def narrow(self, domains: list[int], column: int, other: int) -> None:
        """Leave the other columns only what looks the same together with the pair just made."""
        for other_column in self._columns:
            mask = self._masks.get((column, other_column))
            if mask is not None:
                domains[other_column] &= mask.get(other, 0)

    def _mask(self, left: int, right: int) -> Places:
        """For each place of the first column the places that the second may take."""
        coding = self._coding
        self._work.spend(coding.placed_rows)
        mine = self._essence(patterns(coding.placed(left), coding.placed(right), coding.size(right)))
        looks = self._looks_of(left, right)
        if coding.pairing.exactly:
            return looks.get(mine, {})
        mask: Places = {}
        for look, places in looks.items():
            if mine <= look:
                for place, seconds in places.items():
                    mask[place] = mask.get(place, 0) | seconds
        return mask

    def _essence(self, look: dict[int, int]) -> Essence:
        """What must be the same on both sides: the patterns, and their numbers where rows can be counted."""
        return frozenset(look.items() if self._coding.surplus == 0 else look)

    def _looks_of(self, left: int, right: int) -> dict[Essence, Places]:
        """The looks of all pairs of candidates, each with its pairs."""
        kinds, domains = self._kinds(left, right), (self._domains[left], self._domains[right])
        if (kinds, domains) not in self._by_look:
            looks: dict[Essence, Places] = {}
            for first in bits(domains[0]):
                for second in bits(domains[1] & ~(1 << first)):
                    places = looks.setdefault(self._look(left, first, right, second), {})
                    places[first] = places.get(first, 0) | 1 << second
            self._by_look[kinds, domains] = looks
        return self._by_look[kinds, domains]

    def _kinds(self, left: int, right: int) -> tuple[object, object]:
        return self._coding.pairing.kind_of_codes(left), self._coding.pairing.kind_of_codes(right)

    def _look(self, left: int, first: int, right: int, second: int) -> Essence:
        coding, key = self._coding, (self._kinds(left, right), first, second)
        if key not in self._looks:
            self._work.spend(coding.other_rows)
            look = patterns(coding.other(left, first), coding.other(right, second), coding.size(right))
            self._looks[key] = self._essence(look)
        return self._looks[key]
