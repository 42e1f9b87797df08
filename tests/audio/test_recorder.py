import errno
import random
import threading
import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from curtain.audio.disk import RecordingDisk
from curtain.audio.open_take import TakeNotOnDisk
from curtain.base.errors import CurtainError
from tests.audio.conftest import Remembering
from tests.audio.test_takes import at_once
from tests.support.hand_turned_source import HandTurnedSource

RATE = 16000
PRE, TAIL = round(0.3 * RATE), round(0.3 * RATE)
WAIT = 10


def counting(frames, start=0):
    """Samples that tell where they stand."""
    return ((np.arange(start, start + frames) % 30000) + 1).astype(np.int16)


def samples_of(path: Path) -> np.ndarray:
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def begin(recorder, source, folder):
    """Half a second of silence, and the key goes down."""
    source.silence(0.5)
    recorder.begin(folder / "a.wav", source.time())


def ended(recorder, source):
    """The key comes up; the take, once its tail has come."""
    future = recorder.end(source.time())
    source.silence(0.5)
    return future.result(WAIT)


def one_take(recorder, source, path, held_s=1.0):
    source.silence(0.5)
    recorder.begin(path, source.time())
    source.silence(held_s)
    future = recorder.end(source.time())
    source.silence(0.5)
    return future


def test_a_take_is_the_held_time_with_pre_roll_and_tail_sample_for_sample(recorder, source, tmp_path):
    source.play(counting(RATE))
    recorder.begin(tmp_path / "e00-01-001.wav", source.time())
    source.play(counting(2 * RATE, RATE))
    future = recorder.end(source.time())
    source.play(counting(RATE, 3 * RATE))
    take = future.result(WAIT)
    assert take.frames == PRE + 2 * RATE + TAIL
    assert (take.key_down_frame, take.key_up_frame) == (PRE, PRE + 2 * RATE)
    assert np.array_equal(samples_of(take.path), counting(take.frames, RATE - PRE))
    assert (take.gaps, take.lost, take.clipped, take.sample_rate) == ((), False, 0, RATE)


