"""Where sound comes from: a microphone, or files that behave like one.

All sources date their blocks by the monotonic clock of this machine, in seconds; `time()` reads the same
clock. So a key press stamped with `time()` can be found in the sound to the sample.
"""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from curtain.audio import devices
from curtain.audio.timeline import Block
from curtain.audio.wav import mono_at, read_wav
from curtain.base.clock import steady_s

# 16 kHz: what speech recognisers and speech corpora use.
PREFERRED_RATE = 16000
BLOCKS_PER_S = 50
INPUT_LATENCY_S = 0.1  # with it 16 kHz in blocks of 20 ms held under full load

OnBlock = Callable[[Block], None]
OnLost = Callable[[str], None]


class AudioSource(Protocol):
    """Gives blocks from its own thread. `sample_rate` and `channels` are what was obtained, after `start`."""

    @property
    def name(self) -> str:
        """As PortAudio lists it, once started; before that the name asked for."""

    @property
    def sample_rate(self) -> int:
        """Frames a second, as obtained."""

    @property
    def channels(self) -> int:
        """Samples a frame, as obtained."""

    def start(self, on_block: OnBlock, on_lost: OnLost) -> None:
        """Begin to deliver. `on_lost` gets the reason, as a sentence, if the sound ends by itself."""

    def stop(self) -> None:
        """Stop delivering; `on_lost` is not called for it."""

    @property
    def reports_loss(self) -> bool:
        """Whether `on_lost` alone says that the microphone is gone: blocks may then come as late as they like."""

    @property
    def processing(self) -> Mapping[str, str]:
        """What the device reports of its processing of the sound, by name; empty where it reports nothing."""

    def time(self) -> float:
        """Now, in seconds on the clock that dates the blocks."""


class LocalSource:
    """What the sources of this machine have in common: an unplugged device is silent and says nothing."""

    reports_loss = False
    processing: Mapping[str, str] = MappingProxyType({})


class DeviceSource(LocalSource):
    """A microphone through PortAudio: 16 kHz mono where the device allows, else as it gives.

    `name` None is the system's default. `start` raises `SoundError`.
    """

    def __init__(self, name: str | None = None, rate: int = PREFERRED_RATE) -> None:
        self.name = name or "default"
        self.sample_rate = rate
        self.channels = 1
        self._wanted = name
        self._stream: Any = None
        # PortAudio reports an end of the stream also when we end it.
        self._stopping = False

    def time(self) -> float:
        """`steady_s` of `curtain.base.clock`, in seconds."""
        return steady_s()

    def start(self, on_block: OnBlock, on_lost: OnLost) -> None:
        """Open the device: 16 kHz mono first, then the device's own rate, in mono, then in stereo."""
        device = devices.find_microphone(self._wanted)
        self.name = device.name
        self._stopping = False
        self._on_block, self._on_lost = on_block, on_lost
        self._stream = devices.first_open("microphone", device, self.sample_rate, self._stream_of)
        self.sample_rate, self.channels = int(self._stream.samplerate), self._stream.channels
        self._stream.start()

    def stop(self) -> None:
        """Close the stream; a device that hangs is left behind after a second."""
        self._stopping = True
        stream, self._stream = self._stream, None
        if stream is not None:
            devices.let_go(stream)

    def _stream_of(self, library: Any, device: devices.Device, rate: int, channels: int) -> Any:
        return library.InputStream(
            device=device.index,
            samplerate=rate,
            channels=channels,
            dtype="int16",
            blocksize=rate // BLOCKS_PER_S,
            latency=INPUT_LATENCY_S,
            callback=self._on_audio,
            finished_callback=self._on_finished,
        )

    def _on_audio(self, samples: NDArray[np.int16], frames: int, times: Any, status: Any) -> None:
        # PortAudio's thread: date, copy, leave.
        # A callback can come after `stop` has taken the stream away.
        stream = self._stream
        if stream is not None:
            # Copied: PortAudio uses the buffer again as soon as we return.
            at = steady_s() - _age(stream, times.inputBufferAdcTime, frames)
            self._on_block(Block(at, samples.copy(), bool(status.input_overflow)))

    def _on_finished(self) -> None:
        if not self._stopping:
            self._on_lost(f"The microphone “{self.name}” stopped.")


def _age(stream: Any, captured: float, frames: int) -> float:
    # The stream's clock may be the wall clock, which people set: only the difference is used. Some
    # systems do not report the capture time; then the block is taken to end now.
    age = float(stream.time) - captured
    return age if -0.1 < age < 60 else frames / float(stream.samplerate)


class ReplaySource(LocalSource):
    """A microphone made of files: silence until a WAV is cued, then its samples, then silence again.

    It delivers blocks of 20 ms when their time has come, from its own thread, without drift. `wav` starts at
    once. Stereo is mixed down and other rates are resampled to `rate`. Raises `CurtainError`.
    """

    channels = 1
    _BACKLOG_S = 2.0  # what a device would keep for a process that does not fetch it

    def __init__(self, wav: Path | None = None, rate: int = PREFERRED_RATE, name: str = "replay") -> None:
        self.name = name
        self.sample_rate = rate
        self._frames = rate // BLOCKS_PER_S
        self._lock = threading.Lock()
        self._waiting = self._load(wav) if wav else np.zeros((0, 1), np.int16)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def time(self) -> float:
        """`steady_s` of `curtain.base.clock`, in seconds."""
        return steady_s()

    def cue(self, wav: Path) -> float:
        """Speak this file as soon as what was cued before has ended; returns its length in seconds."""
        samples = self._load(wav)
        with self._lock:
            self._waiting = np.concatenate([self._waiting, samples])
        return len(samples) / self.sample_rate

    @property
    def silent(self) -> bool:
        """Whether all that was cued has been spoken."""
        with self._lock:
            return not len(self._waiting)

    def hush(self) -> None:
        """Speak nothing more of what was cued."""
        with self._lock:
            self._waiting = self._waiting[:0]

    def start(self, on_block: OnBlock, on_lost: OnLost) -> None:
        """Deliver on a thread of its own; `on_lost` is never called."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(on_block,), name=self.name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait until the thread has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _load(self, wav: Path) -> NDArray[np.int16]:
        return mono_at(read_wav(wav), self.sample_rate)

    def _run(self, on_block: OnBlock) -> None:
        started, block = steady_s(), 0
        length = self._frames / self.sample_rate
        while True:
            at = started + block * length
            if self._stop.wait(max(0.0, at + length - steady_s())):
                return
            # Like a device whose buffer runs over: the oldest blocks are dropped and the next one is flagged.
            behind = int((steady_s() - at - self._BACKLOG_S) / length)
            block += max(0, behind)
            on_block(Block(started + block * length, self._next_samples(), behind > 0))
            block += 1

    def _next_samples(self) -> NDArray[np.int16]:
        with self._lock:
            spoken, self._waiting = self._waiting[: self._frames], self._waiting[self._frames :]
        silence = np.zeros((self._frames - len(spoken), 1), np.int16)
        return np.concatenate([spoken, silence])
