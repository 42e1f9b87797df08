"""A connected socket and its peer, on the GUI thread. Nothing waits: read what is there, write what fits."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalSocket

from curtain.link.happened import Happened
from curtain.link.messages import Message
from curtain.link.peer import Peer

PIECE = 64 * 1024
WRITE_AHEAD = 256 * 1024  # what Qt may hold for a slow reader; the rest waits in the peer, where order can change

Now = Callable[[], int]


class Wire(QObject):
    """One connected socket and its peer: bytes one way, events the other.

    `happened` carries this wire and the event. `gone` comes once, when the socket is no more.
    Another transport needs the same few names of its socket: readyRead, bytesWritten, disconnected, read,
    write, bytesToWrite, disconnectFromServer, abort.
    """

    happened = Signal(object, object)
    gone = Signal(object)

    def __init__(self, socket: QLocalSocket, peer: Peer, now: Now, parent: QObject) -> None:
        super().__init__(parent)
        self.peer = peer
        self._socket = socket
        self._now = now
        self._ended = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(socket.abort)
        socket.setParent(self)
        socket.readyRead.connect(self._on_ready_read)
        socket.bytesWritten.connect(self.pump)
        socket.disconnected.connect(self._on_disconnected)

    def send(self, message: Message) -> bool:
        sent = self.peer.send(message)
        self.pump()
        return sent

    def ack(self, seq: int) -> None:
        self.peer.ack(seq)
        self.pump()

    def poll(self) -> None:
        """Read what came before anyone listened, and write what waits."""
        self._on_ready_read()
        self.pump()

    def tick(self) -> None:
        self.tell(self.peer.tick(self._now()))

    def tell(self, happened: list[Happened]) -> None:
        """Emit what happened, then write what came of it. Everything is told, even if a listener hangs up
        in between: the peer counts it as delivered."""
        for event in happened:
            self.happened.emit(self, event)
        self.pump()

    @Slot()
    def pump(self) -> None:
        """Write what the socket takes."""
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
        self._patience.start(1000)
        self._socket.flush()
        self._socket.disconnectFromServer()

    def _takes_more(self) -> bool:
        connected = self._socket.state() == QLocalSocket.LocalSocketState.ConnectedState
        return connected and self._socket.bytesToWrite() < WRITE_AHEAD

    @Slot()
    def _on_ready_read(self) -> None:
        while not self._ended and (data := bytes(self._socket.read(PIECE).data())):
            self.tell(self.peer.receive(data, self._now()))

    @Slot()
    def _on_disconnected(self) -> None:
        if self._ended:
            return
        self._on_ready_read()
        self._ended = True
        self._patience.stop()
        self.peer.hang_up()
        self.gone.emit(self)
        self.deleteLater()
