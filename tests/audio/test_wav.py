"""Sound files of other programs: every kind of WAV is read at its own loudness and length, the rest is a sentence."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from curtain.audio.levels import dc_offset, peak
from curtain.audio.wav import read_wav
from curtain.base.errors import CurtainError
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import prepare_sounds
from curtain_corpora.atis.sphere import read_samples

RATE = 16000
TONE = 0.5 * np.sin(np.arange(RATE) / 10)
SIZES = (4, 40)  # of RIFF and of its data, in a header of 44 bytes
KINDS = [
    ("WAV", "PCM_16"), ("WAV", "PCM_24"), ("WAV", "PCM_32"), ("WAV", "FLOAT"), ("WAV", "DOUBLE"),
    ("WAVEX", "PCM_16"), ("WAVEX", "PCM_24"), ("WAVEX", "FLOAT"), ("FLAC", "PCM_24"),
]  # fmt: skip


@pytest.mark.parametrize(("container", "coding"), KINDS)
def test_each_kind_is_read_at_its_own_loudness(tmp_path: Path, container: str, coding: str) -> None:
    wav = tmp_path / "tone.wav"
    soundfile.write(wav, TONE, RATE, format=container, subtype=coding)
    sound = read_wav(wav)
    assert sound.seconds == 1.0
    assert peak(sound.samples) == pytest.approx(16384, abs=2)
    assert spoken(tmp_path, "tone.wav") == 1.0
    # As an import of a tree reads it.
    samples, rate, _ = read_samples(wav)
    assert (samples.tolist(), rate) == (sound.samples[:, 0].tolist(), RATE)


def test_floats_beyond_full_scale_are_clipped_and_not_turned_over(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "loud.wav", np.array([2.0, -2.0, np.nan]), RATE, subtype="FLOAT")
    assert read_wav(tmp_path / "loud.wav").samples[:, 0].tolist() == [32767, -32768, 0]


@pytest.mark.parametrize("size", [0xFFFFFFFF, 0x7FFFFFFF])
def test_a_header_of_a_pipe_has_the_length_of_its_file(tmp_path: Path, size: int) -> None:
    soundfile.write(tmp_path / "piped.wav", TONE, RATE, subtype="PCM_16")
    content = bytearray((tmp_path / "piped.wav").read_bytes())
    for place in SIZES:
        content[place : place + 4] = size.to_bytes(4, "little")
    (tmp_path / "piped.wav").write_bytes(content)
    assert spoken(tmp_path, "piped.wav") == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(("content", "why"), [(b"this is text", "unknown or damaged"), (None, "no such file")])
def test_what_is_no_sound_is_named_with_the_reason(tmp_path: Path, content: bytes | None, why: str) -> None:
    if content is not None:
        (tmp_path / "text.wav").write_bytes(content)
    with pytest.raises(CurtainError, match=rf"text.wav.*{why}"):
        read_wav(tmp_path / "text.wav")
    with pytest.raises(CurtainError, match=rf"text.wav.*{why}"):
        spoken(tmp_path, "text.wav")


def test_a_direct_current_is_refused_with_its_cure(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "shifted.wav", TONE + 0.36, RATE)
    assert dc_offset(read_wav(tmp_path / "shifted.wav").samples) == pytest.approx(0.36, abs=0.01)
    with pytest.raises(CurtainError, match=r"shifted.wav has a direct current of 0.36.*highpass"):
        spoken(tmp_path, "shifted.wav")


@pytest.mark.parametrize(
    ("samples", "why"),
    [(TONE[:0], "is empty"), (np.column_stack([TONE, -0.999 * TONE]), "cancel each other out.*remix 1")],
)
def test_a_sound_of_which_nothing_would_be_heard_is_refused(tmp_path: Path, samples: object, why: str) -> None:
    soundfile.write(tmp_path / "mute.wav", samples, RATE)
    with pytest.raises(CurtainError, match=rf"mute.wav.*{why}"):
        spoken(tmp_path, "mute.wav")


def spoken(folder: Path, name: str) -> float:
    """Seconds that a step of a script with this sound lasts."""
    step = ScriptStep(do="turn", audio=name)
    return prepare_sounds([step], folder / "script.jsonl", folder, lambda _: None)[1].seconds
