"""One request while its drafts come in: when its Future is resolved, what comes after that, and one list of all."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, chain
from pathlib import Path

import msgspec

from curtain.base.disk import replace_file
from curtain_drafts.drafting.values import Draft, Request

from .checks import NOTHING
from .settings import OURS, DraftSettings

Drafts = tuple[Draft, ...]
# How likely is what a drafter of this name is so sure of, and whether anybody has measured that.
Trusted = Callable[[str, float], float]
Measured = Callable[[str], bool]

# How many wrong answers are as likely as each other, as far as nobody names one: fewer, and agreement says less.
_RIVALS = 5
_SUREST, _LEAST_DOUBT = 0.99, 0.01
# Of what a drafter that nobody measured says alone, and of what answers nothing; below “likely”.
_UNMEASURED, _WITHOUT_ROWS = 0.5, 0.59


class Round:
    """The drafts of one request, until it is `over` since a newer one has come. Resolved when all drafters have
    answered, or one has a draft and patience is at its end: one that is dead has none, too, and at once. `on_more` gets
    what comes later. Used from any thread. `run_s` is what is left of the time that its drafts may run; `drafted` what
    each drafter has found, None before it answers."""

    def __init__(
        self, drafters: Sequence[str], request: Request, on_more: Callable[[Drafts], None] | None, trust: Trust,
        settings: DraftSettings,
    ) -> None:  # fmt: skip
        self.future: Future[Drafts] = Future()
        self.request, self.run_s = request, settings.run_s
        self.over = False
        self.drafted: dict[str, Sequence[Draft] | None] = dict.fromkeys(drafters)
        self._on_more, self._trust = on_more, trust
        self._shown: Drafts | None = None
        self._impatient = False
        # Held while a list is announced, so that an older one never comes after a newer one.
        self._changing = threading.RLock()
        self._timer = threading.Timer(settings.patience_s, self._show_news, (True,))
        self._timer.daemon = True
        if len(drafters) > 1:
            self._timer.start()

    def put(self, drafter: str, drafts: Sequence[Draft]) -> None:
        """What one drafter has found, maybe nothing."""
        with self._changing:
            self.drafted = {**self.drafted, drafter: drafts}
            self._show_news()

    def cancel(self) -> None:
        """A newer request has come."""
        self.over = True
        self._timer.cancel()
        self.future.cancel()

    def _show_news(self, impatient: bool = False) -> None:
        """Announces the drafts to be shown now, if they are others than before; `impatient` when patience ends."""
        with self._changing:
            self._impatient |= impatient
            answered = [found for found in self.drafted.values() if found is not None]
            if self.over or (len(answered) < len(self.drafted) and not (self._impatient and any(answered))):
                return
            before, trust = self._shown, self._trust
            drafts = merge(answered, self.request.n, before or (), trust.of, trust.measured)
            if drafts == before:
                return
            self._shown = drafts
            if before is not None and self._on_more:
                self._on_more(drafts)
            elif before is None and self.future.set_running_or_notify_cancel():
                self.future.set_result(drafts)


def merge(
    found: Sequence[Sequence[Draft]], n: int, shown: Sequence[Draft] = (),
    trust: Trusted = lambda drafter, sure: sure, measured: Measured = lambda drafter: True,
) -> Drafts:  # fmt: skip
    """The best `n` answers of what each drafter found, by likeliness alone: what comes late stands where it would have
    stood. Of drafts with one answer the surest is shown, or the one that was `shown` before.

    Of one drafter at most one answer is right, so the confidences of its drafts with one answer add up. What several
    drafters say is put together by Bayes' rule, as evidence of witnesses who err independently (Genest and Zidek 1986,
    section 4: the independent opinion pool): an answer is as likely as the product of what each gives it. Who does not
    name it gives it one of `_RIVALS` shares of its doubt. The chances of all answers then sum to 1 with those that
    nobody named, and stay calibrated if those of each drafter are, which is what `Trust` is for. One drafter alone
    keeps its own. Who is not `measured` counts as half sure at most, and makes nothing surer or less sure."""
    # One statement has one answer, also where only one of its drafters had the time to let it run.
    keys = {one.sql: one.key for one in sorted((*shown, *chain(*found)), key=lambda one: one.answer != "")}
    each = [[replace(one, key=keys[one.sql]) for one in drafts] for drafts in found if drafts]
    given = [
        {key: min(limit, trust(own[0].drafter, sure)) for key, sure in chances(own).items()}
        for own, limit in ((own, 1.0 if measured(own[0].drafter) else _UNMEASURED) for own in each)
    ]
    pooled = _pooled(given)
    known = _pooled([mine for mine, own in zip(given, each, strict=True) if measured(own[0].drafter)])
    every = list(chain.from_iterable(each))
    surest = sorted(every, key=lambda one: -trust(one.drafter, one.confidence))
    best = {keys[one.sql]: one for one in (*reversed(surest), *shown)}
    chosen = sorted(dict.fromkeys(one.key for one in every), key=lambda key: -pooled[key])[:n]
    sure = accumulate((known.get(key, min(pooled[key], _UNMEASURED)) for key in chosen), min)
    return tuple(replace(best[key], confidence=round(one, 3)) for key, one in zip(chosen, sure, strict=True))


def chances(drafts: Sequence[Draft]) -> dict[str, float]:
    """How sure of each answer one drafter says to be, surest first. Its own order is kept: a draft counts no more
    than the one before it; but one that answers nothing is not likely."""
    added: dict[str, float] = {}
    falling = accumulate((one.confidence for one in drafts), min)
    for said, one in zip(falling, drafts, strict=True):
        chance = min(said, _WITHOUT_ROWS) if one.answer == NOTHING else said
        added[one.key] = min(max(_SUREST, chance), added.get(one.key, 0.0) + chance)
    return dict(sorted(added.items(), key=lambda pair: -pair[1]))


def _pooled(given: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    if len(given) == 1:
        return given[0]
    # A drafter doubts what its first answer leaves. Each confidence is calibrated by itself: with the others taken off
    # too, a long list would rule out what it does not name.
    pairs = [(mine, max(1 - max(mine.values()), _LEAST_DOUBT) / _RIVALS) for mine in given]
    keys = dict.fromkeys(key for mine in given for key in mine)
    products = {key: math.prod(mine.get(key, doubt) for mine, doubt in pairs) for key in keys}
    whole = sum(products.values()) + _RIVALS * math.prod(doubt for _, doubt in pairs)
    return {key: product / whole for key, product in products.items()}


_Learned = dict[str, tuple[float, float, float, float]]
# Slope and shift of the log-odds, and how much is known of each: about as much as four answers and one say.
_START = (1.0, 0.0, 4.0, 1.0)
# More is never known, so that what was long ago counts less and less.
_MOST = 25.0
_ENOUGH = 1.5


class Trust:
    """How likely a drafter's first answer is what is then answered, by how sure it is: the log-odds of its confidences
    times a slope and with a shift (Platt 1999), each moved by every answer, less the more is known. Ours too: it may be
    less sure than it is right, and a model that is right less often would lead. Kept in a file of the user's cache,
    under the `identities` of drafters: another model is another drafter."""

    def __init__(self, path: Path, identities: Mapping[str, str] | None = None) -> None:
        self._path, self._identities = path, identities or {}
        self._learned: _Learned = {}
        with suppress(OSError, msgspec.MsgspecError):
            self._learned = msgspec.json.decode(path.read_bytes(), type=_Learned)

    def of(self, drafter: str, sure: float) -> float:
        """How likely is what a drafter is so `sure` of; as sure as it says if nothing is known of it. Nobody becomes
        quite sure by being trusted."""
        name = self._named(drafter)
        slope, shift, *_ = self._learned.get(name, _START)
        return min(1 - _LEAST_DOUBT, _chance(slope * _log_odds(sure) + shift)) if name in self._learned else sure

    def measured(self, drafter: str) -> bool:
        """Whether its answers have shown what its word is worth: some twenty right ones, or fewer if some are wrong."""
        return drafter == OURS or self._learned.get(self._named(drafter), _START)[3] >= _ENOUGH

    def _named(self, drafter: str) -> str:
        return self._identities.get(drafter, drafter)

    def learn(self, drafts: Mapping[str, Sequence[Draft] | None], answered: Draft) -> None:
        """A question was answered by this statement: an answer counts, however its SQL is spelt."""
        for drafter, found in drafts.items():
            if found:
                key, sure = next(iter(chances(found).items()))
                first = next(one for one in found if one.key == key)
                right = key == answered.key or (first.answer != "" and first.answer == answered.answer)
                slope, shift, known, known_shift = self._learned.get(self._named(drafter), _START)
                said = _log_odds(sure)
                chance = _chance(slope * said + shift)
                doubt = chance * (1 - chance)
                known, known_shift = min(_MOST, known + doubt * said**2), min(_MOST, known_shift + doubt)
                slope = max(0.0, slope + (right - chance) * said / known)
                shift += (right - chance) / known_shift
                self._learned[self._named(drafter)] = slope, shift, known, known_shift
        # A cache that cannot be written is learned anew.
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, msgspec.json.encode(self._learned))


def _log_odds(sure: float) -> float:
    kept = min(max(sure, _LEAST_DOUBT), 1 - _LEAST_DOUBT)
    return math.log(kept / (1 - kept))


def _chance(log_odds: float) -> float:
    return (1 + math.tanh(log_odds / 2)) / 2
