"""Speech slower or faster with its pitch kept.

WSOLA: windows are overlapped and added where they resemble the natural continuation of what was just played
(Verhelst and Roelands, "An overlap-add technique based on waveform similarity (WSOLA)", ICASSP 1993).
"""

import numpy as np
from numpy.typing import NDArray

Wave = NDArray[np.float32]

HOPS_PER_S = 50
SLOWEST, FASTEST = 0.5, 2.0


class Stretcher:
    """Gives one hop (20 ms) after the other; speed and place may change between any two without a click.

    At speed 1 the samples come out unchanged.
    """

    def __init__(self, samples: NDArray[np.int16], rate: int, start_frame: int = 0) -> None:
        self.hop = rate // HOPS_PER_S
        self._reach = self.hop // 2
        self._length = len(samples)
        self._position = float(self._kept_within(start_frame))
        # Silence on both sides, so that windows and the search never leave the array.
        self._before, after = self._reach + self.hop, 4 * self.hop
        self._sound = np.pad(samples.astype(np.float32), (self._before, after))
        # Rising and falling Hann halves add up to one: at speed 1 the sound is unchanged.
        turn = np.arange(2 * self.hop, dtype=np.float32) * (np.pi / self.hop)
        window = 0.5 - 0.5 * np.cos(turn)
        self._rising, self._falling = window[: self.hop], window[self.hop :]
        self._natural = round(self._position)
        self._tail = self._falling * self._stretch_of_sound(self._natural)

    @property
    def frame(self) -> int:
        """The frame of the samples that comes next."""
        return self._kept_within(round(self._position))

    @property
    def ended(self) -> bool:
        """Whether the place is at or past the last sample. The hops after that fade into silence."""
        return self._position >= self._length

    def move_to(self, frame: int) -> None:
        """Go on from there."""
        self._position = float(self._kept_within(frame))

    def next_hop(self, speed: float) -> Wave:
        """The next `hop` samples at this speed (0.5 to 2)."""
        start = self._best_start(round(self._position))
        hop: Wave = self._tail + self._rising * self._stretch_of_sound(start)
        # The other half of this window, to be overlapped with the next one.
        self._tail = self._falling * self._stretch_of_sound(start + self.hop)
        self._natural = start + self.hop
        self._position += speed * self.hop
        return hop

    def _best_start(self, wanted: int) -> int:
        """Near `wanted`, where the sound is most like the natural continuation."""
        # At speed 1 the natural continuation is the wanted place: no search.
        if wanted == self._natural:
            return wanted
        natural = self._stretch_of_sound(self._natural)
        around = self._stretch_of_sound(wanted - self._reach, self.hop + 2 * self._reach)
        likeness = np.correlate(around, natural, "valid")
        energy = np.correlate(np.square(around), np.ones(self.hop, np.float32), "valid")
        # Normalised, or the loudest place near by would win; plus one, since silence has no energy.
        return wanted - self._reach + int(np.argmax(likeness / np.sqrt(energy + 1.0)))

    def _stretch_of_sound(self, start: int, frames: int | None = None) -> Wave:
        first = self._before + start
        stretch = self._sound[first : first + (frames or self.hop)]
        missing = (frames or self.hop) - len(stretch)
        return np.pad(stretch, (0, missing)) if missing else stretch

    def _kept_within(self, frame: int) -> int:
        return max(0, min(self._length, frame))
