"""Playing takes: at once, from any place, slower or faster with the pitch kept; and sound while it comes."""

import logging
import queue
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from curtain.audio.live_voice import LiveVoice
from curtain.audio.outputs import BLOCKS_PER_S, AudioOutput
from curtain.audio.stretch import FASTEST, SLOWEST, Stretcher
from curtain.audio.wav import mono_at, read_wav, to_int16

log = logging.getLogger(__name__)

POSITIONS_PER_S = 10

ToneMark = Literal["question", "help", "answer"]
# Pitch in Hz and number of beats: either alone tells them apart.
_TONES: dict[ToneMark, tuple[int, int]] = {"question": (660, 1), "help": (880, 3), "answer": (440, 2)}
_BEAT_S = 0.15


class PlayerListener:
    """What the player reports, from its own thread. Override what you need; return quickly."""

    def on_started(self, wav: Path) -> None:
        """The first samples were handed to the output."""

    def on_position(self, seconds: float) -> None:
        """How far it is, about ten times a second."""

    def on_finished(self, wav: Path, to_the_end: bool) -> None:
        """It ended, or was stopped or replaced by another."""

    def on_output_lost(self, reason: str) -> None:
        """The output is gone; the next `play` tries to open it again."""


class _Voice:
    """One WAV being played."""

    def __init__(self, wav: Path, samples: NDArray[np.int16], rate: int, start_frame: int) -> None:
        self.wav = wav
        self.seconds = len(samples) / rate
        self.stretcher = Stretcher(samples, rate, start_frame)
        self.hops = 0


