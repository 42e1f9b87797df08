"""The microphone of the page as a sound device of the station: blocks that are fed, and a test that the page plays."""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from curtain.audio.devices import DeviceMissing, SoundError
from curtain.audio.recorder import Recorder, RecorderListener
from curtain.audio.sources import OnBlock, OnLost
from curtain.audio.timeline import Block, LagClock
from curtain.base.clock import steady_s
from curtain_browser.wire import Mic, PageSound

PLAYS_S = 20.0
"""So long the station waits for the end of the microphone test; a page that is gone plays nothing."""
_REPORTED = ("echo_cancellation", "noise_suppression", "auto_gain_control", "latency_ms", "agent")


class PageSource:
    """One stream of the page. It says when it is gone: until then blocks may come as late as the line lets them.
    `written` takes the numbers of the blocks that the recorder is done with."""

    channels = 1
    reports_loss = True

    def __init__(self, mic: Mic, fed: deque[int], written: deque[int]) -> None:
        self.name, self.sample_rate = mic.name, mic.rate
        given = {name: getattr(mic, name) for name in _REPORTED}
        # What the browser does not say is left out.
        self.processing = {name: str(value).lower() for name, value in given.items() if value not in (None, "")}
        self.time = steady_s
        self._clock = LagClock(mic.rate, (mic.latency_ms or 0.0) / 1000)
        self._on_block: OnBlock | None = None
        self._on_lost: OnLost | None = None
        self._fed, self._written = fed, written

    def start(self, on_block: OnBlock, on_lost: OnLost) -> None:
        """What is taken goes there from now on."""
        self._on_block, self._on_lost = on_block, on_lost

    def stop(self) -> None:
        """What is taken goes nowhere."""
        self._on_block = self._on_lost = None
        while self._fed:
            self.note_written()

    def take(self, sound: PageSound, had_at_s: float) -> bool:
        """One more block, which the page had at this second of our clock; False if nobody records it."""
        captured_at = self._clock.captured_at(sound.first, len(sound.samples), had_at_s)
        if self._on_block is None:
            return False
        # Before: the recorder may be done with it at once.
        self._fed.append(sound.n)
        self._on_block(Block(captured_at, sound.samples.reshape(-1, 1)))
        return True

    def lose(self, reason: str) -> None:
        """The page has lost it."""
        if self._on_lost is not None:
            self._on_lost(reason)

    def note_written(self) -> None:
        """The recorder is done with the oldest block."""
        # The recorder may be closing on another thread meanwhile.
        with suppress(IndexError):
            self._written.append(self._fed.popleft())


class PageMicrophones:
    """The station's `SoundDevices`. What is of that protocol runs on the station's background threads."""

    def __init__(self) -> None:
        self.mic: Mic | None = None
        self.fed: deque[int] = deque()
        self.written: deque[int] = deque()
        """Blocks that are written, by their numbers, for whoever takes them out."""
        self.source: PageSource | None = None
        self.is_opened = False
        """Whether the newest stream of the page is the one that is recorded."""
        self._played = threading.Event()
        self._audible = False

    def update(self, mic: Mic) -> None:
        """The page's microphone is so now; a `ready` one begins a new stream."""
        self.mic = mic
        if mic.state == "lost":
            self.lose("The browser has lost the microphone.")
        elif mic.state == "ready":
            self.source, self.is_opened = PageSource(mic, self.fed, self.written), False

    def lose(self, reason: str) -> None:
        """The stream is over; what is open of it is kept."""
        if self.source is not None:
            self.source.lose(reason)

    def names(self, again: bool = False) -> list[str]:
        """Those that the browser lists; one of no name until it was answered. Raises SoundError if it was refused."""
        if self.mic is None or self.mic.state == "opening":
            return ["microphone"]
        if self.mic.state == "denied":
            raise SoundError("The browser may not use the microphone. Allow it there, and load the page anew.")
        return [name for name in self.mic.names if name]

    def open(self, name: str, listener: RecorderListener, rescue: Path, again: bool, rate: int) -> Recorder:
        """The stream that the page has open, at the rate that it has; the page alone opens another one."""
        mic, source, heard = self.mic, self.source, listener.on_level
        if mic is None or source is None or mic.state != "ready" or mic.name != name:
            raise DeviceMissing("microphone", name, self.names())

        def on_level(dbfs: float, clipped: int) -> None:
            # The last that the recorder does about each block.
            source.note_written()
            heard(dbfs, clipped)

        listener.on_level = on_level  # type: ignore[method-assign]
        recorder = Recorder(source, listener, fallback=rescue)
        recorder.open()
        self.is_opened = source is self.source
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

    def close(self) -> None:
        """Nobody waits for the page any more."""
        self.note_played(False)
