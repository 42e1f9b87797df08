"""How much the subject's station may bring onto this disk: no more than people can say in the time."""

from collections.abc import Callable
from dataclasses import dataclass

from curtain.session.events.subject_events import LONGEST_HOLD_S, Take
from curtain.session.study import ids

Announced = Take

# Beside the hold itself: what is heard before and after it, and a device that counts its samples wrongly.
_MARGIN_S = 10.0
_FASTEST_RATE = 192_000
_MOST_CHANNELS = 2
_MEBIBYTE = 1024 * 1024
# A session of 900 turns has a record of about 3 MiB, which comes at once where the copy was lost.
LINES_AT_ONCE, LINES_A_SECOND = 8 * _MEBIBYTE, 16 * 1024
# Half an hour of speech of 16 kHz at once, then eight times as fast as anybody speaks.
AUDIO_AT_ONCE, AUDIO_A_SECOND = 56 * _MEBIBYTE, 256 * 1024


@dataclass
class Allowance:
    """Bytes that may come: `at_once` after a pause, `a_second` on and on. `now` is monotonic nanoseconds."""

    at_once: int
    a_second: int
    now: Callable[[], int]
    _used: float = 0.0
    _at: int | None = None

    def take(self, size: int) -> bool:
        """Whether this many more may come now. What is larger than the whole allowance may come when it is full."""
        self._recover()
        if self._used and self._used + size > self.at_once:
            return False
        self._used += size
        return True

    def wait_s(self, size: int) -> float:
        """Seconds until `take` gives its consent."""
        self._recover()
        return max(0.0, self._used - max(0, self.at_once - size)) / self.a_second

    def _recover(self) -> None:
        now = self.now()
        if self._at is not None:
            self._used = max(0.0, self._used - (now - self._at) / 1e9 * self.a_second)
        self._at = now


def refusal_of(session_id: str, turn: int, take: Announced) -> str:
    """Why a recording that was announced is not fetched, in a sentence; "" for one that may come."""
    if take.utterance_id != ids.utterance_id(session_id, turn):
        return f"The recording of turn {turn} is announced under a name that is not its own. It is not fetched."
    if take.frames < 0 or not 0 < take.sample_rate <= _FASTEST_RATE:
        return f"The recording of turn {turn} is announced with a length that cannot be. It is not fetched."
    seconds = take.frames / take.sample_rate
    if seconds > LONGEST_HOLD_S + _MARGIN_S:
        return (
            f"The recording of turn {turn} is announced with {seconds:,.0f} seconds; "
            f"at most {LONGEST_HOLD_S:.0f} can be spoken. It is not fetched."
        )
    return ""


def most_bytes(take: Announced) -> int:
    """The longest file that a take of so many frames can be."""
    from curtain.audio.wav import HEADER_BYTES, SAMPLE_BYTES  # brings numpy, which nobody needs at the start

    return HEADER_BYTES + take.frames * SAMPLE_BYTES * _MOST_CHANNELS