class Player:
    """Plays one WAV at a time on `output`, whose stream stays open from the first use to `close`."""

    def __init__(self, output: AudioOutput, listener: PlayerListener) -> None:
        # What the sound goes to; its `sample_rate` holds once it is open.
        self.output = output
        self._listener = listener
        self._lock = threading.Lock()
        self._voice: _Voice | None = None
        self._live: LiveVoice | None = None
        # The speed of what is played now and next: 0.5 to 2.
        self.speed = 1.0
        self._tone = np.zeros(0, np.int16)
        self._open = False
        self._news: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._reporter: threading.Thread | None = None

    @property
    def playing(self) -> Path | None:
        """What is being played."""
        with self._lock:
            return self._voice.wav if self._voice else None

    @property
    def position(self) -> float:
        """Seconds into the WAV that is being played; 0 if none is."""
        with self._lock:
            # From the frame that comes next, so it is ahead of the ear by the output's latency.
            return self._voice.stretcher.frame / self.output.sample_rate if self._voice else 0.0

    def open(self) -> None:
        """Open the output now, so that the first `play` starts at once. Raises what the output's `start` raises."""
        if self._reporter is None:
            self._reporter = threading.Thread(target=self._report_news, name="player", daemon=True)
            self._reporter.start()
        if not self._open:
            # A stream that was lost is still open in PortAudio.
            self.output.stop()
            self.output.start(self._pull, self._on_lost)
            self._open = True

    def play(self, wav: Path, start_seconds: float = 0.0, speed: float | None = None) -> None:
        """Play from there, in place of what is being played; `speed` None keeps the last speed.

        Raises `CurtainError`, and what the output's `start` raises.
        """
        self.open()
        rate = self.output.sample_rate
        samples = mono_at(read_wav(wav), rate)[:, 0]
        if speed is not None:
            self.set_speed(speed)
        self._replace(_Voice(wav, samples, rate, round(start_seconds * rate)))

    def play_live(self, live: LiveVoice) -> None:
        """Play what comes from now on, in place of what came live before. While a take plays it is given up.

        Raises what the output's `start` raises.
        """
        self.open()
        live.prepare(self.output.sample_rate)
        with self._lock:
            gone, self._live = (live, None) if self._voice is not None else (self._live, live)
        if gone is not None:
            gone.give_up()

    def chime(self, mark: ToneMark) -> None:
        """A short soft tone, over whatever is being played, after one that still sounds. Raises what the output's
        `start` raises."""
        self.open()
        with self._lock:
            self._tone = np.concatenate((self._tone, _soft_tone(mark, self.output.sample_rate)))

    def hush(self) -> None:
        """End the soft tones at once; what plays goes on."""
        with self._lock:
            self._tone = self._tone[:0]

    def stop(self) -> None:
        """Stop playing; the output stays open."""
        self._replace(None)

    def back(self, seconds: float) -> None:
        """Jump back (or forward, if negative) within what is being played."""
        with self._lock:
            if self._voice is not None:
                stretcher = self._voice.stretcher
                stretcher.move_to(stretcher.frame - round(seconds * self.output.sample_rate))

    def set_speed(self, speed: float) -> None:
        """From 0.5 (slow) to 2 (fast), the nearest of it; at once, and for what is played later."""
        # What is out of range is brought to the nearest end.
        self.speed = max(SLOWEST, min(FASTEST, speed))

    def close(self) -> None:
        """Stop and close the output."""
        self.stop()
        self._give_up_live()
        self._open = False
        self.output.stop()
        # Joined outside the lock: the listener may ask for the position meanwhile.
        reporter, self._reporter = self._reporter, None
        if reporter is not None:
            self._news.put(None)
            reporter.join()

    def _replace(self, voice: _Voice | None) -> None:
        with self._lock:
            before, self._voice = self._voice, voice
            # What is asked for counts more than what comes by itself.
            if voice is not None and self._live is not None:
                self._live.give_up()
                self._live = None
            # Reported on the player's own thread, never under the lock: a listener may call back.
            if before is not None:
                self._news.put(partial(self._listener.on_finished, before.wav, False))

    def _give_up_live(self) -> None:
        with self._lock:
            live, self._live = self._live, None
        if live is not None:
            live.give_up()

    def _pull(self) -> NDArray[np.int16]:
        # The output's thread. The lock is only ever held for moments.
        with self._lock:
            block = self._next_block()
            tone, self._tone = self._tone[: len(block)], self._tone[len(block) :]
        if not len(tone):
            return block
        mixed = block.astype(np.int32)
        mixed[: len(tone)] += tone
        return np.clip(mixed, -32768, 32767).astype(np.int16)

    def _next_block(self) -> NDArray[np.int16]:
        voice = self._voice
        if voice is None:
            return self._next_live()
        hop = voice.stretcher.next_hop(self.speed)
        self._note_progress(voice)
        return to_int16(hop)

    def _next_live(self) -> NDArray[np.int16]:
        frames = self.output.sample_rate // BLOCKS_PER_S
        if self._live is None:
            return np.zeros(frames, np.int16)
        hop = self._live.next_hop(frames)
        if self._live.over:
            self._live = None
        return hop

    def _note_progress(self, voice: _Voice) -> None:
        if voice.hops == 0:
            self._news.put(partial(self._listener.on_started, voice.wav))
        if voice.hops % (BLOCKS_PER_S // POSITIONS_PER_S) == 0:
            self._note_position(voice)
        voice.hops += 1
        if voice.stretcher.ended:
            self._note_position(voice)
            self._voice = None
            self._news.put(partial(self._listener.on_finished, voice.wav, True))

    def _note_position(self, voice: _Voice) -> None:
        seconds = voice.stretcher.frame / self.output.sample_rate
        self._news.put(partial(self._listener.on_position, seconds))

    def _on_lost(self, reason: str) -> None:
        self._open = False
        self._replace(None)
        self.hush()
        self._give_up_live()
        self._news.put(partial(self._listener.on_output_lost, reason))

    def _report_news(self) -> None:
        while (news := self._news.get()) is not None:
            try:
                news()
            except Exception:  # whatever a listener does, the next thing is reported
                log.exception("the player goes on after an error")


def _soft_tone(mark: ToneMark, rate: int) -> NDArray[np.int16]:
    """Beats of one pitch, 24 dB below full scale, that rise and fade without a click; under half a second."""
    pitch, beats = _TONES[mark]
    seconds = np.arange(round(rate * _BEAT_S)) / rate
    shape = np.minimum(np.minimum(seconds / 0.01, (_BEAT_S - seconds) / 0.02), 1.0) * np.exp(-seconds * 15)
    beat = np.round(32767 * 10 ** (-24 / 20) * shape * np.sin(2 * np.pi * pitch * seconds))
    return np.tile(beat.astype(np.int16), beats)
