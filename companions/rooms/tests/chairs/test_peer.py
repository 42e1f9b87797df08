"""Two wizard's stations in conversation, also with a rude peer; a chair's deadline counts by the host's clock."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from curtain.base.clock import Clock
from curtain.link.framing import CAP_BEFORE_HELLO, frame
from curtain.link.heartbeat import SECOND, Tie
from curtain.link.messages import Hello, Pong, ToSubject
from curtain.qt.background import Background
from curtain.session.chairs.table import PartState, TurnPart
from curtain.session.events import subject_events, wizard_events
from curtain.session.journal.lines import JournalEntry, write_line
from curtain.session.study.study import new_study
from curtain_rooms.chairs.chair_link import ChairLink, ChairSession
from curtain_rooms.chairs.host import ChairHost
from curtain_rooms.chairs.messages import (
    ChairHello,
    ChairWelcome,
    HandPartOver,
    RequestGranted,
    ReturnPart,
    SessionHere,
    TakePart,
    ToHost,
    TypePart,
)
from curtain_rooms.chairs.peer import MOST_WAITING, ChairPeer, chair_end, host_end
from wizard_app.desk.session.progress import with_subject_fact
from wizard_app.desk.session.session_files import StationStart

ALL = 1 << 30
HELLO = ChairHello(wizard_id="a1", chair="answerer")
TALK: list[ToHost] = [
    HELLO,
    TakePart(number=1, turn=1, part="answer"),
    TypePart(number=2, turn=1, part="answer", text="SELECT 'Zürich' FROM 表"),
    HandPartOver(number=3, turn=1, part="answer", to="a1"),
    ReturnPart(number=4, turn=1, part="answer"),
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
    assert [message.number for message in heard if isinstance(message, RequestGranted)] == [1, 2, 3, 4]
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


SUBJECT_TO_HOST_NS = 300 * SECOND
HOST_TO_CHAIR_NS = -7200 * SECOND


class NoDialler(QObject):
    connected = Signal(object)
    failed = Signal(str)

    def dial(self) -> None:
        """Nobody answers here."""


def line(seq: int, fact: msgspec.Struct, turn: int | None = None) -> bytes:
    data = msgspec.to_builtins(fact)
    return write_line(JournalEntry(seq, turn, 0, "2026-03-01T09:30:00.000Z", data.pop("type"), data))


@pytest.fixture
def link(qapp: QObject) -> ChairLink:
    return ChairLink(NoDialler(), "kim", "answerer", Clock())


@pytest.fixture
def session(tmp_path: Path, link: ChairLink) -> Iterator[ChairSession]:
    owner = QObject()
    work, files = Background(1, owner), Background(1, owner)
    study = new_study(tmp_path / "study", "personnel", take_back_s=0)
    made = link.session(study, link, StationStart(Clock(), "0", 1), work, files, owner)
    link.session_here.emit(SessionHere(session_id="e00-01", identity="i"))
    tied = wizard_events.LinkRestored(subject_epoch=1, offset_ns=SUBJECT_TO_HOST_NS, rtt_ns=1)
    link.wizard_line.emit(1, line(1, tied))
    yield made
    made.leave()
    files.close()
    work.close()


def released_at(session: ChairSession) -> int | None:
    spoken = session.session.progress
    for fact in (
        subject_events.KeyDown(pressed_ns=SECOND, source="key"),
        subject_events.KeyUp(released_ns=2 * SECOND, held_ms=1000),
    ):
        spoken = with_subject_fact(spoken, fact, 1, 0)
    return spoken.released_on_wizard_clock(1)


def test_until_the_host_s_clock_is_known_waiting_counts_from_when_the_release_was_heard_of(
    session: ChairSession,
) -> None:
    assert released_at(session) is None


@pytest.mark.parametrize("lines_after", [0, 1])
def test_the_release_is_where_it_was_on_the_chair_s_own_clock(
    session: ChairSession, link: ChairLink, lines_after: int
) -> None:
    link.host_tied.emit(Tie(HOST_TO_CHAIR_NS, SECOND))
    for seq in range(2, 2 + lines_after):
        link.wizard_line.emit(seq, line(seq, wizard_events.Note(text="noise")))
    assert released_at(session) == 2 * SECOND + SUBJECT_TO_HOST_NS + HOST_TO_CHAIR_NS


def test_another_session_begins_without_the_ties_of_the_last_one(session: ChairSession, link: ChairLink) -> None:
    link.host_tied.emit(Tie(HOST_TO_CHAIR_NS, SECOND))
    link.session_here.emit(SessionHere(session_id="e01-01", identity="j"))
    assert released_at(session) is None


def test_at_a_chair_the_end_of_the_session_is_a_wish(qtbot: QtBot, session: ChairSession, link: ChairLink) -> None:
    with qtbot.waitSignal(link.refused):
        session.ending.begin()
