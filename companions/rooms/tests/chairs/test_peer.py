"""Two wizard's stations in conversation, byte by byte, also with a rude peer."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curtain.link.framing import CAP_BEFORE_HELLO, frame
from curtain.link.heartbeat import SECOND, Tie
from curtain.link.messages import Hello, Pong, ToSubject
from curtain.session.chairs.host import ChairHost
from curtain.session.chairs.messages import (
    ChairHello,
    ChairWelcome,
    RequestGranted,
    ReturnPart,
    TakePart,
    ToHost,
    TypePart,
)
from curtain.session.chairs.table import PartState, TurnPart
from curtain_rooms.chairs.peer import MOST_WAITING, ChairPeer, chair_end, host_end

ALL = 1 << 30
HELLO = ChairHello(wizard_id="a1", chair="answerer")
TALK: list[ToHost] = [
    HELLO,
    TakePart(number=1, turn=1, part="answer"),
    TypePart(number=2, turn=1, part="answer", text="SELECT 'Zürich' FROM 表"),
    ReturnPart(number=3, turn=1, part="answer"),
]


def _bytes(*messages: ToHost) -> bytes:
    return b"".join(frame(msgspec.msgpack.encode(message)) for message in messages)


def _serve(host: ChairHost, peer: ChairPeer, data: bytes) -> None:
    for message in peer.receive(data, 0):
        for _, letter in host.receive(1, message, "wizard").letters:  # type: ignore[arg-type]
            peer.send(letter)


def test_a_chair_joins_takes_an_answer_types_and_gives_it_back() -> None:
    host, here, there = ChairHost(), host_end(0), chair_end(0)
    for message in TALK:
        there.send(message)
    _serve(host, here, there.take_outgoing(ALL))
    heard = there.receive(here.take_outgoing(ALL), 0)
    assert isinstance(heard[0], ChairWelcome)
    assert [message.number for message in heard if isinstance(message, RequestGranted)] == [1, 2, 3]
    assert host.table.state(TurnPart(1, "answer")) == PartState(typed="SELECT 'Zürich' FROM 表", typed_by="a1")


@pytest.mark.parametrize("message", [{"t": "finish", "number": 1, "turn": 1, "part": "answer"}, Hello()])
def test_nobody_says_that_a_part_is_done_and_a_subjects_station_is_no_chair(message: object) -> None:
    peer = host_end(0)
    peer.receive(_bytes(HELLO), 0)
    assert peer.receive(frame(msgspec.msgpack.encode(message)), 0) == []
    assert "no message" in peer.over


@settings(max_examples=100)
@given(st.integers(0, len(_bytes(*TALK))), st.integers(1, 50))
def test_a_cut_at_any_byte_leaves_the_part_free_and_the_chair_can_go_on(cut: int, piece: int) -> None:
    host, here, data = ChairHost(), host_end(0), _bytes(*TALK)[:cut]
    for start in range(0, len(data), piece):
        _serve(host, here, data[start : start + piece])
    assert here.over == ""
    host.drop(1)
    part = host.table.state(TurnPart(1, "answer"))
    assert part.holder is None
    _serve(host, host_end(0), _bytes(*TALK))
    assert host.table.state(TurnPart(1, "answer")).typed == "SELECT 'Zürich' FROM 表"


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, len(_bytes(*TALK)) - 1), st.integers(0, 255)), max_size=5))
def test_changed_bytes_never_raise(changes: list[tuple[int, int]]) -> None:
    data = bytearray(_bytes(*TALK))
    for place, value in changes:
        data[place] = value
    _serve(ChairHost(), host_end(0), bytes(data))


def test_a_frame_that_is_too_large_for_a_hello_ends_the_connection_at_its_length() -> None:
    peer = host_end(0)
    peer.receive((CAP_BEFORE_HELLO + 1).to_bytes(4, "big"), 0)
    assert "bytes" in peer.over


@pytest.mark.parametrize("message", TALK)
def test_the_subjects_decoder_takes_no_message_of_a_chair(message: ToHost) -> None:
    data = msgspec.msgpack.encode(message)
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(data, type=ToSubject)


def test_a_stranger_without_a_hello_is_closed_in_time() -> None:
    peer = host_end(0)
    peer.tick(3 * SECOND)
    assert peer.over == "no hello"


def test_a_silent_chair_is_given_up_and_a_ping_is_answered() -> None:
    here, there = host_end(0), chair_end(0)
    here.receive(_bytes(HELLO), 0)
    here.send(ChairWelcome(wizard_id="a1", chair="answerer"))
    here.tick(SECOND)
    there.receive(here.take_outgoing(ALL), SECOND)
    answer = there.take_outgoing(ALL)
    assert msgspec.msgpack.decode(answer[4:], type=Pong).sent_ns == SECOND
    here.receive(answer, SECOND)
    for second in range(2, 9):
        here.tick(second * SECOND)
    assert here.over == "silence"


def test_a_chair_that_reads_nothing_is_given_up_before_it_fills_the_memory() -> None:
    peer = host_end(0)
    peer.receive(_bytes(HELLO), 0)
    letter = TypePart(number=1, turn=1, part="answer", text="x" * 20_000)
    for _ in range(MOST_WAITING // 20_000 + 1):
        peer.send(letter)
    assert peer.over == "the other station reads too slowly"
    assert len(peer.take_outgoing(ALL)) < MOST_WAITING + 30_000


def test_a_chair_learns_how_the_host_s_clock_stands_to_its_own() -> None:
    ahead, way = 300 * SECOND, SECOND // 100
    here, there = host_end(ahead), chair_end(0)
    there.send(HELLO)
    _serve(ChairHost(), here, there.take_outgoing(ALL))
    there.receive(here.take_outgoing(ALL), 0)
    assert there.tie is None
    there.tick(0)
    here.receive(there.take_outgoing(ALL), ahead + way)
    there.receive(here.take_outgoing(ALL), 2 * way)
    assert there.tie == Tie(offset_ns=-ahead, rtt_ns=2 * way)
    # A pong that nobody asked for says nothing.
    there.receive(frame(msgspec.msgpack.encode(Pong(sent_ns=5, answered_ns=5))), 3 * way)
    assert there.tie == Tie(offset_ns=-ahead, rtt_ns=2 * way)