@pytest.mark.parametrize("seed", range(5))
def test_a_tone_exactly_at_press_and_release_is_whole_whatever_the_phase_and_block(
    open_recorder, listener, tmp_path, seed
):
    chance = random.Random(seed)
    for turn in range(20):
        source = HandTurnedSource()
        recorder = open_recorder(source)
        block, before = chance.randint(16, 1024), chance.randint(RATE // 2, RATE)
        held = chance.randint(RATE // 10, RATE)
        source.play(np.zeros(before, np.int16), block)
        recorder.begin(tmp_path / f"{seed}-{turn}.wav", source.time())
        tone = np.rint(8000 * np.sin(np.arange(held))).astype(np.int16)
        tone[[0, -1]] = 9999
        source.play(tone, block)
        future = recorder.end(source.time())
        source.play(np.zeros(RATE // 2, np.int16), block)
        take = future.result(WAIT)
        assert abs(take.frames - (PRE + held + TAIL)) <= 1
        recorded = samples_of(take.path)
        first = int(np.flatnonzero(recorded)[0])
        assert abs(first - take.key_down_frame) <= 1
        assert np.array_equal(recorded[first : first + held], tone)


def test_a_key_press_that_reaches_us_late_still_gets_its_own_pre_roll(recorder, source, tmp_path):
    source.play(counting(RATE))
    pressed = source.time()
    source.play(counting(RATE, RATE))  # the window was busy for a second
    recorder.begin(tmp_path / "a.wav", pressed)
    future = recorder.end(source.time())
    source.silence(0.5)
    assert np.array_equal(samples_of(future.result(WAIT).path)[: PRE + RATE], counting(PRE + RATE, RATE - PRE))


def test_a_release_that_reaches_us_late_cuts_where_the_key_came_up(recorder, source, tmp_path):
    source.silence(1)
    recorder.begin(tmp_path / "a.wav", source.time())
    source.play(counting(RATE))
    released = source.time()
    source.play(counting(2 * RATE, RATE))
    take = recorder.end(released).result(WAIT)
    assert take.frames == PRE + RATE + TAIL
    assert np.array_equal(samples_of(take.path)[PRE:], counting(RATE + TAIL))


def test_a_second_take_may_begin_in_the_tail_of_the_first(recorder, source, tmp_path):
    source.play(counting(RATE))
    recorder.begin(tmp_path / "a.wav", source.time())
    source.play(counting(RATE, RATE))
    first = recorder.end(source.time())
    source.play(counting(800, 2 * RATE))
    recorder.begin(tmp_path / "b.wav", source.time())
    source.play(counting(RATE, 2 * RATE + 800))
    second = recorder.end(source.time())
    source.play(counting(RATE, 3 * RATE + 800))
    assert np.array_equal(samples_of(first.result(WAIT).path), counting(PRE + RATE + TAIL, RATE - PRE))
    assert np.array_equal(samples_of(second.result(WAIT).path), counting(PRE + RATE + TAIL, 2 * RATE + 800 - PRE))


def test_a_growing_take_is_readable_and_has_its_final_name_only_when_whole(recorder, source, listener, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(RATE))
    listener.wait_for("level", count=75)
    assert not (tmp_path / "a.wav").exists()
    assert len(samples_of(tmp_path / "a.wav.part")) >= PRE + RATE - 320
    ended(recorder, source)
    assert [each.name for each in tmp_path.iterdir()] == ["a.wav"]


def test_samples_whose_place_is_in_doubt_outlive_the_process_too(recorder, source, listener, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(8000))
    source.lose(1000)
    # Twelve blocks behind the loss: judged only with the thirteenth.
    source.play(counting(12 * 320, 8000))
    listener.wait_for("level", count=25 + 25 + 12)
    assert np.array_equal(samples_of(tmp_path / "a.wav.part")[PRE:], counting(8000 + 12 * 320))
    take = ended(recorder, source)
    assert take.gaps == ((PRE + 8000, 1000),)
    assert len(samples_of(take.path)) == take.frames == PRE + 9000 + 12 * 320 + TAIL


def test_samples_in_doubt_beyond_the_tail_do_not_stay_in_the_take(recorder, source, listener, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(8000))
    released_at = source.time()
    source.lose(1000)
    source.play(counting(12 * 320, 9000))
    listener.wait_for("level", count=25 + 25 + 12)
    take = recorder.end(released_at - 0.3)
    source.silence(0.5)
    kept = take.result(WAIT)
    assert samples_of(kept.path).tolist() == [0] * PRE + counting(8000).tolist()
    assert kept.frames == PRE + 8000


def test_nothing_of_a_withdrawn_take_stays_and_the_next_one_is_whole(recorder, source, tmp_path):
    begin(recorder, source, tmp_path)
    source.silence(0.5)
    recorder.cancel()
    one_take(recorder, source, tmp_path / "b.wav").result(WAIT)
    assert [each.name for each in tmp_path.iterdir()] == ["b.wav"]


def test_a_take_can_be_withdrawn_after_the_microphone_went(recorder, source, listener, tmp_path):
    begin(recorder, source, tmp_path)
    source.silence(0.5)
    source.vanish()
    listener.wait_for("lost")
    recorder.cancel()
    recorder.close()
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_take_is_never_overwritten(recorder, source, tmp_path):
    (tmp_path / "a.wav").write_bytes(b"earlier")
    future = one_take(recorder, source, tmp_path / "a.wav")
    with pytest.raises(TakeNotOnDisk, match="exists"):
        future.result(WAIT)
    assert (tmp_path / "a.wav").read_bytes() == b"earlier"


@pytest.mark.parametrize("lost", [320, 321, 1000, RATE])
def test_lost_samples_become_silence_of_their_length_and_are_reported(recorder, source, listener, tmp_path, lost):
    begin(recorder, source, tmp_path)
    source.play(counting(8000))
    source.lose(lost)
    source.play(counting(8000, 8000 + lost))
    take = ended(recorder, source)
    assert take.gaps == ((PRE + 8000, lost),)
    assert listener.all("gap") == [(PRE + 8000, lost)]
    expected = counting(16000 + lost)
    expected[8000 : 8000 + lost] = 0
    assert np.array_equal(samples_of(take.path)[PRE : PRE + 16000 + lost], expected)


def test_an_overflow_without_measurable_loss_is_reported_with_its_place(recorder, source, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(3200))
    source.play(counting(8000, 3200), overflowed=True)
    take = ended(recorder, source)
    assert take.gaps == ((PRE + 3200, 0),)
    assert np.array_equal(samples_of(take.path)[PRE : PRE + 11200], counting(11200))


def test_a_thousand_losses_with_and_without_flags_are_all_reported(recorder, source, tmp_path):
    chance = random.Random(7)
    begin(recorder, source, tmp_path)
    source.play(counting(RATE))
    silent = 0
    for _ in range(1000):
        flagged = chance.random() < 0.5
        source.lose(0 if flagged else chance.randint(320, 2000))
        silent += not flagged
        source.play(counting(320 * chance.randint(1, 4)), overflowed=flagged)
    source.play(counting(RATE))
    future = recorder.end(source.time())
    source.silence(1)
    gaps = future.result(WAIT).gaps
    assert len(gaps) == 1000
    assert sum(missing > 0 for _, missing in gaps) == silent


def test_blocks_that_are_dated_late_for_a_while_are_no_gap(recorder, source, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(8000))
    for block in range(10):
        source.play(counting(320, 8000 + 320 * block), dated_late=0.2 - 0.02 * block)
    source.play(counting(8000, 11200))
    take = ended(recorder, source)
    assert take.gaps == ()
    assert np.array_equal(samples_of(take.path)[PRE : PRE + 19200], counting(19200))


def test_a_microphone_that_goes_away_closes_the_take_with_what_came(recorder, source, listener, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(8000))
    source.vanish("unplugged")
    assert listener.wait_for("lost") == ("unplugged",)
    take = recorder.end(source.time()).result(WAIT)
    assert take.lost
    assert np.array_equal(samples_of(take.path)[PRE:], counting(8000))
    with pytest.raises(CurtainError, match="no longer there"):
        recorder.begin(tmp_path / "b.wav", source.time())


def test_silence_from_the_device_is_reported_within_half_a_second_and_may_end(recorder, source, listener, tmp_path):
    source.silence(0.5)
    source.lose(round(0.35 * RATE))
    assert listener.wait_for("stalled")[0] == pytest.approx(0.35)
    source.silence(0.5)
    listener.wait_for("resumed")
    assert listener.all("lost") == []


def test_a_device_that_stays_silent_is_lost_and_what_came_is_kept(recorder, source, listener, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(8000))
    source.lose(round(0.4 * RATE))
    listener.wait_for("stalled")
    source.lose(3 * RATE)
    listener.wait_for("lost")
    take = recorder.end(source.time()).result(WAIT)
    assert take.lost and take.frames == PRE + 8000
    # It may come back, but only a stream that is opened anew records.
    source.silence(0.5)
    recorder.close()
    assert listener.all("resumed") == []


def test_closing_saves_an_open_take(recorder, source, tmp_path):
    begin(recorder, source, tmp_path)
    source.play(counting(8000))
    recorder.close()
    assert len(samples_of(tmp_path / "a.wav")) == PRE + 8000


def test_the_microphone_can_be_opened_again_after_it_was_lost(recorder, source, listener, tmp_path):
    source.silence(0.5)
    source.vanish()
    listener.wait_for("lost")
    recorder.close()
    recorder.open()
    assert not one_take(recorder, source, tmp_path / "a.wav").result(WAIT).lost


def test_a_listener_that_fails_does_not_stop_the_recording(recorder, source, listener, tmp_path, caplog):
    def broken(dbfs, clipped):
        raise ZeroDivisionError

    listener.on_level = broken
    assert one_take(recorder, source, tmp_path / "a.wav").result(WAIT).frames == PRE + RATE + TAIL


class SlowDisk(RecordingDisk):
    """Its first sync takes until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def sync(self, file):
        assert self.go.wait(WAIT)
        super().sync(file)


def test_a_slow_disk_loses_nothing(open_recorder, source, tmp_path):
    disk = SlowDisk()
    recorder = open_recorder(disk=disk)
    begin(recorder, source, tmp_path)
    source.play(counting(20 * RATE))
    future = recorder.end(source.time())
    source.silence(0.5)
    disk.go.set()
    take = future.result(WAIT)
    assert take.gaps == ()
    assert np.array_equal(samples_of(take.path)[PRE : PRE + 20 * RATE], counting(20 * RATE))


class StuckDisk(SlowDisk):
    """It takes nothing until it is let go."""

    def write_at(self, file, offset, data):
        assert self.go.wait(WAIT)
        super().write_at(file, offset, data)


def test_what_a_stuck_disk_cannot_take_is_a_gap_that_is_reported(open_recorder, source, listener, tmp_path):
    disk = StuckDisk()
    recorder = open_recorder(disk=disk)
    begin(recorder, source, tmp_path)
    source.silence(70)
    disk.go.set()
    listener.wait_for("level", count=3000)
    source.silence(1)
    take = ended(recorder, source)
    assert take.frames == PRE + 71 * RATE + TAIL
    assert sum(missing for _, missing in take.gaps) / RATE == pytest.approx(10, abs=1)


class FailingDisk(RecordingDisk):
    """Its n-th write or sync fails, and all after it if `for_ever`."""

    def __init__(self, which: str, nth: int, for_ever: bool, code: int) -> None:
        self._which, self._left, self._for_ever, self._code = which, nth, for_ever, code
        self.failed = False

    def repair(self) -> None:
        """From now on it takes everything."""
        self._which = ""

    def _step(self, which: str) -> None:
        if which != self._which:
            return
        self._left -= 1
        if self._left == 0 or (self._left < 0 and self._for_ever):  # a full disk refuses all that follows
            self.failed = True
            raise OSError(self._code, "injected")

    # In the order of the calls, so that it is always the same one that fails.
    soon = staticmethod(at_once)

    def write_at(self, file, offset, data):
        self._step("write")
        super().write_at(file, offset, data)

    def sync(self, file):
        self._step("sync")
        super().sync(file)

    def rename(self, old, new):
        self._step("rename")
        super().rename(old, new)


PROBLEMS = [
    (which, nth, for_ever)
    for which, count in [("write", 12), ("sync", 6), ("rename", 1)]
    for nth in range(1, count)
    for for_ever in (False, True)
] + [("rename", 1, False)]


def second_over(recorder, source, tmp_path):
    """A take of a second that has ended half a second ago."""
    begin(recorder, source, tmp_path)
    source.play(counting(RATE))
    future = recorder.end(source.time())
    source.silence(0.5)
    return future


@pytest.mark.parametrize("problem", PROBLEMS)
def test_no_disk_problem_loses_a_take_or_the_next_one(open_recorder, source, listener, tmp_path, problem):
    disk = FailingDisk(*problem, errno.ENOSPC)
    recorder = open_recorder(disk=disk, fallback=tmp_path / "elsewhere")
    future = second_over(recorder, source, tmp_path)
    if problem[2]:
        listener.wait_for("disk_problem")
        assert not future.done()
        disk.repair()
    source.silence(1.5)
    saved = kept_of(future)
    assert disk.failed
    assert np.array_equal(samples_of(saved.path)[PRE : PRE + RATE], counting(RATE))
    assert (saved.frames, saved.disk_full) == (PRE + RATE + TAIL, False)
    assert one_take(recorder, source, tmp_path / "b.wav").result(WAIT).frames == PRE + RATE + TAIL


@pytest.mark.parametrize("closes", [False, True])
def test_a_narrow_take_waits_for_a_full_disk_as_every_other_take(open_recorder, source, tmp_path, monkeypatch, closes):
    tries = []

    def narrowed(wide, path):
        tries.append(path)
        if len(tries) == 1 and not closes:
            raise OSError(errno.ENOSPC, "injected")
        return replace(wide, path=path)

    monkeypatch.setattr("curtain.audio.takes.narrowed", narrowed)
    recorder = open_recorder()
    begin(recorder, source, tmp_path)
    source.silence(1.0)
    made = recorder.narrow(recorder.end(source.time()), tmp_path / "narrow.wav")
    if closes:  # before the tail has come
        recorder.close()
    else:
        source.silence(3.0)
    assert made.result(WAIT).path == tmp_path / "narrow.wav"
    assert len(tries) == (1 if closes else 2)


def kept_of(future):
    """The take at its own place, or at the fallback where the file at its place is suspect."""
    try:
        return future.result(WAIT)
    except TakeNotOnDisk as error:
        return error.rescued


@pytest.mark.parametrize("problem", [problem for problem in PROBLEMS if problem[2]])
def test_a_disk_that_takes_nothing_to_the_end_keeps_the_beginning_and_says_so(open_recorder, source, tmp_path, problem):
    disk = FailingDisk(*problem, errno.ENOSPC)
    recorder = open_recorder(disk=disk, fallback=tmp_path / "elsewhere")
    future = second_over(recorder, source, tmp_path)
    recorder.close()
    if problem[0] == "write":
        saved = future.result(WAIT)
        assert saved.disk_full and saved.frames < PRE + RATE
        assert saved.path.exists() == bool(saved.frames)
        if saved.frames:
            assert len(samples_of(saved.path)) == saved.frames
        return
    with pytest.raises(TakeNotOnDisk, match="the disk is full") as raised:
        future.result(WAIT)
    assert np.array_equal(raised.value.samples[PRE : PRE + RATE, 0], counting(RATE))


class Reserve(Remembering):
    """Once there is something to give up, and then the disk writes again."""

    def __init__(self, disk) -> None:
        super().__init__()
        self._disk = disk

    def make_room(self, problem):
        self._note("make_room", problem)
        self._disk.repair()
        return True


@pytest.mark.parametrize("nth", range(1, 12))
def test_room_that_is_made_at_once_leaves_no_trace_in_the_take(open_recorder, source, tmp_path, nth):
    disk = FailingDisk("write", nth, True, errno.ENOSPC)
    listener = Reserve(disk)
    recorder = open_recorder(disk=disk, listener=listener)
    source.silence(0.5)
    take = one_take(recorder, source, tmp_path / "a.wav").result(WAIT)
    assert take.frames == PRE + RATE + TAIL
    assert len(listener.all("make_room")) == 1
    assert listener.all("disk_problem") == []


def test_takes_wait_in_memory_in_their_order_until_the_disk_has_room(open_recorder, source, listener, tmp_path):
    disk = FailingDisk("write", 1, True, errno.ENOSPC)
    recorder = open_recorder(disk=disk)
    source.silence(0.5)
    futures = [one_take(recorder, source, tmp_path / name) for name in ("a.wav", "b.wav")]
    listener.wait_for("disk_problem", count=2)
    disk.repair()
    source.silence(2.0)
    assert [future.result(WAIT).frames for future in futures] == [PRE + RATE + TAIL] * 2


@pytest.mark.parametrize(("rate", "channels"), [(44100, 1), (48000, 2), (16000, 2), (8000, 1)])
def test_the_header_tells_the_rate_and_channels_obtained(open_recorder, listener, tmp_path, rate, channels):
    source = HandTurnedSource(rate, channels)
    take = one_take(open_recorder(source), source, tmp_path / "a.wav").result(WAIT)
    assert (take.sample_rate, take.channels) == (rate, channels)
    with wave.open(str(take.path)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getnframes()) == (rate, channels, take.frames)
    assert take.frames == pytest.approx(1.6 * rate, abs=1)


def test_a_microphone_that_tells_when_it_is_gone_may_be_late_for_as_long_as_it_likes(
    open_recorder, source, listener, tmp_path
):
    source.reports_loss = True
    recorder, watched, other = open_recorder(), HandTurnedSource(), Remembering()
    open_recorder(watched, listener=other)
    source.play(counting(RATE))
    recorder.begin(tmp_path / "a.wav", source.time())
    source.play(counting(RATE, RATE))
    source.now_later = 6.0
    watched.play(counting(320))
    # Each notices the silence of its own source by the same look, every tenth of a second.
    for noticed in ("stalled", "lost"):
        watched.lose(6 * RATE)
        other.wait_for(noticed)
    source.now_later = 0.0
    source.play(counting(RATE, 2 * RATE))
    future = recorder.end(source.time())
    source.play(counting(RATE, 3 * RATE))
    take = future.result(WAIT)
    assert (take.lost, listener.all("stalled"), listener.all("lost")) == (False, [], [])
    assert np.array_equal(samples_of(take.path), counting(PRE + 2 * RATE + TAIL, RATE - PRE))
