"""How long a turn is worked on: pauses count up to a minute, since nobody looks at one turn for an hour."""

from collections.abc import Callable
from statistics import median

LONGEST_PAUSE_S = 60.0


class TurnTimer:
    """Seconds from the opening of a turn to its saving. `now` is a monotonic clock in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._last = now()
        self._worked = 0.0
        self._saved: list[float] = []

    def begin(self) -> None:
        """Another turn is open."""
        self._last, self._worked = self._now(), 0.0

    def touch(self) -> None:
        """Something was done."""
        now = self._now()
        self._worked += min(now - self._last, LONGEST_PAUSE_S)
        self._last = now

    def save(self) -> float:
        """The turn is saved: its seconds, to a tenth."""
        self.touch()
        seconds = round(self._worked, 1)
        self._saved.append(seconds)
        return seconds

    @property
    def seconds_a_turn(self) -> float | None:
        """The median of the turns that were saved so far; None before the first."""
        return median(self._saved) if self._saved else None
