"""How far drafters can be trusted in a domain, learned from what was answered to their questions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from ..settings import OURS
from .checks import Checked

# As if a new drafter had been right eight times.
_HITS, _ASKED = 8.0, 8.0
_LAST = 200.0


class Trust:
    """Shares of first drafts that were what was then answered, kept in a file of the user's cache. Ours is calibrated
    by itself and counts as it is."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._counts: dict[str, tuple[float, float]] = _read(path) if path else {}

    def of(self, drafter: str) -> float:
        """Between 0 and 1."""
        hits, asked = self._counts.get(drafter, (0.0, 0.0))
        return 1.0 if drafter == OURS else (hits + _HITS) / (asked + _ASKED)

    def learn(self, drafts: Mapping[str, Sequence[Checked]], answered: str) -> None:
        """A question was answered by the statement of this key."""
        for drafter, found in drafts.items():
            if found and drafter != OURS:
                hits, asked = self._counts.get(drafter, (0.0, 0.0))
                # What was long ago counts less and less.
                kept = min(1.0, _LAST / (asked + 1))
                self._counts[drafter] = kept * hits + (found[0].key == answered), kept * asked + 1
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
        os.replace(part.name, path)
    except OSError:
        # A cache that cannot be written is learned anew.
        return
