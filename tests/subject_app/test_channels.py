"""Recordings beside the take, where a study asks for more: 48 kHz, and a second microphone."""

import numpy as np
import pytest

from curtain.audio.wav import Sound, mono_at, read_wav
from curtain.link.messages import AudioChunk, WantAudio
from curtain.session.untrusted_files import sha256_of
from tests.subject_app.conftest import HandSound
from tests.support.hand_turned_source import HandTurnedSource

WIDE = 48_000
UTTERANCE = "e00-01-001"
ASKED = {"recording_rate": WIDE, "second_microphone": "head"}


@pytest.fixture
def sound():
    return HandSound(source=HandTurnedSource(WIDE, 2), others={"head": HandTurnedSource(WIDE)})


@pytest.fixture
def room(make_room, sound):
    room = make_room(sound=sound)
    room.welcome(microphone="desk", **ASKED)
    room.ready()
    room.until(lambda: room.station.microphone.second is not None)
    hear(sound, 0.5)
    room.station.acts.finish_mic_test()
    room.station.acts.finish_briefing()
    room.page("main")
    room.state("idle")
    return room


def hear(sound, seconds, level=8000):
    """A tone on both microphones, the second one at half the level, for the same time."""
    tone = np.sin(2 * np.pi * 440 * np.arange(round(seconds * WIDE)) / WIDE)
    sound.source.play(np.stack([tone, tone], axis=1) * level, block=960)
    sound.others["head"].play(tone * level / 2, block=960)


def ask(room, sound):
    room.press()
    hear(sound, 1.0)
    room.release()
    hear(sound, 0.5)


def test_a_turn_has_its_take_at_16_khz_and_what_each_microphone_gave(room, sound):
    ask(room, sound)
    take = room.journaled("take_saved", 1).data
    room.until(lambda: room.types(1).count("channel_saved") == 2)
    channels = {entry.data["channel"]: entry.data for entry in room.entries if entry.type == "channel_saved"}
    assert sound.opened == ["desk", "head"] and sound.rates == [WIDE, WIDE]
    audio = room.session / "audio"
    facts = {UTTERANCE: take, **{f"{name}/{UTTERANCE}": fact for name, fact in channels.items()}}
    for name, rate, width, microphone in (
        (UTTERANCE, 16_000, 1, "desk"),
        (f"wide/{UTTERANCE}", WIDE, 2, "desk"),
        (f"second/{UTTERANCE}", WIDE, 1, "head"),
    ):  # fmt: skip
        heard, fact = read_wav(audio / f"{name}.wav"), facts[name]
        assert (heard.sample_rate, heard.samples.shape[1], fact["microphone"]) == (rate, width, microphone)
        assert (fact["frames"], fact["sample_rate"]) == (len(heard.samples), rate)
        assert fact["sha256"] == sha256_of(audio / f"{name}.wav")
        # A second between press and release, 300 ms before and after it.
        assert fact["frames"] == pytest.approx(1.6 * rate, abs=2)
        assert (fact["key_down_frame"], fact["key_up_frame"]) == pytest.approx((0.3 * rate, 1.3 * rate), abs=2)
    wide = read_wav(audio / f"wide/{UTTERANCE}.wav")
    assert np.array_equal(read_wav(audio / f"{UTTERANCE}.wav").samples, mono_at(Sound(wide.samples, WIDE), 16_000))


def test_the_wizards_station_gets_every_recording_before_the_session_is_let_go(room, sound):
    ask(room, sound)
    room.until(lambda: room.types(1).count("channel_saved") == 2 and "take_saved" in room.types(1))
    room.answer(1, 1)
    for name in (UTTERANCE, f"wide/{UTTERANCE}", f"second/{UTTERANCE}"):
        room.tell(WantAudio, utterance_id=name, offset=0, length=1 << 20)
        path = room.session / "audio" / f"{name}.wav"

        def came(name=name, path=path):
            pieces = [chunk.data for chunk in room.link.of(AudioChunk) if chunk.utterance_id == name]
            return b"".join(pieces) == path.read_bytes()

        room.until(came)


def test_a_press_that_is_no_turn_leaves_no_recording(room, sound):
    room.press()
    hear(sound, 0.1)
    room.release()
    hear(sound, 0.5)
    assert room.journaled("take_cancelled", 1).data["reason"] == "too_short"
    ask(room, sound)
    room.until(lambda: room.types(2).count("channel_saved") == 2)
    assert {path.name.split(".")[0] for path in (room.session / "audio").rglob("*.wav*")} == {"e00-01-002"}


def test_after_a_crash_the_take_is_made_from_its_wide_recording(room, sound, make_room, tmp_path):
    ask(room, sound)
    take = room.journaled("take_saved", 1).data
    room.until(lambda: room.types(1).count("channel_saved") == 2)
    # As a kill leaves it between the release and the first line about a recording.
    spool = room.left(tmp_path / "after")
    session = spool / room.session.name
    lines = (session / "subject.events.jsonl").read_bytes().splitlines(keepends=True)
    until = next(index for index, line in enumerate(lines) if b'"key_up"' in line)
    (session / "subject.events.jsonl").write_bytes(b"".join(lines[: until + 1]))
    (session / "audio" / f"{UTTERANCE}.wav").unlink()
    for channel in ("wide", "second"):
        path = session / "audio" / channel / f"{UTTERANCE}.wav"
        path.rename(path.with_name(f"{path.name}.part"))

    again = make_room(folder=spool, sound=HandSound())
    facts = [entry.data for entry in again.entries if entry.type in ("take_recovered", "channel_saved")]
    assert [fact.get("channel") for fact in facts] == [None, "second", "wide"]
    assert facts[0]["sha256"] == take["sha256"]


def test_without_the_second_microphone_the_session_goes_on_and_the_wizard_hears_of_it(make_room):
    room = make_room(sound=HandSound(connected=["desk"]))
    room.settle_in(second_microphone="head")
    room.until(lambda: room.station.absent == {"second_microphone"})
    room.ask()
    assert room.journaled("take_saved", 1).data["sample_rate"] == 16_000
    assert "channel_saved" not in room.types()


def test_a_second_microphone_that_goes_away_ends_its_recording_alone(room, sound):
    room.press()
    hear(sound, 0.5)
    sound.others["head"].vanish()
    room.until(lambda: room.station.absent == {"second_microphone"})
    hear(sound, 0.5)
    room.release()
    hear(sound, 0.5)
    assert not room.journaled("take_saved", 1).data["lost"]
    room.until(lambda: room.types(1).count("channel_saved") == 2)
    lost = {entry.data["channel"]: entry.data["lost"] for entry in room.entries if entry.type == "channel_saved"}
    assert lost == {"wide": False, "second": True}
