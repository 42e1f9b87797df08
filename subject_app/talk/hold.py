"""One hold of the talk key out of raw presses and releases, each stamped before anything else is done."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from curtain.session.events.subject_events import LONGEST_HOLD_S, EndedBy

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


class Keyed(NamedTuple):
    """A hold begins `by` key or button, or ended, and `why`."""

    at: Stamp
    by: Literal["key", "button"] = "key"
    why: EndedBy | None = None


class RawKeys:
    """Raw presses and releases from another program, through the filter of the talk key. Time goes on with what comes:
    a program that catches up gets the holds that it had."""

    def __init__(self) -> None:
        self._hold = Hold()
        self._pressed: Stamp | None = None

    @property
    def held(self) -> bool:
        """Whether a hold runs that has not been reported as ended."""
        return self._pressed is not None

    def down(self, at: Stamp, by: Literal["key", "button"], allowed: bool) -> list[Keyed]:
        """The key went down; where it is not `allowed`, no hold begins."""
        keyed = self.until(at)
        if self._hold.press(at) and allowed:
            self._pressed = at
            keyed.append(Keyed(at, by))
        return keyed

    def up(self, at: Stamp, why: EndedBy) -> list[Keyed]:
        """The key came up, or the program says that its release will not be seen."""
        keyed = self.until(at)
        if why == "key":
            self._hold.release(at)
            return keyed
        by_key = self._hold.ending
        ended = self._hold.drop(at)
        return keyed + (self._end(ended, "key" if by_key else why) if ended else [])

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
        return [Keyed(at, why=why)] if pressed is not None else []
