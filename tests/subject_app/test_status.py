"""What the wizard's station is told of this one twice a second."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest

from curtain.link.messages import StationStatus
from subject_app.status import StatusTeller


@pytest.fixture
def telling(room):
    room.settle_in()
    teller = StatusTeller(room.station.microphone, room.station.recording, room.folder, room.background, room.link)
    return SimpleNamespace(room=room, teller=teller, told=lambda: room.link.of(StationStatus))


def test_a_disk_that_nobody_has_looked_at_is_unknown(telling, monkeypatch):
    def slow(folder):
        raise OSError

    monkeypatch.setattr(shutil, "disk_usage", slow)
    telling.teller.start()
    telling.room.until(telling.told)
    assert telling.told()[-1].disk_hours is None


def test_a_full_disk_is_told_as_full_and_not_as_unknown(telling, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=0))
    telling.teller.start()
    telling.room.until(lambda: telling.told() and telling.told()[-1].disk_hours == 0.0)
