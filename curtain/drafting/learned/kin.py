"""The meanings of answered questions that share a head, found by how many clauses they share with a wanted one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Kin"]

Meaning = TypeVar("Meaning", bound=Hashable)


class Kin(Generic[Meaning]):
    """Sets of names, each belonging to one meaning."""

    def __init__(self) -> None:
        self._known: set[Meaning] = set()
        self._meanings: list[Meaning] = []
        self._sizes: list[int] = []
        self._places: dict[str, list[int]] = {}
        self._arrays: dict[str, NDArray[np.int64]] = {}

    def add(self, meaning: Meaning, names: frozenset[str]) -> None:
        """One more meaning; one that is known stays as it is."""
        if meaning in self._known:
            return
        self._known.add(meaning)
        for name in names:
            self._places.setdefault(name, []).append(len(self._sizes))
            self._arrays.pop(name, None)
        self._meanings.append(meaning)
        self._sizes.append(len(names))

    def nearest(self, wanted: frozenset[str], slack: int) -> Iterator[tuple[int, Meaning]]:
        """The meanings that differ from the wanted in the fewest names, or in up to `slack` more; with how many."""
        if not self._sizes:
            return
        differ = self._differing(wanted)
        found = np.flatnonzero(differ <= differ.min() + slack)
        yield from ((int(differ[place]), self._meanings[place]) for place in found)

    def _differing(self, wanted: frozenset[str]) -> NDArray[np.int64]:
        shared = np.zeros(len(self._sizes), np.int64)
        for name in wanted:
            shared[self._having(name)] += 1
        return np.array(self._sizes, np.int64) + len(wanted) - 2 * shared

    def _having(self, name: str) -> NDArray[np.int64]:
        """Where the meanings with this name stand."""
        if name not in self._arrays:
            self._arrays[name] = np.array(self._places.get(name, []), np.int64)
        return self._arrays[name]
