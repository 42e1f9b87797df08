"""Plain WAV: the 44-byte header of 16-bit PCM, and reading any sound file as 16-bit samples."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curtain.base.errors import CurtainError
from curtain.base.input_file import read_sound

_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")
HEADER_BYTES = _HEADER.size
SAMPLE_BYTES = 2
# The sizes in a WAV have 32 bits.
_LARGEST = 0xFFFFFFFF - HEADER_BYTES


@dataclass(frozen=True)
class WavFormat:
    """What a header says apart from the length."""

    sample_rate: int
    channels: int = 1

    @property
    def frame_bytes(self) -> int:
        """Bytes of one sample of every channel."""
        return self.channels * SAMPLE_BYTES


@dataclass(frozen=True)
class Sound:
    """Samples of shape (frames, channels), and how many frames make a second."""

    samples: NDArray[np.int16]
    sample_rate: int

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate


def header(form: WavFormat, frames: int) -> bytes:
    """The 44 bytes before `frames` frames of 16-bit PCM."""
    # Of a longer recording the header states the largest size there is; the samples go on behind it.
    size = min(frames * form.frame_bytes, _LARGEST)
    rate, width = form.sample_rate, form.frame_bytes
    return _HEADER.pack(
        b"RIFF", size + HEADER_BYTES - 8, b"WAVE",
        b"fmt ", 16, 1, form.channels, rate, rate * width, width, 8 * SAMPLE_BYTES,
        b"data", size,
    )  # fmt: skip


def read_header(start: bytes) -> WavFormat | None:
    """The format, if these bytes begin with a header as `header` writes it; its length is not believed."""
    if len(start) < HEADER_BYTES:
        return None
    fields = _HEADER.unpack(start[:HEADER_BYTES])
    riff, _, wave, fmt, _, coding, channels, rate, _, _, bits, data, _ = fields
    ours = (riff, wave, fmt, coding, bits, data) == (b"RIFF", b"WAVE", b"fmt ", 1, 16, b"data")
    return WavFormat(rate, channels) if ours and channels and rate else None


def read_wav(path: Path) -> Sound:
    """All samples of a sound file, 16 bits each. Raises `CurtainError`."""
    try:
        return Sound(*read_sound(path))
    except OSError as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise CurtainError(f"“{path}” cannot be read as sound ({why}). Give a WAV file.") from error


def silenced_copy(wav: Path, spans: Sequence[tuple[int, int]], out: Path) -> Path:
    """`out`, with silence in these spans, in ms from the start of the recording. Raises `CurtainError`, OSError."""
    sound = read_wav(wav)
    samples = sound.samples.copy()
    for start, end in spans:
        # Rounded outwards: a frame too much is silent rather than one too few.
        samples[start * sound.sample_rate // 1000 : -(-end * sound.sample_rate // 1000)] = 0
    out.write_bytes(header(WavFormat(sound.sample_rate, samples.shape[1]), len(samples)) + samples.tobytes())
    return out


def mono_at(sound: Sound, rate: int) -> NDArray[np.int16]:
    """The sound as one channel at `rate`, shape (frames, 1); untouched where nothing need change."""
    if sound.samples.shape[1] == 1 and sound.sample_rate == rate:
        return sound.samples
    # In float: the sum of two channels does not fit into 16 bits.
    mixed: NDArray[np.float64] = sound.samples.mean(axis=1, dtype=np.float64)
    if sound.sample_rate != rate:
        import soxr

        mixed = soxr.resample(mixed, sound.sample_rate, rate)
    return to_int16(mixed).reshape(-1, 1)


def to_int16(samples: NDArray[np.floating[Any]]) -> NDArray[np.int16]:
    """Rounded, and kept within the scale."""
    # Resampling overshoots at steep edges.
    kept: NDArray[np.int16] = np.clip(np.rint(samples), -32768, 32767).astype(np.int16)
    return kept
