"""Sound that is played while it comes: a short buffer against jitter, and an account of what was missed."""

import threading
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curtain.audio.wav import to_int16

if TYPE_CHECKING:
    import soxr

# A busy window and the link hold blocks back for tens of milliseconds. The pre-roll of a take fills it at once.
AHEAD_S = 0.15
MOST_S = 3.0
# Below this nobody speaks (0.5 % of full scale, -46 dBFS), if it stays so for 20 ms: speech crosses zero more often.
QUIET = 164
QUIET_S = 0.02


class LiveVoice:
    """Blocks of one take in, at `rate` Hz; hops of an output out. Both from any thread.

    `whole`: no speech was left out so far. Sound that waits longer than 3 s is left out, so that the rest stays live.
    Silence beyond what the buffer needs is left out too: the pre-roll would else delay the whole take by its length.
    """

    def __init__(self, rate: int) -> None:
        self.whole = True
        self.over = False
        """No more will be heard of it."""
        self._rate = self._output_rate = rate
        self._resampler: soxr.ResampleStream | None = None
        self._lock = threading.Lock()
        self._waiting = np.zeros(0, np.int16)
        self._frame = 0
        self._ended = False
        self._flows = False

    def prepare(self, output_rate: int) -> None:
        """Before the first hop: the rate of the output in Hz. May load a library."""
        with self._lock:
            self._output_rate = output_rate
            if output_rate == self._rate:
                return
            import soxr

            # A stream, since block by block each seam would click.
            self._resampler = soxr.ResampleStream(self._rate, output_rate, 1, dtype="float32", quality="MQ")
            early, self._waiting = self._waiting, np.zeros(0, np.int16)
            self._keep(early)

    def feed(self, frame: int, samples: NDArray[np.int16]) -> None:
        """More of the take, shape (frames,), from this frame on."""
        with self._lock:
            if frame != self._frame:
                self.whole = False
            self._frame = frame + len(samples)
            if not self._ended:
                self._keep(samples)

    def end(self) -> None:
        """All has come; what waits is still played."""
        with self._lock:
            if not self._ended:
                self._keep(np.zeros(0, np.int16), last=True)
            self._ended = True

    def give_up(self) -> None:
        """It is not heard any further."""
        with self._lock:
            if not self.over:
                self.whole, self.over, self._ended = False, True, True
                self._waiting = self._waiting[:0]

    def next_hop(self, frames: int) -> NDArray[np.int16]:
        """The next so many frames for the output; silence while the buffer fills."""
        with self._lock:
            if not self._has(frames):
                return np.zeros(frames, np.int16)
            self._skip_silence()
            hop, self._waiting = self._waiting[:frames], self._waiting[frames:]
            self.over = self.over or (self._ended and not len(self._waiting))
            return np.pad(hop, (0, frames - len(hop)))

    def _has(self, frames: int) -> bool:
        """After the buffer ran empty it fills again first: one longer pause is easier to follow than many short."""
        wanted = frames if self._flows else max(frames, round(AHEAD_S * self._output_rate))
        self._flows = self._ended or len(self._waiting) >= wanted
        return self._flows

    def _skip_silence(self) -> None:
        """What waits beyond the buffer, as far as it begins with silence; at the end of a take nothing need wait."""
        ahead = 0 if self._ended else round(AHEAD_S * self._output_rate)
        spare = max(0, len(self._waiting) - ahead)
        loud = np.flatnonzero(np.abs(self._waiting[:spare].astype(np.int32)) >= QUIET)
        silent = int(loud[0]) if len(loud) else spare
        if silent >= round(QUIET_S * self._output_rate):
            self._waiting = self._waiting[silent:]

    def _keep(self, samples: NDArray[np.int16], last: bool = False) -> None:
        if self._resampler is not None:
            samples = to_int16(self._resampler.resample_chunk(samples.astype(np.float32), last=last))
        waiting = np.concatenate([self._waiting, samples])
        most = round(MOST_S * self._output_rate)
        if len(waiting) > most:
            self.whole = False
        self._waiting = waiting[-most:]
