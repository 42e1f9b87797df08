"""The microphone of the page as a sound device of the station: blocks that are fed, and a test that the page plays."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from curtain.audio.devices import DeviceMissing, SoundFault
from curtain.audio.recorder import Recorder, RecorderListener
from curtain.audio.sources import OnBlock, OnLost
from curtain.audio.timeline import Block
from curtain.base.clock import steady_s
from curtain_browser.inbox import StreamClock
from curtain_browser.wire import Mic, Sound

PLAYS_S = 20.0
"""So long the station waits for the end of the microphone test; a page that is gone plays nothing."""


class PageSource:
    """One stream of the page. It says when it is gone: until then blocks may come as late as the line lets them."""

    channels = 1
    tells_when_gone = True

    def __init__(self, mic: Mic, written: deque[int]) -> None:
        """`written` takes the numbers of the blocks that the recorder is done with."""
        self.name = mic.name
        self.sample_rate = mic.rate
        self.processing: Mapping[str, str] = reported(mic)
        self._clock = StreamClock(mic.rate, mic.latency_ms)
        self._on_block: OnBlock | None = None
        self._on_lost: OnLost | None = None
        self._fed: deque[int] = deque()
        self._written = written

    def start(self, on_block: OnBlock, on_lost: OnLost) -> None:
        """What is fed goes to the recorder from now on."""
        self._on_block, self._on_lost = on_block, on_lost

    def stop(self) -> None:
        """What is fed goes nowhere."""
        self._on_block = self._on_lost = None
        while self._fed:
            self.note_written()

    def time(self) -> float:
        """`steady_s` of `curtain.base.clock`, in seconds."""
        return steady_s()

    def feed(self, sound: Sound, had_at_s: float) -> None:
        """One more block, which the page had at this second of our clock."""
        captured_at = self._clock.captured_at(sound.first, len(sound.samples), had_at_s)
        if self._on_block is None:
            self._written.append(sound.n)
            return
        self._fed.append(sound.n)
        self._on_block(Block(captured_at, sound.samples.reshape(-1, 1)))

    def note_written(self) -> None:
        """The recorder is done with the oldest block."""
        # The recorder may be closing on another thread meanwhile.
        with suppress(IndexError):
            self._written.append(self._fed.popleft())

    def lose(self, reason: str) -> None:
        """The page has lost it."""
        if self._on_lost is not None:
            self._on_lost(reason)


def reported(mic: Mic) -> dict[str, str]:
    """What the browser says of the microphone, for the journal; what it does not say is left out."""
    values = {
        "echo_cancellation": mic.echo_cancellation, "noise_suppression": mic.noise_suppression,
        "auto_gain_control": mic.auto_gain_control, "latency_ms": mic.latency_ms, "agent": mic.agent or None,
    }  # fmt: skip
    return {name: str(value).lower() for name, value in values.items() if value is not None}


class PageMicrophones:
    """The station's `SoundDevices`. Its methods run on the station's background threads."""

    def __init__(self) -> None:
        self.mic: Mic | None = None
        self.source: PageSource | None = None
        self.opened: PageSource | None = None
        self.written: deque[int] = deque()
        """Blocks that are written, by their numbers, for whoever takes them out."""
        self._played = threading.Event()
        self._audible = False

    def tell(self, mic: Mic) -> None:
        """The page's microphone is so now; a `ready` one begins a new stream."""
        self.mic = mic
        if mic.state == "ready":
            self.source = PageSource(mic, self.written)

    def names(self, again: bool = False) -> list[str]:
        """Those that the browser lists. Raises SoundFault where the subject refused the microphone."""
        mic = self.mic
        if mic is not None and mic.state == "denied":
            raise SoundFault("The browser may not use the microphone. Allow it there, and load the page anew.")
        return [name for name in mic.names if name] if mic is not None else []

    def open(self, name: str, listener: RecorderListener, rescue: Path, again: bool, rate: int) -> Recorder:
        """The stream that the page has open, at the rate that it has; the page alone opens another one."""
        mic, source = self.mic, self.source
        if mic is None or source is None or mic.state != "ready" or mic.name != name:
            raise DeviceMissing("microphone", name, self.names())
        heard = listener.on_level

        def on_level(dbfs: float, clipped: int) -> None:
            # The last that the recorder does about each block.
            source.note_written()
            heard(dbfs, clipped)

        listener.on_level = on_level  # type: ignore[method-assign]
        recorder = Recorder(source, listener, fallback=rescue)
        recorder.open()
        self.opened = source
        return recorder

    def play(self, wav: Path, done: Callable[[], None]) -> bool:
        """The page plays its own copy; False if nobody heard it there."""
        self._played.clear()
        if self._played.wait(PLAYS_S) and self._audible:
            done()
            return True
        return False

    def note_played(self, audible: bool) -> None:
        """The page has played the test, or could not."""
        self._audible = audible
        self._played.set()

    def silence(self) -> None:
        """The page ends it by itself."""

    def close(self) -> None:
        """Nobody waits for the page any more."""
        self._audible = False
        self._played.set()
