import threading
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import soundfile

from curtain.audio import outputs
from curtain.audio.devices import DeviceMissing, NoPortAudio
from curtain.audio.live_voice import LiveVoice
from curtain.audio.outputs import DeviceOutput, SilentOutput, choose_output
from curtain.audio.playback import Player, PlayerListener
from curtain.audio.stretch import Stretcher
from curtain.base.errors import CurtainError

RATE = 16000
HOP = RATE // 50
WAIT = 10


class PulledByHand:
    """An output that takes a hop when the test says so, and keeps what it got."""

    name, sample_rate, silent = "by hand", RATE, False

    def __init__(self) -> None:
        self.heard = np.zeros(0, np.int16)
        self.starts = 0

    def start(self, pull, on_lost):
        self.starts += 1
        self._pull, self.vanish = pull, on_lost

    def stop(self):
        pass

    def pull(self, hops):
        got = np.concatenate([self._pull() for _ in range(hops)])
        self.heard = np.concatenate([self.heard, got])
        return got


class Told(PlayerListener):
    def __init__(self) -> None:
        self.news: list[tuple[object, ...]] = []
        self._changed = threading.Condition()

    def _note(self, *news):
        with self._changed:
            self.news.append(news)
            self._changed.notify_all()

    def on_started(self, wav):
        self._note("started", wav.name)

    def on_position(self, seconds):
        self._note("position", seconds)

    def on_finished(self, wav, to_the_end):
        self._note("finished", wav.name, to_the_end)

    def on_output_lost(self, reason):
        self._note("lost", reason)

    def wait_for(self, *news):
        with self._changed:
            assert self._changed.wait_for(lambda: news in self.news, WAIT), f"never told {news}: {self.news}"


@pytest.fixture
def output():
    return PulledByHand()


@pytest.fixture
def shown():
    return Told()


@pytest.fixture
def player(output, shown):
    player = Player(output, shown)
    yield player
    player.close()


def tone(hertz: float, seconds: float) -> np.ndarray:
    at = np.arange(round(seconds * RATE)) / RATE
    return np.rint(12000 * np.sin(2 * np.pi * hertz * at)).astype(np.int16)


@pytest.fixture
def wav(tmp_path) -> Path:
    path = tmp_path / "take.wav"
    soundfile.write(path, np.random.default_rng(3).integers(-32768, 32768, 2 * RATE, dtype=np.int16), RATE)
    return path


def read(wav: Path) -> np.ndarray:
    return soundfile.read(wav, dtype="int16")[0]


def pitch(samples: np.ndarray) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.argmax(spectrum)) * RATE / len(samples)


def test_at_normal_speed_every_sample_is_heard_unchanged(player, output, shown, wav):
    player.play(wav)
    output.pull(101)
    assert np.array_equal(output.heard[: 2 * RATE], read(wav))
    assert not output.heard[2 * RATE :].any()
    shown.wait_for("finished", "take.wav", True)
    assert shown.news[0] == ("started", "take.wav")
    assert player.playing is None


