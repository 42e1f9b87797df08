"""The fewest steps that lead from one sequence of words to another (Levenshtein 1966)."""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int | None, int | None]
"""A place in each of two sequences; None where only the other has a word."""


def edits(before: Sequence[str], after: Sequence[str]) -> int:
    """The fewest words that are put in, left out or replaced."""
    return _table(before, after)[-1][-1]


def alignment(before: Sequence[str], after: Sequence[str], *, open_end: bool = False) -> list[Pair]:
    """The places of both in pairs, in order, as the fewest steps put them side by side.

    With `open_end` the last words of `before` may have no counterpart without a step, and are in no pair: as few of
    them as the fewest steps allow.
    """
    table = _table(before, after)
    at, to = len(before), len(after)
    if open_end:
        at = min(range(len(table)), key=lambda row: (table[row][-1], -row))
    pairs: list[Pair] = []
    while at or to:
        steps = table[at][to]
        if at and to and steps == table[at - 1][to - 1] + (before[at - 1] != after[to - 1]):
            at, to = at - 1, to - 1
            pairs.append((at, to))
        elif at and steps == table[at - 1][to] + 1:
            at -= 1
            pairs.append((at, None))
        else:
            to -= 1
            pairs.append((None, to))
    return pairs[::-1]


def _table(before: Sequence[str], after: Sequence[str]) -> list[list[int]]:
    """By how many words of both are gone through: the fewest steps so far."""
    rows = [list(range(len(after) + 1))]
    for word in before:
        rows.append(_next_row(rows[-1], word, after))
    return rows


def _next_row(row: Sequence[int], word: str, other: Sequence[str]) -> list[int]:
    current = [row[0] + 1]
    for place, letter in enumerate(other):
        current.append(min(row[place] + (word != letter), row[place + 1] + 1, current[place] + 1))
    return current
