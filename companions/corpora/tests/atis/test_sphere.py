"""SPHERE recordings: every sample comes back exactly, in our own reader, in libsndfile and in sox."""

import shutil
import subprocess

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from curtain_corpora.atis import sphere

RATE = 16_000
FIELDS = {
    "speaker_id": "e00", "recording_date": "20-NOV-2026", "recording_site": "Łódź\nlab", "version": 1, "gain": 0.5,
}  # fmt: skip


def written(path, samples, rate=RATE, **fields):
    with path.open("wb") as file:
        sphere.write(file, samples, rate, fields or FIELDS)
    return path


@pytest.fixture
def noise():
    return np.random.default_rng(5).integers(-32768, 32768, 3001).astype(np.int16)


@pytest.mark.skipif(shutil.which("sox") is None, reason="sox is not installed")
def test_a_header_of_two_blocks_is_no_problem(tmp_path, noise):
    path = written(tmp_path / "a.wav", noise, comment="long " * 300)
    assert sphere.read_header(path).size == 2048
    assert np.array_equal(soundfile.read(path, dtype="int16")[0], noise)
    command = ["sox", "-t", "sph", str(path), "-t", "raw", "-e", "signed", "-b", "16", "-L", "-"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == noise.astype("<i2").tobytes()


@given(arrays(np.int16, st.integers(0, 50)), st.sampled_from([8000, 16_000, 44_100]))
def test_our_own_reader_gives_back_what_was_written(tmp_path_factory, samples, rate):
    path = written(tmp_path_factory.mktemp("s") / "a.wav", samples, rate)
    again, shown, header = sphere.read_samples(path)
    assert (shown, header is not None) == (rate, True)
    assert np.array_equal(again, samples)


def test_two_channels_stay_two(tmp_path, noise):
    both = np.stack([noise, noise[::-1]], axis=1)
    path = written(tmp_path / "a.wav", both)
    assert np.array_equal(sphere.read_samples(path)[0], both)
    assert np.array_equal(soundfile.read(path, dtype="int16")[0], both)


def test_the_header_tells_what_the_samples_are(tmp_path):
    path = written(tmp_path / "a.wav", np.array([-5, 3, 100], np.int16))
    fields = sphere.read_header(path).fields
    shown = {name: fields[name] for name in ("sample_count", "sample_min", "sample_max", "sample_checksum")}
    assert shown == {"sample_count": 3, "sample_min": -5, "sample_max": 100, "sample_checksum": 98}
    assert fields["recording_site"] == "\\u0141\\xf3d\\u017a lab"
    assert (fields["version"], fields["gain"]) == (1, 0.5)
    assert path.read_bytes()[:16] == b"NIST_1A\n   1024\n"


def test_samples_of_a_big_endian_machine_are_read(tmp_path):
    samples = np.arange(-50, 50, dtype=np.int16)
    head = sphere.header_bytes(
        {"channel_count": 1, "sample_count": 100, "sample_rate": 16000, "sample_byte_format": "10"}
    )
    path = tmp_path / "a.wav"
    path.write_bytes(head + samples.astype(">i2").tobytes())
    assert np.array_equal(sphere.read_samples(path)[0], samples)


def test_a_compressed_recording_is_refused_with_what_to_do(tmp_path):
    head = sphere.header_bytes({"sample_count": 9, "sample_rate": 16000, "sample_coding": "pcm,embedded-shorten-v2.00"})
    path = tmp_path / "a.wav"
    path.write_bytes(head + b"ajkg" + bytes(50))
    with pytest.raises(sphere.CurtainError, match=r"compressed \(pcm,embedded-shorten-v2\.00\).*Unpack"):
        sphere.read_samples(path)


@pytest.mark.parametrize(
    "data", [b"", b"NIST_1A\n", b"NIST_1A\n    abc\n", b"NIST_1A\n99999999\n" + bytes(99), b"RIFF"]
)
def test_what_is_no_recording_is_reported_in_a_sentence(tmp_path, data):
    path = tmp_path / "a.wav"
    path.write_bytes(data)
    with pytest.raises(sphere.CurtainError, match=str(path)):
        sphere.read_samples(path)
