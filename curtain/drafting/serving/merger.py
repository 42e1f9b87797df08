"""The drafts of several drafters as one list: what several of them say is surer than what one says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..values import Draft

__all__ = ["Checked", "merge", "signed"]


@dataclass(frozen=True)
class Checked:
    """A draft that may be shown; drafts with the same `key` are the same statement."""

    draft: Draft
    key: str


def merge(
    found: Iterable[Sequence[Checked]],
    n: int,
    shown: Sequence[Checked] = (),
    trust: Callable[[str], float] = lambda drafter: 1.0,
) -> tuple[Checked, ...]:
    """The best `n` of what each drafter found. A draft is as likely as its drafter says, times the trust in that one;
    what several drafters say is likelier than what one says alone. Each drafter's own order is kept: a draft counts no
    more than the one before it. What was `shown` and is still among them keeps its order and comes first, since a hand
    may be on its way to it."""
    doubts: dict[str, float] = {}
    best: dict[str, tuple[float, Checked]] = {}
    for drafts in found:
        once = set()
        for confidence, one in _falling(drafts):
            chance = confidence * trust(one.draft.drafter)
            if one.key not in once:
                once.add(one.key)
                doubts[one.key] = doubts.get(one.key, 1.0) * (1 - chance)
            if one.key not in best or best[one.key][0] < chance:
                best[one.key] = chance, one
    ranked = sorted(best, key=lambda key: doubts[key])
    sure = {key: replace(best[key][1].draft, confidence=round(1 - doubts[key], 4)) for key in ranked}
    chosen = {key: Checked(sure[key], key) for key in ranked[:n]}
    stay = [chosen.pop(one.key) for one in shown if one.key in chosen]
    return (*stay, *chosen.values())


def _falling(drafts: Sequence[Checked]) -> list[tuple[float, Checked]]:
    confidences = accumulate((one.draft.confidence for one in drafts), min)
    return list(zip(confidences, drafts, strict=True))


def signed(draft: Draft, drafter: str) -> Draft:
    """The draft with the name of who made it; a drafter does not say that itself."""
    return replace(draft, drafter=drafter)
