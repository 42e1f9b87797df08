"""What the wizard's station is told of this one twice a second."""

import shutil
from types import SimpleNamespace

import pytest

from curtain.link.messages import StationStatus
from subject_app.status import StatusReporter


@pytest.fixture
def telling(room):
    room.settle_in()
    teller = StatusReporter(room.station, room.folder, room.background, room.link)
    return SimpleNamespace(room=room, teller=teller, shown=lambda: room.link.of(StationStatus))


def test_a_disk_that_nobody_has_looked_at_is_unknown(telling, monkeypatch):
    def slow(folder):
        raise OSError

    monkeypatch.setattr(shutil, "disk_usage", slow)
    telling.teller.start()
    telling.room.until(telling.shown)
    assert telling.shown()[-1].disk_hours is None


def test_device_state_and_test_are_reported_before_a_microphone_is_open(room):
    room.sound.connected.clear()
    room.welcome()
    room.until(lambda: room.station.microphone.state == "none")
    teller = StatusReporter(room.station, room.folder, room.background, room.link)
    teller.start()
    room.until(lambda: room.link.of(StationStatus))
    status = room.link.of(StationStatus)[-1]
    assert (status.microphone_ok, status.microphone_state, status.test) == (False, "none", "waiting")


def test_a_full_disk_is_reported_as_full_and_not_as_unknown(telling, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=0))
    telling.teller.start()
    telling.room.until(lambda: telling.shown() and telling.shown()[-1].disk_hours == 0.0)
