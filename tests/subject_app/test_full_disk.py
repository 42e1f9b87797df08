"""A full spool: before the key, in the middle of a take, at the end; there is room again, or never."""

import errno
import itertools
import os
import wave
from pathlib import Path

import numpy as np
import pytest

from curtain.audio.disk import RecordingDisk as AudioDisk
from curtain.base.disk import Disk
from curtain.link.messages import StationStatus
from subject_app.session.spool_space import Reserve, SpoolSpace
from subject_app.sitting.view import Notice
from subject_app.status import StatusReporter
from subject_app.talk import takes
from tests.subject_app.conftest import RATE, HandSound

EIGHT_SECONDS = 8 * RATE * 2
BEFORE_AND_AFTER = round(0.6 * RATE)


class Medium:
    """A disk of a certain size under one folder; what is deleted is free again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._size: int | None = None

    def fill(self) -> None:
        self._size = self._used()

    def clear(self) -> None:
        self._size = None

    def take(self, growth: int) -> None:
        size = self._size
        if size is not None and growth > 0 and self._used() + growth > size:
            raise OSError(errno.ENOSPC, "No space left on device")

    def _used(self) -> int:
        return sum(map(_size_of, self.folder.rglob("*")))


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except FileNotFoundError:  # renamed or removed meanwhile
        return 0


class SmallDisk(Disk):
    def __init__(self, medium: Medium) -> None:
        self._medium = medium

    def write(self, descriptor, data):
        self._medium.take(len(data))
        return super().write(descriptor, data)


class SmallAudioDisk(AudioDisk):
    def __init__(self, medium: Medium) -> None:
        self._medium = medium

    def write_at(self, file, offset, data):
        self._medium.take(offset + len(data) - os.fstat(file.fileno()).st_size)
        super().write_at(file, offset, data)


@pytest.fixture
def make_seated(make_room, tmp_path):
    """A station in its session, on a disk that can be filled; `reserve` in bytes."""

    def make(reserve: int = EIGHT_SECONDS):
        spool = tmp_path / "spool"
        medium = Medium(spool)
        space = SpoolSpace(spool, reserve, SmallDisk(medium), again_s=0.01)
        room = make_room(spool, sound=HandSound(disk=SmallAudioDisk(medium)), space=space, close_again_ms=10)
        room.medium = medium
        room.settle_in()
        room.hear(0.5)
        room.until(lambda: room.types().count("form_filled") == 2)
        return room

    return make


def fill_before(room) -> None:
    """The disk is full when the key goes down, then 1.7 s are said."""
    room.medium.fill()
    room.ask(1.7)


def fill_within(room) -> None:
    """The disk fills up after 3.4 of 7.1 s."""
    room.press()
    room.hear(3.4, value=500)
    room.until(lambda: wav_seconds(room, ".wav.part") > 3.4)
    room.medium.fill()
    room.hear(3.7)
    room.release()
    room.hear(0.5)


SCENES = [pytest.param(fill_before, 1.7, id="before"), pytest.param(fill_within, 7.1, id="within")]


def wav_seconds(room, ending: str = ".wav") -> float:
    path = room.session / "audio" / f"e00-01-001{ending}"
    # The file is there a moment before its header of 44 bytes.
    if not path.exists() or path.stat().st_size <= 44:
        return 0.0
    with wave.open(str(path)) as file:
        return file.getnframes() / file.getframerate()


@pytest.mark.parametrize(("scene", "seconds"), SCENES)
def test_the_reserve_takes_the_whole_question_and_its_lines(make_seated, scene, seconds):
    room = make_seated()
    scene(room)
    take = room.journaled("take_saved", 1).data
    assert take["frames"] == round(seconds * RATE) + BEFORE_AND_AFTER
    assert not take["disk_full"]
    assert wav_seconds(room) == take["frames"] / RATE
    assert room.types(1)[:2] == ["key_down", "key_up"]
    assert room.station.space.problem == "full"


@pytest.mark.parametrize(("scene", "seconds"), SCENES)
def test_without_a_reserve_every_sample_waits_in_memory_until_there_is_room(make_seated, scene, seconds):
    room = make_seated(reserve=0)
    scene(room)
    room.until(lambda: room.station.space.problem == "full")
    assert "take_saved" not in room.types()
    room.medium.clear()
    room.hear(1.5)
    take = room.journaled("take_saved", 1).data
    assert (take["frames"], take["disk_full"]) == (round(seconds * RATE) + BEFORE_AND_AFTER, False)
    assert room.types(1)[0] == "key_down"
    assert room.link.unsafe == []
    if scene is fill_within:
        with wave.open(str(room.session / "audio" / "e00-01-001.wav")) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        assert (np.count_nonzero(samples == 500), samples.max()) == (round(3.4 * RATE), 1000)


@pytest.mark.parametrize("scene", [fill_before, fill_within])
def test_when_there_is_never_room_the_turn_stays_and_is_said_to_be_cut(make_seated, scene):
    room = make_seated(reserve=0)
    scene(room)
    room.close()
    assert room.types(1)[:2] == ["key_down", "key_up"]
    assert room.link.unsafe == []
    if scene is fill_before:
        assert room.journaled("take_cancelled", 1).data["reason"] == "disk_full"
    else:
        take = room.journaled("take_saved", 1).data
        assert take["disk_full"]
        assert 3.4 < take["frames"] / RATE < 7.1
        assert wav_seconds(room) == take["frames"] / RATE


def end(room) -> str:
    sha = room.said(1)["sha256"]
    room.until(lambda: room.types(1)[-1] == "take_saved")
    room.answer(1, 1)
    room.medium.fill()
    room.station.acts.painted("answer", 1, 1)
    room.over(2)
    room.safe("e00-01-001", sha)
    return sha


@pytest.mark.parametrize("reserve", [EIGHT_SECONDS, 0])
def test_a_session_that_ends_on_a_full_disk_closes_with_its_reserve_or_once_there_is_room(make_seated, reserve):
    room = make_seated(reserve)
    end(room)
    if not reserve:
        room.until(lambda: room.station.space.problem == "full")
        room.station.on_acked(len(room.entries))
        assert room.view.page == "closing" and room.session.exists()
        room.medium.clear()
    room.journaled("painted", 1)
    room.station.on_acked(len(room.entries))
    room.until(lambda: not room.session.exists())


def test_a_session_that_ends_on_a_disk_that_stays_full_is_not_closed(make_seated):
    room = make_seated(reserve=0)
    end(room)
    room.until(lambda: room.station.space.problem == "full")
    room.close()
    assert room.session.exists()
    assert not (room.session / "closed").exists()
    assert room.types(1)[-1] == "painted"


def test_the_folder_is_marked_as_closed_once_the_disk_takes_the_mark(make_seated, monkeypatch):
    room = make_seated(reserve=0)
    sha = end(room)
    room.medium.clear()
    refusals = itertools.chain([True, True], itertools.repeat(False))
    touch = Path.touch

    def refuse(path, *args, **kwargs):
        if path.name == "closed" and next(refusals):
            raise OSError(errno.ENOSPC, "No space left on device")
        touch(path, *args, **kwargs)

    monkeypatch.setattr(Path, "touch", refuse)
    room.journaled("painted", 1)
    room.safe("e00-01-001", sha)
    room.station.on_acked(len(room.entries))
    room.until(lambda: not room.session.exists())


def test_a_press_for_which_there_is_no_memory_either_is_put_off_politely(make_seated, monkeypatch):
    monkeypatch.setattr(takes, "MOST_UNWRITTEN_S", 3.0)
    room = make_seated(reserve=0)
    room.medium.fill()
    room.ask(2)
    room.ask(1)
    room.hear(0.1)
    room.until(lambda: room.station.microphone.recorder.unwritten_s >= 3.0)
    turns = room.view.turn
    room.press()
    assert room.view.notice is Notice.PLEASE_WAIT
    assert room.view.turn == turns
    room.medium.clear()
    room.hear(1.5)
    room.journaled("take_saved", turns)
    room.until(lambda: room.station.microphone.recorder.unwritten_s == 0)
    room.ask()
    assert room.view.notice is Notice.NONE
    room.journaled("take_saved", turns + 1)


def test_the_wizard_is_told_with_the_next_status_and_until_the_reserve_is_whole_again(make_seated):
    room = make_seated()
    teller = StatusReporter(room.station, room.folder, room.background, room.link)
    teller.start()
    room.until(lambda: room.link.of(StationStatus))
    assert room.link.of(StationStatus)[-1].disk_problem == ""
    fill_before(room)
    room.until(lambda: room.link.of(StationStatus)[-1].disk_problem == "full")
    room.medium.clear()
    for _ in range(5):
        room.station.space.look()
    assert (room.folder / "reserve").stat().st_size == EIGHT_SECONDS
    room.until(lambda: room.link.of(StationStatus)[-1].disk_problem == "")


def test_a_reserve_that_does_not_fit_leaves_nothing_behind(tmp_path):
    medium = Medium(tmp_path)
    medium.fill()
    reserve = Reserve(tmp_path / "reserve", 4096, SmallDisk(medium))
    assert not reserve.fill()
    assert list(tmp_path.iterdir()) == []
    medium.clear()
    assert reserve.fill() and reserve.fill()
    assert reserve.spend() and not reserve.spend()


@pytest.mark.parametrize("full_before", [False, True])
def test_a_disk_that_is_full_when_the_station_closes_still_takes_the_last_lines(tmp_path, full_before):
    medium = Medium(tmp_path)
    space = SpoolSpace(tmp_path, 0, SmallDisk(medium), again_s=0)
    space.prepare()
    full = OSError(errno.ENOSPC, "No space left on device")
    if full_before:
        assert space.try_again(full, 1)
    # A write may fail just before, and be asked about just after.
    space.end()
    medium.fill()
    with pytest.raises(OSError, match="No space"):
        medium.take(100)
    assert space.try_again(full, 1)
    medium.take(100)
    assert not space.try_again(full, 2)
