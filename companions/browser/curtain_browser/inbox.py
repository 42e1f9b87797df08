"""What comes from the page, in its order and once, dated by the clock of this machine. No Qt, no sockets, no files."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from curtain.session.events.subject_events import LONGEST_HOLD_S, EndedBy
from curtain_browser.wire import Told
from subject_app.talk.hold import Hold, Stamp

NS_PER_MS = 1_000_000
DRIFT = 100e-6
"""How fast two clocks drift apart: a tie is worth less with each second."""
SLEW_NS = 500_000
"""How far one event may move the line between the clocks: a jump of it would be a gap in the sound."""
AHEAD_NS = 1_000_000_000
"""Nothing has happened later than that in the future, whatever the page says."""


class OutOfOrder(Exception):
    """The page left out a number: it has to begin again behind what is safe."""


class Order:
    """Numbers: each is taken once, without a hole. A start of this process knows none, so the page's first one counts.

    What is applied becomes safe in any order, and is acknowledged up to the first that is not.
    """

    def __init__(self) -> None:
        self.applied = 0
        self.acked = 0
        self._open: deque[int] = deque()
        self._safe: set[int] = set()

    def takes(self, n: int) -> bool:
        """Whether it is new. Raises OutOfOrder."""
        if not self.applied:
            self.acked = n - 1
        elif n > self.applied + 1:
            raise OutOfOrder
        if n <= self.applied:
            return False
        self.applied = n
        self._open.append(n)
        return True

    def safe(self, n: int) -> None:
        """What came of this event is on the disk."""
        self._safe.add(n)
        while self._open and self._open[0] in self._safe:
            self.acked = self._open.popleft()
            self._safe.discard(self.acked)


@dataclass
class LifeClock:
    """The clock of one life of the page against ours: of all exchanges the best, by its error and its age. It moves in
    small steps, so that sound and keys keep their place towards each other."""

    _offset_ns: float | None = None
    _target_ns: float = 0.0
    _error_ns: float = 0.0
    _tied_ns: int = 0
    _asked: dict[int, int] = field(default_factory=dict)

    @property
    def tied(self) -> bool:
        """Whether there was an exchange."""
        return self._offset_ns is not None

    def asked(self, ask: int, now_ns: int) -> None:
        """This question goes out."""
        self._asked[ask] = now_ns
        while len(self._asked) > 8:
            del self._asked[next(iter(self._asked))]

    def told(self, told: Told, now_ns: int) -> None:
        """The answer to a question; one that nobody asked says nothing."""
        sent_ns = self._asked.pop(told.ask, None)
        if sent_ns is None:
            return
        error = (now_ns - sent_ns) / 2
        if self._offset_ns is None or error <= self.error_ns(now_ns):
            self._target_ns, self._error_ns, self._tied_ns = sent_ns + error - told.ms * NS_PER_MS, error, now_ns
        if self._offset_ns is None:
            self._offset_ns = self._target_ns

    def error_ns(self, now_ns: int) -> int:
        """How far off a date may be."""
        return round(self._error_ns + DRIFT * abs(now_ns - self._tied_ns))

    def ns(self, ms: float) -> int:
        """A time of the page on our clock."""
        assert self._offset_ns is not None
        self._offset_ns += max(-SLEW_NS, min(SLEW_NS, self._target_ns - self._offset_ns))
        return round(ms * NS_PER_MS + self._offset_ns)

    def stamp(self, ms: float, now_ns: int) -> Stamp:
        """The same as a stamp of a key."""
        at = min(self.ns(ms), now_ns + AHEAD_NS)
        return Stamp(at, at / 1e9, self.error_ns(now_ns))


class StreamClock:
    """When the frames of one stream were captured. A block reaches the page late by turns, never early, so the least
    lag of the last five seconds is right; what the browser gives as its latency lies before that."""

    WINDOW_S = 5.0

    def __init__(self, rate: int, latency_ms: float | None) -> None:
        self._rate = rate
        self._latency_s = (latency_ms or 0.0) / 1000
        self._lags: deque[tuple[float, float]] = deque()

    def captured_at(self, first: int, frames: int, had_at_s: float) -> float:
        """The second at which frame `first` was captured, of a block that the page had at `had_at_s`."""
        end = (first + frames) / self._rate
        lag = had_at_s - end
        # Rising from its head on: whatever is later and not less late than the newest says nothing any more.
        while self._lags and self._lags[-1][1] >= lag:
            self._lags.pop()
        self._lags.append((end, lag))
        while self._lags[0][0] < end - self.WINDOW_S:
            self._lags.popleft()
        return self._lags[0][1] + first / self._rate - self._latency_s


@dataclass(frozen=True)
class Pressed:
    """A hold begins."""

    at: Stamp
    by: str


@dataclass(frozen=True)
class Released:
    """A hold ended, and why."""

    at: Stamp
    why: EndedBy


Keyed = Pressed | Released


class PageKeys:
    """Raw presses and releases of the page through the filter of the talk key. Time goes on with what comes, so that a
    page which catches up gets the holds that it had."""

    def __init__(self) -> None:
        self._hold = Hold()
        self._pressed: Stamp | None = None

    @property
    def held(self) -> bool:
        """Whether a hold runs that has not been reported as ended."""
        return self._pressed is not None

    def down(self, at: Stamp, by: str, allowed: bool) -> list[Keyed]:
        """The key went down; where it is not `allowed`, no hold begins."""
        told = self.until(at)
        if self._hold.press(at) and allowed:
            self._pressed = at
            told.append(Pressed(at, by))
        return told

    def up(self, at: Stamp, why: EndedBy) -> list[Keyed]:
        """The key came up, or the page says that its release will not be seen."""
        told = self.until(at)
        if why == "key":
            self._hold.release(at)
            return told
        by_key = self._hold.ending
        ended = self._hold.drop(at)
        return told + (self._end(ended, "key" if by_key else why) if ended else [])

    def until(self, now: Stamp) -> list[Keyed]:
        """What is certain by this moment."""
        ended = self._hold.settle(now.ns)
        if ended is not None:
            return self._end(ended, "key")
        if self._pressed is not None and now.ns - self._pressed.ns > LONGEST_HOLD_S * 1e9:
            # The hold itself goes on, so that what still comes of the key begins nothing.
            at = self._pressed.ns + round(LONGEST_HOLD_S * 1e9)
            return self._end(Stamp(at, at / 1e9, self._pressed.error_ns), "too_long")
        return []

    def _end(self, at: Stamp, why: EndedBy) -> list[Keyed]:
        pressed, self._pressed = self._pressed, None
        return [Released(at, why)] if pressed is not None else []
