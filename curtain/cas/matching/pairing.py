"""Which column may stand for which: the facts about single columns that rule pairs out, and common codes.

Columns are *placed* (the reference's, when a hypothesis must contain it; the hypothesis's, when a maximum must
contain it) among *other* columns. A pair is *coded* if its cells can be found equal by a number: the values are
compared exactly, or tolerance gives each of the other values one partner at most. Otherwise it is *near*.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import repeat

from ..values import Cell
from .bipartite import bits
from .columns import CellColumn
from .reals.compatibility import Nearness

_FEW = 5_000
"""Columns of reals with more distinct values on a side are not coded: looking at each row's partner is quicker."""

Codes = list[int]
Class = tuple[int, int]


class Pairing:
    """The pairs (placed, other) that single columns do not rule out, and the codes of their cells.

    `exactly`: the values must be the same on both sides; otherwise the other side may have more.
    """

    def __init__(
        self, placed: Sequence[CellColumn], others: Sequence[CellColumn], exactly: bool, nearness: Nearness
    ) -> None:
        self.placed = placed
        self.others = others
        self.exactly = exactly
        self.nearness = nearness
        self.near: set[tuple[int, int]] = set()
        self._classes: dict[int, list[set[Cell]]] = {}
        self._class_of: dict[int, Class] = {}
        self._sparse: dict[Class, bool] = {}
        self._mates: dict[tuple[Class, int], dict[Cell, Cell]] = {}
        self._included: dict[tuple[Class, Class], bool] = {}
        self._dictionaries: dict[object, dict[Cell, int]] = {}
        self._translated: dict[tuple[int, int], dict[Cell, Cell]] = {}
        self._settled: set[int] = set()
        self.candidates = [self._candidates_of(index) for index in range(len(placed))]

    def _class(self, column: CellColumn) -> Class:
        """Columns with the same values share a class."""
        # By identity, since hashing the cells costs a pass; the pairing keeps its columns alive.
        key = id(column)
        if key not in self._class_of:
            same_number = self._classes.setdefault(len(column.distinct), [])
            index = next((one for one, known in enumerate(same_number) if known == column.distinct), len(same_number))
            if index == len(same_number):
                same_number.append(column.distinct)
            self._class_of[key] = len(column.distinct), index
        return self._class_of[key]

    def _candidates_of(self, index: int) -> int:
        return sum(1 << other for other in range(len(self.others)) if self._may_pair(index, other))

    def _may_pair(self, index: int, other: int) -> bool:
        mine, its = self.placed[index], self.others[other]
        if mine.is_real or (its.is_real and mine.is_number):
            return its.is_number and self._may_pair_nearly(index, other)
        classes = self._class(mine), self._class(its)
        if self.exactly or classes[0] == classes[1]:
            return classes[0] == classes[1]
        if classes not in self._included:
            self._included[classes] = mine.distinct <= its.distinct
        return self._included[classes]

    def _may_pair_nearly(self, index: int, other: int) -> bool:
        mine, its = self.placed[index], self.others[other]
        if not self.nearness.may_pair(mine, its, self.exactly):
            return False
        if mine.has_more_than(_FEW) or its.has_more_than(_FEW) or not self._is_sparse(mine):
            self.near.add((index, other))
            return True
        mates = self._mates_of(mine, its)
        # A value that no other is close to rules the pair out. Where the rows must be the same, another value that is
        # close to none does so too.
        if len(set(mates.values())) < len(mine.distinct) or (self.exactly and len(mates) < len(its.distinct)):
            return False
        self._translated[index, other] = mates
        return True

    def _is_sparse(self, column: CellColumn) -> bool:
        key = self._class(column)
        if key not in self._sparse:
            self._sparse[key] = self.nearness.is_sparse(column)
        return self._sparse[key]

    def _mates_of(self, mine: CellColumn, its: CellColumn) -> dict[Cell, Cell]:
        key = self._class(mine), id(its)
        if key not in self._mates:
            self._mates[key] = self.nearness.partners(mine, its)
        return self._mates[key]

    @property
    def is_tolerant(self) -> bool:
        """Whether cells of a pair may be close without being equal."""
        return bool(self.near or self._translated)

    def restricted(self, kept: Sequence[int]) -> Pairing:
        """With some of the other columns only, renumbered."""
        number = {other: new for new, other in enumerate(kept)}
        fewer = copy(self)
        fewer.others = [self.others[other] for other in kept]
        fewer.near = {(index, number[other]) for index, other in self.near if other in number}
        fewer._settled = {number[other] for other in self._settled if other in number}
        fewer._translated = {(i, number[other]): one for (i, other), one in self._translated.items() if other in number}
        fewer.candidates = [
            sum(1 << number[other] for other in bits(domain) if other in number) for domain in self.candidates
        ]
        return fewer

    def settle_tolerance(self, others: Sequence[CellColumn]) -> list[CellColumn]:
        """The other columns with each number replaced by the reference's that it is close to, where that is certain.

        It is where all candidates agree on it. These pairs are exact from then on, so that rows can be counted.
        """
        settled = list(others)
        for other, column in enumerate(others):
            pairs = [(index, other) for index, domain in enumerate(self.candidates) if domain >> other & 1]
            translations = [self._translated.get(pair) for pair in pairs]
            first = translations[0] if translations else None
            if first is not None and all(one == first for one in translations):
                self._settled.add(other)
                settled[other] = CellColumn(tuple(map(first.__getitem__, column.cells)))
                for pair in pairs:
                    del self._translated[pair]
        return settled

    def kinds_of_others(self) -> list[object]:
        """What exchangeable columns have in common: cells that tolerance has replaced may look alike by chance, where
        the columns may not go to the same places."""
        return [
            (other in self._settled, *(domain >> other & 1 for domain in self.candidates))
            for other in range(len(self.others))
        ]

    def _dictionary(self, index: int) -> dict[Cell, int]:
        """The code of each value of a placed column; columns of the same class share it."""
        column = self.placed[index]
        key = self._class(column)
        if key not in self._dictionaries:
            self._dictionaries[key] = {cell: code for code, cell in enumerate(column.distinct)}
        return self._dictionaries[key]

    def size(self, index: int) -> int:
        """How many codes a placed column has, the one for "none of its values" included."""
        return len(self.placed[index].distinct) + 1

    def near_candidates(self, index: int) -> int:
        """The candidates of a placed column whose cells have no codes."""
        return sum(1 << other for other in bits(self.candidates[index]) if (index, other) in self.near)

    def code_of(self, index: int, other: int) -> object:
        """The way in which a candidate is coded: pairs with the same one have comparable codes."""
        # Longer than a class, which is a pair of numbers too: the two must not be taken for one another.
        return ("translated", index, other) if (index, other) in self._translated else self.kind_of_codes(index)

    def kind_of_codes(self, index: int) -> object:
        """What columns that share their codes have in common, while they are exact."""
        return self._class(self.placed[index])

    def is_uniform(self, index: int) -> bool:
        """Whether all candidates of a placed column are exact, so that their codes are of one kind."""
        return not any((index, other) in self._translated for other in bits(self.candidates[index]))

    def placed_codes(self, index: int, cells: Sequence[Cell]) -> Codes:
        """The codes of a placed column's cells."""
        return list(map(self._dictionary(index).__getitem__, cells))

    def other_codes(self, index: int, other: int, cells: Sequence[Cell]) -> Codes:
        """The codes of a candidate's cells, as the placed column counts them."""
        dictionary = self._dictionary(index)
        if (index, other) in self._translated:
            mates = self._translated[index, other]
            dictionary = {cell: dictionary[mate] for cell, mate in mates.items()}
        if self.exactly:
            # No cell is missing here: a pair of exact columns has the same values on both sides.
            return list(map(dictionary.__getitem__, cells))
        return list(map(dictionary.get, cells, repeat(self.size(index) - 1)))