@pytest.mark.parametrize(("mark", "hertz", "beats"), [("question", 660, 1), ("answer", 440, 2), ("help", 880, 3)])
def test_each_soft_tone_has_its_pitch_and_count_lies_over_what_plays_and_ends(player, output, wav, mark, hertz, beats):
    player.chime(mark)
    alone = output.pull(25)
    assert 1000 < np.abs(alone).max() < 32767 * 10 ** (-24 / 20), "soft, and heard without a take"
    assert not alone[RATE // 2 - HOP :].any()
    loud = np.abs(alone[: len(alone) // HOP * HOP]).reshape(-1, HOP).max(axis=1) > 1000
    assert np.count_nonzero(np.diff(np.r_[0, loud]) == 1) == beats
    assert abs(pitch(alone) - hertz) < 8
    player.chime(mark)
    player.hush()
    assert not output.pull(5).any()
    player.play(wav)
    player.chime(mark)
    plain, mixed = read(wav)[: 10 * HOP].astype(int), output.pull(10).astype(int)
    assert np.array_equal(mixed, np.clip(plain + alone[: 10 * HOP], -32768, 32767))


def test_playing_begins_with_the_first_pull_and_where_asked(player, output, wav):
    player.play(wav, start_seconds=1.23)
    assert np.array_equal(output.pull(1), read(wav)[round(1.23 * RATE) :][:HOP])


@pytest.mark.parametrize("speed", [0.5, 0.75, 1.25, 1.5, 2.0])
def test_speed_changes_the_length_and_keeps_the_pitch(player, output, shown, tmp_path, speed):
    soundfile.write(tmp_path / "tone.wav", tone(220, 2), RATE)
    player.play(tmp_path / "tone.wav", speed=speed)
    while player.playing:
        output.pull(1)
    assert len(output.heard) == pytest.approx(2 * RATE / speed, abs=2 * HOP)
    middle = output.heard[HOP * 4 : -HOP * 4].astype(float)
    assert pitch(middle) == pytest.approx(220, rel=0.02)
    # no beating: the windows were laid where they add up
    loudness = [np.sqrt(np.mean(middle[at : at + HOP] ** 2)) for at in range(0, len(middle) - HOP, HOP)]
    assert min(loudness) > 0.8 * max(loudness)


def test_speed_outside_the_range_becomes_the_nearest(player):
    player.set_speed(9)
    assert player.speed == 2.0
    player.set_speed(0.1)
    assert player.speed == 0.5


def test_jumping_back_repeats_without_a_click(player, output, tmp_path):
    sound = tone(200, 3)
    soundfile.write(tmp_path / "tone.wav", sound, RATE)
    player.play(tmp_path / "tone.wav")
    output.pull(75)
    player.back(1.0)
    assert player.position == pytest.approx(0.5)
    output.pull(10)
    steepest = np.abs(np.diff(sound.astype(int))).max()
    assert np.abs(np.diff(output.heard.astype(int))).max() <= 1.1 * steepest
    player.back(60)
    assert player.position == 0


def test_a_new_take_replaces_the_one_that_plays(player, output, shown, wav, tmp_path):
    soundfile.write(tmp_path / "next.wav", tone(100, 1), RATE)
    player.play(wav)
    output.pull(3)
    player.play(tmp_path / "next.wav")
    shown.wait_for("finished", "take.wav", False)
    assert np.array_equal(output.pull(1), tone(100, 1)[:HOP])
    player.stop()
    shown.wait_for("finished", "next.wav", False)
    assert not output.pull(2).any()


def test_position_is_reported_about_ten_times_a_second(player, output, shown, wav):
    player.play(wav)
    output.pull(100)
    shown.wait_for("finished", "take.wav", True)
    places = [news[1] for news in shown.news if news[0] == "position"]
    assert len(places) == pytest.approx(20, abs=2)
    assert places == sorted(places) and places[-1] == 2.0


def test_other_rates_and_stereo_are_made_to_fit(player, output, tmp_path):
    stereo = np.repeat(np.sin(2 * np.pi * 300 * np.arange(44100) / 44100)[:, None], 2, axis=1) * 0.5
    soundfile.write(tmp_path / "cd.wav", stereo, 44100)
    player.play(tmp_path / "cd.wav")
    output.pull(50)
    assert pitch(output.heard.astype(float)) == pytest.approx(300, rel=0.01)


def test_what_cannot_be_read_is_said_and_playing_goes_on(player, output, wav, tmp_path):
    (tmp_path / "text.wav").write_text("no sound")
    player.play(wav)
    with pytest.raises(CurtainError, match=r"text\.wav"):
        player.play(tmp_path / "text.wav")
    with pytest.raises(CurtainError, match="no such file"):
        player.play(tmp_path / "nothing.wav")
    assert player.playing == wav


def test_a_lost_output_is_reported_and_opened_again_by_the_next_play(player, output, shown, wav):
    player.play(wav)
    output.vanish("unplugged")
    shown.wait_for("lost", "unplugged")
    assert player.playing is None
    player.play(wav)
    assert output.starts == 2


def test_a_silent_output_keeps_the_time_of_a_real_one(shown, wav):
    silent = SilentOutput("No output is connected.")
    player = Player(silent, shown)
    player.play(wav, start_seconds=1.9)
    shown.wait_for("finished", "take.wav", True)
    assert silent.silent
    player.close()


@pytest.mark.parametrize("problem", [NoPortAudio(), DeviceMissing("output", "", [])])
def test_without_any_output_the_silent_one_says_why(monkeypatch, problem):
    monkeypatch.setattr(outputs.devices, "find_output", Mock(side_effect=problem))
    chosen = choose_output(None)
    assert isinstance(chosen, SilentOutput) and chosen.why == str(problem)


def test_a_named_output_is_never_replaced_by_a_silent_one(monkeypatch):
    monkeypatch.setattr(outputs.devices, "list_outputs", lambda: [])
    chosen = choose_output("Headphones")
    assert isinstance(chosen, DeviceOutput)
    with pytest.raises(DeviceMissing, match="Headphones"):
        chosen.start(lambda: np.zeros(HOP, np.int16), lambda reason: None)


def test_stretching_an_empty_take_ends_at_once():
    assert Stretcher(np.zeros(0, np.int16), RATE).ended


# -- live speech


def live_voice(frames: int = 8 * HOP) -> LiveVoice:
    voice = LiveVoice(RATE)
    voice.feed(0, np.full(frames, 900, np.int16))
    return voice


def test_live_speech_is_heard_while_it_comes(player, output):
    voice = live_voice()
    player.play_live(voice)
    assert (output.pull(8) == 900).all() and not voice.over
    voice.end()
    assert not output.pull(1).any() and voice.over and voice.whole


def test_a_take_that_is_played_ends_live_speech(player, output, tmp_path):
    voice = live_voice()
    player.play_live(voice)
    soundfile.write(tmp_path / "take.wav", tone(440, 0.1), RATE)
    player.play(tmp_path / "take.wav")
    assert voice.over and not voice.whole
    assert not (output.pull(8) == 900).any()


def test_live_speech_does_not_break_into_a_take(player, output, tmp_path):
    soundfile.write(tmp_path / "take.wav", tone(440, 0.1), RATE)
    player.play(tmp_path / "take.wav")
    voice = live_voice()
    player.play_live(voice)
    assert voice.over and not voice.whole and not (output.pull(8) == 900).any()


def test_live_speech_is_given_up_when_the_output_is_lost(player, output):
    voice = live_voice()
    player.play_live(voice)
    output.vanish("gone")
    assert voice.over and not voice.whole
