"""One connection between two wizard's stations: a socket, the peer that cuts its bytes, and the pace."""

from collections import deque
from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalSocket

from curtain.link.wire import PIECE, WRITE_AHEAD, LinkSocket
from curtain_rooms.chairs.messages import ChairHello, ChairMessage, WantTake, WriteFacts
from curtain_rooms.chairs.peer import ChairPeer
from wizard_app.desk.session.subject.quota import Allowance

TICK_MS = 250


# In quarters of a fact: a person writes a few facts in a turn, and types once a second.
_AT_ONCE, _A_SECOND = 4 * 64, 4 * 16
_BYTES_AT_ONCE, _BYTES_A_SECOND = 1024 * 1024, 16 * 1024
# Of each joining chair the host reads the whole session.
_JOINING = 4 * 16


class ChairPace:
    """How much one desk may bring: no more than people do in the time, so that it never holds up the others."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._facts = Allowance(_AT_ONCE, _A_SECOND, now)
        self._bytes = Allowance(_BYTES_AT_ONCE, _BYTES_A_SECOND, now)

    def takes(self, message: ChairMessage) -> bool:
        """Whether this message may be taken in now."""
        wanted = ((self._facts, _quarters(message)), (self._bytes, len(msgspec.msgpack.encode(message))))
        if any(allowance.wait_s(size) for allowance, size in wanted):
            return False
        return all([allowance.take(size) for allowance, size in wanted])


def _quarters(message: ChairMessage) -> int:
    match message:
        case ChairHello():
            return _JOINING
        case WriteFacts(facts=facts):
            return 4 * max(1, len(facts))
        case WantTake():
            return 1
    return 4


class ChairWire(QObject):
    """`takes` is asked before each message: what comes too fast waits here, and what follows it in the socket.

    `came(wire, message)` for each whole message, `drained(wire)` when what was queued is nearly written, and
    `gone(wire, why)` once. `tied(Tie)`: how the other side's clock stands to ours, when that is known better."""

    came = Signal(object, object)
    drained = Signal(object)
    gone = Signal(object, str)
    tied = Signal(object)

    def __init__(
        self, socket: LinkSocket, peer: ChairPeer, now: Callable[[], int], parent: QObject,
        takes: Callable[[ChairMessage], bool] = lambda _message: True,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._takes = takes
        self._waiting: deque[ChairMessage] = deque()
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
        """Queue a message, and write what the socket takes. Nothing where the connection is over."""
        if not self._ended:
            self.peer.send(message)
            self.pump()

    @Slot()
    def read(self) -> None:
        """Take what came; also what came before anybody listened."""
        while self._is_free() and self._socket.isOpen() and (data := bytes(self._socket.read(PIECE).data())):
            before = self.peer.tie
            self._waiting += self.peer.receive(data, self._now())
            if self.peer.tie is not before:
                self.tied.emit(self.peer.tie)
        self.pump()

    def _is_free(self) -> bool:
        """Pass on what waits as far as it may come in now; whether the next piece may be read."""
        while self._waiting and not self._ended and self._takes(self._waiting[0]):
            self.came.emit(self, self._waiting.popleft())
        return not self._waiting and not self._ended

    def pump(self) -> None:
        """Write what the socket takes; a connection that is over is closed behind it."""
        if self._ended:
            return
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
        if self._waiting:
            # It is we who do not read.
            self.peer.heard(self._now())
        self.peer.tick(self._now())
        self.read()

    @Slot()
    def _on_disconnected(self) -> None:
        self._end("the connection was lost")

    def _end(self, why: str) -> None:
        if not self._ended:
            self._ended = True
            self._ticker.stop()
            self.gone.emit(self, why)
