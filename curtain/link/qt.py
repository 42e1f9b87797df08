"""The rim of the link: sockets, timers and signals around the peers of `core`. All of it on the GUI thread.

The wizard's station listens, the subject's dials. Nothing here waits: a slot reads what is there, hands it to
the peer, emits what happened, and writes as much as the socket takes.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from curtain.base.clock import steady_ns
from curtain.base.disk import lock_file, unlock_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.link import socket_paths
from curtain.link.core import Judge, Seat, SubjectPeer, WizardPeer
from curtain.link.delivery import Delivered, Resend
from curtain.link.events import Acked, BoothReport, ClockTied, Closed, Happened, Joined, Received, TurnedAway
from curtain.link.heartbeat import Timings
from curtain.link.messages import Goodbye, Hello, HelloRefused, Message, Waiting, Welcome
from curtain.link.wire import LinkSocket, Now, Wire

READ_BUFFER = 1024 * 1024
STRANGERS = 16  # connections without an accepted hello at one time
DEFAULT_NAME = "wizard"


class SessionLink(QObject):
    """What a session at the wizard's desk uses of a link. A method that a kind of link does not need does nothing.

    Signals: `subject_joined(Hello)`: answer it with `welcome`. `received(message)`: JournalLine once and in
    order, AudioChunk, StationStatus, Goodbye. `acked(seq)`: the subject has applied everything up to there.
    `clock_tied(ClockTied)`. `lost()`: the subject that had joined is gone. `turned_away(TurnedAway)`: another
    station was refused; its sentence is for the wizard. `booth_reported(BoothReport)`: of stations of other machines.
    """

    subject_joined = Signal(object)
    received = Signal(object)
    acked = Signal(object)
    clock_tied = Signal(object)
    lost = Signal()
    turned_away = Signal(object)
    booth_reported = Signal(object)

    @property
    def up(self) -> bool:
        """A subject's station has joined and is alive."""
        return True

    @property
    def from_elsewhere(self) -> bool:
        """The subject's station is on another computer for certain; False while none has joined."""
        return False

    def listen(self, name: str = DEFAULT_NAME) -> None:
        """Wait for a subject's station under this name. Raises CurtainError."""

    def judge_with(self, judge: Judge) -> None:
        """Ask this before a hello is announced: the refusal if that station may not join, or None."""

    def welcome(self, answer: Waiting | Welcome | HelloRefused) -> None:
        """Answer the subject that joined."""

    def send(self, message: Message) -> bool:
        """Send a message; False if nobody is connected."""
        return self.up

    def let_in(self) -> None:
        """The session may go on with another station's certificate: the wizard lets it in."""

    def free_seat(self) -> None:
        """The session is over: the next one may be held with any station."""

    def serve(self, mark: str) -> None:
        """Before a session: the place is for the station with this mark. Whoever has it waits like the others."""

    def take_in(self, socket: LinkSocket, mark: str = "") -> None:
        """Serve one more connection: of this machine, or of a paired one, whose `mark` is its certificate's
        fingerprint. A session that began with one mark goes on with no other until the seat is freed."""

    def ack(self, seq: int) -> None:
        """The subject's journal is fsynced here up to this line."""

    def begin_again(self, have: int) -> None:
        """A line that came cannot be used: hang up. The subject's station dials again and sends what follows `have`."""

    def close(self) -> None:
        """Hang up and listen no more. Emits nothing."""


