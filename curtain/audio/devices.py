"""Microphones and outputs by name. A wanted device that is missing is said to be missing; no other is taken."""

import atexit
import importlib
import logging
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from curtain.base.errors import CurtainError

log = logging.getLogger(__name__)

Kind = Literal["microphone", "output"]

# Its shared mode lists whole names; MME, the default there, cuts them at 31 characters.
_WINDOWS_API = "Windows WASAPI"
_CLOSING_S = 1.0


class SoundError(CurtainError):
    """No sound comes or goes; the sentence says what to do."""


class NoPortAudio(SoundError):
    """The library that talks to sound devices is not installed."""

    def __init__(self) -> None:
        super().__init__(f"Sound needs the PortAudio library, which is not installed. {_remedy()}")


def _remedy() -> str:
    if sys.platform == "linux":
        return "Run: sudo apt-get install libportaudio2"
    return "Run: pip install --force-reinstall sounddevice"


class DeviceMissing(SoundError):
    """No such device, or none or several of that name; the sentence lists what is connected."""

    def __init__(self, kind: Kind, wanted: str | None, names: list[str]) -> None:
        connected = f"Connected now: {', '.join(names) or 'none'}."
        if not wanted:
            sentence = f"No {kind} is connected. Connect one and try again."
        elif sum(wanted.casefold() in name.casefold() for name in names) > 1:
            sentence = f"More than one {kind} fits “{wanted}”. Give the whole name. {connected}"
        else:
            sentence = f"The {kind} “{wanted}” is not connected. {connected}"
        super().__init__(sentence)


@dataclass(frozen=True)
class Device:
    """A device as PortAudio lists it; `index` holds until the next `rescan`."""

    index: int
    name: str
    channels: int
    default_rate: int
    is_default: bool = False


def portaudio() -> Any:
    """The `sounddevice` module. Raises `NoPortAudio`."""
    try:
        return importlib.import_module("sounddevice")
    # sounddevice raises OSError while it is imported, if the library is missing.
    except OSError as error:
        raise NoPortAudio from error


def list_microphones() -> list[Device]:
    """All microphones. Raises `NoPortAudio`."""
    return _devices("microphone")


def list_outputs() -> list[Device]:
    """All loudspeakers and headphones. Raises `NoPortAudio`."""
    return _devices("output")


def find_microphone(wanted: str | None) -> Device:
    """By its name, or a part of it that fits only one; None is the system's default. Raises `SoundError`."""
    return _found("microphone", list_microphones(), wanted)


def find_output(wanted: str | None) -> Device:
    """As `find_microphone`, for outputs. Raises `SoundError`."""
    return _found("output", list_outputs(), wanted)


# Names for whatever the system plays on: behind them may be any loudspeaker.
_SYSTEM_NAMES = ("default", "sysdefault", "pulse", "pipewire", "dmix", "sound mapper", "primary sound")


def is_systems_own(output: str) -> bool:
    """Whether this output is, or may be, the one that the system plays on."""
    try:
        names = output.casefold(), find_output(None).name.casefold()
    except SoundError:
        return True
    return names[0] == names[1] or any(mixer in name for name in names for mixer in _SYSTEM_NAMES)


def _found(kind: Kind, connected: list[Device], wanted: str | None) -> Device:
    device = choose(connected, wanted)
    if device is None:
        raise DeviceMissing(kind, wanted, [each.name for each in connected])
    return device


def choose(connected: list[Device], wanted: str | None) -> Device | None:
    """The one device that is meant, or None: an exact name, else the only one that contains `wanted`."""
    if not wanted:
        # Without a name only the system’s default: the first of a list may be none that anybody speaks into.
        return next((each for each in connected if each.is_default), None)
    exact = [each for each in connected if each.name == wanted]
    partly = [each for each in connected if wanted.casefold() in each.name.casefold()]
    # An exact name first: “USB Mic” is also a part of “USB Mic 2”.
    if exact:
        return exact[0]
    return partly[0] if len(partly) == 1 else None


class DeviceHangs(SoundError):
    """A stream that was let go is still being closed, since its device has stopped without a word."""

    def __init__(self) -> None:
        super().__init__(
            "A sound device of this computer has stopped answering. Wait until it does, or connect it anew."
        )


class _Closing(threading.Thread):
    """Stops and closes one stream. PortAudio waits in it for as long as the device gives or takes no sound."""

    def __init__(self, stream: Any) -> None:
        super().__init__(name="close stream", daemon=True)
        self._stream = stream

    def run(self) -> None:
        # Not `abort`: on ALSA it cancels the audio thread wherever it is, and if that holds a mutex just then, as when
        # it catches up after an overrun, closing the stream ends the whole process.
        self._stream.stop(ignore_errors=True)
        self._stream.close(ignore_errors=True)


def first_open(kind: Kind, device: Device, rate: int, make: Callable[[Any, Device, int, int], Any]) -> Any:
    """The stream of the first format that opens, since some devices refuse 16 kHz, and some mono: `rate` in Hz, then
    the device's own, in mono, then in stereo. `make` gets PortAudio, device, rate and channels.

    Raises SoundError.
    """
    library = portaudio()
    why = "no reason given"
    native = device.default_rate
    for hertz, channels in [(rate, 1), (native, 1), (native, min(2, device.channels))]:
        try:
            return make(library, device, hertz, channels)
        except library.PortAudioError as error:
            why = str(error)
            log.info("%s refuses %d Hz, %d channel(s): %s", device.name, hertz, channels, error)
    raise SoundError(f"The {kind} “{device.name}” does not open ({why}). Close other programs that use it.")


def let_go(stream: Any) -> None:
    """Stop and close a stream. PortAudio can hang in one whose device is gone: after a second, it is not waited for."""
    closing = _Closing(stream)
    closing.start()
    closing.join(timeout=_CLOSING_S)
    if closing.is_alive():
        # Registered after sounddevice's own, so it runs before that.
        atexit.register(_leave_hanging_streams)


def _a_stream_hangs() -> bool:
    return any(isinstance(thread, _Closing) for thread in threading.enumerate())


def _leave_hanging_streams() -> None:
    # sounddevice closes every stream when Python exits, and waits for ever for one that hangs in its first closing.
    if _a_stream_hangs():
        portaudio()._initialized = 0


def rescan() -> None:
    """See devices that came or went since the start. Closes every open stream: call it while none is open.

    Raises `DeviceHangs` while one that was let go is not closed: closing it a second time would never end.
    """
    if _a_stream_hangs():
        raise DeviceHangs
    # PortAudio lists devices once, when it is initialised; sounddevice offers no public way to do that again.
    library = portaudio()
    library._terminate()
    library._initialize()


def _devices(kind: Kind) -> list[Device]:
    library = portaudio()
    way = "input" if kind == "microphone" else "output"
    api = _host_api(library.query_hostapis())
    if api is None:
        return []
    listed = [library.query_devices(index) for index in api["devices"]]
    return [_device(each, way, api[f"default_{way}_device"]) for each in listed if each[f"max_{way}_channels"] > 0]


def _host_api(apis: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
    # One of them only: the others list the same devices again under other names.
    preferred = [api for api in apis if api["name"] == _WINDOWS_API and api["devices"]]
    return next(iter(preferred + [api for api in apis if api["devices"]]), None)


def _device(listed: dict[str, Any], way: str, default: int) -> Device:
    return Device(
        index=listed["index"],
        name=listed["name"],
        channels=listed[f"max_{way}_channels"],
        default_rate=int(listed["default_samplerate"]),
        is_default=listed["index"] == default,
    )
