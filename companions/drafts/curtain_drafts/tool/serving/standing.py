"""How far drafters are: loading, learning, ready, or unable to draft."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """Of one drafter, or of all together. `learning` counts the examples that are being learnt now, `share` (0..1) is
    how much of that is done. `problem` says why there are no drafts. Loading, as long as none is set."""

    learning: int = 0
    share: float = 0.0
    ready: bool = False
    problem: str = ""

    @property
    def settled(self) -> bool:
        """It can draft, or is known to be unable to."""
        return self.ready or bool(self.problem)


def together(standings: Iterable[Standing]) -> Standing:
    """One is enough to draft; a problem counts when all have one; of those that learn, the one that is least far."""
    each = list(standings)
    slowest = min((one for one in each if one.learning), key=lambda one: one.share, default=Standing())
    problem = each[0].problem if all(one.problem for one in each) else ""
    return Standing(slowest.learning, slowest.share, any(one.ready for one in each), problem)
