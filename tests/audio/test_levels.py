import numpy as np
import pytest
import soundfile

from curtain.audio.levels import SILENCE_DBFS, clipped, dbfs, envelope, peak, peak_dbfs

LEVELS = [
    ([], SILENCE_DBFS), ([0] * 100, SILENCE_DBFS), ([16384, -16384] * 50, -6.02), ([-32768] * 10, 0.0),
    ([1, -1], -90.31),
]  # fmt: skip


@pytest.mark.parametrize(("samples", "expected"), LEVELS)
def test_loudness_is_relative_to_full_scale(samples, expected):
    assert dbfs(np.array(samples, np.int16)) == pytest.approx(expected, abs=0.01)


def test_the_peak_counts_the_lower_end_too():
    assert peak(np.array([100, -32768], np.int16)) == 32768
    assert peak_dbfs(32768) == 0.0
    assert peak_dbfs(0) == SILENCE_DBFS


def test_only_samples_at_either_end_of_the_scale_are_clipped():
    assert clipped(np.array([32767, 32766, -32768, -32767, 0], np.int16)) == 2


def test_the_envelope_holds_the_extremes_of_each_stretch(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.array([0, 16384, -16384, 0, 8192, 8192], np.int16), 16000)
    outline = envelope(tmp_path / "a.wav", 3)
    assert outline.high.tolist() == [0.5, 0.0, 0.25]
    assert outline.low.tolist() == [0.0, -0.5, 0.25]
    assert outline.seconds == pytest.approx(6 / 16000)


@pytest.mark.parametrize(("frames", "points", "expected"), [(0, 10, 0), (3, 10, 3), (1000, 7, 7)])
def test_the_envelope_has_at_most_the_points_asked_for(tmp_path, frames, points, expected):
    soundfile.write(tmp_path / "a.wav", np.zeros(frames, np.int16), 16000)
    assert len(envelope(tmp_path / "a.wav", points).low) == expected