class WizardLink(SessionLink):
    """The listening end, at the wizard's station: a socket of this machine, and those that `take_in` brings.

    `resend(after_seq)` gives every kept message of this session that is journaled after that number, in order.
    `now` is a monotonic clock in nanoseconds.
    """

    def __init__(self, resend: Resend, now: Now = steady_ns, timings: Timings | None = None) -> None:
        super().__init__()
        self._resend = resend
        self._now = now
        self._timings = timings or Timings()
        self._seat = Seat()
        self._wires: list[Wire] = []
        self._subject: Wire | None = None
        self._free_name: Callable[[], None] | None = None
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_new_connection)
        self._ticker = _ticker(self._timings, self._tick, self)
        self.problems = 0

    @property
    def up(self) -> bool:
        """A subject's station has joined and is alive."""
        return self._subject is not None

    @property
    def from_elsewhere(self) -> bool:
        """By its certificate: a station of this machine has none."""
        return self._subject is not None and self._seat.holder is not None and self._seat.holder.mark != ""

    def listen(self, name: str = DEFAULT_NAME, folder: Path | None = None) -> None:
        """Open the meeting place; the subject's station dials the same name (and folder).

        Raises:
            CurtainError: another wizard's station listens there; the folder or the name cannot be used.
        """
        # The lock before the socket: only its owner may remove a socket that is in the way.
        run = socket_paths.run_folder(folder)
        address = socket_paths.address(name, run)
        self._free_name = _own(name, run)
        removed = QLocalServer.removeServer(address)  # left by a killed station; the lock says that nobody lives there
        if not removed or not self._server.listen(address):
            self.close()
            why = f"{self._server.errorString()}. Check its rights." if removed else "a folder is in the way. Move it."
            raise CurtainError(f"The link at {address} cannot be opened: {why}")
        self._ticker.start()

    def judge_with(self, judge: Judge) -> None:
        """The refusal if that station may not join, or None."""
        self._seat.judge = judge

    @Slot(object)
    def welcome(self, answer: Waiting | Welcome | HelloRefused) -> None:
        """Answer the subject that joined: Waiting, later Welcome once a session begins. Without a subject,
        nothing: the next one that joins asks again.

        A Welcome for another session than this connection's ends the connection; the station dials again.
        """
        if self._subject is not None and self._seat.holder is not None:
            self._subject.announce(self._seat.holder.answer(answer))

    @Slot(object)
    def send(self, message: Message) -> bool:
        """Send now. A kept message must be journaled before, and sent with rising `seq`; if the link is down
        it reaches the subject later by `resend`. Any other is lost while the link is down: False.

        Raises:
            MessageTooLong: over 256 KiB.
        """
        return self._subject is not None and self._subject.send(message)

    def let_in(self) -> None:
        """Forget the certificate with which the session began."""
        self._seat.bound, self._seat.for_newcomer = None, True

    def free_seat(self) -> None:
        """Forget it, and let any station in."""
        self._seat.bound, self._seat.for_newcomer = None, False

    def serve(self, mark: str) -> None:
        """Whoever has the place waits like the others."""
        holder = self._seat.holder
        if self._seat.bound is not None or (holder is not None and holder.mark == mark):
            return
        self._seat.expected = mark
        if self._subject is not None:
            self._subject.hang_up()

    @Slot(object)
    def ack(self, seq: int) -> None:
        """Acknowledge to the subject's station, if it is there."""
        if self._subject is not None:
            self._subject.ack(seq)

    @Slot(int)
    def begin_again(self, have: int) -> None:
        """Hang up, and take lines again from the one after `have`."""
        self._seat.delivered.go_back(have)
        if self._subject is not None:
            self._subject.hang_up()

    @Slot()
    def close(self) -> None:
        """Hang up and free the name. Emits nothing."""
        self._ticker.stop()
        self._server.close()
        # First, so that the wires' end is not reported as a loss.
        self._subject = None
        for wire in list(self._wires):
            wire.hang_up()
        if self._free_name is not None:
            self._free_name()
            self._free_name = None

    @Slot()
    def _on_new_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            self.take_in(socket)

    def _make_room(self) -> None:
        """Whoever has been silent longest goes: a true station says hello as soon as it is connected."""
        strangers = [wire for wire in self._wires if wire is not self._subject]
        # One place is kept for the new connection.
        for wire in strangers[: max(0, len(strangers) - STRANGERS + 1)]:
            wire.abort()

    def take_in(self, socket: LinkSocket, mark: str = "") -> None:
        """A session that began with one mark goes on with no other until the seat is freed."""
        socket.setReadBufferSize(READ_BUFFER)
        self._make_room()
        peer = WizardPeer(self._seat, self._resend, self._now(), self._timings, mark)
        wire = Wire(socket, peer, self._now, self)
        wire.happened.connect(self._on_happened)
        wire.gone.connect(self._on_gone)
        self._wires.append(wire)
        # Bytes can have come before the signals were connected.
        wire.poll()

    @Slot()
    def _tick(self) -> None:
        for wire in list(self._wires):
            wire.tick()

    @Slot(object, object)
    def _on_happened(self, wire: Wire, event: Happened) -> None:
        match event:
            case Joined():
                if self._subject is not None:
                    # The same station by a new connection: the end of its old one comes first.
                    self._subject.abort()
                self._subject = wire
                self.subject_joined.emit(event.hello)
            case Received():
                self.received.emit(event.message)
            case Acked():
                self.acked.emit(event.seq)
            case ClockTied():
                self.clock_tied.emit(event)
            case TurnedAway():
                self.turned_away.emit(event)
            case BoothReport():
                self.booth_reported.emit(event)
            case Closed():
                # A problem means a program that breaks the protocol, not a lost line; tests and status count it.
                self.problems += event.why == "fault"
                self._on_lost(wire)

    @Slot(object)
    def _on_gone(self, wire: Wire) -> None:
        self._wires.remove(wire)
        self._on_lost(wire)

    def _on_lost(self, wire: Wire) -> None:
        if wire is self._subject:
            self._subject = None
            self.lost.emit()


