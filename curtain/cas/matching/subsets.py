"""Which columns to keep, when there are too many of them and too many rows.

The number of distinct rows only grows with columns, and once the right ones are kept it is exactly the number of
rows wanted. So columns are kept or dropped one after another, and a choice that shows more rows is cut at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .coding import Coding
from .hall import bits
from .state import Codes, combined
from .work import Work


def kept_columns(coding: Coding, work: Work) -> Iterator[tuple[int, ...]]:
    """The sets of other columns that show as many distinct rows as the placed table has.

    Asks for columns whose candidates are exact throughout; there are as many kept of each kind as are wanted.
    """
    start = _Choice((), [0] * coding.other_rows, 0, _spare(coding))
    stack = [(start, _in_order(coding))]
    while stack:
        choice, left = stack.pop()
        if not left:
            if choice.shown == coding.placed_rows:
                yield tuple(sorted(choice.kept))
            continue
        other, placed = left[0]
        kind = coding.pairing.kind_of_codes(placed)
        if choice.spare[kind]:
            spare = {**choice.spare, kind: choice.spare[kind] - 1}
            stack.append((_Choice(choice.kept, choice.classes, choice.shown, spare), left[1:]))
        work.spend(2 * coding.other_rows)
        classes, shown = _with_column(choice.classes, coding.other(placed, other), coding.size(placed))
        if shown <= coding.placed_rows:
            stack.append((_Choice((*choice.kept, other), classes, shown, choice.spare), left[1:]))


class _Choice:
    """Columns kept so far, the classes into which they sort the rows, and how many columns may still be dropped."""

    __slots__ = ("classes", "kept", "shown", "spare")

    def __init__(self, kept: tuple[int, ...], classes: Codes, shown: int, spare: dict[object, int]) -> None:
        self.kept = kept
        self.classes = classes
        self.shown = shown
        self.spare = spare


def _with_column(classes: Codes, codes: Codes, size: int) -> tuple[Codes, int]:
    keys = combined(classes, codes, size)
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return list(map(numbers.__getitem__, keys)), len(numbers)


def _in_order(coding: Coding) -> Sequence[tuple[int, int]]:
    """The candidates, each with a column it may stand for: first those with no choice, then those with most values."""
    spare = _spare(coding)
    stands_for: dict[int, int] = {}
    for placed, domain in enumerate(coding.pairing.candidates):
        for other in bits(domain):
            stands_for.setdefault(other, placed)
    kind = coding.pairing.kind_of_codes
    return sorted(stands_for.items(), key=lambda pair: (spare[kind(pair[1])] > 0, -coding.size(pair[1])))


def _spare(coding: Coding) -> dict[object, int]:
    """For each kind of column how many candidates there are more than wanted."""
    kind = coding.pairing.kind_of_codes
    wanted: dict[object, int] = {}
    offered: dict[object, set[int]] = {}
    for placed, domain in enumerate(coding.pairing.candidates):
        wanted[kind(placed)] = wanted.get(kind(placed), 0) + 1
        offered.setdefault(kind(placed), set()).update(bits(domain))
    return {one: len(others) - wanted[one] for one, others in offered.items()}
