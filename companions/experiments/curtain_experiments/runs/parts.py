"""Parts of a sequence of runs or queries: some drawn, those that are wanted, those with one key."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import TypeVar

Record = TypeVar("Record")
Key = TypeVar("Key", bound=Hashable)

MOST_LISTED = 3_000
"""So many runs or speakers a page lists and a figure draws: a browser shows no more at once."""


def drawn(records: Sequence[Record], most: int, seed: int = 0) -> Sequence[Record]:
    """All records, or `most` of them at random, in their order: designs alternate, so every n-th would be a choice."""
    if len(records) <= most:
        return records
    return [records[place] for place in sorted(Random(seed).sample(range(len(records)), most))]


def chosen(records: Sequence[Record], wanted: Callable[[Record], object]) -> Sequence[Record]:
    """The records that are wanted."""
    return [record for record in records if wanted(record)]


def grouped(records: Sequence[Record], key: Callable[[Record], Key]) -> dict[Key, list[Record]]:
    """The records with the same key, keys in the order of their first record."""
    groups: dict[Key, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return groups
