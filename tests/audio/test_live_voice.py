import numpy as np
import pytest

from curtain.audio.live_voice import AHEAD_S, MOST_S, LiveVoice

RATE = 16000
HOP = RATE // 50
AHEAD = round(AHEAD_S * RATE)


def ramp(frames: int, start: int = 0) -> np.ndarray:
    return (np.arange(start, start + frames) % 30000).astype(np.int16)


def heard_of(voice: LiveVoice, hops: int) -> np.ndarray:
    return np.concatenate([voice.next_hop(HOP) for _ in range(hops)])


def test_nothing_is_heard_until_the_buffer_is_filled_and_then_every_sample_in_order() -> None:
    voice = LiveVoice(RATE)
    voice.feed(0, ramp(AHEAD - 1))
    assert not voice.next_hop(HOP).any()
    voice.feed(AHEAD - 1, ramp(HOP, AHEAD - 1))
    voice.end()
    heard = heard_of(voice, 9)
    assert (heard[: AHEAD + HOP - 1] == ramp(AHEAD + HOP - 1)).all()
    assert voice.over and voice.whole


def test_a_buffer_that_ran_empty_fills_again_and_loses_nothing() -> None:
    voice = LiveVoice(RATE)
    voice.feed(0, ramp(AHEAD))
    first = heard_of(voice, AHEAD // HOP)
    assert not voice.next_hop(HOP).any()
    voice.feed(AHEAD, ramp(HOP, AHEAD))
    assert not voice.next_hop(HOP).any()
    voice.end()
    heard = np.concatenate([first, heard_of(voice, 2)])[: AHEAD + HOP]
    assert (heard == ramp(AHEAD + HOP)).all() and voice.whole and voice.over


@pytest.mark.parametrize("frame", [HOP, 3 * HOP])
def test_a_block_that_is_missing_is_reported(frame: int) -> None:
    voice = LiveVoice(RATE)
    voice.feed(0, ramp(2 * HOP))
    voice.feed(frame, ramp(HOP))
    assert not voice.whole


def test_sound_that_nobody_fetches_stays_live_and_bounded() -> None:
    voice = LiveVoice(RATE)
    most = round(MOST_S * RATE)
    for at in range(0, 2 * most, HOP):
        voice.feed(at, ramp(HOP, at))
    assert not voice.whole
    assert voice.next_hop(HOP)[0] == most % 30000


def test_another_rate_is_resampled_as_one_stream() -> None:
    voice = LiveVoice(RATE)
    tone = np.rint(8000 * np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)).astype(np.int16)
    voice.feed(0, tone[:HOP])
    voice.prepare(48000)
    for at in range(HOP, RATE, HOP):
        voice.feed(at, tone[at : at + HOP])
    voice.end()
    heard = np.concatenate([voice.next_hop(960) for _ in range(51)])[2000:46000].astype(float)
    spectrum = np.abs(np.fft.rfft(heard * np.hanning(len(heard))))
    at_440 = round(440 * len(heard) / 48000)
    # A click at each seam would put power beside the tone.
    assert spectrum[at_440 - 4 : at_440 + 5].sum() > 0.95 * spectrum.sum()
    assert voice.whole and voice.over


def test_what_is_given_up_is_over_at_once() -> None:
    voice = LiveVoice(RATE)
    voice.feed(0, ramp(AHEAD))
    voice.give_up()
    assert voice.over and not voice.whole and not voice.next_hop(HOP).any()


def test_silence_before_the_speech_does_not_delay_it_and_nothing_spoken_is_left_out() -> None:
    voice, speech = LiveVoice(RATE), 1000 + ramp(3 * AHEAD)
    voice.feed(0, np.zeros(2 * AHEAD, np.int16))
    voice.feed(2 * AHEAD, speech[:AHEAD])
    heard = [voice.next_hop(HOP)]
    for at in range(AHEAD, len(speech), HOP):
        voice.feed(2 * AHEAD + at, speech[at : at + HOP])
        heard.append(voice.next_hop(HOP))
    voice.end()
    whole = np.concatenate([*heard, heard_of(voice, 12)])
    spoken = np.flatnonzero(whole)
    assert (whole[spoken] == speech).all() and voice.whole and voice.over
    # The two buffers of silence are gone: what is heard lags by the buffer alone.
    assert spoken[0] == 0


def test_a_pause_is_as_long_as_it_was_when_the_buffer_has_nothing_to_spare() -> None:
    voice, speech, pause = LiveVoice(RATE), 1000 + ramp(8 * HOP), np.zeros(10 * HOP, np.int16)
    sound = np.concatenate([speech, pause, speech, speech])
    voice.feed(0, sound[:AHEAD])
    heard = []
    for at in range(AHEAD, 26 * HOP, HOP):
        heard.append(voice.next_hop(HOP))
        voice.feed(at, sound[at : at + HOP])
    assert (np.concatenate(heard) == sound[: HOP * len(heard)]).all()


@pytest.mark.parametrize("quiet_ms", [1, 10, 19])
def test_what_is_quiet_for_less_than_20_ms_is_speech(quiet_ms: int) -> None:
    voice = LiveVoice(RATE)
    quiet = np.zeros(quiet_ms * RATE // 1000, np.int16)
    sound = np.concatenate([quiet, 1000 + ramp(2 * AHEAD)])
    voice.feed(0, sound)
    assert (voice.next_hop(HOP) == sound[:HOP]).all()
