"""Where sound goes: a loudspeaker, or nothing that keeps the same time."""

import threading
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from curtain.audio import devices
from curtain.base.clock import steady_s

BLOCKS_PER_S = 50
OUTPUT_LATENCY_S = 0.1  # a busy window holds the interpreter for tens of milliseconds

Pull = Callable[[], NDArray[np.int16]]  # the next 20 ms, mono
OnLost = Callable[[str], None]


class AudioOutput(Protocol):
    """Pulls 20 ms at a time from its own thread, between `start` and `stop`; silence included."""

    @property
    def name(self) -> str:
        """As PortAudio lists it, once started; before that the name asked for."""

    @property
    def sample_rate(self) -> int:
        """Frames a second that are pulled; may change with `start`, since a device may refuse the rate asked for."""

    @property
    def silent(self) -> bool:
        """Whether nobody hears it."""

    def start(self, pull: Pull, on_lost: OnLost) -> None:
        """Begin to pull. `on_lost` gets the reason, as a sentence, if the output goes by itself."""

    def stop(self) -> None:
        """Stop pulling. Harmless when it is not running."""


def choose_output(name: str | None, latency_s: float = OUTPUT_LATENCY_S) -> AudioOutput:
    """The output of that name; without a name the system's, or a `SilentOutput` where there is none.

    `latency_s` is how far ahead sound is handed over, in seconds: more of it survives a busier machine. A name that
    is not connected is reported when it is opened: no other output is taken.
    """
    if name:
        return DeviceOutput(name, latency_s=latency_s)
    try:
        devices.find_output(None)
    except devices.SoundError as error:
        return SilentOutput(str(error))
    return DeviceOutput(None, latency_s=latency_s)


class DeviceOutput:
    """A loudspeaker through PortAudio. `start` raises `SoundError`."""

    silent = False

    def __init__(self, name: str | None = None, rate: int = 16000, latency_s: float = OUTPUT_LATENCY_S) -> None:
        self.name = name or "default"
        self._latency_s = latency_s
        self.sample_rate = rate
        self._wanted = name
        self._stream: Any = None

    def start(self, pull: Pull, on_lost: OnLost) -> None:
        """Open the device, in the first format that it takes."""
        device = devices.find_output(self._wanted)
        self.name = device.name
        self._pull, self._on_lost = pull, on_lost
        self._stream = devices.first_open("output", device, self.sample_rate, self._stream_of)
        self.sample_rate = int(self._stream.samplerate)
        self._stream.start()

    def stop(self) -> None:
        """Close the stream; a device that hangs is left behind after a second."""
        stream, self._stream = self._stream, None
        if stream is not None:
            devices.let_go(stream)

    def _stream_of(self, library: Any, device: devices.Device, rate: int, channels: int) -> Any:
        return library.OutputStream(
            device=device.index,
            samplerate=rate,
            channels=channels,
            dtype="int16",
            blocksize=rate // BLOCKS_PER_S,
            latency=self._latency_s,
            callback=self._on_wanted,
            finished_callback=self._on_finished,
        )

    def _on_wanted(self, room: NDArray[np.int16], frames: int, times: Any, status: Any) -> None:
        # Mono to every channel of the device.
        room[:] = self._pull().reshape(-1, 1)

    def _on_finished(self) -> None:
        # PortAudio calls this after every end, also after our own `stop`, which has taken the stream away by then.
        if self._stream is not None:
            self._on_lost(f"The output “{self.name}” stopped.")


class SilentOutput:
    """Keeps time as a loudspeaker would, without sound. `why` is the sentence to show."""

    silent = True

    def __init__(self, why: str, rate: int = 16000) -> None:
        self.name = "no sound"
        self.why = why
        self.sample_rate = rate
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, pull: Pull, on_lost: OnLost) -> None:
        """Begin to pull on a thread of its own; `on_lost` is never called."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(pull,), name="silent output", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait until the thread has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self, pull: Pull) -> None:
        due = steady_s()
        while not self._stop.wait(max(0.0, due - steady_s())):
            pull()
            # After a sleep of the computer it catches up by a second at most.
            due = max(due + 1 / BLOCKS_PER_S, steady_s() - 1)
