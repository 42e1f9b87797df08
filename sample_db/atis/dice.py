"""Numbers that are drawn the same everywhere."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = 0xFFFFFFFFFFFFFFFF
_STEP = 0x9E3779B97F4A7C15


class Dice:
    """SplitMix64: small, and the same on every machine and Python, which `random` does not promise for its helpers."""

    def __init__(self, seed: int, topic: str) -> None:
        """Each topic has a stream of its own, so that a change in one leaves the others as they were."""
        self._state = (seed * _STEP + zlib.crc32(topic.encode())) & _MASK

    def _next(self) -> int:
        self._state = (self._state + _STEP) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def number(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + self._next() % (high - low + 1)

    def chance(self, percent: int) -> bool:
        return self.number(1, 100) <= percent

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.number(0, len(choices) - 1)]

    def weighed(self, choices: Sequence[tuple[T, int]]) -> T:
        """One of (choice, weight), drawn by weight."""
        left = self.number(1, sum(weight for _, weight in choices))
        for choice, weight in choices:
            left -= weight
            if left <= 0:
                return choice
        raise ValueError("no weights to draw by")

    def sample(self, choices: Iterable[T], count: int) -> list[T]:
        """Different elements, in drawn order."""
        left = list(choices)
        return [left.pop(self.number(0, len(left) - 1)) for _ in range(count)]