class Dialler(Protocol):
    """Makes one connection at a time: `connected(socket)` or `failed(sentence)` follows each `dial`."""

    connected: Any
    failed: Any

    def dial(self) -> None:
        """Try once."""

    def give_up(self) -> None:
        """Let go what is being dialled."""


class LocalDialler(QObject):
    """Dials a station of this machine."""

    connected = Signal(object)
    failed = Signal(str)

    def __init__(self, address: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._address = address
        self._dialling: QLocalSocket | None = None

    @Slot()
    def dial(self) -> None:
        """Try once."""
        socket = QLocalSocket(self)
        socket.setReadBufferSize(READ_BUFFER)
        socket.connected.connect(self._on_connected)
        socket.errorOccurred.connect(self._on_failed)
        self._dialling = socket
        socket.connectToServer(self._address)

    def give_up(self) -> None:
        """Let go what is being dialled."""
        socket, self._dialling = self._dialling, None
        if socket is not None:
            socket.abort()
            socket.deleteLater()

    @Slot()
    def _on_connected(self) -> None:
        socket, self._dialling = self._dialling, None
        if socket is None:
            return
        # From now on the wire watches the socket; an error after this is a loss, not a failed dial.
        socket.errorOccurred.disconnect(self._on_failed)
        self.connected.emit(socket)

    @Slot()
    def _on_failed(self) -> None:
        if self._dialling is not None:
            self.give_up()
            self.failed.emit("No wizard's station listens on this computer.")


class SubjectLink(QObject):
    """The dialling end, at the subject's station. It dials for ever, until `close`.

    Signals: `joined()`: the hello was accepted. `received(message)`: Waiting, Welcome, WantAudio, AudioSafe,
    and what is shown, each kept message once and in order. `acked(seq)`: our journal is safe at the wizard's
    up to that line. `clock_tied(ClockTied)`. `lost()`: a connection that had joined is over.
    `refused(TurnedAway)`: it goes on dialling, since the other side may change its mind. `dial_failed(sentence)`:
    nobody answered this time; the sentence is for a lab assistant.

    `hello()` is asked at each connection. `resend(after_seq)` gives the JournalLines after that number.
    A `Welcome` whose `journal_have` exceeds our journal's last line means that this station lost its spool.
    """

    joined = Signal()
    received = Signal(object)
    acked = Signal(object)
    clock_tied = Signal(object)
    lost = Signal()
    refused = Signal(object)
    dial_failed = Signal(str)

    def __init__(
        self,
        hello: Callable[[], Hello],
        resend: Resend,
        now: Now = steady_ns,
        timings: Timings | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._hello = hello
        self._resend = resend
        self._now = now
        self._timings = timings or Timings()
        self._delivered = Delivered()
        self._dialler: Dialler | None = None
        self._wait = self._timings.redial
        self._wire: Wire | None = None
        self._joined = False
        self._ticker = _ticker(self._timings, self._tick, self)
        self._redial = QTimer(self, singleShot=True)
        self._redial.timeout.connect(self._dial)
        self.problems = 0

    @property
    def up(self) -> bool:
        """The wizard's station has accepted us and is alive."""
        return self._joined

    def dial(self, name: str = DEFAULT_NAME, folder: Path | None = None) -> None:
        """Begin to dial; `joined` says when somebody answered.

        Raises:
            CurtainError: the folder or the name cannot be used.
        """
        address = socket_paths.address(name, socket_paths.run_folder(folder))
        self.dial_through(LocalDialler(address, self))

    def dial_through(self, dialler: Dialler) -> None:
        """Begin to dial by any means: on this machine, or to a paired one."""
        # A second dial replaces the first.
        self.close()
        self._dialler = dialler
        dialler.connected.connect(self._on_connected)
        dialler.failed.connect(self._on_dial_failed)
        self._wait = self._timings.redial
        self._ticker.start()
        self._dial()

    @Slot(object)
    def send(self, message: Message) -> bool:
        """Send now. A JournalLine must be fsynced before; while the link is down it goes later by `resend`.
        Any other is lost while the link is down: False. False too for an AudioChunk beyond 1 MiB waiting.

        Raises:
            MessageTooLong: over 256 KiB.
        """
        return self._wire is not None and self._wire.send(message)

    @Slot(object)
    def ack(self, seq: int) -> None:
        """What the wizard's station sent up to `seq` is applied here."""
        self._delivered.mark_safe(seq)
        if self._wire is not None:
            self._wire.ack(seq)

    @Slot()
    def begin_again(self) -> None:
        """Hang up and dial again, with a new hello."""
        if self._wire is not None:
            self._wire.hang_up()

    @Slot()
    def close(self) -> None:
        """Say goodbye, hang up and stop dialling. Emits nothing."""
        # None: no redial from here on.
        dialler, self._dialler = self._dialler, None
        self._joined = False
        self._ticker.stop()
        self._redial.stop()
        if dialler is not None:
            dialler.connected.disconnect(self._on_connected)
            dialler.failed.disconnect(self._on_dial_failed)
            dialler.give_up()
        # Taken away first: its `gone` must not dial again.
        if self._wire is not None:
            wire, self._wire = self._wire, None
            # The wizard reads that the window was closed on purpose, not that the link was lost.
            wire.send(Goodbye())
            wire.hang_up()

    @Slot()
    def _dial(self) -> None:
        if self._dialler is not None:
            self._dialler.dial()

    @Slot(object)
    def _on_connected(self, socket: LinkSocket) -> None:
        socket.setReadBufferSize(READ_BUFFER)
        peer = SubjectPeer(self._hello(), self._delivered, self._resend, self._now(), self._timings)
        self._wire = Wire(socket, peer, self._now, self)
        self._wire.happened.connect(self._on_happened)
        self._wire.gone.connect(self._on_gone)
        self._wire.poll()

    @Slot(str)
    def _on_dial_failed(self, sentence: str) -> None:
        self.dial_failed.emit(sentence)
        self._dial_later()

    def _dial_later(self) -> None:
        if self._dialler is not None:
            self._redial.start(int(self._wait * 1000))
            # Doubled up to a second: a wizard's station that starts is found soon, one that is not there costs little.
            self._wait = min(2 * self._wait, self._timings.redial_most)

    @Slot()
    def _tick(self) -> None:
        if self._wire is not None:
            self._wire.tick()

    @Slot(object, object)
    def _on_happened(self, wire: Wire, event: Happened) -> None:
        # A wire that hangs up still delivers what it had read: the peer counts it as delivered.
        if wire is not self._wire and not isinstance(event, Received):
            return
        match event:
            case Joined():
                self._joined = True
                self._wait = self._timings.redial
                self.joined.emit()
            case Received():
                self.received.emit(event.message)
            case Acked():
                self.acked.emit(event.seq)
            case ClockTied():
                self.clock_tied.emit(event)
            case TurnedAway():
                # Refused: no hurry to ask again.
                self._wait = self._timings.redial_most
                self.refused.emit(event)
            case Closed():
                self.problems += event.why == "fault"
                self._on_lost()

    @Slot(object)
    def _on_gone(self, wire: Wire) -> None:
        if wire is self._wire:
            self._wire = None
            self._on_lost()
            self._dial_later()

    def _on_lost(self) -> None:
        if self._joined:
            self._joined = False
            self.lost.emit()


def _own(name: str, folder: Path) -> Callable[[], None]:
    """Take the lock of the one wizard's station that listens here, and return what frees it.

    Raises:
        CurtainError: another station holds it; no lock can be written.
    """
    path = folder / f"{name}.lock"
    with os_errors_as(f"The lock file {path} cannot be written", advice=" Check the rights of its folder."):
        descriptor = lock_file(path)
    if descriptor is None:
        raise CurtainError(
            f"A wizard's station is open already on this computer as “{name}”. "
            "Close it, or start this one under another name (--listen NAME)."
        )
    return partial(unlock_file, path, descriptor)


def _ticker(timings: Timings, tick: Callable[[], None], parent: QObject) -> QTimer:
    timer = QTimer(parent, interval=int(timings.tick * 1000))
    timer.timeout.connect(tick)
    return timer
