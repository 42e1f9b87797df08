"""The drafts of several drafters as one list: ranked by confidence, each statement once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..values import Draft

__all__ = ["Checked", "merge"]


@dataclass(frozen=True)
class Checked:
    """A draft that may be shown; drafts with the same `key` are the same statement."""

    draft: Draft
    key: str


def merge(found: Iterable[Sequence[Checked]], n: int, shown: Sequence[Checked] = ()) -> tuple[Checked, ...]:
    """The best `n` of what each drafter found. Each drafter's own order is kept: a draft counts no more than the one
    before it. What was `shown` and is still among them keeps its order and comes first, since a hand may be on its way
    to it."""
    ranked = sorted((pair for drafts in found for pair in _falling(drafts)), key=lambda pair: -pair[0])
    best: dict[str, Checked] = {}
    for _, one in ranked:
        best.setdefault(one.key, one)
    chosen = dict(list(best.items())[:n])
    stay = [chosen.pop(one.key) for one in shown if one.key in chosen]
    return (*stay, *chosen.values())


def _falling(drafts: Sequence[Checked]) -> list[tuple[float, Checked]]:
    confidences = accumulate((one.draft.confidence for one in drafts), min)
    return list(zip(confidences, drafts, strict=True))


def signed(draft: Draft, drafter: str) -> Draft:
    """The draft with the name of who made it; a drafter does not say that itself."""
    return replace(draft, drafter=drafter)
