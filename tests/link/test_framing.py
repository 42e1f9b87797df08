import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.link.framing import CAP, Frames, ProtocolError, frame


def frames(cap=CAP):
    return Frames(lambda: cap)


@given(st.lists(st.binary(max_size=60), max_size=8), st.integers(1, 17))
def test_payloads_come_out_as_they_went_in_however_the_stream_is_sliced(payloads, size):
    stream = b"".join(map(frame, payloads))
    cutter = frames()
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert [payload for piece in pieces for payload in cutter.feed(piece)] == payloads


def test_a_frame_of_exactly_the_cap_passes():
    assert list(frames(10).feed(frame(b"x" * 10))) == [b"x" * 10]


def test_a_frame_over_the_cap_is_refused_by_its_length_alone():
    with pytest.raises(ProtocolError, match="11 bytes, 10 are allowed"):
        list(frames(10).feed((11).to_bytes(4, "big")))


def test_frames_before_the_one_over_the_cap_are_still_given():
    cutter = frames(10).feed(frame(b"good") + b"\xff\xff\xff\xff")
    assert next(cutter) == b"good"
    with pytest.raises(ProtocolError):
        next(cutter)


def test_the_cap_may_rise_between_two_frames_of_one_piece():
    cap = [4]
    given_out = []
    for payload in Frames(lambda: cap[0]).feed(frame(b"open") + frame(b"much longer")):
        given_out.append(payload)
        cap[0] = 100
    assert given_out == [b"open", b"much longer"]
