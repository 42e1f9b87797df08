"""TLS 1.3 of the standard library over a Qt socket, with the names that `qt.Wire` uses of a local one.

Python's `ssl` does the cryptography on buffers in memory; Qt only carries bytes. So nothing blocks, and no station
depends on which OpenSSL Qt finds.
"""

from __future__ import annotations

import ssl

from PySide6.QtCore import QByteArray, QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QAbstractSocket, QLocalSocket, QTcpSocket

from curtain.link.network.identity import Identity, KnownStation

__all__ = ["PAIRING_NAME", "TlsSocket", "pairing_contexts", "station_context"]

PAIRING_NAME = "pair.curtain.invalid"
"""The server name that a station asks for to be paired; `.invalid` is nobody's."""

_PIECE = 64 * 1024
_READ_BUFFER = 1024 * 1024
HANDSHAKE_MS = 5000


def _bare(protocol: int, identity: Identity | None) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    # Tickets would resume a session of a station that was unpaired since.
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0
    if identity is not None:
        context.load_cert_chain(identity.certificate_file, identity.key_file)
    return context


def station_context(identity: Identity, trusted: list[KnownStation], *, server: bool) -> ssl.SSLContext:
    """Both sides show their certificate, and only these very certificates are trusted."""
    context = _bare(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT, identity)
    context.verify_mode = ssl.CERT_REQUIRED
    for station in trusted:
        context.load_verify_locations(cadata=station.pem)
    return context


def pairing_contexts(identity: Identity, *, server: bool) -> ssl.SSLContext:
    """For a first meeting: only the wizard's station shows its certificate, and nobody trusts it yet.

    The code proves afterwards that this is the certificate of the station whose screen a person has read.
    """
    context = _bare(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT, identity if server else None)
    context.verify_mode = ssl.CERT_NONE
    return context


