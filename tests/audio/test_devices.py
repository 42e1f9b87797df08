import contextlib
import threading

import pytest

from curtain.audio import devices
from curtain.audio.devices import Device, DeviceHangs, DeviceMissing, NoPortAudio, choose, find_microphone, find_output

USB = Device(0, "USB Headset", 1, 16000)
USB_PRO = Device(1, "USB Headset Pro", 2, 48000)
BUILT_IN = Device(2, "Built-in", 2, 44100, is_default=True)
ALL = [USB, USB_PRO, BUILT_IN]

CHOICES = [
    (None, BUILT_IN, "no name: the system's default"),
    ("", BUILT_IN, "an empty name is no name"),
    ("USB Headset", USB, "an exact name, though another contains it"),
    ("built", BUILT_IN, "a part, in any case"),
    ("PRO", USB_PRO, "a part, in any case"),
    ("usb", None, "a part of two names"),
    ("Yeti", None, "not there: no other is taken"),
]


@pytest.mark.parametrize(("wanted", "expected", "why"), CHOICES)
def test_a_device_is_chosen_by_name(wanted, expected, why):
    assert choose(ALL, wanted) == expected, why


def test_the_default_is_not_replaced_by_some_other_device():
    assert choose([USB], None) is None


def test_a_missing_microphone_is_named_with_what_is_there(monkeypatch):
    monkeypatch.setattr(devices, "list_microphones", lambda: ALL)
    with pytest.raises(DeviceMissing, match=f"“Yeti” is not connected.*{', '.join(each.name for each in ALL)}"):
        find_microphone("Yeti")
    with pytest.raises(DeviceMissing, match="More than one"):
        find_microphone("usb")


def test_no_microphone_at_all_is_said(monkeypatch):
    monkeypatch.setattr(devices, "list_microphones", lambda: [])
    with pytest.raises(DeviceMissing, match="No microphone is connected"):
        find_microphone(None)


def test_without_portaudio_the_line_to_run_is_given(monkeypatch):
    def missing(name):
        raise OSError("PortAudio library not found")

    monkeypatch.setattr(devices.importlib, "import_module", missing)
    monkeypatch.setattr(devices.sys, "platform", "linux")
    for find in (find_microphone, find_output):
        with pytest.raises(NoPortAudio, match="apt-get install libportaudio2"):
            find(None)


def test_while_a_stream_hangs_in_its_closing_no_other_is_closed_with_it(monkeypatch):
    class Hanging:
        def __init__(self):
            self.goes_on, self.closed = threading.Event(), threading.Event()

        def stop(self, ignore_errors):
            self.goes_on.wait(60)

        def close(self, ignore_errors):
            self.closed.set()

    class Library:
        initialised = 0

        def _terminate(self):
            assert stream.closed.is_set()

        def _initialize(self):
            self.initialised += 1

    stream, library = Hanging(), Library()
    monkeypatch.setattr(devices, "portaudio", lambda: library)
    devices.let_go(stream)
    with pytest.raises(DeviceHangs):
        devices.rescan()
    stream.goes_on.set()
    while not library.initialised:
        with contextlib.suppress(DeviceHangs):
            devices.rescan()
