"""Levels of 16-bit sound: loudness, full-scale samples, and the outline of a waveform."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curtain.audio.wav import read_wav

Samples = NDArray[np.int16]

FULL_SCALE = 32768.0
MOST_OFFSET = 0.05  # beyond it a recording loses headroom, and thresholds of speech are met by silence
SILENCE_DBFS = -120.0  # below anything 16 bits can hold, and unlike minus infinity it fits into JSON


# In float64: the square of a 16-bit sample overflows 16 bits.
def dbfs(samples: Samples) -> float:
    """The root mean square in dB relative to full scale; `SILENCE_DBFS` for silence or no samples."""
    if samples.size == 0:
        return SILENCE_DBFS
    return _decibels(math.sqrt(float(np.mean(np.square(samples, dtype=np.float64)))))


def peak(samples: Samples) -> int:
    """The largest magnitude, 0 to 32768."""
    if samples.size == 0:
        return 0
    # Not `abs`: -32768 has no positive twin in 16 bits.
    return max(int(samples.max()), -int(samples.min()))


def peak_dbfs(magnitude: int) -> float:
    """A peak magnitude (0 to 32768) in dB relative to full scale."""
    return _decibels(magnitude)


def clipped(samples: Samples) -> int:
    """How many samples stand at either end of the scale."""
    # Both ends of the scale: a clipped wave touches them unequally.
    return int(np.count_nonzero((samples == 32767) | (samples == -32768)))


def dc_offset(samples: Samples) -> float:
    """The mean of the samples, from -1 to 1: 0 in sound, since air moves as far one way as the other."""
    return float(samples.mean(dtype=np.float64)) / FULL_SCALE if samples.size else 0.0


def _decibels(magnitude: float) -> float:
    if magnitude <= 0:
        return SILENCE_DBFS
    return 20 * math.log10(magnitude / FULL_SCALE)


@dataclass(frozen=True)
class Envelope:
    """The outline of a waveform: lowest and highest value (-1 to 1) of each stretch of equal length."""

    low: NDArray[np.float32]
    high: NDArray[np.float32]
    seconds: float


def envelope(wav: Path, points: int) -> Envelope:
    """The outline of a WAV in at most `points` stretches. Raises `CurtainError`."""
    sound = read_wav(wav)
    count = min(points, len(sound.samples))
    if count < 1:
        nothing = np.zeros(0, np.float32)
        return Envelope(nothing, nothing, 0.0)
    # Stretches by rounded edges: their lengths differ by at most one frame, and the whole file is covered.
    edges = np.linspace(0, len(sound.samples), count, endpoint=False).astype(np.int64)
    low = np.minimum.reduceat(sound.samples.min(axis=1), edges) / FULL_SCALE
    high = np.maximum.reduceat(sound.samples.max(axis=1), edges) / FULL_SCALE
    return Envelope(low.astype(np.float32), high.astype(np.float32), sound.seconds)
