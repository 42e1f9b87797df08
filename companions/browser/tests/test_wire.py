"""What no page of ours sends is refused; what ours sends is in the session of `test_in_browsers.py`."""

import struct

import numpy as np
import pytest

from curtain_browser import wire


def sound_frame(sound: wire.PageSound) -> bytes:
    """As the page writes it."""
    return struct.pack("<Qdq", sound.n, sound.ms, sound.first) + sound.samples.astype("<i2").tobytes()


@pytest.mark.parametrize(
    "frame",
    [
        "", "[]", "{", '{"t":"down","ms":1,"by":"key"}', '{"t":"down","n":0,"ms":1,"by":"key"}',
        '{"t":"down","n":1,"ms":-1,"by":"key"}', '{"t":"down","n":1,"ms":1,"by":"wizard"}',
        '{"t":"down","n":1,"ms":1,"by":"key","sql":"select 1"}', '{"t":"act","n":1,"ms":1,"do":"close"}',
        '{"t":"view","n":1,"ms":1}', '{"t":"clock","life":"../..","ask":1,"ms":1}', "[" * 999, '"' + "x" * 20_000 + '"',
    ],
)  # fmt: skip
def test_what_no_page_of_ours_sends_is_refused(frame: str) -> None:
    with pytest.raises(wire.FrameRefused):
        wire.read_text(frame)


@pytest.mark.parametrize(
    "frame",
    [
        b"", sound_frame(wire.PageSound(1, 1.0, 0, np.zeros(0, np.int16))),
        sound_frame(wire.PageSound(1, 1.0, 0, np.zeros(5000, np.int16))),
        sound_frame(wire.PageSound(1, 1.0, 0, np.zeros(5, np.int16))) + b"x",
        sound_frame(wire.PageSound(1, float("nan"), 0, np.zeros(5, np.int16))),
        sound_frame(wire.PageSound(0, 1.0, 0, np.zeros(5, np.int16))),
        sound_frame(wire.PageSound(1, 1.0, -1, np.zeros(5, np.int16))),
    ],
)  # fmt: skip
def test_sound_without_size_or_place_is_refused(frame: bytes) -> None:
    with pytest.raises(wire.FrameRefused):
        wire.read_sound(frame)
