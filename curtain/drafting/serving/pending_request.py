"""One request while its drafts come in: when its Future is resolved, what comes after that, and one list of all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import accumulate

from ..values import Draft
from .checks import Checked

Drafts = tuple[Draft, ...]


class Round:
    """The drafts of one request, until it is `over` since a newer one has come. Resolved when all drafters have
    answered, or one has and patience is at its end; `on_more` gets what comes later. Used from any thread."""

    def __init__(
        self,
        drafters: Sequence[str],
        n: int,
        on_more: Callable[[Drafts], None] | None,
        trust: Callable[[str], float] = lambda drafter: 1.0,
    ) -> None:
        self.future: Future[Drafts] = Future()
        self._awaited = set(drafters)
        self._n = n
        self._on_more = on_more
        self._trust = trust
        self._found: dict[str, Sequence[Checked]] = dict.fromkeys(drafters, ())
        self._shown: tuple[Checked, ...] | None = None
        self._impatient = False
        self.over = False
        self._lock = threading.Lock()
        # So that an older list is never announced after a newer one.
        self._announcing = threading.RLock()
        self._timer: threading.Timer | None = None

    @property
    def drafted(self) -> dict[str, Sequence[Checked]]:
        """What each drafter has found so far."""
        with self._lock:
            return dict(self._found)

    def put(self, drafter: str, drafts: Sequence[Checked]) -> None:
        """What one drafter has found, maybe nothing."""
        with self._lock:
            self._awaited.discard(drafter)
            self._found[drafter] = drafts
        self._show_news()

    def wait_for_slower(self, seconds: float) -> None:
        """Begin to be patient, if there are slower drafters to wait for; with none at all there is nothing to wait
        for."""
        if len(self._found) > 1:
            self._timer = threading.Timer(seconds, self._run_out)
            self._timer.daemon = True
            self._timer.start()
        elif not self._found:
            self._show_news()

    def cancel(self) -> None:
        with self._lock:
            self.over = True
        if self._timer:
            self._timer.cancel()
        self.future.cancel()

    def _run_out(self) -> None:
        with self._lock:
            self._impatient = True
        self._show_news()

    def _show_news(self) -> None:
        with self._announcing:
            with self._lock:
                drafts, first = self._news(), self._shown is None
                self._shown = self._shown if drafts is None else drafts
            if drafts is not None:
                self._announce(tuple(one.draft for one in drafts), first)

    def _announce(self, plain: Drafts, first: bool) -> None:
        if not self._awaited and self._timer:
            self._timer.cancel()
        if not first and self._on_more:
            self._on_more(plain)
        elif first and self.future.set_running_or_notify_cancel():
            self.future.set_result(plain)

    def _news(self) -> tuple[Checked, ...] | None:
        """The drafts to be shown now, if they are others than before."""
        one_has_answered = len(self._awaited) < len(self._found)
        if self.over or (self._awaited and not (self._impatient and one_has_answered)):
            return None
        drafts = merge(self._found.values(), self._n, self._shown or (), self._trust)
        return drafts if drafts != self._shown else None


def merge(
    found: Iterable[Sequence[Checked]],
    n: int,
    shown: Sequence[Checked] = (),
    trust: Callable[[str], float] = lambda drafter: 1.0,
) -> tuple[Checked, ...]:
    """The best `n` of what each drafter found. A draft is as likely as its drafter says, times the trust in that one;
    what several drafters say is likelier than what one says alone. Each drafter's own order is kept: a draft counts no
    more than the one before it. What was `shown` and is still among them keeps its order; what is new stands where it
    belongs by its likeliness, however late it came."""
    doubts: dict[str, float] = {}
    best: dict[str, tuple[float, Checked]] = {}
    for drafts in found:
        once = set()
        falling = accumulate((one.draft.confidence for one in drafts), min)
        for confidence, one in zip(falling, drafts, strict=True):
            chance = confidence * trust(one.draft.drafter)
            if one.key not in once:
                once.add(one.key)
                doubts[one.key] = doubts.get(one.key, 1.0) * (1 - chance)
            if one.key not in best or best[one.key][0] < chance:
                best[one.key] = chance, one
    ranked = sorted(best, key=lambda key: doubts[key])
    sure = {key: replace(best[key][1].draft, confidence=round(1 - doubts[key], 4)) for key in ranked}
    chosen = {key: Checked(sure[key], key) for key in ranked[:n]}
    order = [chosen.pop(one.key) for one in shown if one.key in chosen]
    for one in chosen.values():
        behind = (at for at, other in enumerate(order) if doubts[other.key] > doubts[one.key])
        order.insert(next(behind, len(order)), one)
    return tuple(order)
