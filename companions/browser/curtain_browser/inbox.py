"""What comes from the page, in its order and once, dated by the clock of this machine. No Qt, no sockets, no files."""

from curtain.link.heartbeat import ClockTie, Tie
from curtain_browser.wire import ClockReading
from subject_app.talk.hold import Stamp

NS_PER_MS, NS_PER_US = 1_000_000, 1000
SLEW_NS = 500_000
"""How far one event may move the line between the clocks: a jump of it would be a gap in the sound."""
AHEAD_NS = 1_000_000_000


class OutOfOrder(Exception):
    """The page left out a number: it has to begin again behind what is safe."""


class PageOrder:
    """Numbers: each is taken once, without a hole. A start of this process knows none, so the page's first one counts.

    What is applied becomes safe in any order, and is acknowledged up to the first that is not.
    """

    def __init__(self) -> None:
        self.applied = 0
        self.acked = 0
        self._open: dict[int, bool] = {}  # in their order, and whether each is safe

    def takes(self, n: int) -> bool:
        """Whether it is new. Raises OutOfOrder."""
        if not self.applied:
            self.acked = n - 1
        elif n > self.applied + 1:
            raise OutOfOrder
        if n <= self.applied:
            return False
        self.applied = n
        self._open[n] = False
        return True

    def safe(self, n: int) -> None:
        """What came of this event is on the disk."""
        if n in self._open:
            self._open[n] = True
        while self._open and self._open[first := next(iter(self._open))]:
            del self._open[first]
            self.acked = first


class LifeClock:
    """The clock of one life of the page against ours. It moves in small steps, so that sound and keys keep their place
    towards each other. A question is known by its time: microseconds of our clock."""

    def __init__(self) -> None:
        self._ties = ClockTie()
        self.tie: Tie | None = None
        """None before there was an exchange."""
        self._offset_ns = 0.0

    def asked(self, ask: int) -> None:
        """This question goes out."""
        self._ties.asked(ask * NS_PER_US)

    def answered(self, answer: ClockReading, now_ns: int) -> None:
        """The answer to a question; one that nobody asked says nothing."""
        tie = self._ties.answered(answer.ask * NS_PER_US, round(answer.ms * NS_PER_MS), now_ns)
        if tie is not None:
            self._offset_ns = self._offset_ns if self.tie else tie.offset_ns
            self.tie = tie

    def stamp(self, ms: float, now_ns: int) -> Stamp:
        """A time of the page on our clock, never of the future."""
        assert self.tie is not None
        self._offset_ns += max(-SLEW_NS, min(SLEW_NS, self.tie.offset_ns - self._offset_ns))
        at = min(round(ms * NS_PER_MS + self._offset_ns), now_ns + AHEAD_NS)
        return Stamp(at, at / 1e9, self.tie.rtt_ns // 2)
