"""The outline and the spectrogram of each turn of a session, computed behind the window and kept in memory."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from curtain.session.turns.session_timeline import TimelineTurn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PEAKS_A_SECOND = 200
_WINDOW_S, _HOP_S = 0.025, 0.010
_RANGE_DB = 70.0


@dataclass(frozen=True)
class TurnSound:
    """Lowest and highest value, -1 to 1, of each stretch; `levels` are shades, 0 to 255, of (frequencies, places),
    the highest frequency first, once they were asked for."""

    low: NDArray[np.float32]
    high: NDArray[np.float32]
    levels: NDArray[np.uint8] | None = field(default=None)

    @cached_property
    def lowest(self) -> float:
        """Of the whole turn; 0 for a recording of no length."""
        return float(self.low.min(initial=0.0))

    @cached_property
    def highest(self) -> float:
        """Of the whole turn; 0 for a recording of no length."""
        return float(self.high.max(initial=0.0))


class TurnSounds(QObject):
    """`drawn(number)` when a turn has its outline or its spectrogram. What is hidden of a turn is silence in both."""

    drawn = Signal(int)
    problem = Signal(str)

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._sounds: dict[int, TurnSound] = {}
        self._asked: set[tuple[int, bool]] = set()

    def of(self, number: int) -> TurnSound | None:
        """What is there of a turn so far."""
        return self._sounds.get(number)

    def draw(self, turns: Iterable[TimelineTurn], levels: bool) -> None:
        """Compute what is not there yet of these turns; with `levels` their spectrograms too."""
        for turn in turns:
            if turn.wav is not None and (turn.number, levels) not in self._asked:
                self._asked |= {(turn.number, levels), (turn.number, False)}
                # One after the other: whatever else waits for this thread comes in between.
                self._background.run(partial(_sound_of, turn, levels), partial(self._on_drawn, turn.number))

    def _on_drawn(self, number: int, future: Future[TurnSound]) -> None:
        try:
            self._sounds[number] = future.result()
        except CurtainError as error:
            self.problem.emit(str(error))
        else:
            self.drawn.emit(number)


def _sound_of(turn: TimelineTurn, levels: bool) -> TurnSound:
    import numpy as np

    from curtain.audio.wav import read_wav

    assert turn.wav is not None
    sound = read_wav(turn.wav)
    samples = sound.samples[:, 0].astype(np.float32) / np.float32(32768)
    for start, end in turn.hidden:
        samples[start * sound.sample_rate // 1000 : -(-end * sound.sample_rate // 1000)] = 0
    count = max(1, min(len(samples), round(sound.seconds * PEAKS_A_SECOND)))
    edges = np.linspace(0, len(samples), count, endpoint=False).astype(np.int64)
    if not len(samples):
        return TurnSound(samples, samples)
    low, high = np.minimum.reduceat(samples, edges), np.maximum.reduceat(samples, edges)
    return TurnSound(low, high, _levels(samples, sound.sample_rate) if levels else None)


def _levels(samples: NDArray[np.float32], rate: int) -> NDArray[np.uint8]:
    """A spectrogram: windows of 25 ms, 10 ms apart, the loudest 70 dB."""
    import numpy as np

    width, hop = round(_WINDOW_S * rate), round(_HOP_S * rate)
    padded = np.pad(samples, (0, width))
    windows = np.lib.stride_tricks.sliding_window_view(padded, width)[::hop] * np.hanning(width).astype(np.float32)
    power = np.abs(np.fft.rfft(windows, axis=1)).T[::-1]
    decibels = 20 * np.log10(power + 1e-9)
    shades = (decibels - decibels.max()) / _RANGE_DB * 255 + 255
    return np.ascontiguousarray(np.clip(shades, 0, 255).astype(np.uint8))
