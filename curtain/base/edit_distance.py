"""How many steps lead from one sequence of words to another (Levenshtein 1966)."""

from __future__ import annotations

from collections.abc import Sequence


def edits(before: Sequence[str], after: Sequence[str]) -> int:
    """The fewest words that are put in, left out or replaced."""
    row = list(range(len(after) + 1))
    for number, word in enumerate(before, start=1):
        row = _next_row(row, number, word, after)
    return row[-1]


def _next_row(row: Sequence[int], number: int, word: str, other: Sequence[str]) -> list[int]:
    current = [number]
    for place, letter in enumerate(other):
        current.append(min(row[place] + (word != letter), row[place + 1] + 1, current[place] + 1))
    return current
