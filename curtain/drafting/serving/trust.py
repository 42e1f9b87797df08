"""How far drafters can be trusted in a domain, learned from what was answered to their questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from curtain.base.disk import replace_file

from .checks import Checked
from .pending_request import chances

_Learned = dict[str, tuple[float, float, float, float]]
# Slope and shift of the log-odds, and how much is known of each: about as much as four answers and one say.
_START = (1.0, 0.0, 4.0, 1.0)
# More is never known, so that what was long ago counts less and less.
_MOST = 25.0
_LEAST_DOUBT = 0.01


class Trust:
    """How likely a drafter's first answer is what is then answered, by how sure it is: the log-odds of its confidences
    times a slope and with a shift (Platt 1999), each moved by every answer, less the more is known. Ours too: it may be
    less sure than it is right, and a model that is right less often would lead. Kept in a file of the user's cache."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._learned: _Learned = {}
        with suppress(OSError, msgspec.MsgspecError):
            if path:
                self._learned = msgspec.json.decode(path.read_bytes(), type=_Learned)

    def of(self, drafter: str, sure: float) -> float:
        """How likely is what a drafter is so `sure` of; as sure as it says if nothing is known of it. Nobody becomes
        quite sure by being trusted."""
        slope, shift, *_ = self._learned.get(drafter, _START)
        return min(1 - _LEAST_DOUBT, _chance(slope * _log_odds(sure) + shift)) if drafter in self._learned else sure

    def learn(self, drafts: Mapping[str, Sequence[Checked]], answered: Checked) -> None:
        """A question was answered by this statement: an answer counts, however its SQL is spelt."""
        for drafter, found in drafts.items():
            if found:
                key, sure = next(iter(chances(found).items()))
                first = next(one for one in found if one.key == key)
                right = key == answered.key or (first.answer != "" and first.answer == answered.answer)
                slope, shift, known, known_shift = self._learned.get(drafter, _START)
                said = _log_odds(sure)
                chance = _chance(slope * said + shift)
                doubt = chance * (1 - chance)
                known, known_shift = min(_MOST, known + doubt * said**2), min(_MOST, known_shift + doubt)
                slope = max(0.0, slope + (right - chance) * said / known)
                shift += (right - chance) / known_shift
                self._learned[drafter] = slope, shift, known, known_shift
        # A cache that cannot be written is learned anew.
        with suppress(OSError):
            if self._path:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(self._path, msgspec.json.encode(self._learned))


def _log_odds(sure: float) -> float:
    kept = min(max(sure, _LEAST_DOUBT), 1 - _LEAST_DOUBT)
    return math.log(kept / (1 - kept))


def _chance(log_odds: float) -> float:
    return (1 + math.tanh(log_odds / 2)) / 2
