"""One evenly sampled line of sound, made of blocks whose capture times jitter and which may be missing.

Callbacks can come seconds late without any loss, and samples can be lost without any flag. What shows
the two apart is whether the capture times *stay* ahead of the sample count. So a block that comes out of step
is held back until sound and capture clock have gone on for `JUDGED_AFTER_S`: only then it is a gap, and silence
of its length takes its place; if the clock falls into step again it was jitter, and nothing was lost.
"""

import math
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

JUDGED_AFTER_S = 0.25
# 200 ppm: two clocks of ordinary hardware may differ by that much.
DRIFT = 200e-6
FLAGGED_FLOOR_S = 0.001  # a loss the device reported is measured from here on
TRACKING = 0.1  # how much of each small deviation moves the line: follows drift, smooths jitter
# A computer that slept all night does not become hours of silence.
LONGEST_SILENCE_S = 60.0


class Block(NamedTuple):
    """Samples of shape (frames, channels); the stream time of the first; whether the device lost some before."""

    captured_at: float
    samples: NDArray[np.int16]
    overflowed: bool = False


@dataclass(frozen=True)
class SampleStretch:
    """A stretch of the line. `missing`: silence in place of lost samples. `flagged`: a loss of unknown size."""

    at: float
    samples: NDArray[np.int16]
    missing: bool = False
    flagged: bool = False

    def frame_at(self, time: float, rate: int) -> int:
        """The frame at a stream time, kept within 0..len(samples)."""
        return max(0, min(len(self.samples), math.floor((time - self.at) * rate + 0.5)))


class SampleLine:
    """Blocks in, pieces out; no clock of its own."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._next: float | None = None
        self._held: list[Block] = []

    def add(self, block: Block) -> list[SampleStretch]:
        """The pieces that are certain now: usually this block, none while a gap is suspected."""
        if self._next is None:
            self._next = block.captured_at
        if self._held:
            self._held.append(block)
            return self._judge()
        late = block.captured_at - self._next
        if block.overflowed or not self._in_step(block, late):
            self._held = [block]
            return []
        # Not the whole deviation: the jitter of single callbacks would shift the samples.
        return [self._accept(block, TRACKING * late)]

    @property
    def in_doubt(self) -> tuple[NDArray[np.int16], ...]:
        """The samples of the blocks that are held back, in their order."""
        return tuple(block.samples for block in self._held)

    def flush(self) -> list[SampleStretch]:
        """What is held, as it is: no more blocks will come, and no silence is made up without proof."""
        pieces = []
        while self._held:
            pieces += self._go_on_after_first()
        return pieces

    def _judge(self) -> list[SampleStretch]:
        first, last = self._held[0], self._held[-1]
        if not first.overflowed and self._in_step(last, self._lateness()[-1]):
            return self._call_it_jitter()
        # By both measures: after a pause of the callbacks many blocks have nearly the same date, and a
        # single date far too late proves nothing.
        held = sum(len(block.samples) for block in self._held) / self._rate
        if min(held, last.captured_at - first.captured_at) >= JUDGED_AFTER_S:
            return self._decide()
        return []

    def _call_it_jitter(self) -> list[SampleStretch]:
        # The last block fell into step again, so those before it are in their place too.
        *held, last = self._held
        self._held = []
        # By `add`: the last block may begin a new suspicion.
        return [self._accept(block, 0.0) for block in held] + self.add(last)

    def _decide(self) -> list[SampleStretch]:
        lateness = self._lateness()
        floor = FLAGGED_FLOOR_S if self._held[0].overflowed else 0.0
        # The smallest lateness is the gap: callbacks are only ever late, so it has the least jitter.
        if min(lateness) > floor:
            return self._gap(min(lateness))
        if max(lateness) < 0:
            return self._step_back(max(lateness))
        return self._go_on_after_first()

    def _gap(self, late: float) -> list[SampleStretch]:
        assert self._next is not None
        silent = round(min(late, LONGEST_SILENCE_S) * self._rate)
        silence = np.zeros((silent, *self._held[0].samples.shape[1:]), np.int16)
        piece = SampleStretch(self._next, silence, missing=True)
        self._next += late
        # Its loss is accounted for by the silence.
        self._held[0] = self._held[0]._replace(overflowed=False)
        return [piece, *self._go_on_after_first()]

    def _step_back(self, late: float) -> list[SampleStretch]:
        # Samples cannot come before their time: the earlier blocks were dated too late.
        assert self._next is not None
        self._next += late
        return self._go_on_after_first()

    def _go_on_after_first(self) -> list[SampleStretch]:
        first, *rest = self._held
        self._held = []
        pieces = [self._accept(first, 0.0)]
        for block in rest:
            pieces += self.add(block)
        return pieces

    def _accept(self, block: Block, correction: float) -> SampleStretch:
        assert self._next is not None
        piece = SampleStretch(self._next + correction, block.samples, flagged=block.overflowed)
        self._next = piece.at + len(block.samples) / self._rate
        return piece

    def _in_step(self, block: Block, late: float) -> bool:
        # Half a block: so that the loss of a single block is seen.
        return abs(late) <= (0.5 + DRIFT) * len(block.samples) / self._rate

    def _lateness(self) -> list[float]:
        """How far each held block's capture time is ahead of the sample count."""
        # Where each block would begin if nothing were missing.
        assert self._next is not None
        before = np.cumsum([0] + [len(block.samples) for block in self._held[:-1]])
        due = self._next + before / self._rate
        return [block.captured_at - float(at) for block, at in zip(self._held, due, strict=True)]


class LagClock:
    """When the frames of one stream were captured, where only their arrival is dated. A block may be late, never early,
    so the least lag of the last five seconds is right. A latency that the device gives lies before that."""

    WINDOW_S = 5.0

    def __init__(self, rate: int, latency_s: float = 0.0) -> None:
        self._rate = rate
        self._latency_s = latency_s
        self._lags: deque[tuple[float, float]] = deque()

    def captured_at(self, first: int, frames: int, had_at_s: float) -> float:
        """The second at which frame `first` was captured, of a block that arrived at `had_at_s`."""
        end = (first + frames) / self._rate
        self._lags.append((end, had_at_s - end))
        while self._lags[0][0] < end - self.WINDOW_S:
            self._lags.popleft()
        return min(lag for _, lag in self._lags) + first / self._rate - self._latency_s
