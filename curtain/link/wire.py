"""One connected socket and its peer: what both rims of the link share."""

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QByteArray, QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalSocket

from curtain.link.events import Happened
from curtain.link.messages import Message
from curtain.link.peer import Peer

PIECE = 64 * 1024
WRITE_AHEAD = 256 * 1024  # what Qt may hold for a slow reader; the rest waits in the peer, where order can change

Now = Callable[[], int]


class LinkSocket(Protocol):
    """What is used of a socket: a `QLocalSocket` on this machine, a `network.tls_socket.TlsSocket` between two."""

    readyRead: Any
    bytesWritten: Any
    disconnected: Any

    def setParent(self, parent: QObject | None, /) -> None:
        """As of every QObject."""

    def state(self) -> QLocalSocket.LocalSocketState:
        """Whether it is connected."""

    def isOpen(self) -> bool:
        """Whether anything can still be read."""

    def bytesAvailable(self) -> int:
        """How much waits to be read."""

    def read(self, maxlen: int, /) -> QByteArray:
        """Up to so many bytes."""

    def write(self, data: bytes, /) -> int:
        """Take bytes to send."""

    def bytesToWrite(self) -> int:
        """How much waits to be sent."""

    def flush(self) -> bool:
        """Hand over what waits."""

    def setReadBufferSize(self, size: int, /) -> None:
        """How much may wait to be read."""

    def disconnectFromServer(self) -> None:
        """Close once everything is sent."""

    def abort(self) -> None:
        """Close at once."""


class Wire(QObject):
    """One connected socket and its peer: bytes one way, events the other.

    `happened` carries this wire and the event. `gone` comes once, when the socket is no more.
    Another transport needs the same few names of its socket: readyRead, bytesWritten, disconnected, isOpen, read,
    write, bytesToWrite, disconnectFromServer, abort.
    """

    happened = Signal(object, object)
    gone = Signal(object)

    def __init__(self, socket: LinkSocket, peer: Peer, now: Now, parent: QObject) -> None:
        super().__init__(parent)
        self.peer = peer
        self._socket = socket
        self._now = now
        self._ended = False
        self._patience = QTimer(self, singleShot=True)
        # A peer that does not read never lets the socket close by itself.
        self._patience.timeout.connect(self.abort)
        socket.setParent(self)
        socket.readyRead.connect(self._on_ready_read)
        socket.bytesWritten.connect(self.pump)
        socket.disconnected.connect(self._on_disconnected)

    def send(self, message: Message) -> bool:
        """As `Peer.send`, and write what the socket takes. Raises `MessageTooLong`."""
        sent = self.peer.send(message)
        self.pump()
        return sent

    def ack(self, seq: int) -> None:
        """As `Peer.ack`, and write what the socket takes."""
        self.peer.ack(seq)
        self.pump()

    def poll(self) -> None:
        """Read what came before anyone listened, and write what waits."""
        self._on_ready_read()
        self.pump()

    def tick(self) -> None:
        """As `Peer.tick`: emit what it notices, and write."""
        self.announce(self.peer.tick(self._now()))

    def announce(self, happened: list[Happened]) -> None:
        """Emit what happened, then write what came of it. Everything is announced, even if a listener hangs up
        in between: the peer counts it as delivered."""
        for event in happened:
            self.happened.emit(self, event)
        self.pump()

    @Slot()
    def pump(self) -> None:
        """Write what the socket takes."""
        # Only as much as Qt has room for: what Qt holds can no longer be reordered.
        while self._takes_more():
            data = self.peer.take_outgoing(PIECE)
            if not data:
                break
            self._socket.write(data)
        if self.peer.finished:
            self.hang_up()

    def hang_up(self) -> None:
        """Write what is queued in the socket and close it; a peer that does not read is cut off after a second."""
        self.peer.hang_up()
        if self._ended or self._patience.isActive():
            return
        # In milliseconds.
        self._patience.start(1000)
        self._socket.flush()
        self._socket.disconnectFromServer()

    def _takes_more(self) -> bool:
        connected = self._socket.state() == QLocalSocket.LocalSocketState.ConnectedState
        return connected and self._socket.bytesToWrite() < WRITE_AHEAD

    @Slot()
    def _on_ready_read(self) -> None:
        # A socket that was closed meanwhile has nothing more, and would warn in the log.
        while not self._ended and self._socket.isOpen() and self._socket.bytesAvailable():
            data = bytes(self._socket.read(PIECE).data())
            if not data:
                break
            self.announce(self.peer.receive(data, self._now()))

    @Slot()
    def abort(self) -> None:
        """Close the socket at once; what waits to be written is dropped."""
        self.peer.hang_up()
        self._socket.abort()

    @Slot()
    def _on_disconnected(self) -> None:
        if self._ended:
            return
        # What came just before the end still counts.
        self._on_ready_read()
        # Before `gone`: a listener may look at this wire.
        self._ended = True
        self._patience.stop()
        self.peer.hang_up()
        self.gone.emit(self)
        self.deleteLater()
