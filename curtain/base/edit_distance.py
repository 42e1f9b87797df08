"""The fewest steps that lead from one sequence of words to another (Levenshtein 1966)."""

from collections import deque
from collections.abc import Iterator, Sequence

Pair = tuple[int | None, int | None]
"""A place in each of two sequences; None where only the other has a word."""


def edits(before: Sequence[str], after: Sequence[str]) -> int:
    """The fewest words that are put in, left out or replaced."""
    (last,) = deque(_rows(before, after), maxlen=1)
    return last[-1]


def alignment(before: Sequence[str], after: Sequence[str], *, open_end: bool = False, free: int = 0) -> list[Pair]:
    """The places of both in pairs, in order, as the fewest steps put them side by side.

    With `open_end` the last words of `before` may have no counterpart without a step, and are in no pair: as few of
    them as the fewest steps allow. The first `free` words of `before` are left out or replaced without a step.
    """
    table = list(_rows(before, after, free))
    at, to = len(before), len(after)
    if open_end:
        at = min(range(len(table)), key=lambda row: (table[row][-1], -row))
    pairs: list[Pair] = []
    while at or to:
        steps = table[at][to]
        costs = at > free
        if at and to and steps == table[at - 1][to - 1] + (costs and before[at - 1] != after[to - 1]):
            at, to = at - 1, to - 1
            pairs.append((at, to))
        elif at and steps == table[at - 1][to] + costs:
            at -= 1
            pairs.append((at, None))
        else:
            to -= 1
            pairs.append((None, to))
    return pairs[::-1]


def _rows(before: Sequence[str], after: Sequence[str], free: int = 0) -> Iterator[list[int]]:
    """By how many words of `before` are gone through, then by how many of `after`: the fewest steps so far."""
    row = list(range(len(after) + 1))
    yield row
    for at, word in enumerate(before):
        row = _next_row(row, word, after, int(at >= free))
        yield row


def _next_row(row: Sequence[int], word: str, other: Sequence[str], cost: int) -> list[int]:
    current = [row[0] + cost]
    for place, letter in enumerate(other):
        current.append(min(row[place] + cost * (word != letter), row[place + 1] + cost, current[place] + 1))
    return current
