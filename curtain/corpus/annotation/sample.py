"""The same share of a study's turns for everybody who asks with the same seed, for annotating them twice."""

import hashlib
import re
from dataclasses import dataclass

from curtain.base.errors import CurtainError

SEED = 1992
_MOST = 1 << 64


@dataclass(frozen=True)
class Sample:
    """About `percent` of 100 of all turns.

    Whether a turn is in it depends on its id and the seed alone, so it stays when sessions are added, and a larger
    share holds the smaller one.
    """

    percent: float
    seed: int = SEED

    def __contains__(self, utterance_id: object) -> bool:
        # A hash, not a random generator: the order and the number of turns must not matter.
        digest = hashlib.sha256(f"{self.seed} {utterance_id}".encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") * 100 < self.percent * _MOST

    def __str__(self) -> str:
        return f"{self.percent:g} %"


def sample_of(share: str, seed: int | None) -> Sample:
    """The sample that a command line names, as `10%` or `10`. Raises CurtainError."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*%?", share.strip(), re.ASCII)
    percent = float(match[1]) if match else 0.0
    if not 0 < percent <= 100:
        raise CurtainError(f"“{share}” is no share of the turns; give per cent over 0 and up to 100, as 10%.")
    return Sample(percent, SEED if seed is None else seed)
