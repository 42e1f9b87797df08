"""The subject's end on the network: dials the paired station, and pairs with a new one."""

from __future__ import annotations

import ssl
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QAbstractSocket, QTcpSocket

from curtain.base.errors import CurtainError
from curtain_rooms.network.identity import Identity, KnownStation, TrustStore
from curtain_rooms.network.listener import DEFAULT_PORT
from curtain_rooms.network.pairing import PairFrames, PairingError, Refusal, SubjectPairing, pair_frame
from curtain_rooms.network.tls_socket import NOT_PAIRED, PAIRING_NAME, TlsSocket, pairing_contexts, station_context

_CONNECT_MS = 10_000
_STATION_NAME = "station.curtain.invalid"

# All sentences of this module stand on the subject's screen: none may reveal that somebody sits in the other room.
_SENTENCES: dict[Refusal, str] = {
    "closed": "Pairing is closed: too many wrong codes were tried, or no code is shown. Look at the other screen.",
    "wrong_code": "This is not the code that the other room shows. Read it again and type all six digits.",
    "old_code": "The code of the other room has changed. Read it again.",
    "bad_message": "The other station speaks another language. Install the same Curtain on both.",
}


def read_address(text: str) -> tuple[str, int]:
    """Host and port of `192.168.1.20:7411`, `host:7411`, `[::1]:7411` or a host alone. Raises CurtainError."""
    host, port = text.strip(), str(DEFAULT_PORT)
    if host.startswith("["):
        host, closing, rest = host[1:].partition("]")
        if not closing or (rest and not rest.startswith(":")):
            raise CurtainError(f"“{text}” is no address. Write an IPv6 address as [::1]:{DEFAULT_PORT}.")
        port = rest[1:] or port
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
        port = port or str(DEFAULT_PORT)
    if not port.isdecimal() or not 0 <= int(port) < 65536:
        raise CurtainError(f"“{port}” is no port. Give a number from 1 to 65535, as in 192.168.1.20:{DEFAULT_PORT}.")
    return host, int(port)


