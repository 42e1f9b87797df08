"""The session's own station answers what chairs wish for: granted on the disk, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import msgspec
import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from pytestqt.qtbot import QtBot

from curtain.base.clock import Clock
from curtain.link.messages import LiveSound
from curtain.session.chairs.messages import (
    ChairHello,
    ChairMessage,
    ChairWelcome,
    LivePiece,
    RequestGranted,
    RequestRefused,
    WishedFact,
    WriteFacts,
)
from curtain.session.events import wizard_events as facts
from curtain.session.roles import Chair
from wizard_app.desk.chairs.peer import chair_end
from wizard_app.desk.chairs.server import ChairServer
from wizard_app.desk.chairs.wire import ChairWire
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.turn.control import Facts


class SlowDisk(QObject):
    """A session whose lines reach the disk, or do not, when the test says so."""

    opened = Signal()
    closed = Signal(object)
    write_failed = Signal(list)
    line_written = Signal(int)
    line_copied = Signal(int, bytes)
    take_here = Signal(int, object)
    live_sound_came = Signal(object)

    running = True
    session = None
    progress = SessionProgress()

    def __init__(self) -> None:
        super().__init__()
        self.written: Facts = []
        self.waiting: list[Callable[[bool], None]] = []

    def write(self, lines: Facts) -> None:
        self.written += lines

    def write_for(self, lines: Facts, done: Callable[[bool], None]) -> None:
        self.written += lines
        self.waiting.append(done)


class Desk:
    """A chair that says what it is told to, and keeps what it hears."""

    def __init__(self, qtbot: QtBot, wire: ChairWire) -> None:
        self.heard: list[ChairMessage] = []
        self._qtbot = qtbot
        self._wire = wire
        wire.came.connect(lambda _wire, message: self.heard.append(message))

    def join(self, chair: Chair) -> None:
        self._wire.send(ChairHello(wizard_id="kim", chair=chair))
        self.wait_for(ChairWelcome)

    def wish(self, number: int, fact: facts.WizardFact, turn: int | None) -> None:
        data = msgspec.to_builtins(fact)
        self._wire.send(WriteFacts(number=number, facts=[WishedFact(turn=turn, type=data.pop("type"), data=data)]))

    def wait_for(self, kind: type[ChairMessage]) -> ChairMessage:
        self._qtbot.waitUntil(lambda: any(isinstance(one, kind) for one in self.heard), timeout=30_000)
        return next(one for one in self.heard if isinstance(one, kind))


@pytest.fixture
def disk() -> SlowDisk:
    return SlowDisk()


@pytest.fixture
def desk(qtbot: QtBot, disk: SlowDisk) -> Iterator[Desk]:
    clock, owner, listener, socket = Clock(), QObject(), QLocalServer(), QLocalSocket()
    server = ChairServer(disk, clock, owner)  # type: ignore[arg-type]
    assert listener.listen(f"curtain-{uuid4().hex[:8]}")
    socket.connectToServer(listener.serverName())
    qtbot.waitUntil(listener.hasPendingConnections, timeout=30_000)
    server.take_in(listener.nextPendingConnection())  # type: ignore[arg-type]
    wire = ChairWire(socket, chair_end(clock.monotonic_ns()), clock.monotonic_ns, owner)  # type: ignore[arg-type]
    yield Desk(qtbot, wire)
    wire.close()
    listener.close()


def test_a_wish_is_granted_when_its_lines_are_on_the_disk(qtbot: QtBot, desk: Desk, disk: SlowDisk) -> None:
    desk.join("transcriber")
    desk.wish(7, facts.QuerySent(text="who"), 1)
    qtbot.waitUntil(lambda: len(disk.waiting) == 1, timeout=30_000)
    assert not [one for one in desk.heard if isinstance(one, RequestGranted)]
    disk.waiting[0](True)
    assert desk.wait_for(RequestGranted) == RequestGranted(number=7)
    assert (facts.named(facts.QuerySent(text="who"), "kim"), 1) in disk.written


def test_a_full_disk_at_the_session_s_station_is_one_sentence_at_the_chair(
    qtbot: QtBot, desk: Desk, disk: SlowDisk
) -> None:
    desk.join("transcriber")
    desk.wish(7, facts.QuerySent(text="who"), 1)
    qtbot.waitUntil(lambda: len(disk.waiting) == 1, timeout=30_000)
    disk.waiting[0](False)
    refused = desk.wait_for(RequestRefused)
    assert isinstance(refused, RequestRefused) and refused.number == 7
    assert refused.sentence.startswith("The session’s own station could not keep that. Look at its disk")


@pytest.mark.parametrize("chair", ["wizard", "answerer"])
def test_a_chair_cannot_end_the_session(desk: Desk, disk: SlowDisk, chair: Chair) -> None:
    desk.join(chair)
    before = list(disk.written)
    desk.wish(1, facts.SessionClosed(reason="finished"), None)
    refused = desk.wait_for(RequestRefused)
    assert isinstance(refused, RequestRefused)
    assert refused.sentence == "Only the session’s own station can end the session."
    assert disk.written == before


def test_speech_reaches_a_chair_while_it_is_spoken(desk: Desk, disk: SlowDisk) -> None:
    desk.join("observer")
    disk.live_sound_came.emit(LiveSound(turn=1, frame=320, rate=16000, data=b"\0\1" * 320))
    assert desk.wait_for(LivePiece) == LivePiece(turn=1, frame=320, rate=16000, data=b"\0\1" * 320)
