"""Rows sorted into classes by the columns placed so far.

Two rows are in the same class, on whichever side, if they have the same codes in the placed columns.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import add

Codes = list[int]

NOWHERE = -1
"""The class of a row of the other side that no placed row equals."""

_GLANCE = 32


@dataclass(frozen=True)
class PlacedClasses:
    """The placed side's rows in classes, numbered from 0."""

    classes: Codes
    numbers: dict[int, int]
    """From the class before and the code of the last column, as one number, to the class."""
    sizes: dict[int, int]

    @property
    def are_single(self) -> bool:
        """Whether each class of the placed side holds a single row, so that rows pair off one to one."""
        return len(self.sizes) == len(self.classes)


def everything(rows: int) -> PlacedClasses:
    """No column placed: one class."""
    return PlacedClasses([0] * rows, {0: 0}, {0: rows})


def combined(classes: Codes, codes: Codes, size: int) -> Codes:
    """Class and code of each row as one number; codes are below `size`."""
    return list(map(add, map(size.__mul__, classes), codes))


def placed_classes(before: PlacedClasses, codes: Codes, size: int) -> PlacedClasses:
    """The classes with one more column."""
    keys = combined(before.classes, codes, size)
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    classes = list(map(numbers.__getitem__, keys))
    return PlacedClasses(classes, numbers, dict(Counter(classes)))


def other_classes(
    before: Codes, codes: Codes, size: int, placed: PlacedClasses, exactly: bool, surplus: int | None
) -> Codes | None:
    """The other side's classes with one more column; None if the two sides cannot agree any more.

    `surplus` is how many more distinct rows the other side has; None if rows cannot be counted.
    """
    number = placed.numbers.get
    # Most branches fail in their first rows; a glance at those spares the pass over all.
    if exactly and None in [number(size * one + code) for one, code in zip(before[:_GLANCE], codes, strict=False)]:
        return None
    # What was nowhere stays there: -1 times the size plus a code is below 0, and no class has such a number.
    numbered = list(map(number, combined(before, codes, size), repeat(NOWHERE)))
    return numbered if counts_agree(placed.sizes, dict(Counter(numbered)), exactly, surplus) else None


def counts_agree(placed: dict[int, int], others: dict[int, int], exactly: bool, surplus: int | None) -> bool:
    """Whether the rows with each pattern can be the same on both sides.

    Different placed rows are met by different ones of the other side's distinct rows, so there are at least as many
    of those; `surplus` is how many more there are in all, and with `exactly` all of them meet a placed row.
    """
    if exactly and surplus == 0:
        return placed == others
    if exactly and placed.keys() != others.keys():
        return False
    if surplus is None:
        return placed.keys() <= others.keys()
    return all(others.get(pattern, 0) >= count for pattern, count in placed.items())


def patterns(classes: Sequence[int], codes: Codes, size: int) -> dict[int, int]:
    """How many rows there are of each class and code."""
    return dict(Counter(map(add, map(size.__mul__, classes), codes)))


def partner_rows(placed: PlacedClasses, others: Codes, exactly: bool) -> tuple[Codes, Codes] | None:
    """The rows that can only be partners, as two lists of row numbers (placed, others); None if some have a choice.

    With `exactly` every other row has its one placed row; else every placed row has its one other row.
    """
    if exactly:
        if not placed.are_single:
            return None
        row_of = {one: row for row, one in enumerate(placed.classes)}
        return list(map(row_of.__getitem__, others)), list(range(len(others)))
    here = [row for row, one in enumerate(others) if one != NOWHERE]
    if len(here) > len(placed.sizes):
        return None
    other_of = {others[row]: row for row in here}
    return list(range(len(placed.classes))), list(map(other_of.__getitem__, placed.classes))
