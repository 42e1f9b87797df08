"""How far drafters can be trusted in a domain, learned from what was answered to their questions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from curtain.base.disk import rename

from .checks import Checked
from .pending_request import chances

# As if a new drafter had been right as often as it was sure, four times.
_START = 4.0
_LAST = 200.0


class Trust:
    """How often the first answer of a drafter was what was then answered, for each time that it was sure of that: what
    its confidences are multiplied by to be calibrated. Kept in a file of the user's cache. Ours too
    may be surer or less sure in a domain than it is right there, and then the other would lead where it should not."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._counts: dict[str, tuple[float, float]] = _read(path) if path else {}

    def of(self, drafter: str) -> float:
        """A factor, 1 for a drafter that is right as often as it says."""
        hits, claimed = self._counts.get(drafter, (0.0, 0.0))
        return (hits + _START) / (claimed + _START)

    def learn(self, drafts: Mapping[str, Sequence[Checked]], answered: Checked) -> None:
        """A question was answered by this statement: an answer counts, however its SQL is spelt."""
        for drafter, found in drafts.items():
            if found:
                key, sure = next(iter(chances(found).items()))
                first = next(one for one in found if one.key == key)
                right = key == answered.key or (first.answer != "" and first.answer == answered.answer)
                hits, claimed = self._counts.get(drafter, (0.0, 0.0))
                # What was long ago counts less and less.
                kept = min(1.0, _LAST / (claimed + 1))
                self._counts[drafter] = kept * hits + right, kept * claimed + sure
        if self._path:
            _write(self._path, self._counts)


def _read(path: Path) -> dict[str, tuple[float, float]]:
    try:
        found = json.loads(path.read_text("utf-8"))
        return {str(name): (float(hits), float(asked)) for name, (hits, asked) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write(path: Path, counts: Mapping[str, tuple[float, float]]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, prefix="trust-", suffix=".part", delete=False) as part:
            json.dump(counts, part)
        rename(part.name, path)
    except OSError:
        # A cache that cannot be written is learned anew.
        return
