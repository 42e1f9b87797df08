import hashlib
import shutil
import threading
import wave
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curtain.audio.disk import RecordingDisk
from curtain.audio.takes import TakeExists, TakeWriter, describe_take, part_of, recover_takes
from curtain.audio.wav import HEADER_BYTES, WavFormat, header
from curtain.base.errors import CurtainError

RATE = 16000
NOISE = np.random.default_rng(1).integers(-32768, 32768, (RATE, 1), dtype=np.int16)


def frames_of(path: Path) -> np.ndarray:
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())


def write_part(folder: Path, name: str, samples: np.ndarray = NOISE) -> Path:
    writer = TakeWriter(folder / f"{name}.wav", WavFormat(RATE))
    writer.write(samples)
    writer.abandon()
    return folder / f"{name}.wav.part"


def at_once(work) -> Future:
    done: Future = Future()
    try:
        done.set_result(work())
    except OSError as error:
        done.set_exception(error)
    return done


class CountingDisk(RecordingDisk):
    soon = staticmethod(at_once)

    def __init__(self) -> None:
        self.unsynced = self.worst = 0

    def write_at(self, file, offset, data):
        super().write_at(file, offset, data)
        if offset:
            self.unsynced += len(data)
            self.worst = max(self.worst, self.unsynced)

    def sync(self, file):
        super().sync(file)
        self.unsynced = 0


def test_never_more_than_250_ms_are_unsynced(tmp_path):
    disk = CountingDisk()
    writer = TakeWriter(tmp_path / "a.wav", WavFormat(RATE), disk)
    for start in range(0, RATE, 320):
        writer.write(NOISE[start : start + 320])
    assert 0 < disk.worst <= 0.25 * RATE * 2
    writer.close()
    assert disk.unsynced == 0


