"""In which order a speaker meets the scenarios: the study's own, or one that follows from a seed and the speaker."""

import hashlib
from collections.abc import Sequence
from typing import Literal

Order = Literal["fixed", "seeded"]


def speaker_order(scenarios: Sequence[str], speaker: str, seed: int) -> tuple[str, ...]:
    """The scenarios in this speaker's order: the same for the same seed on every machine, each order equally likely.

    Sorted by a hash, not shuffled: a scenario that is added later leaves the others in their order.
    """
    return tuple(sorted(scenarios, key=lambda one: hashlib.sha256(f"{seed}\0{speaker}\0{one}".encode()).digest()))
