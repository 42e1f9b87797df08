"""What the nearest answered questions speak for, part by part: a head, a condition, a role. So a combination that none
of them has as a whole is judged by them, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .memory import Memory, Shape

__all__ = ["PartVotes", "part_votes"]

_SHARPNESS = 6
_MOSTLY = 0.5


@dataclass(frozen=True)
class PartVotes:
    """For each head, and for each condition and role, the share of the near questions that have it, weighed by how near
    they are."""

    heads: dict[str, float]
    parts: dict[object, float]

    def of(self, shape: Shape) -> tuple[float, float, float]:
        """What speaks for a shape: for its head, for its parts on average, and how much of what most have it lacks."""
        own: list[object] = [*shape.plain, *shape.meaning[2]]
        shares = [self.parts.get(part, 0.0) for part in own]
        lacking = sorted(share for part, share in self.parts.items() if share > _MOSTLY and part not in own)
        return self.heads.get(shape.head, 0.0), sum(sorted(shares)) / max(1, len(shares)), sum(lacking)


def part_votes(near: Sequence[tuple[int, float]], memory: Memory) -> PartVotes:
    """Votes of these entries, each with its likeness."""
    heads: Counter[str] = Counter()
    parts: Counter[object] = Counter()
    for number, likeness in near:
        shape, weight = memory.shapes[memory.entries[number].shape], likeness**_SHARPNESS
        heads[shape.head] += weight  # type: ignore[assignment]
        for part in _parts(shape):
            parts[part] += weight  # type: ignore[assignment]
    total = sum(heads.values()) or 1.0
    return PartVotes({h: v / total for h, v in heads.items()}, {p: v / total for p, v in parts.items()})


def _parts(shape: Shape) -> Iterable[object]:
    return (*shape.plain, *shape.meaning[2])
