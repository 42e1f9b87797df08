"""What crosses between page and gateway: what is taken, and what no page of ours sends."""

import numpy as np
import pytest

from curtain_browser import wire

LIFE = "0" * 32


@pytest.mark.parametrize(
    "event",
    [
        wire.Mic(n=1, ms=1.5, life=LIFE, state="ready", name="Built-in", rate=48_000, auto_gain_control=False),
        wire.Down(n=2, ms=2.0, by="button"), wire.Up(n=3, ms=3.0, why="focus_lost"),
        wire.Act(n=4, ms=4.0, do="answer_item", form="sus@e00", item="1", value="5"),
        wire.PagePainted(n=5, ms=5.0, what="answer", seq=7, turn=1),
        wire.ClockReading(life=LIFE, ask=1, ms=6.0, hidden=True),
    ],
)  # fmt: skip
def test_each_event_arrives_as_it_was_sent(event: wire.FromPage) -> None:
    assert wire.read_text(wire.msgspec.json.encode(event)) == event


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


def test_sound_arrives_sample_for_sample() -> None:
    sound = wire.PageSound(9, 1e12 + 0.5, 882, np.array([-32768, -1, 0, 1, 32767], np.int16))
    heard = wire.read_sound(wire.sound_frame(sound))
    assert (heard.n, heard.ms, heard.first) == (9, 1e12 + 0.5, 882)
    assert heard.samples.tolist() == sound.samples.tolist()


@pytest.mark.parametrize(
    "frame",
    [
        b"", wire.sound_frame(wire.PageSound(1, 1.0, 0, np.zeros(0, np.int16))),
        wire.sound_frame(wire.PageSound(1, 1.0, 0, np.zeros(5000, np.int16))),
        wire.sound_frame(wire.PageSound(1, 1.0, 0, np.zeros(5, np.int16))) + b"x",
        wire.sound_frame(wire.PageSound(1, float("nan"), 0, np.zeros(5, np.int16))),
        wire.sound_frame(wire.PageSound(0, 1.0, 0, np.zeros(5, np.int16))),
        wire.sound_frame(wire.PageSound(1, 1.0, -1, np.zeros(5, np.int16))),
    ],
)  # fmt: skip
def test_sound_without_size_or_place_is_refused(frame: bytes) -> None:
    with pytest.raises(wire.FrameRefused):
        wire.read_sound(frame)
