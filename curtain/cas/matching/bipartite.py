"""Can every column get a partner of its own?"""

from collections.abc import Sequence


def assignment(candidates: Sequence[int]) -> list[int] | None:
    """A partner for each column, all different, out of its candidates (a set of bits); None if there is none."""
    partners: dict[int, int] = {}
    owners: dict[int, int] = {}
    # Columns with few candidates first: fewer of them have to be moved again.
    for column in sorted(range(len(candidates)), key=lambda one: candidates[one].bit_count()):
        if not _place(column, candidates, partners, owners):
            return None
    return [partners[column] for column in range(len(candidates))]


def _place(start: int, candidates: Sequence[int], partners: dict[int, int], owners: dict[int, int]) -> bool:
    """Find a free partner along an alternating path (breadth first, so that width never becomes depth)."""
    came_from: dict[int, int] = {}
    waiting = [start]
    seen = 0
    for column in waiting:
        for other in bits(candidates[column] & ~seen):
            seen |= 1 << other
            came_from[other] = column
            if other not in owners:
                _hand_over(other, start, came_from, partners, owners)
                return True
            waiting.append(owners[other])
    return False


def _hand_over(
    other: int, start: int, came_from: dict[int, int], partners: dict[int, int], owners: dict[int, int]
) -> None:
    """Give each column on the path the partner it reached, from the free one back to the start."""
    while True:
        column = came_from[other]
        given_up = partners.get(column)
        partners[column], owners[other] = other, column
        if column == start or given_up is None:
            return
        other = given_up


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    positions = []
    while mask:
        lowest = mask & -mask
        positions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return positions
