"""One connection between two wizard's stations: a socket, and the peer that cuts its bytes into messages."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalSocket

from curtain.link.wire import PIECE, WRITE_AHEAD, LinkSocket
from curtain.session.chairs.messages import ChairMessage
from wizard_app.desk.chairs.peer import ChairPeer

TICK_MS = 250


class ChairWire(QObject):
    """`came(wire, message)` for each whole message, `drained(wire)` when what was queued is nearly written, and
    `gone(wire, why)` once. `tied(Tie)`: how the other side's clock stands to ours, when that is known better."""

    came = Signal(object, object)
    drained = Signal(object)
    gone = Signal(object, str)
    tied = Signal(object)

    def __init__(self, socket: LinkSocket, peer: ChairPeer, now: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self.peer = peer
        self._socket = socket
        self._now = now
        self._ended = False
        socket.setParent(self)
        socket.readyRead.connect(self.read)
        socket.bytesWritten.connect(self._on_written)
        socket.disconnected.connect(self._on_disconnected)
        self._ticker = QTimer(self, interval=TICK_MS)
        self._ticker.timeout.connect(self._tick)
        self._ticker.start()

    def send(self, message: ChairMessage) -> None:
        """Queue a message, and write what the socket takes."""
        self.peer.send(message)
        self.pump()

    @Slot()
    def read(self) -> None:
        """Take what came; also what came before anybody listened."""
        while not self._ended and self._socket.isOpen() and (data := bytes(self._socket.read(PIECE).data())):
            before = self.peer.tie
            for message in self.peer.receive(data, self._now()):
                self.came.emit(self, message)
            if self.peer.tie is not before:
                self.tied.emit(self.peer.tie)
        self.pump()

    def pump(self) -> None:
        """Write what the socket takes; a connection that is over is closed behind it."""
        connected = self._socket.state() == QLocalSocket.LocalSocketState.ConnectedState
        while connected and self._socket.bytesToWrite() < WRITE_AHEAD and (data := self.peer.take_outgoing(PIECE)):
            self._socket.write(data)
        if self.peer.over:
            self.close(self.peer.over)

    def close(self, why: str = "") -> None:
        """Write what is queued and hang up."""
        if self._ended:
            return
        self._socket.flush()
        self._end(why)
        self._socket.disconnectFromServer()

    @Slot()
    def _on_written(self) -> None:
        self.pump()
        if not self._ended:
            self.drained.emit(self)

    @Slot()
    def _tick(self) -> None:
        self.peer.tick(self._now())
        self.pump()

    @Slot()
    def _on_disconnected(self) -> None:
        self._end("the connection was lost")

    def _end(self, why: str) -> None:
        if not self._ended:
            self._ended = True
            self._ticker.stop()
            self.gone.emit(self, why)