class StuckDisk(RecordingDisk):
    """Its syncs do not come to an end until they are let go."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def sync(self, file):
        assert self.go.wait(10)
        super().sync(file)


def test_samples_do_not_wait_for_a_slow_sync(tmp_path):
    disk = StuckDisk()
    writer = TakeWriter(tmp_path / "a.wav", WavFormat(RATE), disk)
    for start in range(0, RATE, 320):
        writer.write(NOISE[start : start + 320])
    assert np.array_equal(frames_of(part_of(tmp_path / "a.wav")), NOISE)
    disk.go.set()
    writer.close()
    assert np.array_equal(frames_of(tmp_path / "a.wav"), NOISE)


class BrokenDisk(RecordingDisk):
    def sync(self, file):
        raise OSError(5, "injected")


def test_a_sync_that_failed_beside_the_writing_is_reported(tmp_path):
    writer = TakeWriter(tmp_path / "a.wav", WavFormat(RATE), BrokenDisk())
    with pytest.raises(OSError, match="injected"):
        writer.close()
    writer.abandon()


def test_every_state_of_a_growing_take_is_a_plain_wav(tmp_path):
    writer = TakeWriter(tmp_path / "a.wav", WavFormat(RATE))
    assert len(frames_of(part_of(tmp_path / "a.wav"))) == 0
    for start in range(0, 3200, 320):
        writer.write(NOISE[start : start + 320])
        assert np.array_equal(frames_of(part_of(tmp_path / "a.wav")), NOISE[: start + 320])
    writer.cut(1000)
    digest = writer.close()
    assert np.array_equal(frames_of(tmp_path / "a.wav"), NOISE[:1000])
    assert digest == hashlib.sha256((tmp_path / "a.wav").read_bytes()).hexdigest()


def test_what_was_put_behind_a_take_is_in_the_part_and_gives_way_to_what_is_written(tmp_path):
    writer = TakeWriter(tmp_path / "a.wav", WavFormat(RATE))
    writer.write(NOISE[:320])
    writer.foreshadow(NOISE[320:1280])
    assert np.array_equal(frames_of(part_of(tmp_path / "a.wav")), NOISE[:1280])
    writer.write(NOISE[4000:4320])
    digest = writer.close()
    assert np.array_equal(frames_of(tmp_path / "a.wav"), np.concatenate([NOISE[:320], NOISE[4000:4320]]))
    assert digest == hashlib.sha256((tmp_path / "a.wav").read_bytes()).hexdigest()


@pytest.mark.parametrize("earlier", ["a.wav", "a.wav.part"])
def test_a_take_never_replaces_another(tmp_path, earlier):
    (tmp_path / earlier).write_bytes(b"earlier")
    with pytest.raises(TakeExists):
        TakeWriter(tmp_path / "a.wav", WavFormat(RATE))
    assert (tmp_path / earlier).read_bytes() == b"earlier"


def test_closing_does_not_replace_a_file_that_appeared_meanwhile(tmp_path):
    writer = TakeWriter(tmp_path / "a.wav", WavFormat(RATE))
    (tmp_path / "a.wav").write_bytes(b"other")
    with pytest.raises(TakeExists):
        writer.close()
    assert (tmp_path / "a.wav").read_bytes() == b"other"
    assert (tmp_path / "a.wav.part").exists()


def test_mending_gives_the_final_name_and_tells_what_the_take_holds(tmp_path):
    write_part(tmp_path, "e00-01-002")
    (repaired,) = recover_takes(tmp_path)
    assert np.array_equal(frames_of(tmp_path / "e00-01-002.wav"), NOISE)
    assert (repaired.utterance_id, repaired.frames, repaired.sample_rate) == ("e00-01-002", RATE, RATE)
    assert repaired.sha256 == hashlib.sha256(repaired.path.read_bytes()).hexdigest()
    assert repaired == describe_take(repaired.path)
    assert recover_takes(tmp_path) == []


def test_audio_that_the_header_does_not_know_of_is_found(tmp_path):
    part = tmp_path / "a.wav.part"
    part.write_bytes(header(WavFormat(RATE), 320) + NOISE.tobytes())
    assert recover_takes(tmp_path)[0].frames == RATE
    assert np.array_equal(frames_of(tmp_path / "a.wav"), NOISE)


CUT_SHORT = [
    (b"", 0, 16000),
    (header(WavFormat(8000), 0)[:20], 0, 16000),
    (header(WavFormat(8000), 0), 0, 8000),
    (header(WavFormat(8000), 9) + b"\1", 0, 8000),
    (header(WavFormat(8000), 9) + b"\1\2\3", 1, 8000),
    (header(WavFormat(8000, 2), 9) + b"\1\2\3\4\5\6", 1, 8000),
    (bytes(HEADER_BYTES) + b"\1\2", 1, 16000),
]


@pytest.mark.parametrize(("content", "frames", "rate"), CUT_SHORT)
def test_a_part_cut_anywhere_becomes_a_playable_wav(tmp_path, content, frames, rate):
    (tmp_path / "a.wav.part").write_bytes(content)
    (repaired,) = recover_takes(tmp_path)
    assert (repaired.frames, repaired.sample_rate) == (frames, rate)
    with wave.open(str(tmp_path / "a.wav")) as file:
        assert (file.getnframes(), file.getframerate()) == (frames, rate)


@given(length=st.integers(0, HEADER_BYTES + 700))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_prefix_of_a_part_mends_to_a_prefix_of_its_sound(tmp_path_factory, length):
    folder = tmp_path_factory.mktemp("prefix")
    whole = header(WavFormat(16000), 0) + NOISE.tobytes()
    (folder / "a.wav.part").write_bytes(whole[:length])
    (repaired,) = recover_takes(folder)
    assert repaired.frames == max(0, length - HEADER_BYTES) // 2
    assert np.array_equal(frames_of(folder / "a.wav"), NOISE[: repaired.frames])


def test_what_is_not_ours_or_would_replace_a_take_is_left_alone(tmp_path, caplog):
    (tmp_path / "a.wav.part").write_bytes(b"OggS" * 100)
    write_part(tmp_path, "b")
    (tmp_path / "b.wav").write_bytes(b"whole")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    assert recover_takes(tmp_path) == []
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_a_withdrawn_part_is_removed_and_not_mended(tmp_path):
    write_part(tmp_path, "a")
    write_part(tmp_path, "b")
    assert [each.utterance_id for each in recover_takes(tmp_path, withdrawn={"a"})] == ["b"]
    assert [each.name for each in tmp_path.iterdir()] == ["b.wav"]


class Killed(BaseException):
    """Stands for the end of the process."""


class KillingDisk(RecordingDisk):
    """Kills at its n-th step: before it, or in the middle of a write."""

    def __init__(self, nth: int, half: bool) -> None:
        self._left, self._half = nth, half

    def _dies(self) -> bool:
        self._left -= 1
        return self._left == 0

    def write_at(self, file, offset, data):
        if self._dies():
            if self._half:
                super().write_at(file, offset, data[: len(data) // 2])
            raise Killed
        super().write_at(file, offset, data)

    def truncate(self, file, size):
        self._step(super().truncate, file, size)

    def sync(self, file):
        self._step(super().sync, file)

    def rename(self, old, new):
        self._step(super().rename, old, new)

    def sync_folder(self, folder):
        self._step(super().sync_folder, folder)

    def _step(self, act, *arguments):
        dies = self._dies()
        if dies and not self._half:
            raise Killed
        act(*arguments)
        if dies:
            raise Killed


def leave_parts(folder: Path) -> None:
    folder.mkdir()
    for number in range(5):
        whole = header(WavFormat(RATE), 0) + NOISE[: 100 * number].tobytes() + b"\1" * (number % 2)
        (folder / f"e00-01-00{number}.wav.part").write_bytes(whole)


@pytest.mark.parametrize("half", [False, True])
def test_mending_killed_at_any_step_and_run_again_ends_the_same(tmp_path, half):
    leave_parts(tmp_path / "calm")
    recover_takes(tmp_path / "calm")
    expected = {each.name: each.read_bytes() for each in (tmp_path / "calm").iterdir()}
    for step in range(1, 26):
        folder = tmp_path / f"killed-{step}"
        leave_parts(folder)
        with pytest.raises(Killed):
            recover_takes(folder, disk=KillingDisk(step, half))
        recover_takes(folder)
        assert {each.name: each.read_bytes() for each in folder.iterdir()} == expected
        shutil.rmtree(folder)


class FullDisk(RecordingDisk):
    """Not a byte more."""

    def write_at(self, file, offset, data):
        assert offset + len(data) <= file.seek(0, 2), "repairing asked for more space"
        super().write_at(file, offset, data)

    def create(self, path):
        raise AssertionError("repairing made a new file")


def test_mending_needs_no_free_space(tmp_path):
    write_part(tmp_path, "a")
    assert recover_takes(tmp_path, disk=FullDisk())[0].frames == RATE


def test_a_finished_take_with_a_damaged_beginning_is_named(tmp_path):
    (tmp_path / "a.wav").write_bytes(b"\0" * 100)
    with pytest.raises(CurtainError, match=r"a\.wav"):
        describe_take(tmp_path / "a.wav")
