"""How far the drafters are: told while they learn, when they can draft, and when they cannot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """Of one drafter, or of all together. `learning` counts the examples that are being learnt now, `share` (0..1) is
    how much of that is done. `fault` is the sentence for which there are no drafts. Loading, as long as none is set."""

    learning: int = 0
    share: float = 0.0
    ready: bool = False
    fault: str = ""

    @property
    def settled(self) -> bool:
        """It can draft, or is known to be unable to."""
        return self.ready or bool(self.fault)


def together(standings: Iterable[Standing]) -> Standing:
    """One is enough to draft; a fault counts when all have one; of those that learn, the one that is least far."""
    all_of_them = list(standings)
    ready = any(one.ready for one in all_of_them)
    slowest = min((one for one in all_of_them if one.learning), key=lambda one: one.share, default=Standing())
    failed = bool(all_of_them) and not ready and all(one.settled for one in all_of_them)
    fault = next(one.fault for one in all_of_them) if failed else ""
    return Standing(slowest.learning, slowest.share, ready, fault)
