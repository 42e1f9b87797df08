"""Small WAV files for stories."""

import math
import wave
from pathlib import Path

RATE = 16000


def silence(folder: Path) -> Path:
    return _write(folder / "silence.wav", bytes(640))


def tone(folder: Path, seconds: float = 0.5, hertz: float = 440.0) -> Path:
    """A sine at a quarter of full scale, 16 kHz mono."""
    samples = (round(8000 * math.sin(2 * math.pi * hertz * i / RATE)) for i in range(int(RATE * seconds)))
    return _write(folder / f"tone-{hertz:.0f}.wav", b"".join(s.to_bytes(2, "little", signed=True) for s in samples))


def _write(path: Path, frames: bytes) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames)
    return path
