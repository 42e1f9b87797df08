"""A microphone for tests: what it hears, and when, is decided by the test."""

import numpy as np
from numpy.typing import NDArray

from curtain.audio.sources import PREFERRED_RATE, Block, LocalSource, OnBlock, OnLost


class HandTurnedSource(LocalSource):
    """A microphone whose clock is turned by hand: no thread, every run the same. It can lose what it hears.

    `play` delivers samples and moves the clock on by their length; `lose` moves the clock on without delivering.
    """

    def __init__(self, rate: int = PREFERRED_RATE, channels: int = 1) -> None:
        self.name = "by hand"
        self.sample_rate = rate
        self.channels = channels
        # Not 0: a test must not pass because a time was forgotten.
        self._now = 1000.0
        # Blocks keep the dates of their capture, and come so many seconds later.
        self.now_later = 0.0
        self._origin = self._now
        self._frames = 0
        self._on_block: OnBlock | None = None
        self._on_lost: OnLost | None = None

    def time(self) -> float:
        """The hand-turned clock, in seconds; it starts at 1000."""
        return self._now + self.now_later

    def start(self, on_block: OnBlock, on_lost: OnLost) -> None:
        """Nothing comes by itself: `play` delivers."""
        self._on_block, self._on_lost = on_block, on_lost

    def stop(self) -> None:
        """What is played from now on goes nowhere; the clock goes on."""
        self._on_block = None

    def play(
        self, samples: NDArray[np.int16], block: int = 320, overflowed: bool = False, dated_late: float = 0.0
    ) -> None:
        """Deliver in blocks of `block` frames; the first may be flagged, all may be dated too late."""
        shaped = np.asarray(samples, np.int16).reshape(-1, self.channels)
        for start in range(0, len(shaped), block):
            piece = shaped[start : start + block].copy()
            at = self._now
            self._advance(len(piece))
            if self._on_block is not None:
                self._on_block(Block(at + dated_late, piece, overflowed and start == 0))

    def silence(self, seconds: float, block: int = 320) -> None:
        """Deliver zeros."""
        self.play(np.zeros((round(seconds * self.sample_rate), self.channels), np.int16), block)

    def lose(self, frames: int) -> None:
        """Let these frames pass unheard."""
        self._advance(frames)

    def vanish(self, reason: str = "The microphone was unplugged.") -> None:
        """The device is gone."""
        if self._on_lost is not None:
            self._on_lost(reason)

    def _advance(self, frames: int) -> None:
        # From the sample count, so that no rounding adds up.
        self._frames += frames
        self._now = self._origin + self._frames / self.sample_rate
