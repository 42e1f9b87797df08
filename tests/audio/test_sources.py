import queue

import numpy as np
import pytest
import soundfile

from curtain.audio import devices, sources
from curtain.audio.sources import DeviceSource, ReplaySource
from curtain.base.clock import steady_s
from curtain.base.errors import CurtainError

RATE = 16000
WAIT = 10
NOISE = np.random.default_rng(5).integers(-3000, 3000, 2500, dtype=np.int16)


class Ear:
    """Collects blocks; `until` waits for enough of them."""

    def __init__(self) -> None:
        self.blocks = []
        self._new = queue.SimpleQueue()

    def __call__(self, block):
        self._new.put((block, steady_s()))

    def until(self, enough):
        while not enough(self.blocks):
            self.blocks.append(self._new.get(timeout=WAIT))
        return [block for block, _ in self.blocks]


def sound_of(blocks):
    return np.concatenate([block.samples[:, 0] for block in blocks])


@pytest.fixture
def noise_wav(tmp_path):
    soundfile.write(tmp_path / "noise.wav", NOISE, RATE)
    return tmp_path / "noise.wav"


def replay(source, enough, act=lambda: None):
    ear = Ear()
    source.start(ear, lambda reason: None)
    try:
        act()
        return ear.until(enough), ear
    finally:
        source.stop()


def test_replay_gives_silence_then_what_is_cued_then_silence(noise_wav):
    source = ReplaySource()
    blocks, _ = replay(
        source,
        lambda got: sum(bool(block.samples.any()) for block, _ in got) >= 8 and not got[-1][0].samples.any(),
        act=lambda: source.cue(noise_wav),
    )
    sound = sound_of(blocks)
    assert source.silent and not ReplaySource(noise_wav).silent
    first = np.flatnonzero(sound)[0] - np.flatnonzero(NOISE)[0]
    assert np.array_equal(sound[first : first + len(NOISE)], NOISE)
    assert not sound[first + len(NOISE) :].any()


def test_replay_is_dated_without_gaps_and_never_comes_before_its_time(noise_wav):
    source = ReplaySource(noise_wav)
    blocks, ear = replay(source, lambda got: len(got) >= 15)
    assert np.array_equal(sound_of(blocks)[: len(NOISE)], NOISE)
    spaced = np.diff([block.captured_at for block in blocks])
    assert spaced == pytest.approx(np.full(14, 0.02), abs=1e-9)
    assert all(arrived >= block.captured_at + 0.02 for block, arrived in ear.blocks)


def test_cues_follow_one_another_and_tell_their_length(noise_wav):
    source = ReplaySource(noise_wav)
    assert source.cue(noise_wav) == pytest.approx(len(NOISE) / RATE)
    blocks, _ = replay(source, lambda got: len(got) >= 17)
    assert np.array_equal(sound_of(blocks)[: 2 * len(NOISE)], np.concatenate([NOISE, NOISE]))


def test_what_was_cued_is_not_spoken_any_more(noise_wav):
    source = ReplaySource(noise_wav)
    source.hush()
    blocks, _ = replay(source, lambda got: len(got) >= 3)
    assert not sound_of(blocks).any()


def test_replay_resamples_and_mixes_down(tmp_path):
    soundfile.write(tmp_path / "cd.wav", np.zeros((44100, 2)), 44100)
    assert ReplaySource().cue(tmp_path / "cd.wav") == pytest.approx(1.0)


def test_a_file_that_is_no_sound_is_named(tmp_path):
    (tmp_path / "x.wav").write_text("hello")
    with pytest.raises(CurtainError, match=r"x\.wav"):
        ReplaySource(tmp_path / "x.wav")


class FakeStream:
    def __init__(self, library, **settings):
        self.settings = settings
        self.samplerate, self.channels = float(settings["samplerate"]), settings["channels"]
        self.library = library

    @property
    def time(self):
        return self.library.now

    def start(self):
        pass

    def stop(self, ignore_errors):
        self.settings["finished_callback"]()

    def close(self, ignore_errors):
        pass

    def give(self, samples, captured, overflow=False):
        times = type("Times", (), {"inputBufferAdcTime": captured})
        status = type("Status", (), {"input_overflow": overflow})
        self.settings["callback"](samples, len(samples), times, status)


class FakePortAudio:
    """Knows one microphone, which accepts only some formats."""

    class PortAudioError(Exception):
        pass

    def __init__(self, accepted):
        self.accepted = accepted
        self.now = 1.7e9
        self.stream = None

    def query_hostapis(self):
        return (
            {"name": "empty", "devices": []},
            {"name": "ALSA", "devices": [0], "default_input_device": 0, "default_output_device": -1},
        )

    def query_devices(self, index):
        return {
            "index": index, "name": "Headset", "max_input_channels": 2, "max_output_channels": 0,
            "default_samplerate": 44100.0,
        }  # fmt: skip

    def InputStream(self, **settings):
        if (settings["samplerate"], settings["channels"]) not in self.accepted:
            raise self.PortAudioError("Invalid sample rate")
        self.stream = FakeStream(self, **settings)
        return self.stream


@pytest.fixture
def library(monkeypatch):
    fake = FakePortAudio({(16000, 1)})
    monkeypatch.setattr(devices, "portaudio", lambda: fake)
    return fake


@pytest.mark.parametrize("obtained", [(16000, 1), (44100, 1), (44100, 2)])
def test_a_device_gives_16_khz_mono_or_else_what_it_has(library, obtained):
    library.accepted = {obtained}
    source = DeviceSource("Headset")
    source.start(lambda block: None, lambda reason: None)
    assert (source.sample_rate, source.channels) == obtained
    assert library.stream.settings["blocksize"] == obtained[0] // 50
    source.stop()


def test_a_device_that_accepts_nothing_is_named(library):
    library.accepted = set()
    with pytest.raises(devices.SoundError, match="Headset"):
        DeviceSource("Headset").start(lambda block: None, lambda reason: None)


def test_blocks_are_dated_on_the_monotonic_clock_by_their_age(library):
    ear = Ear()
    source = DeviceSource()
    source.start(ear, lambda reason: None)
    samples = np.ones((320, 1), np.int16)
    library.stream.give(samples, captured=library.now - 0.7, overflow=True)
    library.now += 3600  # somebody set the wall clock
    library.stream.give(samples, captured=library.now - 0.7)
    library.stream.give(samples, captured=0.0)  # a system that does not tell the capture time
    samples[:] = 0  # PortAudio uses its buffer again
    first, second, third = ear.until(lambda got: len(got) == 3)
    now = source.time()
    assert (first.overflowed, second.overflowed) == (True, False)
    assert now - first.captured_at == pytest.approx(0.7, abs=0.2)
    assert second.captured_at - first.captured_at == pytest.approx(0, abs=0.2)
    assert now - third.captured_at == pytest.approx(0.02, abs=0.2)
    assert first.samples.all()


def test_a_stream_that_ends_by_itself_is_lost_one_that_is_stopped_is_not(library):
    lost = []
    source = DeviceSource()
    source.start(lambda block: None, lost.append)
    library.stream.settings["finished_callback"]()
    assert len(lost) == 1 and "Headset" in lost[0]
    source.stop()
    assert len(lost) == 1


def test_the_replay_and_the_device_read_the_same_clock():
    before = steady_s()
    assert before <= ReplaySource().time() <= sources.DeviceSource().time() <= steady_s()