class TlsSocket(QObject):
    """One TLS connection. `encrypted` comes once, when both sides are who they must be; `failed` with a reason if
    that is not so. After that it behaves as a `QLocalSocket` for whoever reads and writes it.
    """

    encrypted = Signal()
    failed = Signal(str)
    readyRead = Signal()
    bytesWritten = Signal(int)
    disconnected = Signal()

    def __init__(
        self, socket: QTcpSocket, context: ssl.SSLContext, *, server: bool, name: str | None, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._socket = socket
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=server, server_hostname=name)
        self._plain = bytearray()
        self._up = self._ended = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(lambda: self._fail("it did not finish its handshake in time"))
        socket.setParent(self)
        socket.setReadBufferSize(_READ_BUFFER)
        # Small frames in both directions: waiting for more would cost 40 ms each.
        socket.setSocketOption(QAbstractSocket.SocketOption.LowDelayOption, 1)
        socket.setSocketOption(QAbstractSocket.SocketOption.KeepAliveOption, 1)
        socket.readyRead.connect(self._on_ready_read)
        socket.bytesWritten.connect(self._on_written)
        socket.disconnected.connect(self._on_disconnected)

    def begin(self) -> None:
        """Shake hands; bytes may have come before."""
        self._patience.start(HANDSHAKE_MS)
        self._on_ready_read()

    @property
    def peer_certificate(self) -> bytes | None:
        """The certificate of the other end in DER; None for a client that is only being paired."""
        return self._tls.getpeercert(binary_form=True)

    def is_in(self, context: ssl.SSLContext) -> bool:
        """Whether the handshake chose this context: a server's may change with the name that is asked for."""
        return self._tls.context is context

    @property
    def address(self) -> str:
        """The other end's address, without its port."""
        return self._socket.peerAddress().toString()

    # -- the names of a local socket ------------------------------------------------------------------------

    def state(self) -> QLocalSocket.LocalSocketState:
        """Connected once both sides are who they must be, and until the end."""
        states = QLocalSocket.LocalSocketState
        return states.ConnectedState if self._up and not self._ended else states.UnconnectedState

    def isOpen(self) -> bool:
        """Whether anything can still be read."""
        return self._up and (not self._ended or bool(self._plain))

    def bytesAvailable(self) -> int:
        """Decrypted bytes that wait."""
        return len(self._plain)

    def read(self, most: int) -> QByteArray:
        """Up to so many decrypted bytes."""
        data = bytes(self._plain[:most])
        del self._plain[:most]
        # The socket stops reading while these wait; now there is room again.
        if len(self._plain) < _READ_BUFFER and self._socket.bytesAvailable():
            QTimer.singleShot(0, self, self._on_ready_read)
        return QByteArray(data)

    def take(self) -> bytes:
        """All decrypted bytes that wait."""
        return bytes(self.read(len(self._plain)).data())

    def write(self, data: bytes) -> int:
        """Encrypt and send."""
        if not self._up or self._ended:
            return -1
        view = memoryview(data)
        while view:
            view = view[self._tls.write(view) :]
        self._flush_tls()
        return len(data)

    def bytesToWrite(self) -> int:
        """Encrypted bytes that the system has not taken yet."""
        return self._socket.bytesToWrite()

    def flush(self) -> bool:
        """Hand over what waits."""
        return self._socket.flush()

    def setReadBufferSize(self, size: int) -> None:
        """As of the socket below."""
        self._socket.setReadBufferSize(size)

    def disconnectFromServer(self) -> None:
        """Close once everything is written."""
        self._socket.disconnectFromHost()

    def abort(self) -> None:
        """Close at once."""
        self._socket.abort()
        # A socket that was never connected says nothing.
        self._on_disconnected()

    # -- inside ---------------------------------------------------------------------------------------------

    @Slot()
    def _on_ready_read(self) -> None:
        while not self._ended and self._socket.bytesAvailable() and len(self._plain) < _READ_BUFFER:
            self._incoming.write(self._socket.read(_PIECE).data())
            if not self._advance():
                return
        if self._plain:
            self.readyRead.emit()
        elif not self._up:
            self._advance()

    def _advance(self) -> bool:
        """Shake hands or decrypt; False if that is over."""
        try:
            if not self._up:
                self._tls.do_handshake()
                self._up = True
                self._patience.stop()
                self._flush_tls()
                self.encrypted.emit()
            while data := self._tls.read(_PIECE):
                self._plain += data
        except ssl.SSLWantReadError:
            self._flush_tls()
            return True
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            self._flush_tls()
            self._socket.disconnectFromHost()
            return False
        except ssl.SSLError as error:
            # The alert tells the other side why.
            self._flush_tls()
            self._fail(_reason(error))
            return False
        return True

    def _flush_tls(self) -> None:
        if data := self._outgoing.read():
            self._socket.write(data)

    @Slot("qint64")
    def _on_written(self, count: int) -> None:
        if self._up:
            self.bytesWritten.emit(count)

    def _fail(self, why: str) -> None:
        if self._ended:
            return
        was_up = self._up
        self._socket.disconnectFromHost()
        if not was_up:
            self._end()
            self.failed.emit(why)

    @Slot()
    def _on_disconnected(self) -> None:
        if self._ended:
            return
        # What came just before the end still counts.
        self._on_ready_read()
        was_up = self._up
        self._end()
        if was_up:
            self.disconnected.emit()
        else:
            self.failed.emit("the connection ended during the handshake")

    def _end(self) -> None:
        self._ended = True
        self._patience.stop()


def _reason(error: ssl.SSLError) -> str:
    """OpenSSL's reason in words."""
    reason = (error.reason or str(error)).lower().replace("_", " ")
    if isinstance(error, ssl.SSLCertVerificationError) or "certificate" in reason or "unknown ca" in reason:
        return "its certificate is not one that was paired here"
    if "version" in reason or "protocol" in reason:
        return "it does not speak TLS 1.3"
    return f"the handshake failed ({reason})"
