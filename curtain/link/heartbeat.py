"""Whether the other side lives, and how its clock stands to ours. Times are monotonic nanoseconds."""

from collections import deque
from dataclasses import dataclass

SECOND = 1_000_000_000


@dataclass(frozen=True)
class Timings:
    """Seconds. Tests make them small."""

    ping: float = 2.0
    dead: float = 6.0
    hello: float = 2.0
    tick: float = 0.25
    redial: float = 0.2
    redial_most: float = 1.0


@dataclass(frozen=True)
class Tie:
    """`offset_ns` is our clock minus theirs; the error is at most half of `rtt_ns`."""

    offset_ns: int
    rtt_ns: int


class Pulse:
    """Counts the other side's silence, and says when to ping."""

    def __init__(self, timings: Timings, now: int) -> None:
        self._ping_ns = int(timings.ping * SECOND)
        self._dead_ns = int(timings.dead * SECOND)
        self._heard_at = now
        self._looked_at = now
        self._pinged_at: int | None = None

    def heard(self, now: int) -> None:
        """Something came from the other side; whatever it was, it lives."""
        self._heard_at = now

    def silent_too_long(self, now: int) -> bool:
        """Whether the other side is to be given up. Call it at every tick: it measures our own pauses too."""
        # Our own tick is overdue by more than a ping.
        if now - self._looked_at > self._ping_ns:
            # We slept ourselves (a closed lid, a stopped process): what they said may be waiting to be read.
            self._heard_at = now
        self._looked_at = now
        return now - self._heard_at >= self._dead_ns

    def ping_due(self, now: int) -> bool:
        """Whether to ping now; True at most once in `Timings.ping` seconds."""
        if self._pinged_at is not None and now - self._pinged_at < self._ping_ns:
            return False
        self._pinged_at = now
        return True


class ClockTie:
    """Keeps the exchange with the smallest round trip among the last few.

    Only the last few: clocks drift (200 ppm are 4 ms in 20 s), so an old tie is worse than it was.
    """

    def __init__(self, window: int = 10) -> None:
        self._asked: deque[int] = deque(maxlen=4)
        self._recent: deque[Tie] = deque(maxlen=window)
        self._announced: Tie | None = None

    def asked(self, sent_ns: int) -> None:
        """A ping with this stamp has gone out."""
        self._asked.append(sent_ns)

    # Cristian's method: the exchange with the smallest round trip bounds the error best.
    def answered(self, sent_ns: int, answered_ns: int, now: int) -> Tie | None:
        """The best tie if it is news; None also for a pong that nobody asked for."""
        if sent_ns not in self._asked:
            return None
        self._asked.remove(sent_ns)
        rtt = now - sent_ns
        # Half of the round trip each way is the guess; the error is at most that half.
        self._recent.append(Tie(offset_ns=sent_ns + rtt // 2 - answered_ns, rtt_ns=rtt))
        best = min(self._recent, key=lambda tie: tie.rtt_ns)
        news, self._announced = best is not self._announced, best
        return best if news else None
