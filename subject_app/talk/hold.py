"""One hold of the talk key out of raw presses and releases, each stamped before anything else is done."""

from __future__ import annotations

from dataclasses import dataclass

REPEAT_MS = 50


@dataclass(frozen=True)
class Stamp:
    """One moment on two clocks: monotonic nanoseconds, and seconds of the recorder's stream. `error_ns`: how far off it
    may be where another clock stamped it; None for a key of this computer."""

    ns: int
    stream: float
    error_ns: int | None = None


class Hold:
    """Auto-repeat arrives as false releases, each followed by a press within 50 ms: they are one hold.

    The end of a hold is known only after that time, but it is dated by its own stamp. A false pair without a hold comes
    from a key that is still down since its hold was dropped, or went down in another window: it begins none.
    """

    def __init__(self, repeat_ns: int = REPEAT_MS * 1_000_000) -> None:
        self._repeat_ns = repeat_ns
        self._down = False
        self._let_go: Stamp | None = None
        self._stray: Stamp | None = None

    @property
    def held(self) -> bool:
        """Whether the key is down, as far as is certain."""
        return self._down

    @property
    def ending(self) -> bool:
        """A release came, and it is not certain yet whether it is a true one."""
        return self._let_go is not None

    def press(self, stamp: Stamp) -> bool:
        """Whether a hold begins here. Call `settle` first."""
        stray, self._stray = self._stray, None
        if stray is not None and stamp.ns - stray.ns < self._repeat_ns:
            return False
        self._let_go = None
        began, self._down = not self._down, True
        return began

    def release(self, stamp: Stamp) -> None:
        """A release came; `settle` decides later whether it is a true one."""
        if self._down:
            self._let_go = stamp
        else:
            self._stray = stamp

    def settle(self, now_ns: int) -> Stamp | None:
        """When the hold ended, once that is certain."""
        ended = self._let_go
        if ended is None or now_ns - ended.ns < self._repeat_ns:
            return None
        self._let_go, self._down = None, False
        return ended

    def drop(self, now: Stamp) -> Stamp | None:
        """End the hold where its release will not be seen; when it ended, or None if there is none."""
        ended = (self._let_go or now) if self._down else None
        self._let_go, self._down = None, False
        return ended
