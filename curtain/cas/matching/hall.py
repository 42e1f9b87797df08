"""Can every column get a partner of its own?"""

from __future__ import annotations

from collections.abc import Sequence


def assignment(candidates: Sequence[int]) -> list[int] | None:
    """A partner for each column, all different, out of its candidates (a set of bits); None if there is none."""
    owner: dict[int, int] = {}
    for column in sorted(range(len(candidates)), key=lambda one: candidates[one].bit_count()):
        if not _place(column, candidates, owner):
            return None
    partner = [0] * len(candidates)
    for other, column in owner.items():
        partner[column] = other
    return partner


def _place(start: int, candidates: Sequence[int], owner: dict[int, int]) -> bool:
    """Find a free partner along an alternating path (breadth first, so that width never becomes depth)."""
    came_from: dict[int, int] = {}
    waiting = [start]
    seen = 0
    for column in waiting:
        for other in bits(candidates[column] & ~seen):
            seen |= 1 << other
            came_from[other] = column
            if other not in owner:
                _hand_over(other, start, came_from, owner)
                return True
            waiting.append(owner[other])
    return False


def _hand_over(other: int, start: int, came_from: dict[int, int], owner: dict[int, int]) -> None:
    while True:
        column = came_from[other]
        previous = next((mine for mine, whose in owner.items() if whose == column), None)
        owner[other] = column
        if column == start or previous is None:
            return
        other = previous


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
