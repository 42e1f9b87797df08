"""The sound devices of this station behind one seam: a sound card, or a file that plays the microphone.

Every method may take its time and is called away from the window.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Protocol

from curtain.audio import devices
from curtain.audio.outputs import choose_output
from curtain.audio.playback import Player, PlayerListener
from curtain.audio.recorder import Recorder, RecorderListener
from curtain.audio.sources import DeviceSource, ReplaySource


class SoundDevices(Protocol):
    """One sound system. Its methods may wait for the device."""

    def names(self, again: bool = False) -> list[str]:
        """The microphones that are connected; `again` looks for new ones, while none is open. Raises CurtainError."""

    def open(self, name: str, listener: RecorderListener, rescue: Path, again: bool, rate: int) -> Recorder:
        """Open this microphone and no other, with `rate` Hz where it can; `again` after it was lost, while no other is
        open. Raises CurtainError."""

    def play(self, wav: Path, done: Callable[[], None]) -> bool:
        """Play it and call `done` from some thread; False if nothing can be heard here. Raises CurtainError."""

    def close(self) -> None:
        """Let go of the loudspeaker."""


class _Speaker(PlayerListener):
    """Plays the microphone test back: the half of `SoundDevices` that is one for all."""

    def __init__(self) -> None:
        self._player: Player | None = None
        self._done: Callable[[], None] = _nothing

    def play(self, wav: Path, done: Callable[[], None]) -> bool:
        """As `SoundDevices.play`."""
        if self._player is None:
            self._player = Player(choose_output(None), self)
        # Without a loudspeaker the test says so instead of waiting for nothing.
        if self._player.output.silent:
            return False
        self._done = done
        self._player.play(wav)
        return True

    def on_finished(self, wav: Path, to_the_end: bool) -> None:
        self._done()

    def on_output_lost(self, reason: str) -> None:
        self._done()

    def close(self) -> None:
        """Let go of the loudspeaker."""
        # A sound that is cut off is not reported as finished.
        player, self._player, self._done = self._player, None, _nothing
        if player is not None:
            player.close()


class SoundCard(_Speaker):
    """What is connected to this computer."""

    def names(self, again: bool = False) -> list[str]:
        """As `SoundDevices.names`."""
        if again:
            self.close()
            # While a device hangs the list of before is what there is.
            with suppress(devices.DeviceHangs):
                devices.rescan()
        return [device.name for device in devices.list_microphones()]

    def open(self, name: str, listener: RecorderListener, rescue: Path, again: bool, rate: int) -> Recorder:
        """As `SoundDevices.open`. Opening the device can take a second."""
        if again:
            # The library sees a device that came back only after a fresh start, with every stream closed.
            self.close()
            devices.rescan()
        recorder = Recorder(DeviceSource(name, rate), listener, fallback=rescue)
        recorder.open()
        return recorder


class ReplayMicrophone(_Speaker):
    """A file that behaves like a microphone, and more files on cue. At a press after its end the file begins anew; of a
    folder, the next file at each press."""

    NAME = "replay"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._wav = None if path.is_dir() else path
        self._voices: Iterator[Path] = cycle(sorted(path.glob("*.wav")) if path.is_dir() else [path])
        self._source = ReplaySource(self._wav, name=self.NAME)

    def press(self) -> None:
        """The talk key goes down: whoever speaks begins."""
        # A file alone is spoken to its end before it comes again.
        if (self._wav is None or self._source.silent) and (voice := next(self._voices, None)) is not None:
            self._source.hush()
            self._source.cue(voice)

    def cue(self, wav: Path) -> float:
        """Speak this file next; its length in seconds. From then on only what is cued is spoken."""
        self._voices = iter(())
        return self._source.cue(wav)

    def names(self, again: bool = False) -> list[str]:
        """The file, which is always there."""
        return [self.NAME]

    def open(self, name: str, listener: RecorderListener, rescue: Path, again: bool, rate: int) -> Recorder:
        """As `SoundDevices.open`. There is no other file to play a second microphone."""
        if name != self.NAME:
            raise devices.DeviceMissing("microphone", name, [self.NAME])
        if rate != self._source.sample_rate:
            self._source = ReplaySource(self._wav, rate, self.NAME)
        recorder = Recorder(self._source, listener, fallback=rescue)
        recorder.open()
        return recorder


def _nothing() -> None:
    pass