class NetworkDialler(QObject):
    """Makes connections to the paired wizard's station, one at a time.

    `needs_code`: the last call failed since both are not, or no longer, paired; only a new code helps.
    """

    connected = Signal(object)
    failed = Signal(str)

    def __init__(
        self, host: str, port: int, identity: Identity, trust: TrustStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._host, self._port = host, port
        self._identity = identity
        self._trust = trust
        self._call: _Call | None = None
        self._context: ssl.SSLContext | None = None
        self._shaking: TlsSocket | None = None
        self.needs_code = False

    @Slot()
    def dial(self) -> None:
        """Try once; `connected(TlsSocket)` or `failed(sentence)` follows."""
        trusted = self._trust.of_role("wizard")
        self.needs_code = not trusted
        if self.needs_code:
            self.failed.emit("This station is paired with no other one yet.")
            return
        self.give_up()
        self._context = station_context(self._identity, trusted, server=False)
        call = self._call = _Call(self._host, self._port, self)
        call.reached.connect(self._shake_hands)
        call.failed.connect(self.failed)
        call.begin()

    def give_up(self) -> None:
        """Let the call go that is being made."""
        call, self._call = self._call, None
        if call is not None:
            call.abort()
        shaking, self._shaking = self._shaking, None
        if shaking is not None:
            shaking.failed.disconnect(self._on_failed)
            shaking.abort()
            shaking.deleteLater()

    @Slot(object)
    def _shake_hands(self, socket: QTcpSocket) -> None:
        context = self._context
        assert context is not None
        tls = self._shaking = TlsSocket(socket, lambda _: context, server=False, name=_STATION_NAME, parent=self)
        # The socket is the handshake's now and ends with it: the call must not touch it again.
        call, self._call = self._call, None
        if call is not None:
            call.deleteLater()
        tls.encrypted.connect(self._on_encrypted)
        tls.failed.connect(self._on_failed)
        tls.begin()

    @Slot(object)
    def _on_encrypted(self, tls: TlsSocket) -> None:
        self._shaking = None
        certificate = tls.peer_certificate
        if certificate is None or self._trust.known(certificate, "wizard") is None:
            tls.abort()
            self.needs_code = True
            self.failed.emit("The other end is not the station that was paired.")
            return
        self.connected.emit(tls)

    @Slot(object, str)
    def _on_failed(self, tls: TlsSocket, why: str) -> None:
        self._shaking = None
        self.needs_code = why == NOT_PAIRED
        tls.deleteLater()
        self.failed.emit(f"The other station did not take the connection: {why}.")


class PairingCall(QObject):
    """One try to pair with a wizard's station. Ends with `paired(KnownStation)` or `failed(sentence)`."""

    paired = Signal(object)
    failed = Signal(str)

    def __init__(
        self,
        host: str,
        port: int,
        code: str,
        identity: Identity,
        trust: TrustStore,
        utc: Callable[[], str],
        parent: QObject | None = None,
        chair: str = "",
    ) -> None:
        """`chair` is the one whose code this is; "" for a subject's station."""
        super().__init__(parent)
        self._host, self._port, self._code, self._chair = host, port, code, chair
        self._identity = identity
        self._trust = trust
        self._utc = utc
        self._tls: TlsSocket | None = None
        self._pairing: SubjectPairing | None = None
        self._frames = PairFrames()
        self._over = False
        # Why the other station refused the code; None if it was not asked.
        self.why: Refusal | None = None

    def begin(self) -> None:
        """Call, and prove the code."""
        call = _Call(self._host, self._port, self)
        call.reached.connect(self._shake_hands)
        call.failed.connect(self._fail)
        call.begin()

    @Slot(object)
    def _shake_hands(self, socket: QTcpSocket) -> None:
        context = pairing_contexts(self._identity, server=False)
        tls = self._tls = TlsSocket(socket, lambda _: context, server=False, name=PAIRING_NAME, parent=self)
        tls.encrypted.connect(self._on_encrypted)
        tls.failed.connect(self._on_failed)
        tls.readyRead.connect(self._on_bytes)
        tls.disconnected.connect(self._on_disconnected)
        tls.begin()

    @Slot(object)
    def _on_encrypted(self, tls: TlsSocket) -> None:
        certificate = tls.peer_certificate
        assert certificate is not None, "a server always shows its certificate"
        self._pairing = SubjectPairing(
            self._code, self._identity.name, self._identity.certificate, certificate, self._chair
        )
        tls.write(pair_frame(self._pairing.begin()))

    @Slot()
    def _on_bytes(self) -> None:
        tls, pairing = self._tls, self._pairing
        if tls is None or pairing is None or self._over:
            return
        try:
            for message in self._frames.feed(tls.take()):
                answer = pairing.take(message)
                if answer is not None:
                    tls.write(pair_frame(answer))
        except PairingError as failed:
            self.why = failed.why
            self._fail(_SENTENCES[failed.why])
            tls.abort()
            return
        if pairing.paired is not None:
            self._over = True
            station = KnownStation(pairing.paired.name, "wizard", pairing.paired.certificate, self._utc())
            kept = self._trust.add(station)
            tls.disconnectFromServer()
            self.paired.emit(kept)

    @Slot(object, str)
    def _on_failed(self, tls: TlsSocket, why: str) -> None:
        self._fail(f"The other station did not answer: {why}.")

    @Slot()
    def _on_disconnected(self) -> None:
        self._fail("The other station hung up. Try again.")

    @Slot(str)
    def _fail(self, sentence: str) -> None:
        if not self._over:
            self._over = True
            self.failed.emit(sentence)


class _Call(QObject):
    """A TCP connection being made."""

    reached = Signal(object)
    failed = Signal(str)

    def __init__(self, host: str, port: int, parent: QObject) -> None:
        super().__init__(parent)
        self._host, self._port = host, port
        self._socket = QTcpSocket(self)
        self._socket.connected.connect(self._on_connected)
        self._socket.errorOccurred.connect(self._on_error)
        self._patience = QTimer(self, singleShot=True)
        # Where a firewall drops what comes, the system itself waits for minutes.
        self._patience.timeout.connect(self._on_patience)
        self._over = False

    def begin(self) -> None:
        """Connect."""
        self._patience.start(_CONNECT_MS)
        self._socket.connectToHost(self._host, self._port)

    def abort(self) -> None:
        """Let it go; nothing is reported any more."""
        self._over = True
        self._patience.stop()
        if self._socket.parent() is self:
            self._socket.abort()

    @Slot()
    def _on_connected(self) -> None:
        if self._over:
            return
        self._over = True
        self._patience.stop()
        # From now on whoever takes the socket watches it.
        self._socket.errorOccurred.disconnect(self._on_error)
        self._socket.connected.disconnect(self._on_connected)
        self.reached.emit(self._socket)

    @Slot(QAbstractSocket.SocketError)
    def _on_error(self, error: QAbstractSocket.SocketError) -> None:
        self._end(_why(error, self._host, self._port))

    @Slot()
    def _on_patience(self) -> None:
        self._end(_why(QAbstractSocket.SocketError.SocketTimeoutError, self._host, self._port))

    def _end(self, sentence: str) -> None:
        if not self._over:
            self.abort()
            self.failed.emit(sentence)


def _why(error: QAbstractSocket.SocketError, host: str, port: int) -> str:
    errors = QAbstractSocket.SocketError
    if error == errors.HostNotFoundError:
        return f"There is no computer named {host} here. Type the address that the other room shows."
    if error == errors.ConnectionRefusedError:
        return f"At {host} nothing listens on port {port}. Start the other room's station, and check the port."
    if error == errors.SocketTimeoutError:
        return f"Nothing answers at {host}, port {port}. Check the address, and that a firewall lets the port through."
    return f"{host}, port {port}, cannot be reached. Check the network cable or the Wi-Fi, then the address."
